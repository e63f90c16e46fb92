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
// by invert_panel, a thread block a matrix: it inverts 32 rows of the panel, and multiplies all
// rows by that inverse with tensor cores. Without these, or without a pivot for each column in 64
// rows, it eliminates column by column in memory. The other columns then change by products of the
// panel's columns by the pivots' rows, which any product kernel does with the whole GPU. Panels are
// parts of blocks of columns: a panel changes only its block at once, and a block, once eliminated,
// all other columns. So most of the work is products of long sums:
//
//   invert_begin
//   for each block of columns:
//     for each panel of the block: invert_panel, product (block += panel · pivot rows)
//     invert_copy, product (work += block · pivot rows)
//   invert_end
//
// An elimination replaces a pivot's row, to which a product would be added. So a one is added to the
// pivot's element, column p of row r: the product then has the row once more, and both cancel. The
// ones stay until invert_end.
//
// A matrix of short rank gives its rank, and its inverse is left as it was. Inputs are only read.

#include "binary.cuh"
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

/** Returns the number of this warp in a one-dimensional launch. */
__device__ __forceinline__ int64_t launch_warp() { return launch_thread() / kWarpSize; }

/** Returns the number of warps of a one-dimensional launch. */
__device__ __forceinline__ int64_t launch_warps() { return launch_threads() / kWarpSize; }

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
constexpr int kPanelThreads = 256;
constexpr int kPanelWarps = kPanelThreads / kWarpSize;

/** N: the columns of whole panels. */
__device__ __forceinline__ int padded(int n) { return (n + kPanel - 1) / kPanel * kPanel; }

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

/** The rows in which the pivots of a panel are looked for first. */
constexpr int kCandidates = 64;

/** Rows whose pivots are looked up at once. */
constexpr int kWindow = 64 * kWarpSize;

/** The shared memory of a block that eliminates a panel. */
struct PanelShared {
  union {
    /** Of eliminate_panel. */
    alignas(16) uint8_t multiples[16 * kEntryBytes];
    /** Of eliminate_by_candidates: bits of products by bits of a row, 256 × 256. */
    alignas(16) uint8_t masks[8 * kPanel][kPanel];
  };
  /** The row that a warp proposes for a pivot, times x^0 to x^7, for even and odd columns. */
  alignas(16) uint32_t powers[2][kPanelWarps][8][8];
  /** The logarithm of its pivot and the number of the candidate, or -1. */
  int32_t offers[2][kPanelWarps];
  /** Row p: what the panel of column p's pivot row becomes, the inverse of the pivots' rows. */
  alignas(16) uint32_t inverse[kPanel][8];
  /** The numbers of rows without a pivot, of 32 each. */
  int32_t free_rows[kWindow / kWarpSize];
  int32_t candidates[kCandidates];
  int32_t count;
  uint16_t log[256];
  uint8_t exp[512];
  int32_t pivots[kPanel];
};

