// Times the loops of Nuclei (INFOCOM 2009), sections IV-B and IV-C, without memory access, as its
// first benchmark does: 7168 coded blocks of 2048 bytes from 1024 blocks, coefficients 0xff, and
// operands that are made in registers. Each loop is checked against products on the host first. One
// line a check, exit code 1 on a failure.
//
// The paper gives each coded block to a thread. That is fewer threads than a large GPU can hold, so
// the same work is also timed with a thread a word.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -o nuclei_check fieldstone-cuda/src/check/cuda/nuclei_check.cu
//   ./nuclei_check          checks and times
//   ./nuclei_check check    only checks

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../main/cuda/product_loops.cu"
#include "check.cuh"

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

}  // namespace

int main(int argc, char** argv) {
  const bool times = argc < 2 || std::strcmp(argv[1], "check") != 0;
  run<Byte>("byte loop (Fig. 3)", 7186, times);
  run<Word<loops::MaskByConditions>>("word loop with conditions", 2509, times);
  run<Word<loops::MaskByProduct>>("word loop (7a)", 2373, times);
  run<Word<loops::MaskBy24Bits>>("word loop (7b)", 2067, times);
  return verdict();
}
