// What limits the transfers of a sort: RecordUpload, CompressedDownload and NonTemporalCopy of
// cuda.sorting rely on it.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -Xcompiler -mavx2 -gencode arch=compute_90a,code=sm_90a
//       -o transfers_timer fieldstone-cuda/src/check/cuda/transfers_timer.cu
//   ./transfers_timer [up] [memory] [down]
//
// Up: pieces of keys in some streams, with the kernels that partition them behind each. Memory: what
// cores write by plain and by non-temporal stores while the bus is idle, downloads and uploads. Down:
// pieces of compressed keys that threads read as they arrive, writing the keys, but without decoding:
// the bound of decoding. Needs 1 GiB of pinned memory and 16 processors.

#include <cuda_runtime.h>
#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "../../main/cuda/sort.cu"
#include "check.cuh"

namespace {

constexpr size_t KEY_BYTES = 400'000'000;
constexpr size_t PIECE = size_t{16} << 20;
constexpr size_t CHUNK = size_t{128} << 10;  // that a thread takes at a time
constexpr int CHUNKS = PIECE / CHUNK;
constexpr int ROUNDS = 7;
constexpr int STAGES = 8;  // pieces of packed keys that are under way

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/** The median time of some runs. */
double median_seconds(const std::function<void()>& run) {
  std::vector<double> times;
  for (int round = 0; round < ROUNDS; round++) {
    REQUIRE(cudaDeviceSynchronize());
    const double begin = seconds();
    run();
    REQUIRE(cudaDeviceSynchronize());
    times.push_back(seconds() - begin);
  }
  std::sort(times.begin(), times.end());
  return times[ROUNDS / 2];
}

uint8_t* pinned(size_t bytes) {
  uint8_t* memory;
  REQUIRE(cudaMallocHost(&memory, bytes));
  for (size_t i = 0; i < bytes; i += 8) {
    const uint64_t word = mixed(i);
    memcpy(memory + i, &word, std::min<size_t>(8, bytes - i));
  }
  return memory;
}

// ---- Up ----

/** A stream and what dealing out a piece takes. */
struct Lane {
  static constexpr int TILE = sorting::kPassThreads * sorting::kPassItems<1, 1>;
  cudaStream_t stream;
  DeviceArray<unsigned long long> counts{4 * 256};
  DeviceArray<int64_t> bases{4 * 512};
  DeviceArray<SortPlan> plan{1};
  DeviceArray<uint32_t> states{256 * (2 + PIECE / 4 / TILE)};

  Lane() { REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }

  void deal(uint32_t* keys, uint32_t* others, int64_t n, int blocks) {
    REQUIRE(cudaMemsetAsync(counts.data, 0, counts.count * 8, stream));
    sort_count_1<<<blocks, sorting::kCountThreads, 0, stream>>>({keys, counts.data, n, 0, 1, 0});
    sort_plan<<<1, 256, 0, stream>>>({counts.data, bases.data, plan.data, n, 4, 0});
    REQUIRE(cudaMemsetAsync(states.data, 0, states.count * 4, stream));
    const int tiles = static_cast<int>((n + TILE - 1) / TILE);
    sort_pass_1_1<<<tiles, sorting::kPassThreads, 0, stream>>>(
        {{keys, others}, nullptr, bases.data + 3 * 512, states.data, 0, n, 0, 3, 0});
  }
};

void time_up(const uint8_t* from) {
  DeviceArray<uint32_t> keys(KEY_BYTES / 4);
  DeviceArray<uint32_t> others(KEY_BYTES / 4);
  std::vector<Lane> lanes(4);
  for (const bool deals : {false, true}) {
    for (const size_t count : {1, 2, 3, 4}) {
      const double time = median_seconds([&] {
        size_t piece = 0;
        for (size_t at = 0; at < KEY_BYTES; at += PIECE) {
          const size_t bytes = std::min(PIECE, KEY_BYTES - at);
          Lane& lane = lanes[piece++ % count];
          uint32_t* here = keys.data + at / 4;
          REQUIRE(cudaMemcpyAsync(here, from + at, bytes, cudaMemcpyHostToDevice, lane.stream));
          if (deals) {
            lane.deal(here, others.data + at / 4, bytes / 4, 4 * multiprocessors());
          }
        }
      });
      printf("up, %zu lanes, %s: %.1f GB/s\n", count, deals ? "dealing out" : "nothing else",
             KEY_BYTES / time / 1e9);
    }
  }
}

// ---- Cores ----

/** Adds up all words, so that none is left out. */
__m256i read(const uint8_t* from, size_t bytes) {
  __m256i sum = _mm256_setzero_si256();
  for (size_t i = 0; i < bytes; i += 32) {
    sum = _mm256_add_epi64(sum, _mm256_load_si256(reinterpret_cast<const __m256i*>(from + i)));
  }
  return sum;
}

void write(uint8_t* to, size_t bytes, __m256i word, bool is_non_temporal) {
  for (size_t i = 0; i < bytes; i += 32) {
    __m256i* place = reinterpret_cast<__m256i*>(to + i);
    is_non_temporal ? _mm256_stream_si256(place, word) : _mm256_store_si256(place, word);
  }
  _mm_sfence();
}

/** Threads that wait, awake, until they all begin with chunks of some work. */
class Crew {
  std::atomic<int> ready{0};
  std::atomic<bool> begun{false};
  std::atomic<long> next{0};
  std::atomic<int> working;
  std::vector<std::thread> threads;

