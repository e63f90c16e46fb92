// Counts and lists the 3-stars of 102,400 points by the kernels of stars.cu and of the paper, and
// times the phases.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I fieldstone-cuda/src/main/cuda
//       -o stars_timer fieldstone-cuda/src/check/cuda/stars_timer.cu
//   ./stars_timer [count] [list] [paper]

#include <chrono>
#include <memory>

#include "check.cuh"
#include "launch_stars.cuh"

namespace {

using namespace star_searches;

double now_ms() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/** The points of the benchmark of 3-stars: splitmix64 from 1, coordinates below 2000. */
Points benchmark(int count, bool enclosing, double factor) {
  uint64_t state = 1;
  const auto coordinate = [&] {
    state += 0x9E3779B97F4A7C15ull;
    return factor * static_cast<double>(((mixed(state) >> 32) * 2000) >> 32);
  };
  std::vector<std::pair<double, double>> at;
  for (int i = 0; i < count; i++) {
    const double x = coordinate();
    at.push_back({x, coordinate()});
  }
  return Points(at, 50 * factor, enclosing);
}

void time_counts(const Points& f, Numbers numbers, const char* what) {
  std::vector<double> whole, count_ms, list_ms, pair_ms;
  long long stars = 0;
  cudaEvent_t events[3];
  for (auto& event : events) {
    REQUIRE(cudaEventCreate(&event));
  }
  int open = 0;
  double tests = 0;
  {
    Search sized(f, numbers);
    std::vector<Piece> pieces = sized.cut(0, f.count(), 512 << 20, false);
    Slot slot(largest(pieces), false);
    for (int count : sized.counts) {
      tests += 0.5 * count * (count - 1);
    }
    for (int run = 0; run < 7; run++) {
      const double begin = now_ms();
      Search search(f, numbers);
      count_ms.push_back(now_ms() - begin);
      stars = 0;
      open = 0;
      double list = 0, pair = 0;
      for (const Piece& piece : search.cut(0, f.count(), 512 << 20, false)) {
        search.begin(slot, piece, false, events);
        REQUIRE(cudaStreamSynchronize(slot.stream));
        stars += *slot.host_stars.data;
        open += *slot.host_doubt_count.data;
        float ms;
        REQUIRE(cudaEventElapsedTime(&ms, events[0], events[1]));
        list += ms;
        REQUIRE(cudaEventElapsedTime(&ms, events[1], events[2]));
        pair += ms;
      }
      whole.push_back(now_ms() - begin);
      list_ms.push_back(list);
      pair_ms.push_back(pair);
    }
  }
  const double pair = median(pair_ms);
  printf("count, %-16s %8.2f ms: upload and counts of candidates %.2f, lists %.2f, pairs %.2f = "
         "%.3g tests/s; %.3g tests, %d left to the host, %lld stars\n",
      what, median(whole), median(count_ms), median(list_ms), pair, tests / pair * 1e3, tests, open,
      stars);
}

/** Lists and bits to pinned memory, in pieces on streams in turn. */
void time_lists(const Points& f, Numbers numbers, const char* what, int64_t most, size_t depth) {
  std::vector<double> whole;
  int64_t bytes = 0;
  long long stars = 0;
  size_t count = 0;
  Search sized(f, numbers);
  std::vector<Piece> pieces = sized.cut(0, f.count(), most, true);
  std::vector<std::unique_ptr<Slot>> slots;
  for (size_t i = 0; i < depth; i++) {
    slots.push_back(std::make_unique<Slot>(largest(pieces), true));
  }
  for (int run = 0; run < 5; run++) {
    const double begin = now_ms();
    Search search(f, numbers);
    std::vector<Piece> cut = search.cut(0, f.count(), most, true);
    stars = 0;
    bytes = 0;
    count = cut.size();
    for (size_t i = 0; i < cut.size() + slots.size(); i++) {
      Slot& slot = *slots[i % slots.size()];
      if (i >= slots.size() && i - slots.size() < cut.size()) {
        REQUIRE(cudaStreamSynchronize(slot.stream));
        stars += *slot.host_stars.data;
        const Piece& piece = cut[i - slots.size()];
        bytes += 4 * (piece.list + piece.words);
      }
      if (i < cut.size()) {
        search.begin(slot, cut[i], true);
      }
    }
    whole.push_back(now_ms() - begin);
  }
  printf("list, %-12s %8.2f ms: %zu pieces of %lld MB, %lld MB to the host at "
         "%.1f GB/s, %lld stars\n",
      what, median(whole), count, static_cast<long long>(most >> 20),
      static_cast<long long>(bytes >> 20), bytes / median(whole) / 1e6, stars);
}

void time_paper(const Points& f) {
  const double before = now_ms();
  CellSearch search(f);
  REQUIRE(cudaDeviceSynchronize());
  printf("the paper's: %d numbers of sides, tables and upload %.1f ms, %zu segments\n",
      search.tables.count, now_ms() - before, f.segments.size());
  for (int variant = 0; variant < 4; variant++) {
    const bool local = variant >= 2;
    const size_t depth = variant % 2 == 0 ? 1 : 3;
    const int64_t bytes = local ? 160ll << 20 : 640ll << 20;
    const int64_t room = local ? bytes / sizeof(StarChunk) : bytes / sizeof(Star);
    std::vector<std::unique_ptr<DeviceArray<uint8_t>>> outputs;
    std::vector<std::unique_ptr<Pinned<uint8_t>>> hosts;
    std::vector<std::unique_ptr<DeviceArray<unsigned long long>>> filled;
    Pinned<unsigned long long> ends(2 * depth);
    std::vector<cudaStream_t> streams(depth);
    for (size_t i = 0; i < depth; i++) {
      outputs.push_back(std::make_unique<DeviceArray<uint8_t>>(bytes));
      hosts.push_back(std::make_unique<Pinned<uint8_t>>(bytes));
      filled.push_back(std::make_unique<DeviceArray<unsigned long long>>(2));
      REQUIRE(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    }
    const int step = 16;
    const int all = static_cast<int>(f.segments.size());
    const int pieces = (all + step - 1) / step;
    double best = 1e30, kernel_only = 0;
    unsigned long long found = 0, moved = 0;
    bool full = false;
    for (int run = 0; run < 2; run++) {
      const double begin = now_ms();
      found = moved = 0;
      for (int i = 0; i < pieces + static_cast<int>(depth); i++) {
        const int d = i % depth;
        if (i >= static_cast<int>(depth)) {
          REQUIRE(cudaStreamSynchronize(streams[d]));
        }
        if (i < pieces) {
          search.launch(local, i * step, std::min(step, all - i * step), outputs[d]->data, room,
              filled[d]->data, 0, f.count(), streams[d]);
          REQUIRE(cudaMemcpyAsync(
              ends.data + 2 * d, filled[d]->data, 16, cudaMemcpyDeviceToHost, streams[d]));
        }
        // While the next is at work, what the piece before has filled comes down.
        const int previous = depth == 1 ? i : i - 1;
        if (previous >= 0 && previous < pieces) {
          const int e = previous % depth;
          REQUIRE(cudaStreamSynchronize(streams[e]));
          const unsigned long long* end = ends.data + 2 * e;
          full |= end[0] > static_cast<unsigned long long>(room);
          const size_t got = std::min<size_t>(end[0], room) * (local ? sizeof(StarChunk) : sizeof(Star));
          found += local ? end[1] : end[0];
          moved += got;
          REQUIRE(cudaMemcpyAsync(
              hosts[e]->data, outputs[e]->data, got, cudaMemcpyDeviceToHost, streams[e]));
        }
      }
      best = std::min(best, now_ms() - begin);
    }
    const double begin = now_ms();
    search.launch(local, 0, all, outputs[0]->data, 0, filled[0]->data, 0, f.count(), streams[0]);
    REQUIRE(cudaStreamSynchronize(streams[0]));
    kernel_only = now_ms() - begin;
    static const char* names[] = {"baseline", "streaming", "compression", "compression+streaming"};
    printf("%-22s %9.1f ms, %llu stars, %llu MB to the host%s; all segments at once, nothing "
           "stored: %.1f ms\n",
        names[variant], best, found, moved >> 20, full ? " (SOME WERE FULL)" : "", kernel_only);
    for (auto& stream : streams) {
      REQUIRE(cudaStreamDestroy(stream));
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  const Points f = benchmark(102400, false, 1);
  const Points g = benchmark(102400, true, 1);
  const Points real = benchmark(102400, false, 0.1);
  if (sections.has("count")) {
    time_counts(f, kInts64, "64 bits");
    time_counts(g, kInts64, "enclosing");
    time_counts(f, kInts128, "128 bits");
    time_counts(real, kReal, "reals, x 0.1");
  }
  if (sections.has("list")) {
    time_lists(f, kInts64, "32 MB x 3", 32 << 20, 3);
    time_lists(f, kInts64, "64 MB x 3", 64 << 20, 3);
    time_lists(g, kInts64, "enclosing", 64 << 20, 3);
    time_lists(real, kReal, "reals, x 0.1", 64 << 20, 3);
  }
  if (sections.has("paper")) {
    time_paper(f);
  }
  return 0;
}
