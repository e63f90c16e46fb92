// Inverses of n×n matrices over GF(2^8), many at once, with a search for pivots and with ranks.
//
// Gauss-Jordan elimination in place: when column p's pivot is found in row r, column p becomes the
// column that the identity beside the matrix would have in place r, so that n×n bytes suffice. With
// T the product of all eliminations so far, column p then holds column r of T. Rows never move:
// when all is done, row r holds row p of the inverse, and column p of it belongs in place r.
//
// A pivot's row times every other row's factor is two reads from tables of the row's products by
// all 16 low nibbles and all 16 high ones, made once a pivot. invert_128 and invert_256 keep a
// matrix in the registers of a thread block. For larger ones, panels of 32 columns are eliminated
// by invert_panel, a thread block a matrix, a row of the panel a thread. The other columns then
// change by products of the panel's columns by the pivots' rows, which any product kernel does with
// the whole GPU. Panels are parts of blocks of columns: a panel changes only its block at once, and
// a block, once eliminated, all other columns. So most of the work is products of long sums:
//
//   invert_begin
//   for each block of columns:
//     for each panel of the block: invert_panel, product (block += panel · pivot rows)
//     invert_move, product (work += block · pivot rows)
//   invert_end
//
// A matrix of short rank gives its rank, and its inverse is left as it was. Inputs are only read.

#include "fieldstone.cuh"

/** Inverts `count` n×n matrices in registers; inverses may be the inputs. */
struct InversionArguments {
  Matrices matrices;
  Matrices inverses;
  const FieldTables* tables;
  /** Receives count ranks. */
  int32_t* ranks;
  int64_t count;
  int32_t n;
  int32_t polynomial;
};

/**
 * Inverts `count` n×n matrices by panels, N = ⌈n/32⌉·32. The members after `ranks` belong to the
 * inversion from invert_begin to invert_end.
 */
struct PanelArguments {
  Matrices matrices;
  Matrices inverses;
  /** N×N a matrix; data, stride and pitch are multiples of 16. */
  Matrices work;
  /** Pivots' rows before an elimination, a block's columns × N a matrix; multiples of 16 as well. */
  Matrices pivot_rows;
  const FieldTables* tables;
  /** Receives count ranks. */
  int32_t* ranks;
  /** count·N: the row of each column's pivot, or -1. */
  int32_t* pivot_of_column;
  /** count·N: the column whose pivot is in each row, or -1. */
  int32_t* column_of_pivot;
  int64_t count;
  int32_t n;
  int32_t polynomial;
  /** The panel's first column, a multiple of 32. */
  int32_t first_column;
  /** The columns of the block, multiples of 32. */
  int32_t first_of_block;
  int32_t end_of_block;
  int32_t unused;
};

namespace inversion {

/** The bytes of a word that are not 0, as bits 0…3. */
__device__ __forceinline__ uint32_t nonzero_bytes(uint32_t word) {
  const uint32_t top_bits = (word | ((word & 0x7F7F7F7Fu) + 0x7F7F7F7Fu)) & 0x80808080u;
  return (top_bits >> 7) * 0x10204080u >> 28;
}

/** 1/element, which is not 0. */
__device__ __forceinline__ uint32_t reciprocal(const FieldTables* tables, uint32_t element) {
  return tables->exp[255 - tables->log[element]];
}

/** Rows of a warp in registers. */
constexpr int kSlots = 16;

/** A table's entry, 256 bytes, is a nibble times a row: byte 1 of an address is the nibble. */
constexpr int kEntryBytes = 256;

/** Writes the 16 products of a word by nibble values, from `one`, the product by its lowest bit. */
__device__ __forceinline__ void write_nibble_multiples(
    uint32_t one, uint32_t reduction, uint8_t* entries) {
  uint32_t basis[4];
  basis[0] = one;
#pragma unroll
  for (int b = 1; b < 4; b++) {
    basis[b] = times_x(basis[b - 1], reduction);
  }
  uint32_t multiple = 0;
#pragma unroll
  for (int i = 0; i < 16; i++) {
    *reinterpret_cast<uint32_t*>(entries + (i ^ (i >> 1)) * kEntryBytes) = multiple;
    multiple ^= basis[(i & 1) == 0 ? 0 : (i & 2) == 0 ? 1 : (i & 4) == 0 ? 2 : 3];
  }
}

/**
 * Row 16·kWarps numbers of rows: warp w has rows w, w + kWarps, … in its slots; lane l has words
 * l, l + 32, … of each.
 */
template <int kWords, int kWarps>
__device__ __forceinline__ void invert_in_registers(const InversionArguments& a) {
  constexpr int kMaxN = kSlots * kWarps;
  static_assert(kMaxN == 4 * kWarpSize * kWords, "equal numbers of rows and columns");
  // Low nibbles' products and high nibbles' products, in the halves of an entry if they fit.
  constexpr int kHighOffset = kWords == 1 ? kEntryBytes / 2 : 16 * kEntryBytes;
  __shared__ __align__(16) uint8_t multiples[16 * kEntryBytes * kWords];
  __shared__ uint4 factors[kWarps][2];
  __shared__ __align__(16) uint8_t reciprocals[256];
  __shared__ __align__(16) uint8_t pivot_of_column[kMaxN];
  __shared__ __align__(16) uint8_t column_of_pivot[kMaxN];
  __shared__ int32_t candidates[2][kWarps];

  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const uint32_t lane_bytes = 4 * lane;
  const uint32_t reduction = reduction_of(a.polynomial);
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    reciprocals[i] = static_cast<uint8_t>(i == 0 ? 0 : reciprocal(a.tables, i));
  }

