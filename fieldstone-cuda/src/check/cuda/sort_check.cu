// Checks sort.cu against std::stable_sort on the host, then times it on the GPU: against CUB's
// DeviceRadixSort, and against the time that reading and writing the items takes once a pass.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o sort_check
//   fieldstone-cuda/src/check/cuda/sort_check.cu
//   ./sort_check           checks, then times, within a minute
//   ./sort_check check     checks only
//   ./sort_check time      times only
//   ./sort_check buckets   times buckets only
//   ./sort_check tiles     times other shapes of tiles
//
// Exits 1 if anything is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "../../main/cuda/sort.cu"
#include "check.cuh"

namespace {

int64_t random_below(int64_t bound) {
  return static_cast<int64_t>(random_word() % static_cast<uint64_t>(bound));
}

int multiprocessors;

/** The median time of some runs, in milliseconds; `before` is not counted. */
float median_ms(int runs, const std::function<void()>& before, const std::function<void()>& run) {
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i <= runs; i++) {
    before();
    REQUIRE(cudaEventRecord(begin));
    run();
    REQUIRE(cudaEventRecord(end));
    REQUIRE(cudaEventSynchronize(end));
    float ms;
    REQUIRE(cudaEventElapsedTime(&ms, begin, end));
    if (i > 0) {
      times.push_back(ms);
    }
  }
  REQUIRE(cudaEventDestroy(begin));
  REQUIRE(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/** A way to make passes: a kernel with the shape of its tiles. */
struct PassKernel {
  void (*run)(const SortPassArguments);
  int threads;
  int items;
  /** Of segments. */
  void (*run_segments)(const SortSegmentPassArguments) = nullptr;
  void (*collect)(const SortCollectArguments) = nullptr;

  int tile() const { return threads * items; }
};

template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems>
__global__ void __launch_bounds__(kThreads) other_pass(const SortPassArguments a) {
  sorting::pass<kKeyWords, kWords, kFloating, kThreads, kItems>(a);
}

/** What is sorted. */
struct Format {
  int key_words;
  int words;
  bool floating;
  uint64_t flip;
};

#define PASS_KERNEL(SUFFIX, KEY, WORDS)                                        \
  {sort_pass##SUFFIX, sorting::kPassThreads, sorting::kPassItems<KEY, WORDS>, \
   sort_pass##SUFFIX##_segments, sort_collect##SUFFIX}

PassKernel pass_of(const Format& format) {
  const int which = (format.key_words * 10 + format.words) * 10 + (format.floating ? 1 : 0);
  switch (which) {
    case 110: return PASS_KERNEL(_1_1, 1, 1);
    case 120: return PASS_KERNEL(_1_2, 1, 2);
    case 130: return PASS_KERNEL(_1_3, 1, 3);
    case 220: return PASS_KERNEL(_2_2, 2, 2);
    case 230: return PASS_KERNEL(_2_3, 2, 3);
    case 240: return PASS_KERNEL(_2_4, 2, 4);
    case 111: return PASS_KERNEL(_1_1_floating, 1, 1);
    case 121: return PASS_KERNEL(_1_2_floating, 1, 2);
    case 131: return PASS_KERNEL(_1_3_floating, 1, 3);
    case 221: return PASS_KERNEL(_2_2_floating, 2, 2);
    case 231: return PASS_KERNEL(_2_3_floating, 2, 3);
    default: return PASS_KERNEL(_2_4_floating, 2, 4);
  }
}

/** Asks for the counts of all digits, to be added to. */
void launch_count(const Format& format, const uint32_t* items, unsigned long long* counts,
                  int64_t n) {
  const SortCountArguments a = {items, counts, n, format.flip, format.words, 0};
  const int64_t step = sorting::kCountThreads * sorting::kCountAhead;
  const int blocks = static_cast<int>(
      std::min<int64_t>(4 * multiprocessors, std::max<int64_t>(1, (n + step - 1) / step)));
  const auto kernel = format.key_words == 1
                          ? (format.floating ? sort_count_1_floating : sort_count_1)
                          : (format.floating ? sort_count_2_floating : sort_count_2);
  kernel<<<blocks, sorting::kCountThreads>>>(a);
}

/** What a sort needs besides the items. */
struct Lsd {
  Format format;
  PassKernel kernel;
  int64_t most_items;
  int64_t portion;
  DeviceArray<unsigned long long> counts;
  DeviceArray<int64_t> bases;
  DeviceArray<SortPlan> plan;
  DeviceArray<uint32_t> states;

  Lsd(const Format& format, const PassKernel& kernel, int64_t most_items, int64_t portion_tiles)
      : format(format),
        kernel(kernel),
        most_items(most_items),
        portion(portion_tiles * kernel.tile()),
        counts(8 * 256),
        bases(8 * 512),
        plan(1),
        states(256 * (1 + (std::min(portion, most_items) + kernel.tile() - 1) / kernel.tile())) {}

  int digits() const { return 4 * format.key_words; }

  void count(const uint32_t* items, int64_t n) {
    counts.clear();
    launch_count(format, items, counts.data, n);
    const SortPlanArguments p = {counts.data, bases.data, plan.data, n, digits(), 0};
    sort_plan<<<1, 256>>>(p);
  }

  void pass(uint32_t* items, uint32_t* others, int64_t n, int digit) {
    for (int64_t first = 0, i = 0; first < n; first += portion, i++) {
      const int64_t some = std::min(portion, n - first);
      const int64_t tiles = (some + kernel.tile() - 1) / kernel.tile();
      REQUIRE(cudaMemsetAsync(states.data, 0, (1 + tiles) * 1024));
      const SortPassArguments a = {{items, others},
                                   plan.data,
                                   bases.data + 512 * digit,
                                   states.data,
                                   first,
                                   some,
                                   format.flip,
                                   digit,
                                   static_cast<int32_t>(i)};
      kernel.run<<<static_cast<int>(tiles), kernel.threads>>>(a);
    }
    REQUIRE(cudaGetLastError());
  }

  void sort(uint32_t* items, uint32_t* others, int64_t n) {
    count(items, n);
    for (int digit = 0; digit < digits(); digit++) {
      pass(items, others, n, digit);
    }
  }
};

/** Items that are moved by a digit part by part, and what is collected of them. */
struct Dealt {
  Format format;
  PassKernel kernel;
  int digit;
  /** First items, and the number of all. */
  std::vector<int64_t> firsts;
  DeviceArray<uint32_t> moved;
  DeviceArray<int64_t> device_firsts;
  DeviceArray<unsigned long long> counts;
  DeviceArray<int64_t> bases;
  DeviceArray<unsigned long long> totals;
  DeviceArray<SortSegment> segments;
  DeviceArray<SortPlan> plan;
  std::vector<SortSegment> known;
  /** Counts of segments, then states, of any bucket. */
  DeviceArray<uint32_t> room;

  Dealt(const Format& format, int digit, const uint32_t* items, const std::vector<int64_t>& firsts)
      : format(format),
        kernel(pass_of(format)),
        digit(digit),
        firsts(firsts),
        moved(firsts.back() * format.words),
        device_firsts(firsts),
        counts(parts() * digits() * 256),
        bases(parts() * digits() * 512),
        totals(digits() * 256),
        segments(257),
        plan(1),
        room(int64_t{256} * digit * (256 + 1 + 256 + firsts.back() / kernel.tile())) {
    counts.clear();
    for (int part = 0; part < parts(); part++) {
      move(part, items);
    }
    const SortSegmentsArguments a = {counts.data, totals.data,   segments.data, plan.data,
                                     kernel.tile(), parts(), digits(),      digit, 0};
    sort_segments<<<digits(), 256>>>(a);
    REQUIRE(cudaGetLastError());
    known = segments.read();
  }

  int digits() const { return 4 * format.key_words; }
  int parts() const { return static_cast<int>(firsts.size()) - 1; }

  void move(int part, const uint32_t* items) {
    const int64_t n = firsts[part + 1] - firsts[part];
    const int64_t tiles = (n + kernel.tile() - 1) / kernel.tile();
    const uint32_t* from = items + firsts[part] * format.words;
    unsigned long long* own_counts = counts.data + part * digits() * 256;
    int64_t* own_bases = bases.data + part * digits() * 512;
    launch_count(format, from, own_counts, n);
    const SortPlanArguments p = {own_counts, own_bases, plan.data, n, digits(), 0};
    sort_plan<<<1, 256>>>(p);
    DeviceArray<uint32_t> states(256 * (1 + tiles));
    states.clear();
    const SortPassArguments a = {
        {const_cast<uint32_t*>(from), moved.data + firsts[part] * format.words},
        nullptr, own_bases + 512 * digit, states.data, 0, n, format.flip, digit, 0};
    if (n > 0) {
      kernel.run<<<static_cast<int>(tiles), kernel.threads>>>(a);
    }
    REQUIRE(cudaDeviceSynchronize());
  }

  int64_t items(int from, int end) const { return known[end].first - known[from].first; }
  int64_t tiles(int from, int end) const { return known[end].first_tile - known[from].first_tile; }

  /** Words of the counts of the segments of some values. */
  int64_t count_words(int from, int end) const { return int64_t{256} * digit * (end - from); }

  /** Words of these, and of the states. */
  int64_t room_words(int from, int end) const {
    return count_words(from, end) + digit * 256 * (1 + tiles(from, end));
  }

  void collect(uint32_t* to, int from, int end) {
    REQUIRE(cudaMemsetAsync(room.data, 0, 4 * room_words(from, end)));
    const SortCollectArguments a = {moved.data,
                                    to,
                                    bases.data + 512 * digit,
                                    device_firsts.data,
                                    segments.data + from,
                                    room.data,
                                    512 * digits(),
                                    format.flip,
                                    parts(),
                                    from,
                                    end - from,
                                    digit};
    kernel.collect<<<static_cast<int>(tiles(from, end)), kernel.threads>>>(a);
  }

  void pass(uint32_t* items, uint32_t* others, int from, int end, int lower) {
    uint32_t* states = room.data + count_words(from, end) + lower * 256 * (1 + tiles(from, end));
    const SortSegmentPassArguments a = {items,
                                        others,
                                        segments.data + from,
                                        room.data + 256 * lower,
                                        states,
                                        256 * digit,
                                        format.flip,
                                        end - from,
                                        lower};
    kernel.run_segments<<<static_cast<int>(tiles(from, end)), kernel.threads>>>(a);
  }

  /** Leaves the items of some values in order where the plan says. */
  void sort(uint32_t* items, uint32_t* others, int from, int end) {
    collect(items, from, end);
    for (int lower = 0; lower < digit; lower++) {
      pass(lower % 2 == 0 ? items : others, lower % 2 == 0 ? others : items, from, end, lower);
    }
    REQUIRE(cudaGetLastError());
  }
};

uint64_t rank_of(const Format& format, const uint32_t* item) {
  if (format.key_words == 1) {
    uint32_t key = item[0];
    if (format.floating) {
      float number;
      memcpy(&number, &key, 4);
      key = std::isnan(number) ? 0xFFC00000u : key >> 31 ? ~key : key | 0x80000000u;
    }
    return key ^ static_cast<uint32_t>(format.flip);
  }
  uint64_t key = static_cast<uint64_t>(item[1]) << 32 | item[0];
  if (format.floating) {
    double number;
    memcpy(&number, &key, 8);
    key = std::isnan(number) ? 0xFFF8000000000000ull : key >> 63 ? ~key : key | 1ull << 63;
  }
  return key ^ format.flip;
}

constexpr int kKinds = 7;

uint64_t key_of_kind(int kind, int64_t i, int64_t n, bool floating, bool wide) {
  const uint64_t any = random_word();
  switch (kind) {
    case 0: return any;
    case 1: return 0x4142434445464748ull;
    case 2: return any & 0x0000000300000003ull;
    case 3: return static_cast<uint64_t>(i) << (wide ? 20 : 0);
    case 4: return static_cast<uint64_t>(n - i);
    case 5: return random_below(100) == 0 ? any : 0x3F80000000000000ull >> (wide ? 0 : 32);
    default: {
      const float specials[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, -NAN, 1.0f, -1.0f};
      const float number = specials[any % 8];
      if (wide) {
        const double twice = number;
        uint64_t bits;
        memcpy(&bits, &twice, 8);
        return bits + (any >> 40 & 3);
      }
      uint32_t bits;
      memcpy(&bits, &number, 4);
      return bits + (any >> 40 & 3);
    }
  }
}

std::vector<uint32_t> random_items(const Format& format, int64_t n, int kind) {
  std::vector<uint32_t> items(n * format.words);
  for (int64_t i = 0; i < n; i++) {
    uint32_t* item = &items[i * format.words];
    const uint64_t key = key_of_kind(kind, i, n, format.floating, format.key_words == 2);
    item[0] = static_cast<uint32_t>(key);
    if (format.key_words == 2) {
      item[1] = static_cast<uint32_t>(key >> 32);
    }
    for (int word = format.key_words; word < format.words; word++) {
      item[word] = static_cast<uint32_t>(i * (word == format.key_words ? 1 : 2654435761u));
    }
  }
  return items;
}

std::vector<int64_t> sorted_order(const Format& format, const std::vector<uint32_t>& items) {
  const int64_t n = static_cast<int64_t>(items.size()) / format.words;
  std::vector<uint64_t> ranks(n);
  for (int64_t i = 0; i < n; i++) {
    ranks[i] = rank_of(format, &items[i * format.words]);
  }
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), int64_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](int64_t a, int64_t b) { return ranks[a] < ranks[b]; });
  return order;
}