/** Lists the first rows without a pivot, up to kCandidates. By all threads. */
__device__ __forceinline__ void find_candidates(
    int n, const int32_t* column_of_pivot, PanelShared& shared) {
  constexpr int kRounds = kWindow / kPanelThreads;
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  int count = 0;
  for (int base = 0; base < n && count < kCandidates; base += kWindow) {
    uint32_t free_rows[kRounds];
#pragma unroll
    for (int i = 0; i < kRounds; i++) {
      const int row = base + i * kPanelThreads + static_cast<int>(threadIdx.x);
      const bool is_free = row < n && column_of_pivot[row] < 0;
      free_rows[i] = __ballot_sync(0xFFFFFFFFu, is_free);
      if (lane == 0) {
        shared.free_rows[i * kPanelWarps + warp] = __popc(free_rows[i]);
      }
    }
    __syncthreads();
    // The sums before each of 64 numbers, two a lane, by every warp.
    static_assert(kRounds * kPanelWarps == 2 * kWarpSize, "two numbers a lane");
    const int even = shared.free_rows[2 * lane];
    int end = even + shared.free_rows[2 * lane + 1];
    const int own = end;
#pragma unroll
    for (int distance = 1; distance < kWarpSize; distance *= 2) {
      const int before = __shfl_up_sync(0xFFFFFFFFu, end, distance);
      end += lane >= distance ? before : 0;
    }
#pragma unroll
    for (int i = 0; i < kRounds; i++) {
      const int at = i * kPanelWarps + warp;
      const int before = __shfl_sync(0xFFFFFFFFu, end - own, at / 2) +
                         (at % 2 == 0 ? 0 : __shfl_sync(0xFFFFFFFFu, even, at / 2));
      const int to = count + before + __popc(free_rows[i] & ((1u << lane) - 1));
      if ((free_rows[i] >> lane & 1) != 0 && to < kCandidates) {
        shared.candidates[to] = base + i * kPanelThreads + static_cast<int>(threadIdx.x);
      }
    }
    count += __shfl_sync(0xFFFFFFFFu, end, kWarpSize - 1);
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    shared.count = min(count, kCandidates);
  }
  __syncthreads();
}

/** The residues of x^8 to x^13, by which times_power reduces. */
struct Residues {
  uint32_t residues[6];

  __device__ __forceinline__ explicit Residues(int polynomial) {
    const uint32_t reduction = reduction_of(polynomial);
    residues[0] = reduction & 0xFF;
#pragma unroll
    for (int i = 1; i < 6; i++) {
      residues[i] = times_x(residues[i - 1], reduction);
    }
  }

  /** Four bytes times x^power, power ≤ 6. */
  __device__ __forceinline__ uint32_t times_power(uint32_t bytes, int power) const {
    uint32_t product = bytes << power & (0xFFu >> power << power) * 0x01010101u;
#pragma unroll
    for (int i = 0; i < 6; i++) {
      const uint32_t overflow = bytes >> (8 - power + i) & (i < power ? 0x01010101u : 0);
      product ^= overflow * residues[i];
    }
    return product;
  }
};

/**
 * Eliminates the panel's columns in the candidates, four threads a row, two words each. Returns
 * whether they have a pivot for each column of the matrix; then shared has the inverse and the
 * pivots. All threads return the same.
 */