  for (int64_t matrix = blockIdx.x; matrix < a.count; matrix += gridDim.x) {
    uint32_t rows[kSlots][kWords];
    uint32_t free_slots = 0;
#pragma unroll
    for (int slot = 0; slot < kSlots; slot++) {
      const int row = slot * kWarps + warp;
      free_slots |= (row < a.n ? 1u : 0u) << slot;
#pragma unroll
      for (int w = 0; w < kWords; w++) {
        const int column = 4 * (lane + kWarpSize * w);
        const int left = row < a.n ? a.n - column : 0;
        rows[slot][w] = load_word(row_of(a.matrices, matrix, row) + column, left);
      }
    }

    int rank = 0;
#pragma unroll
    for (int half = 0; half < kWords; half++) {
      const int first_column = 4 * kWarpSize * half;
      const int end_column = min(a.n, first_column + 4 * kWarpSize);
      for (int column = first_column; column < end_column; column++) {
        const int owner_lane = (column - first_column) / 4;
        const int byte = column % 4;

        // The column, this warp's part of it: the factors of its rows.
        uint32_t low[kSlots / 4];
        uint32_t high[kSlots / 4];
        uint32_t nonzero = 0;
#pragma unroll
        for (int i = 0; i < kSlots / 4; i++) {
          const uint32_t selector = (4 + byte) << 4 | byte;
          const uint32_t first = permute(rows[4 * i][half], rows[4 * i + 1][half], selector);
          const uint32_t second = permute(rows[4 * i + 2][half], rows[4 * i + 3][half], selector);
          const uint32_t four = permute(first, second, 0x5410);
          low[i] = four & 0x0F0F0F0Fu;
          high[i] = four >> 4 & 0x0F0F0F0Fu;
          nonzero |= nonzero_bytes(four) << (4 * i);
        }
        __syncwarp();
        if (lane == owner_lane) {
          factors[warp][0] = make_uint4(low[0], low[1], low[2], low[3]);
          factors[warp][1] = make_uint4(high[0], high[1], high[2], high[3]);
          const int slot = __ffs(static_cast<int>(nonzero & free_slots)) - 1;
          candidates[column % 2][warp] = slot < 0 ? -1 : slot * kWarps + warp;
        }
        __syncthreads();

        // Each warp has proposed a row; all choose the same one.
        const int offered = candidates[column % 2][lane % kWarps];
        const uint32_t offers = __ballot_sync(0xFFFFFFFFu, offered >= 0);
        if (offers == 0) {
          continue;
        }
        const int pivot = candidates[column % 2][(__ffs(static_cast<int>(offers)) - 1) % kWarps];
        const int pivot_slot = pivot / kWarps;
        if (warp == pivot % kWarps) {
          const uint8_t* nibbles = reinterpret_cast<const uint8_t*>(factors[warp]);
          const uint32_t inverse =
              reciprocals[nibbles[pivot_slot] | nibbles[kSlots + pivot_slot] << 4];
          const uint32_t one = lane == owner_lane ? 1u << (8 * byte) : 0;
#pragma unroll
          for (int w = 0; w < kWords; w++) {
            uint32_t word = 0;
#pragma unroll
            for (int slot = 0; slot < kSlots; slot++) {
              if (slot == pivot_slot) {
                word = rows[slot][w];
                // The pivot's own row becomes its scaled self: a unit row plus 1 times the table.
                rows[slot][w] = w == half ? one : 0;
              }
            }
            // In the pivot's column f becomes f/pivot, which is f plus f·(1/pivot + 1).
            word ^= w == half ? one : 0;
            uint32_t scaled = 0;
#pragma unroll
            for (int b = 0; b < 8; b++) {
              scaled ^= (inverse >> b & 1) != 0 ? word : 0;
              word = times_x(word, reduction);
            }
            uint8_t* entries = multiples + 4 * kWarpSize * w + lane_bytes;
            write_nibble_multiples(scaled, reduction, entries);
#pragma unroll
            for (int b = 0; b < 4; b++) {
              scaled = times_x(scaled, reduction);
            }
            write_nibble_multiples(scaled, reduction, entries + kHighOffset);
          }
          free_slots &= ~(1u << pivot_slot);
          __syncwarp();
          if (lane == 0) {
            uint8_t* written = reinterpret_cast<uint8_t*>(factors[warp]);
            written[pivot_slot] = 1;
            written[kSlots + pivot_slot] = 0;
            pivot_of_column[column] = static_cast<uint8_t>(pivot);
            column_of_pivot[pivot] = static_cast<uint8_t>(column);
          }
        }
        rank++;
        __syncthreads();

        const uint4 lows = factors[warp][0];
        const uint4 highs = factors[warp][1];
#pragma unroll
        for (int slot = 0; slot < kSlots; slot++) {
          const uint32_t low_nibbles =
              slot < 4 ? lows.x : slot < 8 ? lows.y : slot < 12 ? lows.z : lows.w;
          const uint32_t high_nibbles =
              slot < 4 ? highs.x : slot < 8 ? highs.y : slot < 12 ? highs.z : highs.w;
          const uint32_t selector = 0x5504 | (slot % 4) << 4;
          const uint32_t low_at = permute(low_nibbles, lane_bytes, selector);
          const uint32_t high_at = permute(high_nibbles, lane_bytes, selector) + kHighOffset;
#pragma unroll
          for (int w = 0; w < kWords; w++) {
            const int at = 4 * kWarpSize * w;
            rows[slot][w] ^= *reinterpret_cast<const uint32_t*>(multiples + low_at + at) ^
                             *reinterpret_cast<const uint32_t*>(multiples + high_at + at);
          }
        }
      }
    }

    __syncthreads();
    if (threadIdx.x == 0) {
      a.ranks[matrix] = rank;
    }
    if (rank == a.n) {
      // A warp puts a row's bytes in their places in memory of its own, where the tables were.
      uint8_t* placed = multiples + kMaxN * warp;
      static_assert(kMaxN * kWarps <= sizeof(multiples), "room for a row a warp");
#pragma unroll
      for (int slot = 0; slot < kSlots; slot++) {
        const int row = slot * kWarps + warp;
        if (row < a.n) {
#pragma unroll
          for (int w = 0; w < kWords; w++) {
#pragma unroll
            for (int b = 0; b < 4; b++) {
              const int column = 4 * (lane + kWarpSize * w) + b;
              if (column < a.n) {
                placed[pivot_of_column[column]] = static_cast<uint8_t>(rows[slot][w] >> (8 * b));
              }
            }
          }
          __syncwarp();
#pragma unroll
          for (int w = 0; w < kWords; w++) {
            const int column = 4 * (lane + kWarpSize * w);
            const uint32_t word = *reinterpret_cast<const uint32_t*>(placed + column);
            store_word(
                row_of(a.inverses, matrix, column_of_pivot[row]) + column, word, a.n - column);
          }
          __syncwarp();
        }
      }
    }
    __syncthreads();
  }
}

