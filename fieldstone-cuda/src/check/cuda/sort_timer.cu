// Times sort.cu: against CUB's DeviceRadixSort, and against the time that reading and writing the items
// takes once a pass.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I fieldstone-cuda/src/main/cuda
//       -o sort_timer fieldstone-cuda/src/check/cuda/sort_timer.cu
//   ./sort_timer [sorts] [parts] [buckets] [tiles]: whole sorts beside CUB, the kernels of one, buckets
//       by segments, and other shapes of tiles

#include <cub/device/device_radix_sort.cuh>

#include "check.cuh"
#include "launch_sorts.cuh"

namespace {

using namespace sorts;

template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads) other_pass(const SortPassArguments a) {
  sorting::pass<kKeyWords, kWords, kFloating, kThreads, kItems>(a);
}

template <class Before, class Work>
float median_ms(int runs, Before&& before, Work&& work) {
  return times_of(runs, before, work).median;
}

__global__ void fill(uint32_t* words, int64_t n, int kind, uint64_t seed) {
  for (int64_t i = launch_thread(); i < n; i += launch_threads()) {
    uint64_t any = mixed(seed + static_cast<uint64_t>(i) * 0x9E3779B97F4A7C15ull);
    uint32_t word = static_cast<uint32_t>(any);
    if (kind == 1) {
      double sum = 0;
      for (int j = 0; j < 12; j++) {
        any = mixed(any + j);
        sum += static_cast<double>(static_cast<uint32_t>(any));
      }
      word = static_cast<uint32_t>(sum / 12);
    } else if (kind == 2) {
      word &= 0xFF;
    } else if (kind == 3) {
      word = 7;
    } else if (kind == 4) {
      word = static_cast<uint32_t>(i);
    }
    words[i] = word;
  }
}

__global__ void copy_words(const uint4* from, uint4* to, int64_t n) {
  for (int64_t i = launch_thread(); i < n; i += launch_threads()) {
    to[i] = from[i];
  }
}

double copy_rate() {
  const int64_t bytes = int64_t{1} << 31;
  DeviceArray<uint4> from(bytes / 16), to(bytes / 16);
  const float ms = median_ms(5, [] {}, [&] {
    copy_words<<<multiprocessors() * 16, 512>>>(from.data, to.data, bytes / 16);
  });
  return 2.0 * bytes / (ms * 1e6);
}

void fill_items(DeviceArray<uint32_t>& items, int kind) {
  fill<<<multiprocessors() * 8, 256>>>(items.data, static_cast<int64_t>(items.count), kind, 42);
}

/** Milliseconds of a sort by LSD passes. */
float time_sort(const Format& format, const PassKernel& kernel, int64_t n, int kind) {
  DeviceArray<uint32_t> items(n * format.words), others(n * format.words);
  Lsd lsd(format, kernel, n, (int64_t{1} << 28) / kernel.tile());
  const float ms = median_ms(
      5, [&] { fill_items(items, kind); }, [&] { lsd.sort(items.data, others.data, n); });
  return ms;
}

template <class KeyType>
float time_cub_keys(int64_t n, int kind) {
  DeviceArray<uint32_t> items(n * sizeof(KeyType) / 4), others(items.count);
  cub::DoubleBuffer<KeyType> keys(reinterpret_cast<KeyType*>(items.data),
                                  reinterpret_cast<KeyType*>(others.data));
  size_t bytes = 0;
  REQUIRE(cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, n));
  DeviceArray<uint8_t> scratch(bytes);
  return median_ms(
      5,
      [&] {
        fill_items(items, kind);
        keys.selector = 0;
      },
      [&] { REQUIRE(cub::DeviceRadixSort::SortKeys(scratch.data, bytes, keys, n)); });
}

template <class KeyType, class Value>
float time_cub_pairs(int64_t n, int kind) {
  DeviceArray<uint32_t> items(n * sizeof(KeyType) / 4), others(items.count);
  DeviceArray<Value> from(n), to(n);
  cub::DoubleBuffer<KeyType> keys(reinterpret_cast<KeyType*>(items.data),
                                  reinterpret_cast<KeyType*>(others.data));
  cub::DoubleBuffer<Value> values(from.data, to.data);
  size_t bytes = 0;
  REQUIRE(cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n));
  DeviceArray<uint8_t> scratch(bytes);
  return median_ms(
      5,
      [&] {
        fill_items(items, kind);
        keys.selector = 0;
        values.selector = 0;
      },
      [&] { REQUIRE(cub::DeviceRadixSort::SortPairs(scratch.data, bytes, keys, values, n)); });
}

const char* const kKindNames[] = {"uniform", "normal", "256 values", "equal", "sorted"};

void report(const char* what, const Format& format, int64_t n, int kind, double rate, float cub) {
  const float time = time_sort(format, pass_of(format), n, kind);
  const double passes = 4.0 * format.key_words;
  const double bytes = static_cast<double>(n) * 4 * format.words;
  const double least = (passes * 2 + 1) * bytes / (rate * 1e6);
  printf("%-10s %-10s n=%-11lld %9.3f ms %7.2f G/s", what, kKindNames[kind],
         static_cast<long long>(n), time, n / (time * 1e6));
  if (cub > 0) {
    printf("   CUB %9.3f ms %7.2f G/s   of CUB %.2f", cub, n / (cub * 1e6), cub / time);
  }
  printf("   of the copy rate %.2f\n", least / time);
}