__device__ __forceinline__ bool eliminate_candidates(
    const PanelArguments& a, const uint8_t* panel, int64_t stride, PanelShared& shared) {
  static_assert(kPanelThreads == 4 * kCandidates, "four threads a row");
  const int lane = threadIdx.x % kWarpSize;
  const int warp = threadIdx.x / kWarpSize;
  const int row = threadIdx.x / 4;
  const int quarter = threadIdx.x % 4;
  const uint32_t reduction = reduction_of(a.polynomial);
  const Residues residues(a.polynomial);
  bool is_free = row < shared.count;
  int column_of_row = -1;
  uint2 words = make_uint2(0, 0);
  if (is_free) {
    const uint8_t* from = panel + shared.candidates[row] * stride;
    words = reinterpret_cast<const uint2*>(from)[quarter];
  }
  shared.inverse[threadIdx.x / 8][threadIdx.x % 8] = 0;
  if (warp == 0) {
    shared.pivots[lane] = -1;
  }

#pragma unroll 1
  for (int p = 0; p < kPanel; p++) {
    const int parity = p % 2;
    const bool is_first_word = p / 4 % 2 == 0;
    const uint32_t unit = 1u << (8 * (p % 4));
    const uint32_t column =
        __shfl_sync(0xFFFFFFFFu, is_first_word ? words.x : words.y, lane / 4 * 4 + p / 8);
    uint32_t factor = column >> (8 * (p % 4)) & 0xFF;
    int log = shared.log[factor];
    const uint32_t found = __ballot_sync(0xFFFFFFFFu, is_free && factor != 0);
    // This warp proposes its first row, times x^0 to x^7: a lane has a word and two powers.
    const int owner = found == 0 ? 0 : __ffs(static_cast<int>(found)) - 1;
    const int word = lane % 8;
    const int power = lane / 8 * 2;
    const uint32_t even = __shfl_sync(0xFFFFFFFFu, words.x, owner + word / 2);
    const uint32_t odd = __shfl_sync(0xFFFFFFFFu, words.y, owner + word / 2);
    // In the pivot's column f becomes f/pivot, which is f plus f/pivot times (pivot + 1).
    const uint32_t multiple = residues.times_power(
        (word % 2 == 0 ? even : odd) ^ (word == p / 4 ? unit : 0), power);
    shared.powers[parity][warp][power][word] = multiple;
    shared.powers[parity][warp][power + 1][word] = times_x(multiple, reduction);
    if (lane == owner) {
      shared.offers[parity][warp] = found == 0 ? -1 : log << 16 | row;
    }
    __syncthreads();
    // All choose the same proposal.
    const int offered = shared.offers[parity][lane % kPanelWarps];
    const uint32_t offers = __ballot_sync(0xFFFFFFFFu, offered >= 0);
    if (offers == 0) {
      if (a.first_column + p < a.n) {
        return false;
      }
      continue;
    }
    const int winner = __ffs(static_cast<int>(offers)) - 1;
    const int chosen = __shfl_sync(0xFFFFFFFFu, offered, winner);
    const int pivot = chosen & 0xFFFF;
    if (row == pivot) {
      // The pivot's own row becomes its scaled self: a unit row plus 1/pivot times the others.
      is_free = false;
      column_of_row = p;
      factor = 1;
      log = 0;
      words.x = quarter == p / 8 && is_first_word ? unit : 0;
      words.y = quarter == p / 8 && !is_first_word ? unit : 0;
    }
    const int quotient = log - (chosen >> 16);
    factor = factor == 0 ? 0 : shared.exp[quotient < 0 ? quotient + 255 : quotient];
#pragma unroll
    for (int b = 0; b < 8; b++) {
      const uint2 multiples =
          reinterpret_cast<const uint2*>(shared.powers[parity][winner][b])[quarter];
      const uint32_t mask = 0 - (factor >> b & 1);
      words.x ^= multiples.x & mask;
      words.y ^= multiples.y & mask;
    }
    if (threadIdx.x == 0) {
      shared.pivots[p] = shared.candidates[pivot];
    }
  }
  if (column_of_row >= 0) {
    reinterpret_cast<uint2*>(shared.inverse[column_of_row])[quarter] = words;
  }
  return true;
}

/** Expands the inverse to masks; the lane with t = lane mod 4 shall get bytes 8t…8t + 7 of a row. */
__device__ __forceinline__ void expand_inverse(const uint64_t* masks, PanelShared& shared) {
  const int column = threadIdx.x % kPanel;
  const int first_row = threadIdx.x / kPanel * 4;
  uint32_t low[4];
  uint32_t high[4];
#pragma unroll
  for (int i = 0; i < 4; i++) {
    const uint8_t* row = reinterpret_cast<const uint8_t*>(shared.inverse[first_row + i]);
    const uint64_t mask = masks[row[column]];
    low[i] = static_cast<uint32_t>(mask);
    high[i] = static_cast<uint32_t>(mask >> 32);
  }
  transpose_bytes(low[0], low[1], low[2], low[3]);
  transpose_bytes(high[0], high[1], high[2], high[3]);
#pragma unroll
  for (int r = 0; r < 8; r++) {
    // Results 2j and 2j + 1 of the lane are in columns 2t and 2t + 1 of instruction j.
    const int result = column % 8 * 8 + r;
    const int at = result / 2 * 8 + column / 8 * 2 + result % 2;
    *reinterpret_cast<uint32_t*>(&shared.masks[at][first_row]) = r < 4 ? low[r] : high[r - 4];
  }
}

