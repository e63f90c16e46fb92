// Times the loops of Nuclei (INFOCOM 2009), sections IV-B and IV-C, without memory access, as its
// first benchmark does: 7168 coded blocks of 2048 bytes from 1024 blocks, coefficients 0xff, and
// operands that are made in registers. Each loop is checked against products on the host first. One
// line a check, exit code 1 on a failure.
//
// The paper gives each coded block to a thread. That is fewer threads than a large GPU can hold, so
// the same work is also timed with a thread a word.
//
// Then the steps of Gauss-Jordan elimination (section IV-F) decode generations of random blocks, at
// the end of which one may lack a block. Memory around the operands must keep its content.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -I fieldstone-cuda/src/main/cuda -o nuclei_check
//       fieldstone-papers/src/check/cuda/nuclei_check.cu
//   ./nuclei_check          checks and times
//   ./nuclei_check check    only checks

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../main/cuda/gauss_jordan.cu"
#include "../../main/cuda/nuclei_loops.cu"
#include "../../../../fieldstone-cuda/src/check/cuda/check.cuh"

namespace {

constexpr int kCodedBlocks = 7168;
constexpr int kSources = 1024;
constexpr int kWords = 2048 / 4;

struct Byte {
  static constexpr int kPerWord = 4;
  static __device__ uint32_t multiply(uint32_t factor, uint32_t data) {
    return loops::multiply_byte(factor, data & 0xFF, 0x11D);
  }
};

template <typename Mask>
struct Word {
  static constexpr int kPerWord = 1;
  static __device__ uint32_t multiply(uint32_t factor, uint32_t data) {
    return loops::multiply_word<Mask>(factor, data, 0x1D);
  }
};

/** Multiplies factors by words: each thread one pair. */
template <typename Loop>
__global__ void multiply_pairs(const uint32_t* words, uint32_t* products) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  products[at] = Loop::multiply(blockIdx.x, words[at]);
}

/**
 * Sums `count` products of `factor` by words that follow from the thread and the index. The sum is
 * stored only if it has one value of 2^32, so that the compiler keeps the loop.
 */
template <typename Loop>
__global__ void multiply_without_memory(uint32_t factor, int64_t count, uint32_t* stored) {
  uint32_t data = launch_thread();
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; i++) {
    sum ^= Loop::multiply(factor, data);
    data += 0x9E3779B9u;
  }
  if (sum == 0x12345678u) {
    *stored = sum;
  }
}

uint32_t product_by_definition(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int i = 0; i < 8; i++) {
    product ^= (b >> i & 1) != 0 ? a << i : 0;
  }
  for (int i = 14; i >= 8; i--) {
    product ^= (product >> i & 1) != 0 ? 0x11Du << (i - 8) : 0;
  }
  return product;
}

template <typename Loop>
void check(const char* name) {
  constexpr int kPairs = 256 * 256;
  std::vector<uint32_t> words(kPairs);
  for (int i = 0; i < kPairs; i++) {
    words[i] = static_cast<uint32_t>(random_word());
  }
  const DeviceArray<uint32_t> device_words(words);
  const DeviceArray<uint32_t> device_products(kPairs);
  multiply_pairs<Loop><<<256, 256>>>(device_words.data, device_products.data);
  REQUIRE(cudaGetLastError());
  const std::vector<uint32_t> products = device_products.read();
  int wrong = 0;
  for (int i = 0; i < kPairs; i++) {
    uint32_t expected = 0;
    for (int byte = 0; byte < 4 / Loop::kPerWord; byte++) {
      expected |= product_by_definition(i / 256, words[i] >> (8 * byte) & 0xFF) << (8 * byte);
    }
    wrong += products[i] != expected;
  }
  std::printf("%s %s, 65536 products\n", wrong == 0 ? "ok    " : "FAILED", name);
  failures += wrong > 0;
}

/** Returns the best of some runs in milliseconds. */
template <typename Loop>
float millis(int threads, int64_t words_each, uint32_t* stored) {
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  float best = 1e30f;
  for (int run = 0; run < 6; run++) {
    REQUIRE(cudaEventRecord(begin));
    multiply_without_memory<Loop>
        <<<threads / 256, 256>>>(0xFF, words_each * kSources * Loop::kPerWord, stored);
    REQUIRE(cudaGetLastError());
    REQUIRE(cudaEventRecord(end));
    REQUIRE(cudaEventSynchronize(end));
    float time;
    REQUIRE(cudaEventElapsedTime(&time, begin, end));
    best = std::min(best, time);
  }
  return best;
}

template <typename Loop>
void run(const char* name, double paper, bool times) {
  check<Loop>(name);
  if (times) {
    const DeviceArray<uint32_t> sum(1);
    const float coarse = millis<Loop>(kCodedBlocks, kWords, sum.data);
    const float fine = millis<Loop>(kCodedBlocks * kWords, 1, sum.data);
    std::printf(
        "  a thread a block %9.2f ms, a thread a word %9.2f ms (GeForce 8800 GT: %.0f ms)\n", coarse,
        fine, paper);
  }
}

// ---- section IV-F ----

/** The tables of the field with polynomial 0x11D, whose element 2 has order 255. */
FieldTables field_tables() {
  FieldTables tables = {};
  tables.log[0] = 511;
  uint32_t power = 1;
  for (int i = 0; i <= 508; i++) {
    tables.exp[i] = static_cast<uint8_t>(power);
    if (i < 255) {
      tables.log[power] = static_cast<uint16_t>(i);
    }
    power = product_by_definition(power, 2);
  }
  return tables;
}

/** A generation of n coded blocks of k bytes on the device, and the memory to decode it. */
struct Generation {
  static constexpr uint8_t kGuard = 0xA5;