std::vector<uint32_t> permuted(const std::vector<uint32_t>& items, int words,
                               const std::vector<int64_t>& order) {
  std::vector<uint32_t> sorted(items.size());
  for (size_t i = 0; i < order.size(); i++) {
    memcpy(&sorted[i * words], &items[order[i] * words], 4 * words);
  }
  return sorted;
}

std::string name(const Format& format, int64_t n, int kind) {
  return std::to_string(n) + " items of " + std::to_string(format.words) + " words, keys of " +
         std::to_string(format.key_words) + (format.floating ? ", floating" : "") + ", kind " +
         std::to_string(kind);
}

/** Keys from what sort_pack made of them. */
template <class Rank>
std::vector<Rank> unpacked(const std::vector<uint32_t>& rows, const std::vector<int2>& directory,
                           int before, int64_t n, const Format& format) {
  constexpr int kColumns = 64 / sizeof(Rank);
  constexpr int kBits = 8 * sizeof(Rank);
  constexpr int kKeys = 64 * kColumns;
  std::vector<Rank> keys(n);
  for (size_t block = 0; block < directory.size(); block++) {
    const Rank* from = reinterpret_cast<const Rank*>(rows.data()) + int64_t{directory[block].x} * kColumns;
    const int width = directory[block].y;
    for (int i = 0; i < kKeys; i++) {
      const int64_t at = static_cast<int64_t>(block) * kKeys - before + i;
      if (at < 0 || at >= n) {
        continue;
      }
      if (width == sorting::kPlain) {
        keys[at] = from[i];
        continue;
      }
      Rank rank = from[i % kColumns];
      for (int row = 0; row <= i / kColumns; row++) {
        Rank more = 0;
        for (int bit = 0; bit < width; bit++) {
          const int from_bit = row * width + bit;
          const Rank word = from[kColumns + from_bit / kBits * kColumns + i % kColumns];
          more |= (word >> (from_bit % kBits) & 1) << bit;
        }
        rank += more;
      }
      rank ^= static_cast<Rank>(format.flip);
      if (format.floating) {
        rank = rank >> (kBits - 1) ? rank ^ Rank{1} << (kBits - 1) : ~rank;
      }
      keys[at] = rank;
    }
  }
  return keys;
}

