// Products of matrices over GF(2^8) by sums of subsets: the fastest kernel without tensor cores.
//
// "The Four Russians" (Arlazarov, Dinic, Kronrod and Faradzhev, 1970): a product over GF(2) processes
// eight rows at once by a table of the sums of all 256 subsets of them. Over GF(2^8),
// bit plane b of a coded block is the sum of the sources whose coefficient has bit b set, which is
// a product over GF(2); the coded block is the sum of plane b times x^b, seven multiplications by x
// at the end, for any number of sources. So four bytes times a coefficient are one
// word of shared memory read without conflicts (for eight sources, eight planes are eight words),
// one PRMT for its address and half a LOP3 to add it: of the classic kernels the one with the
// fewest accesses (nibble tables take two, logarithms four) and a fifth of a loop's instructions.

#include "fieldstone.cuh"

namespace four_russians {

constexpr int kWarps = 16;

/** Coded blocks of a warp: 8 planes of each, a word of 4 columns a lane, are 64 registers. */
constexpr int kWarpRows = 8;

/** The tile of a thread block: 128 coded blocks, 128 bytes of each. */
constexpr int kTileRows = kWarps * kWarpRows;
constexpr int kTileColumns = 4 * kWarpSize;

/** Two tables, each of the subsets of eight sources: one LOP3 adds an entry of both. */
constexpr int kGroup = 8;
constexpr int kStep = 2 * kGroup;

/**
 * Entry e of both tables, 128 bytes each, is at 256·e: byte 1 of an address is a byte of
 * coefficients, byte 0 is 4·lane, and one PRMT puts them together.
 */
constexpr int kEntryBytes = 2 * kTileColumns;
constexpr int kTablesBytes = 256 * kEntryBytes;

/** Steps whose coefficients a warp transposes at once, a lane a coded block and a group. */
constexpr int kTransposedSteps = 2;

/** Eight coefficients, from position s of a row of n; zeros beyond it. */
__device__ __forceinline__ uint2 load_coefficients(const uint8_t* row, int s, int n) {
  if (s + 8 <= n && (reinterpret_cast<uintptr_t>(row + s) & 7) == 0) {
    return *reinterpret_cast<const uint2*>(row + s);
  }
  return make_uint2(load_word(row + s, n - s), load_word(row + s + 4, n - s - 4));
}

/** Transposes 8×8 bits: bit i of byte b of the result is bit b of byte i. */
__device__ __forceinline__ uint2 transpose_bits(uint2 rows) {
  uint32_t low = rows.x;
  uint32_t high = rows.y;
  uint32_t swapped = (low ^ (low >> 7)) & 0x00AA00AAu;
  low ^= swapped ^ (swapped << 7);
  swapped = (high ^ (high >> 7)) & 0x00AA00AAu;
  high ^= swapped ^ (swapped << 7);
  swapped = (low ^ (low >> 14)) & 0x0000CCCCu;
  low ^= swapped ^ (swapped << 14);
  swapped = (high ^ (high >> 14)) & 0x0000CCCCu;
  high ^= swapped ^ (swapped << 14);
  swapped = ((low >> 4) ^ high) & 0x0F0F0F0Fu;
  high ^= swapped;
  low ^= swapped << 4;
  return make_uint2(low, high);
}

/**
 * This lane's words, at `first` in source 0, of the eight sources from s on; zeros beyond the last
 * and beyond the row's end. is_whole: all four bytes are in the row, and aligned in every row.
 */
__device__ __forceinline__ void load_sources(
    const ProductArguments& a,
    const uint8_t* first,
    int s,
    int64_t left,
    bool is_whole,
    uint32_t (&words)[kGroup]) {
  const uint8_t* source = first + s * a.sources.stride;
  if (is_whole && s + kGroup <= a.n) {
#pragma unroll
    for (int i = 0; i < kGroup; i++) {
      words[i] = *reinterpret_cast<const uint32_t*>(source);
      source += a.sources.stride;
    }
    return;
  }
#pragma unroll
  for (int i = 0; i < kGroup; i++) {
    words[i] = load_word(source, s + i < a.n ? left : 0);
    source += a.sources.stride;
  }
}

/**
 * Writes the 32 sums of subsets whose top three members are those of `top`, in the order of the
 * Gray code, where each differs from the one before in one source.
 */
__device__ __forceinline__ void write_subsets(
    const uint32_t (&sources)[kGroup], uint32_t top, uint8_t* table) {
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    sum ^= (top >> i & 1) != 0 ? sources[5 + i] : 0;
  }
  uint8_t* entries = table + (top << 5) * kEntryBytes;
#pragma unroll
  for (int i = 0; i < 32; i++) {
    *reinterpret_cast<uint32_t*>(entries + (i ^ (i >> 1)) * kEntryBytes) = sum;
    // The Gray code after this one differs in the bit below which all bits of i are set.
    const int next = (i & 1) == 0 ? 0 : (i & 2) == 0 ? 1 : (i & 4) == 0 ? 2 : (i & 8) == 0 ? 3 : 4;
    sum ^= sources[next];
  }
}

}  // namespace four_russians

