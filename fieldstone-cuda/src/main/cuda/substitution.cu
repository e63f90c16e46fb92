// Decoding the pipeline code: forward substitution with a lower-triangular coefficient matrix E,
//   p_s = (c_s + Σ_{i<s} e_si·p_i) / e_ss
// (Park, Baek, Lee: HPDS, equation 1; minus equals plus here).
//
// 1. substitution_frame: one frame. Threads share the rows and the columns, take 16 bytes of several rows
//    each, and sum by coefficient bit without tables (combination.cuh). Thread blocks are independent, so
//    one launch computes a frame. hpds.cu of fieldstone-papers has the kernels of the paper.
// 2. substitution_diagonal: whole generations. All diagonal blocks of E are inverted at once, since they
//    do not depend on the frames; the rest is products (see the plan below).

#include "combination.cuh"
#include "substitution.cuh"

/** The diagonal blocks of lower-triangular matrices. */
struct SubstitutionDiagonalArguments {
  const FieldTables* tables;
  int32_t polynomial;
  int32_t n;
  /** Rows of a diagonal block, up to 128; the last block of a matrix has the rest of n. */
  int32_t b;
  int32_t unused;
  int64_t count;
  /** n×n; only the lower triangles of diagonal blocks are read. */
  Matrices coefficients;
  /** n×n, not the coefficients: rows of a diagonal block receive its inverse, and zeros to its right. */
  Matrices inverses;
  /** count flags: 1 is written for a matrix with a 0 on its diagonal; others are not changed. */
  int32_t* singular;
};

static_assert(sizeof(SubstitutionDiagonalArguments) == 88, "the host writes 88 bytes");