template <class Rank>
double check_pack(Lsd& lsd, DeviceArray<uint32_t>& items, DeviceArray<uint32_t>& others,
                  const std::vector<uint32_t>& sorted, int64_t n, const std::string& what) {
  constexpr int kKeys = 64 * 64 / sizeof(Rank);
  const int before = static_cast<int>(random_below(kKeys));
  const int64_t blocks = (before + n + kKeys - 1) / kKeys;
  DeviceArray<uint32_t> rows(blocks * 64 * 16);
  DeviceArray<int2> directory(blocks);
  DeviceArray<unsigned long long> used(2);
  DeviceArray<unsigned long long> told(1);
  used.clear();
  const SortPackArguments a = {{items.data, others.data}, lsd.plan.data,  rows.data,
                               directory.data,            used.data,      told.data,
                               n,                         lsd.format.flip,
                               lsd.format.floating ? 1 : 0, before};
  (sizeof(Rank) == 4 ? sort_pack_1 : sort_pack_2)<<<multiprocessors, sorting::kPackThreads>>>(a);
  REQUIRE(cudaGetLastError());
  const std::vector<Rank> keys = unpacked<Rank>(rows.read(), directory.read(), before, n, lsd.format);
  expect(memcmp(keys.data(), sorted.data(), n * sizeof(Rank)) == 0, "packed " + what);
  expect(told.read()[0] == used.read()[0], "rows told of " + what);
  return static_cast<double>(used.read()[0]) * 64 / (n * sizeof(Rank));
}