constexpr int kPanel = 32;
constexpr int kPanelThreads = 1024;

/** Lanes of a panel's row, and rows of a warp. */
constexpr int kRowLanes = kPanel / 4;
constexpr int kWarpRows = kWarpSize / kRowLanes;

/** Sets of rows whose loads a warp has under way at once. */
constexpr int kRowSets = 4;

/**
 * Eliminates the panel's columns in all rows of the panel, which is anywhere in memory, and says in
 * pivots which row each column's pivot is in, or -1.
 */
__device__ __forceinline__ void eliminate_panel(
    const PanelArguments& a,
    uint8_t* panel,
    int64_t stride,
    uint8_t* multiples,
    int32_t* pivots,
    int32_t* column_of_pivot) {
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int word_bytes = 4 * (lane % kRowLanes);
  const uint16_t* log = a.tables->log;
  const uint8_t* exp = a.tables->exp;
  // All rows below have a pivot.
  int low = 0;
  for (int p = 0; p < kPanel; p++) {
    // Every warp searches, and finds the same pivot.
    int pivot = -1;
    for (int base = low; base < a.n; base += kWarpSize) {
      const int row = base + lane;
      const bool is_free = row < a.n && column_of_pivot[row] < 0;
      const bool is_candidate = is_free && panel[row * stride + p] != 0;
      const uint32_t free_rows = __ballot_sync(0xFFFFFFFFu, is_free);
      const uint32_t rows = __ballot_sync(0xFFFFFFFFu, is_candidate);
      if (free_rows == 0 && base == low) {
        low += kWarpSize;
      }
      if (rows != 0) {
        pivot = base + __ffs(static_cast<int>(rows)) - 1;
        break;
      }
    }
    if (pivot < 0) {
      if (threadIdx.x == 0) {
        pivots[p] = -1;
      }
      continue;
    }

    // Eight warps write the tables; a lane writes a nibble (low, then high) of a word.
    const uint32_t one = word_bytes == p / 4 * 4 ? 1u << (8 * (p % 4)) : 0;
    const int entry = warp * kWarpRows + lane / kRowLanes;
    if (entry < 32) {
      const int nibble = entry % 16;
      const int is_high = entry / 16;
      // In the pivot's column f becomes f/pivot, which is f plus f·(1/pivot + 1).
      const uint32_t word =
          *reinterpret_cast<const uint32_t*>(panel + pivot * stride + word_bytes) ^ one;
      const int quotient = log[nibble << (4 * is_high)] + 255 - log[panel[pivot * stride + p]];
      const int factor = nibble == 0 ? 511 : quotient >= 255 ? quotient - 255 : quotient;
      uint32_t multiple = 0;
#pragma unroll
      for (int b = 0; b < 4; b++) {
        multiple |= static_cast<uint32_t>(exp[factor + log[word >> (8 * b) & 0xFF]]) << (8 * b);
      }
      // One copy for each of a warp's rows, so that their reads have no bank conflicts.
#pragma unroll
      for (int copy = 0; copy < kWarpRows; copy++) {
        *reinterpret_cast<uint32_t*>(
            multiples + nibble * kEntryBytes + is_high * (kEntryBytes / 2) + copy * kPanel +
            word_bytes) = multiple;
      }
    }
    __syncthreads();

    if (threadIdx.x == 0) {
      pivots[p] = pivot;
      column_of_pivot[pivot] = a.first_column + p;
    }
    const int warps = blockDim.x / kWarpSize;
    for (int base = warp * kWarpRows; base < a.n; base += kRowSets * warps * kWarpRows) {
      uint32_t factors[kRowSets];
      uint32_t words[kRowSets];
#pragma unroll
      for (int i = 0; i < kRowSets; i++) {
        const int row = base + i * warps * kWarpRows + lane / kRowLanes;
        factors[i] = 0;
        words[i] = 0;
        if (row < a.n) {
          const uint8_t* at = panel + row * stride;
          // The pivot's own row becomes its scaled self: a unit row plus 1 times the table.
          factors[i] = row == pivot ? 1 : at[p];
          words[i] = row == pivot ? one : *reinterpret_cast<const uint32_t*>(at + word_bytes);
        }
      }
      __syncwarp();
#pragma unroll
      for (int i = 0; i < kRowSets; i++) {
        const int row = base + i * warps * kWarpRows + lane / kRowLanes;
        const uint8_t* entries = multiples + 4 * lane;
        const uint32_t changed =
            words[i] ^
            *reinterpret_cast<const uint32_t*>(entries + (factors[i] & 15) * kEntryBytes) ^
            *reinterpret_cast<const uint32_t*>(
                entries + (factors[i] >> 4) * kEntryBytes + kEntryBytes / 2);
        if (row < a.n) {
          *reinterpret_cast<uint32_t*>(panel + row * stride + word_bytes) = changed;
        }
      }
    }
    __syncthreads();
  }
}

