// Counts the words of long binary codes by weight: the sums of the rows of a matrix, given by columns.
//
// The Walsh-Hadamard transform of the histogram of the columns is n - 2w for each sum of rows, where w
// is its weight. A block transforms 2^13 numbers for a choice of the rows above the lowest 13: a column
// adds its sign, the parity of its bits in the chosen rows, to the number of its lowest bits. The
// numbers stay in shared memory between the steps: a thread transforms 32 of them in registers, over
// bits 8 to 12, then over bits 3 to 7, and eight lanes together over bits 0 to 2.
//
// Most weights are near n/2. Those have bins in shared memory; others are added to the counts at once.

#include "fieldstone.cuh"

/** Arguments of walsh_count. */
struct WalshArguments {
  /** The columns; bit i is that of row i, and bit `rows` that of a word that is added to all sums. */
  const uint32_t* columns;
  /** The words of each weight, length + 1 numbers, to which those of the sums are added. */
  unsigned long long* counts;
  /** The number of columns, 1 to 2^21. */
  int32_t length;
  /** The number of rows, 13 to 32. */
  int32_t rows;
};

namespace walsh {

constexpr int kThreads = 256;
constexpr int kLowBits = 13;
constexpr int kEach = 32;
constexpr int kBins = 4096;
constexpr uint32_t kAll = 0xFFFFFFFFu;

/** Returns the place of a number: neighbours of a warp are in different banks in both steps. */
__device__ __forceinline__ int place(int index) {
  return index ^ ((index >> 8 & 3) << 3);
}

/** Transforms the numbers of a thread. */
__device__ __forceinline__ void transform(int32_t (&numbers)[kEach]) {
#pragma unroll
  for (int half = 1; half < kEach; half *= 2) {
#pragma unroll
    for (int i = 0; i < kEach; i++) {
      if ((i & half) == 0) {
        const int32_t a = numbers[i], b = numbers[i + half];
        numbers[i] = a + b;
        numbers[i + half] = a - b;
      }
    }
  }
}

/** Adds the bins to the counts, and makes them zeros. */
__device__ __forceinline__ void flush(const WalshArguments& a, uint32_t* bins, int first_weight) {
  for (int bin = threadIdx.x; bin < kBins; bin += kThreads) {
    if (bins[bin] != 0) {
      atomicAdd(a.counts + first_weight + bin, static_cast<unsigned long long>(bins[bin]));
      bins[bin] = 0;
    }
  }
}

}  // namespace walsh

// Counts all 2^rows sums by weight.
//
// Grid: (blocks, 1, 1), any number; no more than run at once. Block: (256, 1, 1). Dynamic shared memory:
// none. Shapes: any.
extern "C" __global__ void __launch_bounds__(walsh::kThreads) walsh_count(
    const __grid_constant__ WalshArguments a) {
  using namespace walsh;
  __shared__ int32_t numbers[1 << kLowBits];
  __shared__ uint32_t bins[kBins];
  const int thread = threadIdx.x;
  const int first_weight = a.length / 2 - kBins / 2;
  const int lane = thread & 7;
  const int group = thread >> 3;
  for (int i = thread; i < 1 << kLowBits; i += kThreads) {
    numbers[i] = 0;
  }
  for (int i = thread; i < kBins; i += kThreads) {
    bins[i] = 0;
  }
  __syncthreads();
  const int64_t choices = int64_t{1} << (a.rows - kLowBits);
  uint32_t counted = 0;
  for (int64_t choice = blockIdx.x; choice < choices; choice += gridDim.x) {
    // The bit above is that of the word that is added.
    const uint32_t chosen = static_cast<uint32_t>(choice | choices);
#pragma unroll 4
    for (int i = thread; i < a.length; i += kThreads) {
      const uint32_t column = __ldg(a.columns + i);
      const int32_t odd = __popc(column >> kLowBits & chosen) & 1;
      atomicAdd(numbers + place(column & ((1 << kLowBits) - 1)), 1 - 2 * odd);
    }
    __syncthreads();
    int32_t own[kEach];
#pragma unroll
    for (int i = 0; i < kEach; i++) {
      own[i] = numbers[place(thread + kThreads * i)];
    }
    transform(own);
#pragma unroll
    for (int i = 0; i < kEach; i++) {
      numbers[place(thread + kThreads * i)] = own[i];
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kEach; i++) {
      const int at = place(group * kThreads + i * 8 + lane);
      own[i] = numbers[at];
      numbers[at] = 0;  // for the next choice
    }
    transform(own);
#pragma unroll
    for (int half = 1; half < 8; half *= 2) {
      const int32_t sign = (lane & half) == 0 ? 1 : -1;
#pragma unroll
      for (int i = 0; i < kEach; i++) {
        own[i] = sign * own[i] + __shfl_xor_sync(kAll, own[i], half);
      }
    }
#pragma unroll
    for (int i = 0; i < kEach; i++) {
      const int weight = (a.length - own[i]) >> 1;
      const int bin = weight - first_weight;
      if (static_cast<unsigned>(bin) < kBins) {
        atomicAdd(bins + bin, 1u);
      } else {
        atomicAdd(a.counts + weight, 1ull);
      }
    }
    counted += 1 << kLowBits;
    __syncthreads();
    if (counted >= 1u << 31) {
      flush(a, bins, first_weight);
      counted = 0;
      __syncthreads();
    }
  }
  flush(a, bins, first_weight);
}