void check_sort(const Format& format, int64_t n, int kind, int64_t portion_tiles) {
  const std::vector<uint32_t> items = random_items(format, n, kind);
  DeviceArray<uint32_t> here(items);
  DeviceArray<uint32_t> others(items.size());
  Lsd lsd(format, pass_of(format), n, portion_tiles);
  lsd.sort(here.data, others.data, n);
  const std::vector<uint32_t> sorted = permuted(items, format.words, sorted_order(format, items));
  const int result = lsd.plan.read()[0].result;
  const std::string what = name(format, n, kind);
  expect((result == 0 ? here : others).read() == sorted, what);
  DeviceArray<uint8_t> given(items.size() * 4 + 16);
  const int offset = static_cast<int>(random_below(16));
  const SortGiveArguments give = {{here.data, others.data}, lsd.plan.data, nullptr,
                                  given.data + offset,      n,             4 * format.words,
                                  format.words,             0};
  sort_give<<<64, 256>>>(give);
  expect(memcmp(given.read().data() + offset, sorted.data(), sorted.size() * 4) == 0,
         "given " + what);
  if (format.words == format.key_words && n > 0) {
    if (format.words == 1) {
      check_pack<uint32_t>(lsd, here, others, sorted, n, what);
    } else {
      check_pack<uint64_t>(lsd, here, others, sorted, n, what);
    }
  }
}