/** Rows of a panel that a thread keeps in registers, at most. */
constexpr int kMaxRegisterRows = 2;

/** Copies of an entry of 16 bytes, one for each lane of a quarter of a warp: no bank conflicts. */
constexpr int kCopies = 8;

/** A nibble's entries: both halves of a row of the panel. */
constexpr int kNibbleBytes = 2 * kCopies * 16;

/** The shared memory of a block that eliminates a panel in registers. */
struct PanelShared {
  /** The pivot's row times all low nibbles, and all high ones. */
  alignas(16) uint8_t multiples[2 * 16 * kNibbleBytes];
  /** A warp's first row that may be the pivot's, for even and odd columns, and its number or -1. */
  uint4 candidates[2][kPanelThreads / kWarpSize][2];
  int32_t candidate_rows[2][kPanelThreads / kWarpSize];
  uint16_t log[256];
  uint8_t exp[1024];
  int32_t pivots[kPanel];
};

/** Makes the tables of a pivot's row, by 256 threads, a word of an entry each. */
__device__ __forceinline__ void write_multiples(
    PanelShared& shared, const uint4* candidate, int byte) {
  const int word = threadIdx.x % 8;
  const int entry = threadIdx.x / 8;
  const int nibble = entry % 16;
  const int is_high = entry / 16;
  const uint32_t* row = reinterpret_cast<const uint32_t*>(candidate);
  const uint32_t pivot = row[0] >> (8 * byte) & 0xFF;
  // In the pivot's column f becomes f/pivot, which is f plus f·(1/pivot + 1).
  const uint32_t source = row[word] ^ (word == 0 ? 1u << (8 * byte) : 0);
  const int quotient = shared.log[nibble << (4 * is_high)] + 255 - shared.log[pivot];
  const int factor = nibble == 0 ? 511 : quotient >= 255 ? quotient - 255 : quotient;
  uint32_t multiple = 0;
#pragma unroll
  for (int b = 0; b < 4; b++) {
    const uint32_t product = shared.exp[factor + shared.log[source >> (8 * b) & 0xFF]];
    multiple |= product << (8 * b);
  }
  uint8_t* to = shared.multiples + (is_high * 16 + nibble) * kNibbleBytes +
                word / 4 * (kCopies * 16) + word % 4 * 4;
#pragma unroll
  for (int i = 0; i < kCopies; i++) {
    // Each group of four lanes begins with another copy, and so with other banks.
    const int copy = (i + threadIdx.x / 4) % kCopies;
    *reinterpret_cast<uint32_t*>(to + copy * 16) = multiple;
  }
}

