// Times checksums.cu against the rates at which memory is read and the bus uploads.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -I fieldstone-cuda/src/main/cuda
//       -o checksums_timer fieldstone-cuda/src/check/cuda/checksums_timer.cu
//   ./checksums_timer [strips] [messages] [uploads] [paper]

#include <cstring>

#include "../../main/cuda/ceilings.cu"
#include "check.cuh"
#include "launch_checksums.cuh"

namespace {

using namespace crcs;

/** PCRC as the paper's host has it: adds partial sums of each β_count chunks and advances. */
uint64_t pcrc(const Divisor& d, const uint8_t* start, int64_t length, int threads, bool reduction,
              const DeviceArray<uint64_t>& beta, const DeviceArray<uint64_t>& partials) {
  const int64_t blocks = sum_chunks(d, start, length, threads, reduction, beta, partials.data);
  std::vector<uint64_t> sums(blocks);
  REQUIRE(cudaMemcpy(sums.data(), partials.data, 8 * blocks, cudaMemcpyDeviceToHost));
  const int64_t group = static_cast<int64_t>(beta.count) / threads;
  const uint64_t factor = d.x_to_the(beta.count * d.width);
  uint64_t remainder = 0;
  for (int64_t first = (blocks - 1) / group * group; first >= 0; first -= group) {
    remainder = d.multiply(remainder, factor);
    for (int64_t i = first; i < std::min(first + group, blocks); i++) remainder ^= sums[i];
  }
  return remainder;
}

void line(const char* what, double bytes, const Times& times, double ceiling) {
  const double rate = bytes / times.median * 1e-6;
  printf("%-58s %8.3f ms  %7.1f GB/s  best %7.1f", what, times.median, rate,
         bytes / times.best * 1e-6);
  if (ceiling > 0) printf("  %5.3f of the ceiling", rate / ceiling);
  printf("\n");
  fflush(stdout);
}

constexpr int64_t kBytes = 1ll << 30;

/** The same data in pinned memory and on the GPU, and the rate at which kernels read it. */
struct Memory {
  DeviceArray<uint8_t> data{kBytes + 4096};
  DeviceArray<int32_t> sums{1 << 18};
  DeviceArray<uint64_t> result{1 << 20};
  uint8_t* pinned;
  double read;