/** The highest digit that not all items share. */
int telling_digit(const Format& format, const std::vector<uint32_t>& items) {
  uint64_t differing = 0;
  for (size_t i = 0; i < items.size(); i += format.words) {
    differing |= rank_of(format, &items[i]) ^ rank_of(format, &items[0]);
  }
  int digit = 4 * format.key_words - 1;
  while (digit > 0 && differing >> (8 * digit) == 0) {
    digit--;
  }
  return digit;
}

/** Items in parts of any size, some of them empty, and all buckets of `bucket_values` values. */
void check_segments(const Format& format, int64_t n, int kind, int parts, int bucket_values) {
  const std::vector<uint32_t> items = random_items(format, n, kind);
  const std::vector<uint32_t> sorted = permuted(items, format.words, sorted_order(format, items));
  std::vector<int64_t> firsts = {0, n};
  for (int i = 1; i < parts; i++) {
    firsts.push_back(random_below(n + 1));
  }
  std::sort(firsts.begin(), firsts.end());
  DeviceArray<uint32_t> all(items);
  Dealt dealt(format, telling_digit(format, items), all.data, firsts);
  const std::string what = "segments of " + name(format, n, kind) + ", " + std::to_string(parts) +
                           " parts, buckets of " + std::to_string(bucket_values) + " values";
  const std::vector<unsigned long long> counts = dealt.counts.read();
  const std::vector<unsigned long long> totals = dealt.totals.read();
  for (size_t i = 0; i < totals.size(); i++) {
    unsigned long long total = 0;
    for (int part = 0; part < parts; part++) {
      total += counts[part * totals.size() + i];
    }
    if (total != totals[i]) {
      expect(false, "totals of " + what);
      break;
    }
  }
  expect(dealt.plan.read()[0].result == dealt.digit % 2, "the plan of " + what);
  bool is_right = dealt.known[256].first == n;
  for (int from = 0; from < 256; from += bucket_values) {
    const int end = std::min(256, from + bucket_values);
    const int64_t words = dealt.items(from, end) * format.words;
    if (words == 0) {
      continue;
    }
    DeviceArray<uint32_t> here(words), others(words);
    dealt.sort(here.data, others.data, from, end);
    const std::vector<uint32_t> found = (dealt.digit % 2 == 0 ? here : others).read();
    const uint32_t* expected = sorted.data() + dealt.known[from].first * format.words;
    is_right = is_right && memcmp(found.data(), expected, 4 * words) == 0;
  }
  expect(is_right, what);
}