/**
 * Eliminates the panel's columns, with rows threadIdx.x + 1024·i in registers. Word 0 of a row has
 * the present column: after four columns, the words move on.
 */
template <int kRows>
__device__ __forceinline__ void eliminate_in_registers(
    const PanelArguments& a, int64_t matrix, PanelShared& shared) {
  const int64_t padded_n = (static_cast<int64_t>(a.n) + kPanel - 1) / kPanel * kPanel;
  int32_t* column_of_pivot = a.column_of_pivot + matrix * padded_n;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const uint8_t* copies = shared.multiples + lane % kCopies * 16;
  uint32_t rows[kRows][8];
  bool is_free[kRows];
#pragma unroll
  for (int i = 0; i < kRows; i++) {
    const int row = threadIdx.x + i * kPanelThreads;
    uint4 halves[2] = {make_uint4(0, 0, 0, 0), make_uint4(0, 0, 0, 0)};
    is_free[i] = row < a.n && column_of_pivot[row] < 0;
    if (row < a.n) {
      const uint4* from =
          reinterpret_cast<const uint4*>(row_of(a.work, matrix, row) + a.first_column);
      halves[0] = from[0];
      halves[1] = from[1];
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
      rows[i][4 * half] = halves[half].x;
      rows[i][4 * half + 1] = halves[half].y;
      rows[i][4 * half + 2] = halves[half].z;
      rows[i][4 * half + 3] = halves[half].w;
    }
  }

#pragma unroll 1
  for (int p = 0; p < kPanel; p++) {
    const int byte = p % 4;
    const int parity = p % 2;
    uint32_t factors[kRows];
    uint32_t candidates = 0;
    int slot = 0;
#pragma unroll
    for (int i = kRows - 1; i >= 0; i--) {
      factors[i] = rows[i][0] >> (8 * byte) & 0xFF;
      const uint32_t found = __ballot_sync(0xFFFFFFFFu, is_free[i] && factors[i] != 0);
      if (found != 0) {
        candidates = found;
        slot = i;
      }
    }
    const int first = candidates == 0 ? 0 : __ffs(static_cast<int>(candidates)) - 1;
    if (lane == first) {
      shared.candidate_rows[parity][warp] =
          candidates == 0 ? -1 : static_cast<int>(threadIdx.x) + slot * kPanelThreads;
#pragma unroll
      for (int i = 0; i < kRows; i++) {
        if (i == slot) {
          shared.candidates[parity][warp][0] =
              make_uint4(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
          shared.candidates[parity][warp][1] =
              make_uint4(rows[i][4], rows[i][5], rows[i][6], rows[i][7]);
        }
      }
    }
    __syncthreads();
    // Each warp has proposed a row; all choose the same one.
    const int offered = shared.candidate_rows[parity][lane];
    const uint32_t offers = __ballot_sync(0xFFFFFFFFu, offered >= 0);
    const int winner = offers == 0 ? 0 : __ffs(static_cast<int>(offers)) - 1;
    const int pivot = __shfl_sync(0xFFFFFFFFu, offered, winner);
    if (threadIdx.x == 0) {
      shared.pivots[p] = pivot;
    }
    if (pivot >= 0) {
      if (threadIdx.x < 256) {
        write_multiples(shared, shared.candidates[parity][winner], byte);
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kRows; i++) {
        if (pivot == static_cast<int>(threadIdx.x) + i * kPanelThreads) {
          // The pivot's own row becomes its scaled self: a unit row plus 1 times the table.
          is_free[i] = false;
          factors[i] = 1;
          rows[i][0] = 1u << (8 * byte);
#pragma unroll
          for (int w = 1; w < 8; w++) {
            rows[i][w] = 0;
          }
          column_of_pivot[pivot] = a.first_column + p;
        }
        const uint8_t* low = copies + (factors[i] & 15) * kNibbleBytes;
        const uint8_t* high = copies + (16 + (factors[i] >> 4)) * kNibbleBytes;
#pragma unroll
        for (int half = 0; half < 2; half++) {
          const uint4 one = *reinterpret_cast<const uint4*>(low + half * (kCopies * 16));
          const uint4 other = *reinterpret_cast<const uint4*>(high + half * (kCopies * 16));
          rows[i][4 * half] ^= one.x ^ other.x;
          rows[i][4 * half + 1] ^= one.y ^ other.y;
          rows[i][4 * half + 2] ^= one.z ^ other.z;
          rows[i][4 * half + 3] ^= one.w ^ other.w;
        }
      }
    }
    if (byte == 3) {
#pragma unroll
      for (int i = 0; i < kRows; i++) {
        const uint32_t first_word = rows[i][0];
#pragma unroll
        for (int w = 0; w < 7; w++) {
          rows[i][w] = rows[i][w + 1];
        }
        rows[i][7] = first_word;
      }
    }
  }

#pragma unroll
  for (int i = 0; i < kRows; i++) {
    const int row = threadIdx.x + i * kPanelThreads;
    if (row < a.n) {
      uint4* to = reinterpret_cast<uint4*>(row_of(a.work, matrix, row) + a.first_column);
      to[0] = make_uint4(rows[i][0], rows[i][1], rows[i][2], rows[i][3]);
      to[1] = make_uint4(rows[i][4], rows[i][5], rows[i][6], rows[i][7]);
    }
  }
}

/**
 * Moves 16 bytes of a pivot's row from the work matrix to row p of pivot_rows, and leaves zeros:
 * the product adds their content. Zeros move in the columns of the pivots, and without a pivot.
 */
__device__ __forceinline__ void move_pivot_bytes(
    const PanelArguments& a,
    int64_t matrix,
    int pivot,
    int p,
    int column,
    bool is_of_pivots) {
  const uint4 zeros = make_uint4(0, 0, 0, 0);
  uint4 moved = zeros;
  if (pivot >= 0 && !is_of_pivots) {
    uint4* from = reinterpret_cast<uint4*>(row_of(a.work, matrix, pivot) + column);
    moved = *from;
    *from = zeros;
  }
  *reinterpret_cast<uint4*>(row_of(a.pivot_rows, matrix, p) + column) = moved;
}

/** Moves the rows of a panel's pivots, within the columns of the block. */
__device__ __forceinline__ void move_rows_of_panel(
    const PanelArguments& a, int64_t matrix, const int32_t* pivots) {
  const int vectors = (a.end_of_block - a.first_of_block) / 16;
  for (int i = threadIdx.x; i < kPanel * vectors; i += blockDim.x) {
    const int p = i / vectors;
    const int column = a.first_of_block + 16 * (i - p * vectors);
    const bool is_of_panel = column >= a.first_column && column < a.first_column + kPanel;
    move_pivot_bytes(a, matrix, pivots[p], p, column, is_of_panel);
  }
}

/** Stores the pivots of a panel, and counts them. The threads have passed a barrier since. */
__device__ __forceinline__ void finish_panel(
    const PanelArguments& a, int64_t matrix, const int32_t* pivots) {
  const int64_t padded_n = (static_cast<int64_t>(a.n) + kPanel - 1) / kPanel * kPanel;
  move_rows_of_panel(a, matrix, pivots);
  if (threadIdx.x < kPanel) {
    const int column = a.first_column + threadIdx.x;
    const int pivot = pivots[threadIdx.x];
    a.pivot_of_column[matrix * padded_n + column] = pivot;
    const uint32_t found = __ballot_sync(0xFFFFFFFFu, pivot >= 0);
    if (threadIdx.x == 0) {
      a.ranks[matrix] += __popc(found);
    }
  }
  __syncthreads();
}

}  // namespace inversion