namespace substitution {

using namespace combination;

// ---- 1. One frame by coefficient bits ----

constexpr int kFrameThreads = 512;

/**
 * One frame. Thread t computes vector t mod a.vectors of the block's columns for every
 * (threads/a.vectors)-th row; all loads of rows are independent, and the sums are added in shared
 * memory.
 *
 * Launch: grid ⌈⌈k/16⌉ / a.vectors⌉ (fewer loop); block 256 or 512; no dynamic shared memory. Fewer
 * vectors give more blocks: 1 or 2 for k up to 4096, 4 or 8 for long frames. Rows that are 16-byte
 * aligned are fast; other rows are also correct.
 */
extern "C" __global__ void __launch_bounds__(kFrameThreads, 1)
    substitution_frame(const __grid_constant__ SubstitutionFrameArguments a) {
  constexpr int kAtOnce = 4;
  __shared__ CoefficientTables tables;
  __shared__ Vector partials[kFrameThreads];
  const int vectors = a.vectors;
  const int groups = blockDim.x / vectors;
  const int group = threadIdx.x / vectors;
  const uint32_t reduction = reduction_of(a.polynomial);
  const int64_t slice = static_cast<int64_t>(vectors) * 16;
  if (threadIdx.x < 256) {
    tables.words[threadIdx.x] = CoefficientTables::word(a.tables, threadIdx.x);
  }
  for (int64_t base = blockIdx.x * slice; base < a.k; base += gridDim.x * slice) {
    const int64_t column = base + threadIdx.x % vectors * 16;
    BitSums sums;
    if (column < a.k) {
      const uint8_t* row = a.solved + column;
      for (int first = group; first < a.frame; first += groups * kAtOnce) {
        Vector rows[kAtOnce];
        uint32_t coefficients[kAtOnce];
#pragma unroll
        for (int i = 0; i < kAtOnce; i++) {
          const int64_t r = first + i * groups;
          const bool held = r < a.frame;
          rows[i] = held ? load(row + r * a.stride, a.k - column) : zeros();
          coefficients[i] = held ? a.coefficients[r] : 0;
        }
#pragma unroll
        for (int i = 0; i < kAtOnce; i++) {
          if (first + i * groups < a.frame) {
            sums.add(coefficients[i], rows[i]);
          }
        }
      }
    }
    __syncthreads();
    sum_in_warps(sums.total(reduction), vectors, partials);
    __syncthreads();
    const int64_t at = base + threadIdx.x * 4;
    if (threadIdx.x < 4 * vectors && at < a.k) {
      const uint32_t sum =
          sum_of_warps(partials, vectors, threadIdx.x) ^ load_word(a.received + at, a.k - at);
      store_word(a.solved + a.frame * a.stride + at,
                 multiply(sum, tables.inverse(a.coefficients[a.frame]), reduction), a.k - at);
    }
  }
}

// ---- 2. Whole generations by products ----
//
// All work except the diagonal blocks is products, on tensor cores. b = 64 (or 32, 128), and
// H = b·2^i is 512, or the smallest such number ≥ n if that is less.
//
//   substitution_diagonal               X = inverses of the diagonal blocks, zeros to their right
//   for h = b, 2b, 4b, … while h < H:   inv([A 0; B C]) = [A⁻¹ 0; C⁻¹·B·A⁻¹ C⁻¹]
//     for each pair p of neighbouring h×h blocks, o = 2·h·p, h' = min(h, n − o − h) > 0:
//       T_p = E[o+h … o+h+h', o … o+h] · X[o … o+h, o … o+h]                   h'×h by h×h
//       X[o+h … o+h+h', o … o+h] = X[o+h … o+h+h', o+h … o+h+h'] · T_p         h'×h' by h'×h
//   for each panel of rows r … r', r = 0, H, 2H, …, r' = min(r + H, n):
//       p[r … r'] = X[r … r', r … r'] · c[r … r']                              by (r'−r)×k
//       c[r' … n] += E[r' … n, r … r'] · p[r … r'], if r' < n                  accumulating
//
// c is overwritten below the first panel. All operations are in one stream. The number of
// multiply-accumulates is about n²·k/2 + n·H·k/2 + n·H²/3. H = n inverts the whole matrix, which is
// best for n ≤ 512 or if one E is used for many c; for n = 2048 and k = 1024 it more than doubles the
// work.
//
// The pairs of a level are one batch: views of E and X with pitch 2·h·(stride + 1), T packed with
// pitch h·h; two launches per level. A last pair with h' < h is a separate batch. If E and X of
// several generations have pitch = n·stride + n and n is a multiple of 2h, all their pairs are one
// batch of the same views. Otherwise there is one batch per generation, or one batch over all
// generations per pair, whichever gives fewer. T takes at most n·n/4 bytes per generation, which the
// levels share. A matrix flagged as singular must not be decoded.

constexpr int kDiagonalRows = 128;
constexpr int kDiagonalVectors = kDiagonalRows / 16;
// Distance between columns in bytes; lanes in different columns write to different banks.
constexpr int kDiagonalPitch = kDiagonalRows + 4;

/**
 * Inverts the diagonal blocks of lower-triangular matrices, one thread block each. A thread holds 16
 * bytes of a row of the inverse in registers. With E' = E·D⁻¹, which has ones on its diagonal D, the
 * block processes the columns t of E' in order and adds E'_it·(row t) to the rows i > t. Row t is
 * final by then; its multiples by x^b are passed through shared memory, with one barrier per column.
 * At the end the rows are divided by D: E⁻¹ = D⁻¹·E'⁻¹.
 *
 * Launch: grid (⌈n/b⌉, min(count, 65535)) (fewer loop); block 32·⌈b/32⌉·⌈b/16⌉; 1 ≤ b ≤ 128; no
 * dynamic shared memory.
 */
extern "C" __global__ void __launch_bounds__(kDiagonalRows* kDiagonalVectors)
    substitution_diagonal(const __grid_constant__ SubstitutionDiagonalArguments a) {
  __shared__ CoefficientTables tables;
  __shared__ uint8_t inverses[kDiagonalRows];
  __shared__ uint8_t columns[kDiagonalRows * kDiagonalPitch];  // of E', one after the other
  __shared__ Vector
      multiples[2][kDiagonalVectors][8];  // [t mod 2][v][b]: vector v of row t, times x^b
  const int lane = threadIdx.x % kWarpSize;
  const int vectors = (a.b + 15) / 16;
  const int vector = threadIdx.x / kWarpSize % vectors;
  const int first_row = threadIdx.x / kWarpSize / vectors * kWarpSize;
  const int i = first_row + lane;
  const uint32_t reduction = reduction_of(a.polynomial);
  for (int c = threadIdx.x; c < 256; c += blockDim.x) {
    tables.words[c] = CoefficientTables::word(a.tables, c);
  }
  // x^(b+j), j = 0 … 7, for the b of this lane when it computes multiples: w·x^b is the sum of these
  // over the bits j of w.
  uint32_t powers[8];
  powers[0] = 0x01010101u;
  for (int b = 0; b < lane / 4; b++) {
    powers[0] = times_x(powers[0], reduction);
  }
#pragma unroll
  for (int j = 1; j < 8; j++) {
    powers[j] = times_x(powers[j - 1], reduction);
  }

  for (int64_t g = blockIdx.y; g < a.count; g += gridDim.y) {
    for (int64_t origin = static_cast<int64_t>(blockIdx.x) * a.b; origin < a.n;
         origin += static_cast<int64_t>(gridDim.x) * a.b) {
      const int rows = static_cast<int>(min(static_cast<int64_t>(a.b), a.n - origin));
      const uint8_t* block =
          a.coefficients.data + g * a.coefficients.pitch + origin * a.coefficients.stride + origin;
      uint8_t* inverse = a.inverses.data + g * a.inverses.pitch + origin * a.inverses.stride;

      __syncthreads();
      for (int t = threadIdx.x; t < rows; t += blockDim.x) {
        const uint32_t diagonal = block[t * a.coefficients.stride + t];
        inverses[t] = static_cast<uint8_t>(tables.inverse(diagonal));
        if (diagonal == 0) {
          a.singular[g] = 1;
        }
      }
      __syncthreads();
      for (int r = threadIdx.x / kWarpSize; r < rows; r += blockDim.x / kWarpSize) {
        for (int t = lane; t < r; t += kWarpSize) {
          columns[t * kDiagonalPitch + r] = static_cast<uint8_t>(
              tables.product(block[r * a.coefficients.stride + t], inverses[t]));
        }
      }
      __syncthreads();

      Vector row;  // bytes 16·vector … of row i
#pragma unroll
      for (int w = 0; w < 4; w++) {
        row.word[w] = i / 4 == vector * 4 + w ? 1u << (i % 4 * 8) : 0;
      }
      for (int t = 0; t < rows - 1; t++) {
        const int buffer = t % 2;
        if (vector * 16 <= t) {  // else row t is zero here
          if (first_row == t / kWarpSize * kWarpSize) {
            uint32_t word = 0;
#pragma unroll
            for (int w = 0; w < 4; w++) {
              const uint32_t of_row = __shfl_sync(kAllLanes, row.word[w], t % kWarpSize);
              word = lane % 4 == w ? of_row : word;
            }
            uint32_t multiple = 0;
#pragma unroll
            for (int j = 0; j < 8; j++) {
              multiple ^=
                  permute(word << (7 - j), 0, 0xBA98) & powers[j];  // all ones where bit j is set
            }
            multiples[buffer][vector][lane / 4].word[lane % 4] = multiple;
          }
        }
        __syncthreads();
        if (vector * 16 <= t && first_row + kWarpSize - 1 > t) {
          const uint32_t c = i > t && i < rows ? columns[t * kDiagonalPitch + i] : 0;
#pragma unroll
          for (int b = 0; b < 8; b++) {
            const Vector multiple = multiples[buffer][vector][b];
            const uint32_t mask = bit_mask(c, b);
#pragma unroll
            for (int w = 0; w < 4; w++) {
              row.word[w] ^= mask & multiple.word[w];
            }
          }
        }
      }

      if (i < rows) {
#pragma unroll
        for (int w = 0; w < 4; w++) {
          row.word[w] = multiply(row.word[w], inverses[i], reduction);
        }
        store(inverse + i * a.inverses.stride + origin + vector * 16, row, rows - vector * 16);
      }
      for (int r = threadIdx.x / kWarpSize; r < rows; r += blockDim.x / kWarpSize) {
        for (int64_t column = origin + rows + lane * 16; column < a.n; column += kWarpSize * 16) {
          store(inverse + r * a.inverses.stride + column, zeros(), a.n - column);
        }
      }
    }
  }
}

}  // namespace substitution
