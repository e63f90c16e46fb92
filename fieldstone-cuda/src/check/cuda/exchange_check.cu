// What a sort that two GPUs share is made of, apart from sorting: what hybrid.SharedSort and
// cuda.CudaResidentBytes take for granted.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o exchange_check
//   fieldstone-cuda/src/check/cuda/exchange_check.cu
//   ./exchange_check
//
// The bus of each GPU by itself and both at once; copies from GPU to GPU as the engine makes them,
// before and after each has been given access to the other's memory; and the round trip for one
// key. From these follows what sharing can gain. Needs two GPUs and 4 GiB of pinned memory.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "check.cuh"

namespace {

constexpr size_t BYTES = size_t{1} << 30;
constexpr size_t PIECE = size_t{16} << 20;  // as the engine cuts what crosses a bus
constexpr int ROUNDS = 5;
constexpr int TRIPS = 200;
constexpr int KEYS_PER_CUT = 120;

double milliseconds() {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::milli>(now).count();
}

struct Gpu {
  int device;
  cudaStream_t up, down, between;
  uint8_t *sent, *received;  // on the GPU
  uint8_t *from, *to;        // pinned

  explicit Gpu(int device) : device(device) {
    enter();
    for (cudaStream_t* stream : {&up, &down, &between}) {
      REQUIRE(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking));
    }
    REQUIRE(cudaMalloc(&sent, BYTES));
    REQUIRE(cudaMalloc(&received, BYTES));
    REQUIRE(cudaHostAlloc(&from, BYTES, cudaHostAllocPortable));
    REQUIRE(cudaHostAlloc(&to, BYTES, cudaHostAllocPortable));
    for (size_t i = 0; i < BYTES; i += 8) {
      uint64_t word = random_word();
      memcpy(from + i, &word, 8);
    }
  }

  void enter() const { REQUIRE(cudaSetDevice(device)); }

  void upload() const {
    enter();
    for (size_t at = 0; at < BYTES; at += PIECE) {
      REQUIRE(cudaMemcpyAsync(sent + at, from + at, PIECE, cudaMemcpyHostToDevice, up));
    }
  }

  void download() const {
    enter();
    for (size_t at = 0; at < BYTES; at += PIECE) {
      REQUIRE(cudaMemcpyAsync(to + at, received + at, PIECE, cudaMemcpyDeviceToHost, down));
    }
  }

  void fetch(const Gpu& other) const {
    enter();
    REQUIRE(cudaMemcpyPeerAsync(received, device, other.sent, other.device, BYTES, between));
  }

  void wait() const {
    enter();
    for (cudaStream_t stream : {up, down, between}) {
      REQUIRE(cudaStreamSynchronize(stream));
    }
  }
};

// GB/s of each GPU that works.
double rate(const Gpu& a, const Gpu& b, const std::function<void()>& work) {
  std::vector<double> times;
  for (int round = 0; round <= ROUNDS; round++) {
    double start = milliseconds();
    work();
    a.wait();
    b.wait();
    if (round > 0) {  // the first pays for what happens once
      times.push_back(milliseconds() - start);
    }
  }
  std::sort(times.begin(), times.end());
  return BYTES / times[ROUNDS / 2] / 1e6;
}

bool give_access(const Gpu& a, const Gpu& b) {
  int can = 0;
  REQUIRE(cudaDeviceCanAccessPeer(&can, a.device, b.device));
  if (can) {
    a.enter();
    REQUIRE(cudaDeviceEnablePeerAccess(b.device, 0));
  }
  return can != 0;
}

double round_trip_ms(const Gpu& a) {
  a.enter();
  double start = milliseconds();
  for (int trip = 0; trip < TRIPS; trip++) {
    REQUIRE(cudaMemcpyAsync(a.to, a.sent + 4096 * trip, 8, cudaMemcpyDeviceToHost, a.down));
    REQUIRE(cudaStreamSynchronize(a.down));
  }
  return (milliseconds() - start) / TRIPS;
}

}  // namespace

int main() {
  int count = 0;
  REQUIRE(cudaGetDeviceCount(&count));
  if (count < 2) {
    printf("%d GPUs: two are needed\n", count);
    return 1;
  }
  Gpu a(0);
  Gpu b(1);
  double up = rate(a, b, [&] { a.upload(); });
  double down = rate(a, b, [&] { a.download(); });
  double both_up = rate(a, b, [&] { a.upload(), b.upload(); });
  double both_down = rate(a, b, [&] { a.download(), b.download(); });
  printf("a bus alone, up and down        %6.1f %6.1f GB/s\n", up, down);
  printf("each of two at once             %6.1f %6.1f GB/s, %.2f and %.2f of one alone\n", both_up,
         both_down, both_up / up, both_down / down);

  double detour = rate(a, b, [&] { b.fetch(a); });
  bool access = give_access(a, b) & give_access(b, a);
  double one_way = rate(a, b, [&] { b.fetch(a); });
  double each_way = rate(a, b, [&] { a.fetch(b), b.fetch(a); });
  printf("from GPU to GPU, access: %-3s    %6.1f GB/s, %.1f each way at once; %.1f without access\n",
         access ? "yes" : "no", one_way, each_way, detour);
  a.download(), b.download(), a.wait(), b.wait();
  bool is_right = memcmp(a.to, b.from, BYTES) == 0 && memcmp(b.to, a.from, BYTES) == 0;

  double trip = round_trip_ms(a);
  printf("one key, there and back         %6.1f us\n", trip * 1e3);

  // 10^9 keys of 4 bytes, sorted in 25 ms on one GPU; those that share sort each key twice, and
  // hide three quarters of the second time behind the way down.
  double bytes = 4e9;
  double sort = 25;
  double alone = bytes / up / 1e6 + sort + bytes / down / 1e6;
  double shared = bytes / 2 / both_up / 1e6 + sort / 2 + KEYS_PER_CUT * trip +
                  bytes / 4 / each_way / 1e6 / 4 + sort / 8 + bytes / 2 / both_down / 1e6;
  printf("so 10^9 keys should take one GPU %.0f ms and two that share %.0f: %.2f times as fast\n",
         alone, shared, alone / shared);
  printf("what was exchanged: %s\n", is_right ? "right" : "WRONG");
  return is_right ? 0 : 1;
}