// Inverses of matrices with n ≤ 128, 16 registers of a thread for the matrix.
//
// Grid: (blocks, 1, 1), any number; count gives each block one matrix. Block: (256, 1, 1), no
// other. Dynamic shared memory: none. Shapes: n from 0 to 128, any alignment.
extern "C" __global__ void __launch_bounds__(256, 4)
    invert_128(const __grid_constant__ InversionArguments a) {
  inversion::invert_in_registers<1, 8>(a);
}

// Inverses of matrices with n ≤ 256, 32 registers of a thread for the matrix.
//
// Grid: (blocks, 1, 1), any number; count gives each block one matrix. Block: (512, 1, 1), no
// other. Dynamic shared memory: none. Shapes: n from 0 to 256, any alignment.
extern "C" __global__ void __launch_bounds__(512, 1)
    invert_256(const __grid_constant__ InversionArguments a) {
  inversion::invert_in_registers<2, 16>(a);
}

// Copies matrices to the work matrices of invert_panel, and clears the ranks and pivots.
//
// Grid: (blocks, 1, 1), any number; count·N·N / 4 / 256 gives each thread one word. Block:
// (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void invert_begin(const __grid_constant__ PanelArguments a) {
  const int64_t padded_n =
      (static_cast<int64_t>(a.n) + inversion::kPanel - 1) / inversion::kPanel * inversion::kPanel;
  const int64_t row_words = padded_n / 4;
  const int64_t words = a.count * padded_n * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t matrix_row = at / row_words;
    const int64_t column = 4 * (at - matrix_row * row_words);
    const int64_t matrix = matrix_row / padded_n;
    const int64_t row = matrix_row - matrix * padded_n;
    const int64_t left = row < a.n ? a.n - column : 0;
    *reinterpret_cast<uint32_t*>(row_of(a.work, matrix, row) + column) =
        load_word(row_of(a.matrices, matrix, row) + column, left);
    if (column == 0) {
      a.column_of_pivot[matrix_row] = -1;
      if (row == 0) {
        a.ranks[matrix] = 0;
      }
    }
  }
}