// A thread block goes through the sources 16 at a time: its warps write the two tables together,
// wait, and then each adds up the planes of its eight coded blocks.
//
// Grid: (blocks, 1, 1), any number; count·⌈m/128⌉·⌈k/128⌉ gives each block one tile. Block: (512,
// 1, 1), no other. Dynamic shared memory: 69632 bytes (allow it with
// CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES; compute_75 has too little). Shapes: any; made
// for m ≥ 64, and for sources and products whose rows are 4-byte aligned.
extern "C" __global__ void __launch_bounds__(four_russians::kWarps* kWarpSize, 1)
    product_four_russians(const __grid_constant__ ProductArguments a) {
  using namespace four_russians;
  extern __shared__ uint4 shared_memory[];
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const uint32_t lane_bytes = 4 * lane;
  uint8_t* tables = reinterpret_cast<uint8_t*>(shared_memory);
  // For each warp and step 16 bytes a coded block: its planes' subsets of the one group and the
  // other.
  uint4* subsets =
      reinterpret_cast<uint4*>(tables + kTablesBytes) + warp * kTransposedSteps * kWarpRows;
  // Half the warps write one table, half the other, each its eighth of it.
  const int table_group = warp / (kWarps / 2);
  uint8_t* table = tables + table_group * kTileColumns + lane_bytes;
  const uint32_t table_top = warp % (kWarps / 2);

  const int64_t row_tiles = (static_cast<int64_t>(a.k) + kTileColumns - 1) / kTileColumns;
  const int64_t column_tiles = (static_cast<int64_t>(a.m) + kTileRows - 1) / kTileRows;
  const int64_t tiles = a.count * column_tiles * row_tiles;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const int64_t block = tile / row_tiles;
    const int64_t column = kTileColumns * (tile - block * row_tiles) + lane_bytes;
    const int64_t matrix = block / column_tiles;
    const int first_row =
        kTileRows * static_cast<int>(block - matrix * column_tiles) + kWarpRows * warp;

    // This lane transposes the coefficients of coded block lane/4 for group lane%4 of two steps.
    const int transposed_group = lane % 4;
    const int transposed_row = first_row + lane / 4;
    const int transposed_n = transposed_row < a.m ? a.n : 0;
    const uint8_t* transposed = row_of(a.coefficients, matrix, transposed_row);
    uint2* transposed_to =
        reinterpret_cast<uint2*>(subsets + transposed_group / 2 * kWarpRows + lane / 4) +
        transposed_group % 2;

    const uint8_t* source = row_of(a.sources, matrix, 0) + column;
    const int64_t left = a.k - column;
    const bool is_whole =
        left >= 4 && ((reinterpret_cast<uintptr_t>(source) | a.sources.stride) & 3) == 0;
    uint32_t planes[kWarpRows][8] = {};
    uint32_t words[kGroup];
    load_sources(a, source, kGroup * table_group, left, is_whole, words);
    uint2 coefficients = load_coefficients(transposed, kGroup * transposed_group, transposed_n);
    for (int s = 0; s < a.n; s += kStep) {
      const int step = s / kStep % kTransposedSteps;
      if (step == 0) {
        __syncwarp();
        *transposed_to = transpose_bits(coefficients);
        coefficients = load_coefficients(
            transposed, s + kTransposedSteps * kStep + kGroup * transposed_group, transposed_n);
      }
      __syncthreads();
      write_subsets(words, table_top, table);
      __syncthreads();
      load_sources(a, source, s + kStep + kGroup * table_group, left, is_whole, words);
      if (first_row >= a.m) {
        continue;
      }
#pragma unroll
      for (int r = 0; r < kWarpRows; r++) {
        const uint4 subset = subsets[step * kWarpRows + r];
#pragma unroll
        for (int b = 0; b < 8; b++) {
          const uint32_t selector = 0x5504 | (b % 4) << 4;
          const uint32_t first = permute(b < 4 ? subset.x : subset.y, lane_bytes, selector);
          const uint32_t second = permute(b < 4 ? subset.z : subset.w, lane_bytes, selector);
          planes[r][b] ^= *reinterpret_cast<const uint32_t*>(tables + first) ^
                          *reinterpret_cast<const uint32_t*>(tables + kTileColumns + second);
        }
      }
    }

    const uint32_t reduction = reduction_of(a.polynomial);
#pragma unroll
    for (int r = 0; r < kWarpRows; r++) {
      uint32_t sum = planes[r][7];
#pragma unroll
      for (int b = 6; b >= 0; b--) {
        sum = times_x(sum, reduction) ^ planes[r][b];
      }
      if (first_row + r < a.m) {
        uint8_t* product = row_of(a.products, matrix, first_row + r) + column;
        const uint32_t before = a.accumulate ? load_word(product, left) : 0;
        store_word(product, sum ^ before, left);
      }
    }
  }
}