/** Records of any size at any place, by their indices. */
void check_records(const Format& key, int payload, int64_t n, int index_words) {
  const int bytes = 4 * key.key_words + payload;
  const int offset = static_cast<int>(random_below(16));
  std::vector<uint8_t> records(offset + n * bytes);
  for (auto& byte : records) {
    byte = static_cast<uint8_t>(random_word());
  }
  const Format format = {key.key_words, key.key_words + index_words, key.floating, key.flip};
  std::vector<uint32_t> keys(n * key.key_words);
  for (int64_t i = 0; i < n; i++) {
    records[offset + i * bytes + 4 * key.key_words - 1] = static_cast<uint8_t>(i % 3);
    memcpy(&keys[i * key.key_words], &records[offset + i * bytes], 4 * key.key_words);
  }
  DeviceArray<uint8_t> device(records);
  DeviceArray<uint32_t> here(n * format.words);
  DeviceArray<uint32_t> others(n * format.words);
  const SortTakeArguments take = {device.data + offset, here.data,     n,          0,
                                  bytes,                key.key_words, index_words};
  sort_take<<<64, 256>>>(take);
  Lsd lsd(format, pass_of(format), n, 1 << 16);
  lsd.sort(here.data, others.data, n);
  DeviceArray<uint8_t> gathered(n * bytes + 16);
  const int to = static_cast<int>(random_below(16));
  SortGiveArguments give = {{here.data, others.data}, lsd.plan.data, device.data + offset,
                            gathered.data + to,       n,             bytes,
                            format.words,             index_words};
  sort_gather<<<64, 256>>>(give);
  DeviceArray<uint8_t> order(n * 8);
  give.to = order.data;
  give.bytes = 8;
  sort_order<<<64, 256>>>(give);
  const std::vector<int64_t> expected = sorted_order({key.key_words, key.key_words, key.floating, key.flip}, keys);
  std::vector<uint8_t> sorted(n * bytes);
  for (int64_t i = 0; i < n; i++) {
    memcpy(&sorted[i * bytes], &records[offset + expected[i] * bytes], bytes);
  }
  const std::string what = "records with " + std::to_string(payload) + " bytes of payload";
  expect(memcmp(gathered.read().data() + to, sorted.data(), sorted.size()) == 0, what);
  expect(memcmp(order.read().data(), expected.data(), n * 8) == 0, "the order of " + what);
}