// Eliminates columns first_column…+31 in these columns, and moves the pivots' rows within the
// block. The product that must follow, by any such kernel, has accumulate = 1, m = n, n = 32 and k
// the block's columns, coefficients {work.data + first_column, work.stride, work.pitch}, and the
// block's columns of pivot_rows as sources and of work as products. (There the products' columns of
// the panel overlap the coefficients, and get zeros added.)
//
// Grid: (blocks, 1, 1), any number; count gives each block one matrix. Block: (1024, 1, 1), no
// other. Dynamic shared memory: none. Shapes: n ≤ 2048.
extern "C" __global__ void __launch_bounds__(inversion::kPanelThreads, 1)
    invert_panel(const __grid_constant__ PanelArguments a) {
  using namespace inversion;
  __shared__ PanelShared shared;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    shared.log[i] = a.tables->log[i];
  }
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
    shared.exp[i] = a.tables->exp[i];
  }
  __syncthreads();
  for (int64_t matrix = blockIdx.x; matrix < a.count; matrix += gridDim.x) {
    if (a.n <= kPanelThreads) {
      eliminate_in_registers<1>(a, matrix, shared);
    } else {
      eliminate_in_registers<kMaxRegisterRows>(a, matrix, shared);
    }
    __syncthreads();
    finish_panel(a, matrix, shared.pivots);
  }
}