  Memory() {
    REQUIRE(cudaMallocHost(&pinned, kBytes));
    for (int64_t i = 0; i < kBytes; i += 8) {
      const uint64_t word = random_word();
      memcpy(pinned + i, &word, 8);
    }
    REQUIRE(cudaMemcpy(data.data, pinned, kBytes, cudaMemcpyHostToDevice));
    const Times times = times_of(9, [&] {
      launch(memory_read, 4 * multiprocessors(), kReadThreads, 0,
             MemoryReadArguments{reinterpret_cast<const uint4*>(data.data), kBytes / 16, sums.data});
    });
    read = kBytes / times.median * 1e-6;
    line("memory_read, 1 GiB", kBytes, times, 0);
  }
  ~Memory() { cudaFreeHost(pinned); }
};

const Divisor kDivisors[] = {{32, 0x04C11DB7, true}, {64, 0x42F0E1EBA9EA3693, true}};

void time_strips(const Memory& memory) {
  char what[100];
  for (int width : {8, 16, 24, 32, 40, 48, 64}) {
    for (bool low : {false, true}) {
      const Tables tables({width, (random_word() & (~0ull >> (64 - width))) | 1, low});
      snprintf(what, sizeof what, "strips, 1 GiB, width %d, %s bit first", width,
               low ? "low" : "high");
      line(what, kBytes,
           times_of(9, [&] { tables.strips_of(memory.data.data, kBytes, memory.result.data); }),
           memory.read);
    }
  }
  for (const Divisor& divisor : kDivisors) {
    const Tables tables(divisor);
    const int width = divisor.width;
    for (int64_t bytes : {1ll << 16, 1ll << 20, 1ll << 24, 1ll << 26, 1ll << 28}) {
      snprintf(what, sizeof what, "strips, %ld KiB, width %d", static_cast<long>(bytes >> 10),
               width);
      line(what, bytes,
           times_of(9, [&] { tables.strips_of(memory.data.data, bytes, memory.result.data); }),
           memory.read);
    }
    line("strips, 1 GiB less 11 bytes, unaligned", kBytes - 11, times_of(9, [&] {
           tables.strips_of(memory.data.data + 5, kBytes - 11, memory.result.data);
         }), memory.read);
  }
}

void time_messages(const Memory& memory) {
  char what[100];
  for (const Divisor& divisor : kDivisors) {
    const Tables tables(divisor);
    const int width = divisor.width;
    constexpr int64_t kPackets = 700000;
    for (int64_t stride : {1500, 1504, 1514, 1533}) {
      for (int64_t length : {1500}) {
        for (uint64_t initial : {0ull, ~0ull >> (64 - width)}) {
          snprintf(what, sizeof what, "rows, 700,000 of %ld, stride %ld, width %d%s",
                   static_cast<long>(length), static_cast<long>(stride), width,
                   initial ? ", register" : "");
          line(what, kPackets * length, times_of(9, [&] {
                 tables.rows_of({memory.data.data, nullptr, nullptr, 0, stride, length, kPackets},
                                 initial, memory.result.data);
               }), memory.read);
        }
      }
    }
    for (int64_t length : {64, 256, 576, 1504, 2048, 9000, 65536, 262144}) {
      const int64_t count = kBytes / length > 1000000 ? 1000000 : kBytes / length;
      snprintf(what, sizeof what, "rows, %ld of %ld, width %d", static_cast<long>(count),
               static_cast<long>(length), width);
      line(what, count * length, times_of(9, [&] {
             tables.rows_of({memory.data.data, nullptr, nullptr, 0, length, length, count}, 1,
                             memory.result.data);
           }), memory.read);
    }
    for (int64_t length : {9000, 65536, 262144, 1 << 20, 1 << 24}) {
      const int64_t count = kBytes / length;
      snprintf(what, sizeof what, "strips, %ld of %ld, width %d", static_cast<long>(count),
               static_cast<long>(length), width);
      line(what, count * length, times_of(9, [&] {
             tables.strips_of({memory.data.data, nullptr, nullptr, 0, length, length, count}, 1,
                               memory.result.data);
           }), memory.read);
    }
    std::vector<int64_t> offsets, lengths;
    int64_t at = 0;
    while (at + 1500 < kBytes && offsets.size() < 900000) {
      offsets.push_back(at);
      lengths.push_back(random_word() % 3 == 0 ? 40 + random_word() % 1460 : 1500);
      at += lengths.back();
    }
    const DeviceArray<int64_t> d_offsets(offsets);
    const DeviceArray<int64_t> d_lengths(lengths);
    snprintf(what, sizeof what, "rows, %zu listed of 40 to 1500, width %d", offsets.size(), width);
    line(what, at, times_of(9, [&] {
           tables.rows_of({memory.data.data, d_offsets.data, d_lengths.data, 0, 0, 0,
                            static_cast<int64_t>(offsets.size())},
                           1, memory.result.data);
         }), memory.read);
  }
}

/** Data of the host: pieces over streams, each uploaded and summed. */
void time_uploads(const Memory& memory) {
  const Tables tables(kDivisors[1]);
  uint8_t* const data = memory.data.data;
  char what[100];
  const Times upload = times_of(5, [&] {
    REQUIRE(cudaMemcpyAsync(data, memory.pinned, kBytes, cudaMemcpyHostToDevice));
  });
  const double bus = kBytes / upload.median * 1e-6;
  line("upload of 1 GiB, pinned", kBytes, upload, 0);
  constexpr int kStreams = 3;
  cudaStream_t streams[kStreams];
  cudaEvent_t done[kStreams], begun;
  for (int i = 0; i < kStreams; i++) {
    REQUIRE(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    REQUIRE(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  REQUIRE(cudaEventCreateWithFlags(&begun, cudaEventDisableTiming));
  for (int64_t piece : {4ll << 20, 16ll << 20, 32ll << 20}) {
    snprintf(what, sizeof what, "host data, 1 GiB in pieces of %ld MiB, width 64",
             static_cast<long>(piece >> 20));
    line(what, kBytes, times_of(5, [&] {
           REQUIRE(cudaEventRecord(begun));
           for (cudaStream_t stream : streams) REQUIRE(cudaStreamWaitEvent(stream, begun));
           int turn = 0;
           for (int64_t at = 0; at < kBytes; at += piece, turn = (turn + 1) % kStreams) {
             uint8_t* to = data + turn * piece;
             REQUIRE(cudaMemcpyAsync(to, memory.pinned + at, piece, cudaMemcpyHostToDevice,
                                     streams[turn]));
             tables.strips_of(to, piece, memory.result.data + at / piece,
                             streams[turn]);
           }
           for (int i = 0; i < kStreams; i++) {
             REQUIRE(cudaEventRecord(done[i], streams[i]));
             REQUIRE(cudaStreamWaitEvent(nullptr, done[i]));
           }
         }), bus);
  }
}

/** PCRC with N = 2^16 bits, and a long message; host additions and downloads counted in. */
void time_paper(const Memory& memory) {
  char what[100];
  for (int64_t bytes : {int64_t{1} << 13, int64_t{1} << 26}) {
    for (int width : {8, 16, 32, 64}) {
      const Divisor d{width, 0x04C11DB742F0E1EBull >> (64 - width) | 1, false};
      const int64_t count = 1 << 16;
      const DeviceArray<uint64_t> beta(betas(d, count)), partials(8 * bytes / width / 64 + 2);
      for (int threads : {64, 128, 256}) {
        for (bool reduction : {false, true}) {
          snprintf(what, sizeof what, "%s, %ld KiB, width %d, blocks of %d",
                   reduction ? "pcrc-reduction" : "pcrc", static_cast<long>(bytes >> 10), width,
                   threads);
          line(what, bytes, times_of(3, [&] {
                 pcrc(d, memory.data.data, bytes, threads, reduction, beta, partials);
               }), 0);
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  const Memory memory;
  if (sections.has("strips")) {
    time_strips(memory);
  }
  if (sections.has("messages")) {
    time_messages(memory);
  }
  if (sections.has("uploads")) {
    time_uploads(memory);
  }
  if (sections.has("paper")) {
    time_paper(memory);
  }
  return 0;
}