void check() {
  const Format formats[] = {{1, 1, false, 0},
                            {1, 1, false, 0x80000000},
                            {1, 1, true, 0},
                            {1, 1, true, 0xFFFFFFFF},
                            {1, 2, false, 0xFFFFFFFF},
                            {1, 2, true, 0},
                            {1, 3, false, 0},
                            {1, 3, true, 0},
                            {2, 2, false, 0x8000000000000000},
                            {2, 2, false, ~0ull},
                            {2, 2, true, 0},
                            {2, 3, false, 0},
                            {2, 3, true, ~0ull},
                            {2, 4, false, 0},
                            {2, 4, true, 0}};
  const int64_t sizes[] = {1, 2, 31, 1000, 4608, 10752, 10753, 100'000, 1'000'003};
  for (const Format& format : formats) {
    for (int kind = 0; kind < kKinds; kind++) {
      for (int64_t n : sizes) {
        if (n < 1'000'000 || kind == 0 || kind == 5) {
          check_sort(format, n, kind, n == 100'000 ? 3 : 1 << 16);
        }
      }
    }
  }
  for (const Format& format : formats) {
    for (int kind = 0; kind < kKinds; kind++) {
      check_segments(format, 1, kind, 1, 256);
      check_segments(format, 20'000, kind, 3, 100);
      check_segments(format, 300'000, kind, 24, 10);
    }
    check_segments(format, 100'000, 0, 256, 256);
    check_segments(format, 100'000, 2, 256, 1);
    check_segments(format, 2'000'003, 5, 7, 37);
  }
  for (int payload : {0, 1, 3, 7, 12, 16, 29, 100, 1000}) {
    check_records({1, 1, false, 0}, payload, 10'007, 1);
    check_records({1, 1, true, 0}, payload, 3001, 2);
    check_records({2, 2, true, ~0ull}, payload, 10'007, 1);
    check_records({2, 2, false, 0}, payload, 3001, 2);
  }
  verdict();
}

// ---- Times ----

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

template <int kKeyWords, bool kFloating>
__global__ void count_descents(const uint32_t* items, int words, int64_t n,
                               unsigned long long* descents) {
  using Key = sorting::Key<kKeyWords>;
  using Rank = typename Key::Type;
  unsigned long long found = 0;
  for (int64_t i = launch_thread() + 1; i < n; i += launch_threads()) {
    const Rank before = sorting::rank_of<kFloating>(Key::of(items + (i - 1) * words), Rank{0});
    found += sorting::rank_of<kFloating>(Key::of(items + i * words), Rank{0}) < before;
  }
  if (found != 0) {
    atomicAdd(descents, found);
  }
}

double copy_rate() {
  const int64_t bytes = int64_t{1} << 31;
  DeviceArray<uint4> from(bytes / 16), to(bytes / 16);
  const float ms = median_ms(5, [] {}, [&] {
    copy_words<<<multiprocessors * 16, 512>>>(from.data, to.data, bytes / 16);
  });
  return 2.0 * bytes / (ms * 1e6);
}

void fill_items(DeviceArray<uint32_t>& items, int kind) {
  fill<<<multiprocessors * 8, 256>>>(items.data, static_cast<int64_t>(items.count), kind, 42);
}

/** Time of the sort under test, whose result is checked. */
float time_sort(const Format& format, const PassKernel& kernel, int64_t n, int kind) {
  DeviceArray<uint32_t> items(n * format.words), others(n * format.words);
  Lsd lsd(format, kernel, n, (int64_t{1} << 28) / kernel.tile());
  const float ms = median_ms(
      5, [&] { fill_items(items, kind); }, [&] { lsd.sort(items.data, others.data, n); });
  DeviceArray<unsigned long long> descents(1);
  descents.clear();
  const int result = lsd.plan.read()[0].result;
  const auto descend = format.key_words == 1
                           ? (format.floating ? count_descents<1, true> : count_descents<1, false>)
                           : (format.floating ? count_descents<2, true> : count_descents<2, false>);
  descend<<<multiprocessors * 8, 256>>>((result == 0 ? items : others).data, format.words, n,
                                        descents.data);
  expect(descents.read()[0] == 0, "the order of " + name(format, n, kind));
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
      [&] { sort_pack_1<<<multiprocessors * 4, sorting::kPackThreads>>>(a); });
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

void buckets() {
  for (int values : {10, 4, 40}) {
    time_bucket(values);
  }
}

void times() {
  const double rate = copy_rate();
  printf("copy: %.0f GB/s, read and written\n", rate);
  const Format u32 = {1, 1, false, 0}, u64 = {2, 2, false, 0};
  const Format pairs = {1, 2, false, 0}, u32_8 = {1, 3, false, 0};
  const Format u64_4 = {2, 3, false, 0}, u64_8 = {2, 4, false, 0}, f32 = {1, 1, true, 0};
  for (int64_t n : {100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000}) {
    report("u32", u32, n, 0, rate, time_cub_keys<uint32_t>(n, 0));
  }
  const int64_t n = 100'000'000;
  time_parts(n);
  buckets();
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

void tiles() {
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

int main(int argc, char** argv) {
  REQUIRE(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  const std::string what = argc > 1 ? argv[1] : "all";
  if (what == "all" || what == "check") {
    check();
  }
  if (what == "all" || what == "time") {
    times();
  }
  if (what == "buckets") {
    buckets();
  }
  if (what == "all" || what == "tiles") {
    tiles();
  }
  REQUIRE(cudaDeviceSynchronize());
  return verdict();
}