  int n;
  int k;
  int vector_bytes = (n + 3) / 4 * 4;
  int stride = vector_bytes + (k + 3) / 4 * 4 + 16;
  std::vector<uint8_t> sources;
  DeviceArray<FieldTables> tables{std::vector<FieldTables>{field_tables()}};
  DeviceArray<uint8_t> vectors;
  DeviceArray<uint8_t> payloads;
  /** n slots and the reduced row, then `held`. */
  DeviceArray<uint8_t> state;
  DeviceArray<int32_t> pivot{1};

  /** If singular, the last coded block is the sum of two others, or 0. */
  Generation(int n, int k, bool is_singular)
      : n(n), k(k), vectors(n * n), payloads(n * k), state((n + 1) * stride + n) {
    std::vector<uint8_t> c(n * n), x(n * k);
    sources.resize(n * k);
    for (auto* bytes : {&c, &sources}) {
      for (uint8_t& byte : *bytes) {
        byte = static_cast<uint8_t>(random_word());
      }
    }
    // Ones beside zeros in a corner: pivots are not always in order.
    for (int i = 0; i < n / 2; i++) {
      c[i] = 0;
    }
    if (is_singular) {
      for (int i = 0; i < n; i++) {
        c[(n - 1) * n + i] = n < 3 ? 0 : c[i] ^ c[n + i];
      }
    }
    uint8_t products[256][256];
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        products[a][b] = static_cast<uint8_t>(product_by_definition(a, b));
      }
    }
    for (int row = 0; row < n; row++) {
      for (int i = 0; i < n; i++) {
        const uint8_t* of = products[c[row * n + i]];
        for (int j = 0; j < k; j++) {
          x[row * k + j] ^= of[sources[i * k + j]];
        }
      }
    }
    vectors.write(c);
    payloads.write(x);
  }

  void decode() {
    REQUIRE(cudaMemsetAsync(state.data + (n + 1) * stride, 0, n));
    for (int row = 0; row < n; row++) {
      const GaussJordanArguments a = {
          tables.data, state.data, stride, state.data + (n + 1) * stride, vectors.data + row * n,
          payloads.data + row * k, state.data + n * stride, pivot.data, k, n, 0x11D};
      const int words = (stride - 16) / 4;
      gauss_jordan_reduce<<<(words + 63) / 64, 64>>>(a);
      gauss_jordan_pivot<<<1, 256>>>(a);
      gauss_jordan_eliminate<<<(words + 63) / 64, 64>>>(a);
      gauss_jordan_column<<<(n + 63) / 64, 64>>>(a);
      if (row == n - 1) {
        gauss_jordan_solved<<<(n + 63) / 64, 64>>>(a);
      }
      REQUIRE(cudaGetLastError());
    }
  }
};

void check_decoding(int n, int k, bool is_singular) {
  Generation generation(n, k, is_singular);
  const std::vector<uint8_t> guarded(generation.state.count, Generation::kGuard);
  generation.state.write(guarded);
  generation.decode();
  const std::vector<uint8_t> state = generation.state.read();
  const uint8_t* held = state.data() + (n + 1) * generation.stride;
  const uint8_t* solved = state.data() + n * generation.stride;
  int rank = 0;
  bool passed = true;
  for (int slot = 0; slot < n; slot++) {
    rank += held[slot];
    const uint8_t* row = state.data() + slot * generation.stride;
    int others = 0;
    for (int i = 0; i < n; i++) {
      others += i != slot && row[i] != 0;
    }
    passed &= solved[slot] == (held[slot] != 0 && others == 0);
    if (solved[slot] != 0) {
      const uint8_t* source = generation.sources.data() + slot * k;
      passed &= row[slot] == 1 && std::memcmp(row + generation.vector_bytes, source, k) == 0;
    }
    for (int i = generation.stride - 16; i < generation.stride; i++) {
      passed &= row[i] == Generation::kGuard;
    }
  }
  // A random matrix of bytes is regular with a probability of 0.996; these are the same in each run.
  passed &= rank == n - (is_singular ? 1 : 0);
  std::printf(
      "%s Gauss-Jordan elimination of (%d, %d), rank %d\n", passed ? "ok    " : "FAILED", n, k, rank);
  failures += !passed;
}

void time_decoding() {
  Generation generation(1024, 2048, false);
  generation.decode();
  REQUIRE(cudaDeviceSynchronize());
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  REQUIRE(cudaEventRecord(begin));
  generation.decode();
  REQUIRE(cudaEventRecord(end));
  REQUIRE(cudaEventSynchronize(end));
  float time;
  REQUIRE(cudaEventElapsedTime(&time, begin, end));
  std::printf("  (1024, 2048) %9.2f ms (GeForce 8800 GT, buffered: 2175 ms)\n", time);
}

}  // namespace

int main(int argc, char** argv) {
  const bool times = argc < 2 || std::strcmp(argv[1], "check") != 0;
  run<Byte>("byte loop (Fig. 3)", 7186, times);
  run<Word<loops::MaskByConditions>>("word loop with conditions", 2509, times);
  run<Word<loops::MaskByProduct>>("word loop (7a)", 2373, times);
  run<Word<loops::MaskBy24Bits>>("word loop (7b)", 2067, times);
  for (const bool is_singular : {false, true}) {
    check_decoding(1, 1, is_singular);
    check_decoding(5, 3, is_singular);
    check_decoding(33, 70, is_singular);
    check_decoding(130, 301, is_singular);
    check_decoding(256, 1024, is_singular);
  }
  if (times) {
    time_decoding();
  }
  return verdict();
}
