// Decoding the pipeline code as HPDS does: forward substitution with a lower-triangular coefficient
// matrix E,
//   p_s = (c_s + Σ_{i<s} e_si·p_i) / e_ss
// (Park, Baek, Lee: HPDS, equation 1; minus equals plus here).
//
// substitution_baseline_frame is HPDS's baseline. A thread has 4 bytes of the frame and loops over the
// earlier frames. substitution_hpds_* are HPDS. A thread has a row and 4 bytes; all products e_si·p_i are
// computed at once and added by a tree.
//
// They follow the paper in the T = 4 bytes per thread, in the look-up tables of logarithms, in the number
// of threads, and in which operations are concurrent. A whole generation is one launch of the baseline, or
// two of HPDS, per frame. The paper does not have the tables and sums in shared memory.

#include "substitution.cuh"

namespace hpds {

constexpr int kHpdsThreads = 1024;

/** Tables of logarithms for products, in shared memory, as in the paper. */
struct ProductTables {
  uint32_t words[384];  // 512 bytes of log, then 1024 of exp

  /** Copies the tables; the copy is complete after a barrier by the caller. */
  __device__ __forceinline__ void fill(const FieldTables* tables, int thread, int threads) {
    const uint32_t* from = reinterpret_cast<const uint32_t*>(tables);
    for (int i = thread; i < 384; i += threads) {
      words[i] = from[i];
    }
  }

  __device__ __forceinline__ uint32_t log(uint32_t c) const {
    return reinterpret_cast<const uint16_t*>(words)[c];
  }

  __device__ __forceinline__ uint32_t exp(uint32_t i) const {
    return reinterpret_cast<const uint8_t*>(words)[512 + i];
  }

  /** Each byte of a word times c, given the logarithm of c. */
  __device__ __forceinline__ uint32_t multiply_by_log(uint32_t word, uint32_t logarithm) const {
    return exp(log(word & 0xff) + logarithm) | exp(log(word >> 8 & 0xff) + logarithm) << 8 |
           exp(log(word >> 16 & 0xff) + logarithm) << 16 | exp(log(word >> 24) + logarithm) << 24;
  }

  /** Each byte of a word divided by c; zeros if c is 0. */
  __device__ __forceinline__ uint32_t divide(uint32_t word, uint32_t c) const {
    // Sums of logarithms are at most 508: 255 for the element 1 would exceed this.
    return c == 0 ? 0 : multiply_by_log(word, log(c) == 0 ? 0 : 255 - log(c));
  }
};

// ---- HPDS's baseline: columns only ----

constexpr int kBaselineChunk = 256;

/**
 * Returns Σ_{i<s} e_i·p_i of the 4 bytes from `column`: the loop over the earlier frames. Logarithms
 * of the coefficients are copied to shared memory, 256 at a time. All threads of the block call it;
 * those past k take part in the barriers only.
 */
__device__ __forceinline__ uint32_t sum_down_a_column(const ProductTables& tables, uint16_t* logs,
                                                      const uint8_t* coefficients, int s,
                                                      const uint8_t* solved, int64_t stride,
                                                      int64_t column, int64_t k) {
  uint32_t sum = 0;
  for (int first = 0; first < s; first += kBaselineChunk) {
    const int rows = min(kBaselineChunk, s - first);
    __syncthreads();
    for (int i = threadIdx.x; i < rows; i += blockDim.x) {
      logs[i] = static_cast<uint16_t>(tables.log(coefficients[first + i]));
    }
    __syncthreads();
    if (column < k) {
#pragma unroll 4
      for (int i = 0; i < rows; i++) {
        const uint32_t word = load_word(solved + (first + i) * stride + column, k - column);
        sum ^= tables.multiply_by_log(word, logs[i]);
      }
    }
  }
  return sum;
}

/**
 * One frame, HPDS's baseline.
 *
 * Launch: grid ⌈⌈k/4⌉ / block⌉ (fewer loop); block any multiple of 32, 128 is good; no dynamic
 * shared memory.
 */
extern "C" __global__ void substitution_baseline_frame(
    const __grid_constant__ SubstitutionFrameArguments a) {
  __shared__ ProductTables tables;
  __shared__ uint16_t logs[kBaselineChunk];
  tables.fill(a.tables, threadIdx.x, blockDim.x);
  __syncthreads();
  const int64_t words = (a.k + 3) / 4;
  for (int64_t base = static_cast<int64_t>(blockIdx.x) * blockDim.x; base < words;
       base += static_cast<int64_t>(gridDim.x) * blockDim.x) {
    const int64_t column = 4 * (base + threadIdx.x);
    const uint32_t sum =
        sum_down_a_column(tables, logs, a.coefficients, a.frame, a.solved, a.stride, column, a.k);
    if (column < a.k) {
      const uint32_t received = load_word(a.received + column, a.k - column);
      store_word(a.solved + a.frame * a.stride + column,
                 tables.divide(received ^ sum, a.coefficients[a.frame]), a.k - column);
    }
  }
}

// ---- HPDS: rows and columns ----

/**
 * Sums over threadIdx.y (blockDim.y a power of two) for each threadIdx.x, by a tree; the sums are in
 * row 0 on return.
 */
__device__ __forceinline__ void sum_up_a_tree(uint32_t* tile) {
  const int at = threadIdx.y * blockDim.x + threadIdx.x;
  for (int half = blockDim.y / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) {
      tile[at] ^= tile[at + half * blockDim.x];
    }
  }
}