void time_parts(int64_t n) {
  const Format format = {1, 1, false, 0};
  DeviceArray<uint32_t> items(n), others(n);
  Lsd lsd(format, pass_of(format), n, 1 << 16);
  fill_items(items, 0);
  const float count = median_ms(5, [] {}, [&] { lsd.count(items.data, n); });
  const float pass = median_ms(
      5, [&] { lsd.count(items.data, n); }, [&] { lsd.pass(items.data, others.data, n, 0); });
  lsd.sort(items.data, others.data, n);
  const std::vector<uint32_t> sorted = items.read();
  DeviceArray<uint32_t> rows(n + 1024);
  DeviceArray<int2> directory(n / 1024 + 1);
  DeviceArray<unsigned long long> used(2);
  DeviceArray<unsigned long long> told(1);
  const SortPackArguments a = {{items.data, items.data}, lsd.plan.data, rows.data, directory.data,
                               used.data,                told.data,     n,         0, 0, 0};
  const float pack = median_ms(
      5, [&] { used.clear(); },
      [&] { sort_pack_1<<<multiprocessors() * 4, sorting::kPackThreads>>>(a); });
  printf("parts at %lld u32 keys: count %.3f ms, a pass %.3f ms, pack %.3f ms to %.3f of the bytes\n",
         static_cast<long long>(n), count, pass, pack,
         static_cast<double>(used.read()[0]) * 64 / (4.0 * n));
}

/**
 * A bucket of `values` of the 256 values, of 10^8 keys that have arrived in 24 parts: collected and
 * sorted by segments, and, as if it were not known what is in it, copied and sorted by all digits.
 */
void time_bucket(int values) {
  const Format format = {1, 1, false, 0};
  const int64_t n = 100'000'000;
  const int parts = 24;
  DeviceArray<uint32_t> items(n);
  fill_items(items, 0);
  std::vector<int64_t> firsts;
  for (int part = 0; part <= parts; part++) {
    firsts.push_back(n * part / parts);
  }
  Dealt dealt(format, 3, items.data, firsts);
  const int from = 100, end = from + values;
  const int64_t count = dealt.items(from, end);
  DeviceArray<uint32_t> here(count), others(count);
  Lsd lsd(format, pass_of(format), count, 1 << 16);
  const int64_t tiles = (count + lsd.kernel.tile() - 1) / lsd.kernel.tile();
  const int64_t state_words = 256 * (1 + tiles);
  // Counts and states are cleared together, which the host does by digit.
  const int64_t count_words = 2 * 8 * 256;
  DeviceArray<uint32_t> room(count_words + 4 * state_words);
  auto* const counts = reinterpret_cast<unsigned long long*>(room.data);
  const auto copy = [&] {
    REQUIRE(cudaMemcpyAsync(here.data, dealt.moved.data + from, 4 * count,
                            cudaMemcpyDeviceToDevice));
  };
  const auto whole_pass = [&](int digit) {
    const SortPassArguments a = {{here.data, others.data},
                                 lsd.plan.data,
                                 lsd.bases.data + 512 * digit,
                                 room.data + count_words + digit * state_words,
                                 0,
                                 count,
                                 format.flip,
                                 digit,
                                 0};
    lsd.kernel.run<<<static_cast<int>(tiles), lsd.kernel.threads>>>(a);
  };
  const auto clear = [&] { REQUIRE(cudaMemsetAsync(room.data, 0, 4 * room.count)); };
  const auto plan = [&] {
    launch_count(format, here.data, counts, count);
    const SortPlanArguments p = {counts, lsd.bases.data, lsd.plan.data, count, 4, 0};
    sort_plan<<<1, 256>>>(p);
  };
  const auto whole = [&] {
    copy();
    clear();
    plan();
    for (int digit = 0; digit < 4; digit++) {
      whole_pass(digit);
    }
  };
  const auto segments = [&] { dealt.sort(here.data, others.data, from, end); };
  const int runs = 21;
  // In turn, so that both see the GPU as it is.
  std::vector<float> ratios;
  float whole_ms = 0, segments_ms = 0;
  for (int i = 0; i < 5; i++) {
    whole_ms = median_ms(runs, [] {}, whole);
    segments_ms = median_ms(runs, [] {}, segments);
    ratios.push_back(whole_ms / segments_ms);
  }
  std::sort(ratios.begin(), ratios.end());
  printf("a bucket of %lld u32 keys, %d segments of %d parts: whole %.1f us, by segments %.1f us, "
         "%.2f times as fast (%.2f to %.2f)\n",
         static_cast<long long>(count), values, parts, 1000 * whole_ms, 1000 * segments_ms,
         ratios[2], ratios[0], ratios[4]);
  const float copy_ms = median_ms(runs, [] {}, copy);
  const auto copy_and_clear = [&] {
    copy();
    clear();
  };
  const float count_ms = median_ms(runs, copy_and_clear, plan);
  const float clear_ms = median_ms(runs, [] {}, clear);
  const float pass_ms = median_ms(runs, clear, [&] { whole_pass(0); });
  const float collect_ms =
      median_ms(runs, [] {}, [&] { dealt.collect(here.data, from, end); });
  const float segment_ms = median_ms(
      runs, [&] { dealt.collect(here.data, from, end); },
      [&] { dealt.pass(here.data, others.data, from, end, 0); });
  printf("  of which copy %.1f us, clear %.1f, count and plan %.1f, a pass %.1f; collect (with clear "
         "and count) %.1f, a pass %.1f, %.2f of the whole one's\n",
         1000 * copy_ms, 1000 * clear_ms, 1000 * count_ms, 1000 * pass_ms, 1000 * collect_ms,
         1000 * segment_ms, segment_ms / pass_ms);
}

