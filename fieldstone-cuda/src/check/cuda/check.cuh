// What the timers and sanitize.cu share.

#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "../../main/cuda/fieldstone.cuh"

namespace {

/** Ends the program if the runtime reports an error. */
inline void require(cudaError_t error, const char* what, int line) {
  if (error != cudaSuccess) {
    printf("line %d: %s: %s\n", line, what, cudaGetErrorString(error));
    exit(1);
  }
}
#define REQUIRE(call) require(call, #call, __LINE__)

/** The finalizer of splitmix64. */
__host__ __device__ inline uint64_t mixed(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

constexpr uint64_t kSeed = 88172645463325252ull;
inline uint64_t random_state = kSeed;

/** The same words in every run: splitmix64. */
inline uint64_t random_word() {
  random_state += 0x9E3779B97F4A7C15ull;
  return mixed(random_state);
}

inline int random_below(int64_t bound) {
  return static_cast<int>(random_word() % static_cast<uint64_t>(bound));
}

inline std::vector<uint8_t> random_bytes(int64_t count) {
  std::vector<uint8_t> bytes(count);
  for (uint8_t& byte : bytes) {
    byte = static_cast<uint8_t>(random_word());
  }
  return bytes;
}

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

inline int round_up(int a, int b) { return static_cast<int>(ceil_div(a, b)) * b; }

inline int multiprocessors() {
  static int found = 0;
  if (found == 0) {
    REQUIRE(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, 0));
  }
  return found;
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

/** Allows a kernel this much dynamic shared memory; asks the driver only if it is more than before. */
inline void allow_shared(const void* kernel, int bytes) {
  static std::map<const void*, int> allowed;
  int& before = allowed.try_emplace(kernel, 48 << 10).first->second;
  if (bytes > before) {
    REQUIRE(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    before = bytes;
  }
}

template <class A>
void launch(void (*kernel)(A), dim3 grid, dim3 block, int shared, const A& arguments,
            cudaStream_t stream = nullptr) {
  allow_shared(reinterpret_cast<const void*>(kernel), shared);
  kernel<<<grid, block, shared, stream>>>(arguments);
  REQUIRE(cudaGetLastError());
}

/** A grid of at least one block, and at most `most` blocks. */
inline unsigned blocks_of(int64_t wanted, int64_t most = 1 << 30) {
  return static_cast<unsigned>(std::clamp<int64_t>(wanted, 1, most));
}

/** The blocks of a kernel that a GPU holds at once. */
template <class A>
int64_t resident_blocks(void (*kernel)(A), int threads, int shared) {
  static std::map<std::tuple<void (*)(A), int, int>, int> found;
  int& blocks = found[{kernel, threads, shared}];
  if (blocks == 0) {
    allow_shared(reinterpret_cast<const void*>(kernel), shared);
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared));
  }
  return int64_t{blocks} * multiprocessors();
}

/** Milliseconds of a run. */
struct Times {
  float best;
  float median;
};

/** Times some runs on the GPU after one more; what `before` launches is not counted. */
template <class Before, class Work>
Times times_of(int runs, Before&& before, Work&& work) {
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i <= runs; i++) {
    before();
    REQUIRE(cudaEventRecord(begin));
    work();
    REQUIRE(cudaGetLastError());
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
  return {times[0], times[times.size() / 2]};
}

template <class Work>
Times times_of(int runs, Work&& work) {
  return times_of(runs, [] {}, work);
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/** Prints the GPU, and says whether the arguments of a program name a section, or none. */
struct Sections {
  int count;
  char** names;

  Sections(int count, char** names) : count(count), names(names) {
    cudaDeviceProp properties;
    REQUIRE(cudaGetDeviceProperties(&properties, 0));
    printf("%s, %d multiprocessors\n", properties.name, properties.multiProcessorCount);
  }

  bool has(const std::string& name) const {
    return count < 2 || std::find(names + 1, names + count, name) != names + count;
  }
};

/** The tables of a field of 256 elements in device memory. */
struct Field {
  int polynomial;
  DeviceArray<FieldTables> tables{1};

  explicit Field(int polynomial = 0x11D) : polynomial(polynomial) {
    int generator = 2;
    while (order(generator) != 255) {
      generator++;
    }
    FieldTables made = {};
    made.log[0] = 511;
    int power = 1;
    for (int i = 0; i <= 508; i++) {
      made.exp[i] = static_cast<uint8_t>(power);
      if (i < 255) {
        made.log[power] = static_cast<uint16_t>(i);
      }
      power = multiply(power, generator);
    }
    for (int c = 0; c < 256; c++) {
      for (int b = 0; b < 8; b++) {
        for (int r = 0; r < 8; r++) {
          made.masks[c] |= static_cast<uint64_t>(multiply(c, 1 << b) >> r & 1) << (8 * r + b);
        }
      }
    }
    tables.write({made});
  }

  int multiply(int a, int b) const {
    int product = 0;
    for (; b != 0; b >>= 1) {
      product ^= (b & 1) * a;
      a <<= 1;
      a ^= (a >> 8) * polynomial;
    }
    return product;
  }

  int order(int element) const {
    int i = 1;
    for (int power = element; power != 1; power = multiply(power, element)) {
      i++;
    }
    return i;
  }
};

/** Matrices of random bytes in device memory, with `pad` bytes behind rows and matrices. */
struct RandomMatrices {
  Matrices view;
  DeviceArray<uint8_t> bytes;

  RandomMatrices(int64_t count, int64_t rows, int64_t columns, int offset = 0, int pad = 0)
      : bytes(offset + count * (rows * (columns + pad) + pad)) {
    view = {bytes.data + offset, columns + pad, rows * (columns + pad) + pad};
    // Every part of it is random, although not independent: the power of products depends on it.
    const int64_t all = static_cast<int64_t>(bytes.count), some = std::min<int64_t>(all, 1 << 22);
    const std::vector<uint8_t> from = random_bytes(some);
    for (int64_t at = 0; at < all; at += some) {
      REQUIRE(cudaMemcpy(bytes.data + at, from.data(), std::min(some, all - at),
                         cudaMemcpyHostToDevice));
    }
  }
};

}  // namespace