 public:
  Crew(int count, long chunks, const std::function<void(long)>& work) : working(count) {
    for (int i = 0; i < count; i++) {
      threads.emplace_back([this, chunks, work] {
        for (ready++; !begun;) {
          _mm_pause();
        }
        for (long chunk = next++; chunk < chunks; chunk = next++) {
          work(chunk);
        }
        working--;
      });
    }
    while (ready < count) {
      _mm_pause();
    }
  }
  void begin() { begun = true; }
  bool is_done() const { return working == 0; }
  ~Crew() {
    for (std::thread& thread : threads) {
      thread.join();
    }
  }
};

void time_memory(uint8_t* to, uint8_t* other) {
  enum Bus { RESTS, BRINGS, TAKES };
  const char* names[] = {"rests", "brings", "takes"};
  DeviceArray<uint8_t> there(KEY_BYTES);
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const bool is_non_temporal : {false, true}) {
    for (const int count : {4, 8, 12}) {
      for (const Bus bus : {RESTS, BRINGS, TAKES}) {
        double best = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
          REQUIRE(cudaDeviceSynchronize());
          Crew crew(count, KEY_BYTES / CHUNK, [&](long chunk) {
            write(to + chunk * CHUNK, CHUNK, _mm256_set1_epi32(1), is_non_temporal);
          });
          if (bus == BRINGS) {
            REQUIRE(cudaMemcpyAsync(other, there.data, KEY_BYTES, cudaMemcpyDeviceToHost, stream));
          } else if (bus == TAKES) {
            REQUIRE(cudaMemcpyAsync(there.data, other, KEY_BYTES, cudaMemcpyHostToDevice, stream));
          }
          const double begin = seconds();
          crew.begin();
          while (!crew.is_done()) {
            _mm_pause();
          }
          best = std::min(best, seconds() - begin);
        }
        printf("memory, %d threads, %s stores, bus %s: %.0f GB/s\n", count,
               is_non_temporal ? "non-temporal" : "plain", names[bus], KEY_BYTES / best / 1e9);
      }
    }
  }
  REQUIRE(cudaStreamDestroy(stream));
}

// ---- Down ----

double down_seconds(uint8_t* to, double part, int count, bool is_non_temporal) {
  const int pieces = static_cast<int>(KEY_BYTES / PIECE);
  const size_t packed_chunk = static_cast<size_t>(part * CHUNK) / 64 * 64;
  const size_t packed = packed_chunk * CHUNKS;
  DeviceArray<uint8_t> there(packed);
  std::vector<uint8_t*> stages(STAGES);
  for (uint8_t*& stage : stages) {
    stage = pinned(packed);
  }
  std::vector<cudaEvent_t> events(pieces);
  for (cudaEvent_t& event : events) {
    REQUIRE(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  cudaStream_t stream;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  double best = 1e9;
  for (int round = 0; round < ROUNDS; round++) {
    std::vector<std::atomic<int>> left(pieces);
    for (std::atomic<int>& some : left) {
      some = CHUNKS;
    }
    std::atomic<int> arrived{0};
    Crew crew(count, long{pieces} * CHUNKS, [&](long chunk) {
      const long piece = chunk / CHUNKS;
      while (arrived <= piece) {
        _mm_pause();
      }
      const uint8_t* from = stages[piece % STAGES] + chunk % CHUNKS * packed_chunk;
      write(to + chunk * CHUNK, CHUNK, read(from, packed_chunk), is_non_temporal);
      left[piece]--;
    });
    const double begin = seconds();
    crew.begin();
    int sent = 0;
    while (!crew.is_done()) {
      if (sent < pieces && (sent < STAGES || left[sent - STAGES] == 0)) {
        uint8_t* stage = stages[sent % STAGES];
        REQUIRE(cudaMemcpyAsync(stage, there.data, packed, cudaMemcpyDeviceToHost, stream));
        REQUIRE(cudaEventRecord(events[sent++], stream));
      }
      if (arrived < sent && cudaEventQuery(events[arrived]) == cudaSuccess) {
        arrived++;
      }
    }
    best = std::min(best, seconds() - begin);
  }
  REQUIRE(cudaStreamDestroy(stream));
  for (cudaEvent_t event : events) {
    REQUIRE(cudaEventDestroy(event));
  }
  for (uint8_t* stage : stages) {
    REQUIRE(cudaFreeHost(stage));
  }
  return best;
}

void time_down(uint8_t* to) {
  for (const double part : {0.36, 0.27}) {
    for (const int count : {8, 12, 15}) {
      for (const bool is_non_temporal : {false, true}) {
        const double time = down_seconds(to, part, count, is_non_temporal);
        printf("down, packed to %.2f, %d threads, %s stores: %.0f GB/s of keys\n", part, count,
               is_non_temporal ? "non-temporal" : "plain", KEY_BYTES / PIECE * PIECE / time / 1e9);
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  uint8_t* from = pinned(KEY_BYTES);
  uint8_t* to = pinned(KEY_BYTES);
  if (sections.has("up")) {
    time_up(from);
  }
  if (sections.has("memory")) {
    time_memory(to, from);
  }
  if (sections.has("down")) {
    time_down(to);
  }
  REQUIRE(cudaFreeHost(from));
  REQUIRE(cudaFreeHost(to));
  return 0;
}