void time_buckets() {
  for (int values : {10, 4, 40}) {
    time_bucket(values);
  }
}

void time_sorts() {
  const double rate = copy_rate();
  printf("copy: %.0f GB/s, read and written\n", rate);
  const Format u32 = {1, 1, false, 0}, u64 = {2, 2, false, 0};
  const Format pairs = {1, 2, false, 0}, u32_8 = {1, 3, false, 0};
  const Format u64_4 = {2, 3, false, 0}, u64_8 = {2, 4, false, 0}, f32 = {1, 1, true, 0};
  for (int64_t n : {100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000}) {
    report("u32", u32, n, 0, rate, time_cub_keys<uint32_t>(n, 0));
  }
  const int64_t n = 100'000'000;
  for (int kind = 1; kind <= 4; kind++) {
    report("u32", u32, n, kind, rate, time_cub_keys<uint32_t>(n, kind));
  }
  report("f32", f32, n, 0, rate, 0);
  report("u32+4", pairs, n / 10, 0, rate, time_cub_pairs<uint32_t, uint32_t>(n / 10, 0));
  report("u32+4", pairs, n, 0, rate, time_cub_pairs<uint32_t, uint32_t>(n, 0));
  report("u32+8", u32_8, n, 0, rate, time_cub_pairs<uint32_t, uint64_t>(n, 0));
  report("u64", u64, n, 0, rate, time_cub_keys<uint64_t>(n, 0));
  report("u64+4", u64_4, n, 0, rate, time_cub_pairs<uint64_t, uint32_t>(n, 0));
  report("u64+8", u64_8, n, 0, rate, time_cub_pairs<uint64_t, uint64_t>(n, 0));
}

template <int kKeyWords, int kWords, int kThreads, int kItems>
void time_tile(int64_t n) {
  const Format format = {kKeyWords, kWords, false, 0};
  const PassKernel kernel = {other_pass<kKeyWords, kWords, false, kThreads, kItems>, kThreads,
                             kItems};
  int blocks;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel.run, kThreads, 0));
  const float ms = time_sort(format, kernel, n, 0);
  printf("%d+%d words, %d threads x %2d items, %d blocks a multiprocessor: %.3f ms %.2f G/s\n",
         kKeyWords, kWords - kKeyWords, kThreads, kItems, blocks, ms, n / (ms * 1e6));
}

void time_tiles() {
  const int64_t n = 100'000'000;
  time_tile<1, 1, 256, 20>(n);
  time_tile<1, 1, 256, 28>(n);
  time_tile<1, 1, 384, 24>(n);
  time_tile<1, 1, 384, 28>(n);
  time_tile<1, 1, 384, 30>(n);
  time_tile<1, 1, 512, 22>(n);
  time_tile<1, 2, 256, 16>(n);
  time_tile<1, 2, 256, 20>(n);
  time_tile<1, 2, 384, 14>(n);
  time_tile<1, 2, 384, 15>(n);
  time_tile<1, 2, 512, 11>(n);
  time_tile<1, 3, 256, 10>(n);
  time_tile<1, 3, 256, 14>(n);
  time_tile<1, 3, 384, 8>(n);
  time_tile<1, 3, 384, 10>(n);
  time_tile<2, 2, 256, 16>(n);
  time_tile<2, 2, 384, 10>(n);
  time_tile<2, 2, 384, 12>(n);
  time_tile<2, 2, 384, 13>(n);
  time_tile<2, 3, 256, 10>(n);
  time_tile<2, 3, 384, 7>(n);
  time_tile<2, 3, 384, 8>(n);
  time_tile<2, 3, 384, 9>(n);
  time_tile<2, 4, 256, 8>(n);
  time_tile<2, 4, 256, 10>(n);
  time_tile<2, 4, 384, 7>(n);
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  if (sections.has("sorts")) {
    time_sorts();
  }
  if (sections.has("parts")) {
    time_parts(100'000'000);
  }
  if (sections.has("buckets")) {
    time_buckets();
  }
  if (sections.has("tiles")) {
    time_tiles();
  }
  return 0;
}