// invert_panel for any n: the panel stays in the work matrix, that is, in the caches.
//
// Grid, block and product: as invert_panel. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void __launch_bounds__(inversion::kPanelThreads, 1)
    invert_panel_any(const __grid_constant__ PanelArguments a) {
  using namespace inversion;
  __shared__ __align__(16) uint8_t multiples[16 * kEntryBytes];
  __shared__ int32_t pivots[kPanel];
  const int64_t padded_n = (static_cast<int64_t>(a.n) + kPanel - 1) / kPanel * kPanel;
  for (int64_t matrix = blockIdx.x; matrix < a.count; matrix += gridDim.x) {
    uint8_t* panel = row_of(a.work, matrix, 0) + a.first_column;
    eliminate_panel(
        a, panel, a.work.stride, multiples, pivots, a.column_of_pivot + matrix * padded_n);
    __syncthreads();
    finish_panel(a, matrix, pivots);
  }
}

// Moves the rows of a block's pivots to pivot_rows, with zeros in the columns of the block. The
// product that must follow has accumulate = 1, m = n, n the block's columns and k = N, coefficients
// {work.data + first_of_block, work.stride, work.pitch}, sources pivot_rows and products work.
//
// Grid: (blocks, 1, 1), any number; count · columns of the block · N / 16 / 256 gives each thread
// 16 bytes. Block: (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void invert_move(const __grid_constant__ PanelArguments a) {
  const int64_t padded_n =
      (static_cast<int64_t>(a.n) + inversion::kPanel - 1) / inversion::kPanel * inversion::kPanel;
  const int64_t row_vectors = padded_n / 16;
  const int64_t columns = a.end_of_block - a.first_of_block;
  const int64_t vectors = a.count * columns * row_vectors;
  for (int64_t at = launch_thread(); at < vectors; at += launch_threads()) {
    const int64_t matrix_row = at / row_vectors;
    const int column = static_cast<int>(16 * (at - matrix_row * row_vectors));
    const int64_t matrix = matrix_row / columns;
    const int p = static_cast<int>(matrix_row - matrix * columns);
    const int pivot = a.pivot_of_column[matrix * padded_n + a.first_of_block + p];
    const bool is_of_block = column >= a.first_of_block && column < a.end_of_block;
    inversion::move_pivot_bytes(a, matrix, pivot, p, column, is_of_block);
  }
}

// Puts the rows and columns of the inverses in their places, where the rank is n.
//
// Grid: (blocks, 1, 1), any number; count·n·⌈n/4⌉ / 256 gives each thread one word. Block:
// (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any n, any alignment of the
// inverses, which may be where the matrices were.
extern "C" __global__ void invert_end(const __grid_constant__ PanelArguments a) {
  const int64_t padded_n =
      (static_cast<int64_t>(a.n) + inversion::kPanel - 1) / inversion::kPanel * inversion::kPanel;
  const int64_t row_words = (static_cast<int64_t>(a.n) + 3) / 4;
  const int64_t words = a.count * a.n * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t matrix_row = at / row_words;
    const int column = static_cast<int>(4 * (at - matrix_row * row_words));
    const int64_t matrix = matrix_row / a.n;
    const int64_t row = matrix_row - matrix * a.n;
    if (a.ranks[matrix] < a.n) {
      continue;
    }
    const int32_t* column_of_pivot = a.column_of_pivot + matrix * padded_n;
    const uint8_t* from = row_of(a.work, matrix, a.pivot_of_column[matrix * padded_n + row]);
    uint32_t word = 0;
#pragma unroll
    for (int b = 0; b < 4; b++) {
      if (column + b < a.n) {
        word |= static_cast<uint32_t>(from[column_of_pivot[column + b]]) << (8 * b);
      }
    }
    store_word(row_of(a.inverses, matrix, row) + column, word, a.n - column);
  }
}
