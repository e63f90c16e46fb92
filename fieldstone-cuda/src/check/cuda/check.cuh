// What the checks of kernels share.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/** Ends the program if the runtime reports an error. */
inline void require(cudaError_t error, const char* what, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s: %s\n", line, what, cudaGetErrorString(error));
    exit(1);
  }
}
#define REQUIRE(call) require(call, #call, __LINE__)

/** What was found wrong so far. */
inline int failures = 0;

/** Counts what is wrong, and says so, unless much is. */
inline void expect(bool right, const std::string& what) {
  constexpr int kMostLines = 20;
  if (!right && ++failures <= kMostLines) {
    printf("WRONG: %s\n", what.c_str());
  }
}

/** Says whether all was right: what main returns. */
inline int verdict() {
  if (failures == 0) {
    printf("all right\n");
    return 0;
  }
  printf("%d WRONG\n", failures);
  return 1;
}

/** The finalizer of splitmix64. */
__host__ __device__ inline uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

/** The same words in every run: splitmix64. */
inline uint64_t random_word() {
  static uint64_t state = 88172645463325252ull;
  state += 0x9E3779B97F4A7C15ull;
  return mixed(state);
}

/** Device memory for values of one type. */
template <class T>
struct DeviceArray {
  T* data = nullptr;
  size_t count;

  explicit DeviceArray(size_t count) : count(count) {
    REQUIRE(cudaMalloc(&data, std::max<size_t>(1, count) * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& from) : DeviceArray(from.size()) { write(from); }
  DeviceArray(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data); }

  void write(const std::vector<T>& from) {
    if (!from.empty()) {
      REQUIRE(cudaMemcpy(data, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  void clear() { REQUIRE(cudaMemsetAsync(data, 0, count * sizeof(T))); }
  std::vector<T> read() const {
    std::vector<T> to(count);
    REQUIRE(cudaMemcpy(to.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
  }
};

}  // namespace