/**
 * One frame, HPDS's step 1 and the lower five levels of step 2: computes the products of 32 rows by
 * 32 words, one per thread, and their sums over the rows, into a.partials. The paper specifies the
 * concurrent operations but not the kernels; the split into two kernels is not from the paper.
 *
 * Launch, if 0 < frame ≤ 32·65535: grid (⌈k/128⌉, ⌈frame/32⌉), all of it; block (32, 32); no dynamic
 * shared memory. Then substitution_hpds_reduce in the same stream.
 */
extern "C" __global__ void __launch_bounds__(kHpdsThreads)
    substitution_hpds_frame(const __grid_constant__ SubstitutionFrameArguments a) {
  __shared__ ProductTables tables;
  __shared__ uint32_t tile[kHpdsThreads];
  tables.fill(a.tables, threadIdx.y * blockDim.x + threadIdx.x, kHpdsThreads);
  __syncthreads();
  const int64_t word = static_cast<int64_t>(blockIdx.x) * kWarpSize + threadIdx.x;
  const int64_t row = static_cast<int64_t>(blockIdx.y) * kWarpSize + threadIdx.y;
  uint32_t product = 0;
  if (4 * word < a.k && row < a.frame) {
    product =
        tables.multiply_by_log(load_word(a.solved + row * a.stride + 4 * word, a.k - 4 * word),
                               tables.log(a.coefficients[row]));
  }
  tile[threadIdx.y * kWarpSize + threadIdx.x] = product;
  sum_up_a_tree(tile);
  if (threadIdx.y == 0 && 4 * word < a.k) {
    const int64_t words = (a.k + 3) / 4;
    reinterpret_cast<uint32_t*>(a.partials)[blockIdx.y * words + word] = tile[threadIdx.x];
  }
}

/**
 * One frame, the upper levels of HPDS's step 2, and the division.
 *
 * Launch: grid ⌈k/128⌉, all of it; block (32, 32); no dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(kHpdsThreads)
    substitution_hpds_reduce(const __grid_constant__ SubstitutionFrameArguments a) {
  __shared__ ProductTables tables;
  __shared__ uint32_t tile[kHpdsThreads];
  tables.fill(a.tables, threadIdx.y * blockDim.x + threadIdx.x, kHpdsThreads);
  const int64_t words = (a.k + 3) / 4;
  const int64_t word = static_cast<int64_t>(blockIdx.x) * kWarpSize + threadIdx.x;
  const int rows = (a.frame + kWarpSize - 1) / kWarpSize;
  uint32_t sum = 0;
  if (word < words) {
    for (int row = threadIdx.y; row < rows; row += kWarpSize) {
      sum ^= reinterpret_cast<const uint32_t*>(a.partials)[row * words + word];
    }
  }
  tile[threadIdx.y * kWarpSize + threadIdx.x] = sum;
  sum_up_a_tree(tile);
  __syncthreads();
  if (threadIdx.y == 0 && word < words) {
    const uint32_t received = load_word(a.received + 4 * word, a.k - 4 * word);
    store_word(a.solved + a.frame * a.stride + 4 * word,
               tables.divide(received ^ tile[threadIdx.x], a.coefficients[a.frame]),
               a.k - 4 * word);
  }
}

}  // namespace hpds
