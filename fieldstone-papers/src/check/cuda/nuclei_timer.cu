// Times the loops of Nuclei (INFOCOM 2009), sections IV-B and IV-C, without memory access, as its
// first benchmark does: 7168 coded blocks of 2048 bytes from 1024 blocks, coefficients 0xff, and
// operands that are made in registers. The paper gives each coded block to a thread. That is fewer
// threads than a large GPU can hold, so the same work is also timed with a thread a word. Then the
// steps of Gauss-Jordan elimination (section IV-F) decode a generation.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -I fieldstone-cuda/src/main/cuda -o nuclei_timer
//       fieldstone-papers/src/check/cuda/nuclei_timer.cu
//   ./nuclei_timer

#include "../../main/cuda/nuclei_loops.cu"
#include "../../../../fieldstone-cuda/src/check/cuda/launch_solutions.cuh"

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

template <class Loop>
void run(const char* name, double paper) {
  const DeviceArray<uint32_t> stored(1);
  const auto best = [&](int threads, int64_t words) {
    return times_of(5, [&] {
             multiply_without_memory<Loop>
                 <<<threads / 256, 256>>>(0xFF, words * kSources * Loop::kPerWord, stored.data);
           }).best;
  };
  const float coarse = best(kCodedBlocks, kWords), fine = best(kCodedBlocks * kWords, 1);
  printf("%-26s a thread a block %9.2f ms, a thread a word %9.2f ms (GeForce 8800 GT: %.0f ms)\n",
         name, coarse, fine, paper);
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  run<Byte>("byte loop (Fig. 3)", 7186);
  run<Word<loops::MaskByConditions>>("word loop with conditions", 2509);
  run<Word<loops::MaskByProduct>>("word loop (7a)", 2373);
  run<Word<loops::MaskBy24Bits>>("word loop (7b)", 2067);
  const Field field;
  const solutions::GaussJordan generation(field, 1024, 2048);
  const float ms = times_of(1, [&] { generation.decode(); }).best;
  printf("Gauss-Jordan (1024, 2048)  %9.2f ms (GeForce 8800 GT, buffered: 2175 ms)\n", ms);
  return 0;
}