/** Multiplies all rows of the panel by the inverse. */
__device__ __forceinline__ void multiply_by_inverse(
    int n, uint8_t* panel, int64_t stride, const PanelShared& shared) {
  constexpr int kTiles = 2;
  constexpr int kTileRows = 16;
  constexpr int kPassRows = kPanelThreads / kWarpSize * kTiles * kTileRows;
  const int lane = threadIdx.x % kWarpSize;
  // Of this warp: all its lanes take part in each instruction.
  const int first = static_cast<int>(threadIdx.x) / kWarpSize * kTiles * kTileRows;
  uint8_t* own = panel + lane % 4 * 8;
  const uint2* masks = reinterpret_cast<const uint2*>(shared.masks) + lane;
  const int32_t zeros[4] = {0, 0, 0, 0};
  const auto load = [&](int row) {
    return row < n ? *reinterpret_cast<const uint2*>(own + row * stride) : make_uint2(0, 0);
  };
  // Rows 8 apart: the upper and lower one of an instruction, of the next.
  uint2 rows[2 * kTiles];
  uint2 next[2 * kTiles];
#pragma unroll
  for (int i = 0; i < 2 * kTiles; i++) {
    next[i] = load(first + lane / 4 + 8 * i);
  }
  for (int base = first; base < n; base += kPassRows) {
    uint2 products[2 * kTiles];
#pragma unroll
    for (int i = 0; i < 2 * kTiles; i++) {
      rows[i] = next[i];
      products[i] = make_uint2(0, 0);
      next[i] = load(base + kPassRows + lane / 4 + 8 * i);
    }
#pragma unroll
    for (int j = 0; j < kPanel; j++) {
      const uint2 columns = masks[j * kWarpSize];
#pragma unroll
      for (int tile = 0; tile < kTiles; tile++) {
        int counts[4];
        const uint2& upper = rows[2 * tile];
        const uint2& lower = rows[2 * tile + 1];
        and_popc(counts, zeros, make_uint4(upper.x, lower.x, upper.y, lower.y), columns);
#pragma unroll
        for (int i = 0; i < 2; i++) {
          uint2& product = products[2 * tile + i];
          uint32_t& bits = j < kPanel / 2 ? product.x : product.y;
          bits = __funnelshift_r(bits, counts[2 * i], 1);
          bits = __funnelshift_r(bits, counts[2 * i + 1], 1);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < 2 * kTiles; i++) {
      const int row = base + lane / 4 + 8 * i;
      if (row < n) {
        *reinterpret_cast<uint2*>(own + row * stride) = products[i];
      }
    }
  }
}

/**
 * Eliminates the panel's columns if the candidates have all pivots: by the inverse of the pivots'
 * rows, which all other rows are multiplied by. Returns whether it has.
 */
__device__ __forceinline__ bool eliminate_by_candidates(
    const PanelArguments& a,
    uint8_t* panel,
    int64_t stride,
    int32_t* column_of_pivot,
    PanelShared& shared) {
#if __CUDA_ARCH__ >= 800
  find_candidates(a.n, column_of_pivot, shared);
  if (!eliminate_candidates(a, panel, stride, shared)) {
    return false;
  }
  __syncthreads();
  expand_inverse(a.tables->masks, shared);
  __syncthreads();
  multiply_by_inverse(a.n, panel, stride, shared);
  __syncthreads();
  const int p = threadIdx.x;
  if (p < kPanel && shared.pivots[p] >= 0) {
    uint4* to = reinterpret_cast<uint4*>(panel + shared.pivots[p] * stride);
    const uint4* row = reinterpret_cast<const uint4*>(shared.inverse[p]);
    to[0] = row[0];
    to[1] = row[1];
    column_of_pivot[shared.pivots[p]] = a.first_column + p;
  }
  return true;
#else
  return false;
#endif
}

/**
 * Copies 16 bytes of a pivot's row from the work matrix to row p of pivot_rows, or zeros in the
 * columns of the pivots, and without a pivot.
 */
__device__ __forceinline__ void copy_pivot_bytes(
    const PanelArguments& a,
    int64_t matrix,
    int pivot,
    int p,
    int column,
    bool is_of_pivots) {
  uint4 bytes = make_uint4(0, 0, 0, 0);
  if (pivot >= 0 && !is_of_pivots) {
    bytes = *reinterpret_cast<const uint4*>(row_of(a.work, matrix, pivot) + column);
  }
  *reinterpret_cast<uint4*>(row_of(a.pivot_rows, matrix, p) + column) = bytes;
}

/** Copies the rows of a panel's pivots, within the columns of the block. */
__device__ __forceinline__ void copy_rows_of_panel(
    const PanelArguments& a, int64_t matrix, const int32_t* pivots) {
  const int vectors = (a.end_of_block - a.first_of_block) / 16;
  for (int i = threadIdx.x; i < kPanel * vectors; i += blockDim.x) {
    const int p = i / vectors;
    const int column = a.first_of_block + 16 * (i - p * vectors);
    const bool is_of_panel = column >= a.first_column && column < a.first_column + kPanel;
    copy_pivot_bytes(a, matrix, pivots[p], p, column, is_of_panel);
  }
}

/** Stores the pivots of a panel, adds their ones, and counts them. After a barrier. */
__device__ __forceinline__ void finish_panel(
    const PanelArguments& a, int64_t matrix, const int32_t* pivots) {
  const int64_t padded_n = padded(a.n);
  copy_rows_of_panel(a, matrix, pivots);
  if (threadIdx.x < kPanel) {
    const int column = a.first_column + threadIdx.x;
    const int pivot = pivots[threadIdx.x];
    a.pivot_of_column[matrix * padded_n + column] = pivot;
    const uint32_t found = __ballot_sync(0xFFFFFFFFu, pivot >= 0);
    if (pivot >= 0) {
      row_of(a.work, matrix, pivot)[column] ^= 1;
    }
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
// Grid: (blocks, 1, 1), any number; count·N / 8 gives each warp one row. Block: (256, 1, 1), any
// multiple of 32. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void invert_begin(const __grid_constant__ PanelArguments a) {
  const int padded_n = inversion::padded(a.n);
  const int lane = threadIdx.x % kWarpSize;
  for (int64_t at = inversion::launch_warp(); at < a.count * padded_n; at += inversion::launch_warps()) {
    const int64_t matrix = at / padded_n;
    const int row = static_cast<int>(at - matrix * padded_n);
    const uint8_t* from = row_of(a.matrices, matrix, row);
    uint8_t* to = row_of(a.work, matrix, row);
    for (int column = 16 * lane; column < padded_n; column += 16 * kWarpSize) {
      uint32_t words[4];
      load_words(from + column, row < a.n ? a.n - column : 0, words);
      store_words(to + column, words, 16);
    }
    if (lane == 0) {
      a.column_of_pivot[at] = -1;
      if (row == 0) {
        a.ranks[matrix] = 0;
      }
    }
  }
}

// Eliminates columns first_column…+31 in these columns, and copies the pivots' rows within the
// block. The product that must follow, by any such kernel, has accumulate = 1, m = n, n = 32 and k
// the block's columns, coefficients {work.data + first_column, work.stride, work.pitch}, and the
// block's columns of pivot_rows as sources and of work as products. (There the products' columns of
// the panel overlap the coefficients, and get zeros added.)
//
// Grid: (blocks, 1, 1), any number; count gives each block one matrix. Block: (256, 1, 1), no
// other. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void __launch_bounds__(inversion::kPanelThreads, 2)
    invert_panel(const __grid_constant__ PanelArguments a) {
  using namespace inversion;
  __shared__ PanelShared shared;
  for (int i = threadIdx.x; i < 256; i += blockDim.x) {
    shared.log[i] = a.tables->log[i];
  }
  for (int i = threadIdx.x; i < 512; i += blockDim.x) {
    shared.exp[i] = a.tables->exp[i];
  }
  __syncthreads();
  const int64_t padded_n = padded(a.n);
  for (int64_t matrix = blockIdx.x; matrix < a.count; matrix += gridDim.x) {
    uint8_t* panel = row_of(a.work, matrix, 0) + a.first_column;
    int32_t* column_of_pivot = a.column_of_pivot + matrix * padded_n;
    if (!eliminate_by_candidates(a, panel, a.work.stride, column_of_pivot, shared)) {
      eliminate_panel(
          a, panel, a.work.stride, shared.multiples, shared.pivots, column_of_pivot);
    }
    __syncthreads();
    finish_panel(a, matrix, shared.pivots);
  }
}

// Copies the rows of a block's pivots to pivot_rows, with zeros in the columns of the block. The
// product that must follow has accumulate = 1, m = n, n the block's columns and k = N, coefficients
// {work.data + first_of_block, work.stride, work.pitch}, sources pivot_rows and products work.
//
// Grid: (blocks, 1, 1), any number; count · columns of the block / 8 gives each warp one row. Block:
// (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any n.
extern "C" __global__ void invert_copy(const __grid_constant__ PanelArguments a) {
  const int padded_n = inversion::padded(a.n);
  const int columns = a.end_of_block - a.first_of_block;
  for (int64_t at = inversion::launch_warp(); at < a.count * columns; at += inversion::launch_warps()) {
    const int64_t matrix = at / columns;
    const int p = static_cast<int>(at - matrix * columns);
    const int pivot = a.pivot_of_column[matrix * padded_n + a.first_of_block + p];
    for (int column = 16 * (threadIdx.x % kWarpSize); column < padded_n; column += 16 * kWarpSize) {
      const bool is_of_block = column >= a.first_of_block && column < a.end_of_block;
      inversion::copy_pivot_bytes(a, matrix, pivot, p, column, is_of_block);
    }
  }
}

// Takes the ones from the pivots, and puts the rows and columns of the inverses in their places,
// where the rank is n.
//
// Grid: (blocks, 1, 1), any number; count·⌈n/8⌉ / 8 gives each warp eight rows. Block: (256, 1, 1),
// any multiple of 32. Dynamic shared memory: none. Shapes: any n, any alignment of the inverses,
// which may be where the matrices were.
extern "C" __global__ void invert_end(const __grid_constant__ PanelArguments a) {
  constexpr int kRows = 8;
  const int padded_n = inversion::padded(a.n);
  const int sets = (a.n + kRows - 1) / kRows;
  for (int64_t at = inversion::launch_warp(); at < a.count * sets; at += inversion::launch_warps()) {
    const int64_t matrix = at / sets;
    const int first_row = static_cast<int>(at - matrix * sets) * kRows;
    if (a.ranks[matrix] < a.n) {
      continue;
    }
    const int32_t* pivot_of_column = a.pivot_of_column + matrix * padded_n;
    const int32_t* column_of_pivot = a.column_of_pivot + matrix * padded_n;
    for (int column = 4 * (threadIdx.x % kWarpSize); column < a.n; column += 4 * kWarpSize) {
      int places[4];
#pragma unroll
      for (int b = 0; b < 4; b++) {
        places[b] = column + b < a.n ? column_of_pivot[column + b] : 0;
      }
#pragma unroll
      for (int i = 0; i < kRows; i++) {
        const int row = first_row + i;
        if (row < a.n) {
          const uint8_t* from = row_of(a.work, matrix, pivot_of_column[row]);
          uint32_t word = 0;
#pragma unroll
          for (int b = 0; b < 4; b++) {
            const uint32_t element = from[places[b]] ^ (places[b] == row ? 1 : 0);
            word |= element << (8 * b);
          }
          store_word(row_of(a.inverses, matrix, row) + column, word, a.n - column);
        }
      }
    }
  }
}
