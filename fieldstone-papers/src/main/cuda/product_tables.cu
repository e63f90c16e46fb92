// Products of matrices over GF(2^8) by logarithms: a·b = exp(log a + log b), in shared memory.
//
// Nuclei (INFOCOM 2009), section V-C: product_table looks up all three, a byte of the coefficient
// times a word of the source; product_table_log finds coefficients and sources in the log domain
// already, so that a multiplication is one access. product_table_plain and product_table_log_plain
// are these steps of the paper with one copy of the tables in shared memory.
//
// Shared memory has 32 banks of words, and 32 lanes with unrelated indices would wait for each
// other three or four times an access. So every lane has a copy of each table in a bank of its own:
// entry e of exp is byte e%4 of word 32·(e/4) + lane. An address of that kind is made from a sum of
// logarithms by one addition and one LOP3 if the logarithms are *dilated*: bits 0…1 stay, the rest
// moves up from bit 2 to bit 7, which leaves bits for the lane. One summand has ones in these bits,
// so that a carry out of bit 1 reaches bit 7.

#include "fieldstone.cuh"

/** from and to: count matrices of rows × columns, of the elements that the kernel defines. */
struct LogArguments {
  Matrices from;
  Matrices to;
  const FieldTables* tables;
  int64_t count;
  int32_t rows;
  int32_t columns;
};

namespace tables {

/** A byte of a matrix in the log domain that stands for zero; 0…254 are logarithms. */
constexpr uint32_t kZeroByte = 255;

/** The lane bits of a dilated logarithm: the bits of 4·lane. */
constexpr uint32_t kRoom = 0x7C;

constexpr int kExpBytes = 1024 * kWarpSize;
constexpr int kLogBytes = 256 * 2 * kWarpSize;

__device__ __forceinline__ uint32_t dilate(uint32_t index) {
  return (index >> 2) << 7 | (index & 3);
}

/** Gives every lane its copy of exp; the block must wait before it reads them. */
__device__ __forceinline__ void spread_exp(const FieldTables* tables, uint8_t* shared) {
  const uint32_t* exp = reinterpret_cast<const uint32_t*>(tables->exp);
  uint32_t* words = reinterpret_cast<uint32_t*>(shared);
  for (int i = threadIdx.x; i < kExpBytes / 4; i += blockDim.x) {
    words[i] = exp[i / kWarpSize];
  }
}

/** exp of a sum of two dilated logarithms. */
__device__ __forceinline__ uint32_t exp_of(
    const uint8_t* exps, uint32_t dilated_sum, uint32_t lane_bytes) {
  return exps[(dilated_sum & ~kRoom) | lane_bytes];
}

/**
 * A copy of log and exp for each lane; the block must wait before it reads them. kZero stands for
 * zero among the operands.
 */
struct CopyPerLane {
  static constexpr uint32_t kZero = 0;
  const uint8_t* exps;
  const uint8_t* logs;
  uint32_t lane_bytes = 4 * (threadIdx.x % kWarpSize);

  __device__ __forceinline__ CopyPerLane(const FieldTables* tables, uint8_t* shared)
      : exps(shared), logs(shared + kExpBytes) {
    spread_exp(tables, shared);
    // Dilated logarithms, two a word.
    uint32_t* words = reinterpret_cast<uint32_t*>(shared + kExpBytes);
    for (int i = threadIdx.x; i < kLogBytes / 4; i += blockDim.x) {
      const int entry = 2 * (i / kWarpSize);
      words[i] = dilate(tables->log[entry]) | dilate(tables->log[entry + 1]) << 16;
    }
  }

  __device__ __forceinline__ uint32_t log(uint32_t element) const {
    const uint32_t address = (element >> 1) << 7 | (element & 1) << 1 | lane_bytes;
    return *reinterpret_cast<const uint16_t*>(logs + address);
  }

  __device__ __forceinline__ uint32_t factor(uint32_t element) const {
    return log(element) | kRoom;
  }

  __device__ __forceinline__ uint32_t exp(uint32_t sum) const {
    return exp_of(exps, sum, lane_bytes);
  }
};

/** One copy of log and exp; the block must wait before it reads them. */
struct OneCopy {
  static constexpr uint32_t kZero = 0;
  const uint8_t* exps;
  const uint16_t* logs;

  __device__ __forceinline__ OneCopy(const FieldTables* tables, uint8_t* shared)
      : exps(shared), logs(reinterpret_cast<const uint16_t*>(shared + sizeof(tables->exp))) {
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      shared[i] = tables->exp[i];
    }
    uint16_t* to = reinterpret_cast<uint16_t*>(shared + sizeof(tables->exp));
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
      to[i] = tables->log[i];
    }
  }

  __device__ __forceinline__ uint32_t log(uint32_t element) const { return logs[element]; }
  __device__ __forceinline__ uint32_t factor(uint32_t element) const { return logs[element]; }
  __device__ __forceinline__ uint32_t exp(uint32_t sum) const { return exps[sum]; }
};

/** One copy of exp, for operands that are logarithms already: bytes, 255 for zero. */
struct OneCopyOfExp {
  static constexpr uint32_t kZero = kZeroByte;
  const uint8_t* exps;

  __device__ __forceinline__ OneCopyOfExp(const FieldTables* tables, uint8_t* shared)
      : exps(shared) {
    for (int i = threadIdx.x; i < 1024; i += blockDim.x) {
      shared[i] = tables->exp[i];
    }
  }

  /** exp of a sum with 511 is 0. */
  __device__ __forceinline__ uint32_t log(uint32_t logarithm) const {
    return logarithm == kZeroByte ? 511 : logarithm;
  }

  __device__ __forceinline__ uint32_t factor(uint32_t logarithm) const { return log(logarithm); }
  __device__ __forceinline__ uint32_t exp(uint32_t sum) const { return exps[sum]; }
};

/**
 * Byte by word: a thread makes one word of a coded block, as in product_loop_word. The four
 * multiplications of a coefficient share its logarithm.
 */
template <typename Tables>
__device__ __forceinline__ void write_words(const ProductArguments& a) {
  extern __shared__ uint4 shared_memory[];
  const Tables tables(a.tables, reinterpret_cast<uint8_t*>(shared_memory));
  __syncthreads();
  const int64_t row_words = (static_cast<int64_t>(a.k) + 3) / 4;
  const int64_t words = a.count * a.m * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t block = at / row_words;
    const int64_t column = 4 * (at - block * row_words);
    const int64_t matrix = block / a.m;
    const int64_t row = block - matrix * a.m;
    const int64_t left = a.k - column;
    const uint8_t* coefficient = row_of(a.coefficients, matrix, row);
    const uint8_t* source = row_of(a.sources, matrix, 0) + column;
    uint8_t* product = row_of(a.products, matrix, row) + column;
    uint32_t sums[4] = {};
    for (int s = 0; s < a.n; s += 4) {
      const uint32_t factors = load_word(coefficient + s, a.n - s);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        const uint32_t word = load_word(source, s + i < a.n ? left : 0);
        uint32_t coefficient_byte = factors >> (8 * i) & 0xFF;
        if (Tables::kZero != 0 && s + i >= a.n) {
          coefficient_byte = Tables::kZero;
        }
        const uint32_t factor = tables.factor(coefficient_byte);
#pragma unroll
        for (int b = 0; b < 4; b++) {
          sums[b] ^= tables.exp(factor + tables.log(word >> (8 * b) & 0xFF));
        }
        source += a.sources.stride;
      }
    }
    const uint32_t before = a.accumulate ? load_word(product, left) : 0;
    const uint32_t sum = sums[0] | sums[1] << 8 | sums[2] << 16 | sums[3] << 24;
    store_word(product, before ^ sum, left);
  }
}

}  // namespace tables

// Three table accesses a multiplication, less one that a coefficient's four share, without conflicts.
//
// Grid: (blocks, 1, 1), any number; count·m·⌈k/4⌉ / 512 gives each thread one word, a few blocks a
// multiprocessor fill the tables less often. Block: (512, 1, 1), any multiple of 32. Dynamic shared
// memory: 49152 bytes. Shapes: any.
extern "C" __global__ void product_table(const __grid_constant__ ProductArguments a) {
  tables::write_words<tables::CopyPerLane>(a);
}

// The same with one copy of the tables in shared memory: lanes wait for each other.
//
// Grid, block and shapes: as product_table. Dynamic shared memory: 1536 bytes.
extern "C" __global__ void product_table_plain(const __grid_constant__ ProductArguments a) {
  tables::write_words<tables::OneCopy>(a);
}

// The log domain with one copy of exp in shared memory: one access a multiplication. Coefficients and
// sources are as sources_to_log writes them; products are plain.
//
// Grid, block and shapes: as product_table. Dynamic shared memory: 1024 bytes.
extern "C" __global__ void product_table_log_plain(const __grid_constant__ ProductArguments a) {
  tables::write_words<tables::OneCopyOfExp>(a);
}

// Sources and coefficients in the log domain: one table access a multiplication. A thread makes one
// word of each of eight coded blocks, so that it dilates the logarithms of a source's word once for
// eight. Three instructions and one access, free of conflicts, for a byte's product.
//
// sources are as sources_to_log writes them (n×k bytes), coefficients as coefficients_to_log does
// (m rows of ⌈n/4⌉·4 uint16, rows and matrices 8-byte aligned); products are plain.
//
// Grid: (blocks, 1, 1), any number; count·⌈m/8⌉·⌈k/4⌉ / 256 gives each thread one tile. Block:
// (256, 1, 1), any multiple of 32 up to 256. Dynamic shared memory: 32768 bytes. Shapes: any.
extern "C" __global__ void __launch_bounds__(256, 2)
    product_table_log(const __grid_constant__ ProductArguments a) {
  using namespace tables;
  constexpr int kRows = 8;
  extern __shared__ uint4 shared_memory[];
  uint8_t* exps = reinterpret_cast<uint8_t*>(shared_memory);
  spread_exp(a.tables, exps);
  __syncthreads();
  const uint32_t lane_bytes = 4 * (threadIdx.x % kWarpSize);
  const int64_t row_words = (static_cast<int64_t>(a.k) + 3) / 4;
  const int64_t column_tiles = (static_cast<int64_t>(a.m) + kRows - 1) / kRows;
  const int64_t tiles = a.count * column_tiles * row_words;
  for (int64_t at = launch_thread(); at < tiles; at += launch_threads()) {
    const int64_t block = at / row_words;
    const int64_t column = 4 * (at - block * row_words);
    const int64_t matrix = block / column_tiles;
    const int first_row = kRows * static_cast<int>(block - matrix * column_tiles);
    const int64_t left = a.k - column;
    uint32_t sums[kRows][4] = {};
    for (int s = 0; s < a.n; s += 4) {
      uint2 factors[kRows];
#pragma unroll
      for (int r = 0; r < kRows; r++) {
        // Rows beyond the last repeat it, and are not stored.
        const int row = min(first_row + r, a.m - 1);
        factors[r] = *reinterpret_cast<const uint2*>(row_of(a.coefficients, matrix, row) + 2 * s);
      }
#pragma unroll
      for (int i = 0; i < 4; i++) {
        // Beyond the last source, coefficients are zeros.
        const uint8_t* source = row_of(a.sources, matrix, s + i) + column;
        const uint32_t word = load_word(source, s + i < a.n ? left : 0);
        uint32_t logs[4];
#pragma unroll
        for (int half = 0; half < 2; half++) {
          // Two bytes at once, in halves of a word; the sentinel 255 moves up by 256 to 511.
          const uint32_t pair = permute(word, 0, half == 0 ? 0x4140 : 0x4342);
          const uint32_t zeros = (pair + 0x00010001u) & 0x01000100u;
          const uint32_t dilated =
              (((pair & 0x00FC00FCu) + zeros) << 5) | (pair & 0x00030003u);
          logs[2 * half] = dilated & 0xFFFF;
          logs[2 * half + 1] = dilated >> 16;
        }
#pragma unroll
        for (int r = 0; r < kRows; r++) {
          const uint32_t two = i < 2 ? factors[r].x : factors[r].y;
          const uint32_t factor = i % 2 == 0 ? two & 0xFFFF : two >> 16;
#pragma unroll
          for (int b = 0; b < 4; b++) {
            sums[r][b] ^= exp_of(exps, factor + logs[b], lane_bytes);
          }
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kRows; r++) {
      if (first_row + r < a.m) {
        uint8_t* product = row_of(a.products, matrix, first_row + r) + column;
        const uint32_t before = a.accumulate ? load_word(product, left) : 0;
        const uint32_t sum =
            sums[r][0] | sums[r][1] << 8 | sums[r][2] << 16 | sums[r][3] << 24;
        store_word(product, before ^ sum, left);
      }
    }
  }
}

// Bytes to logarithms in bytes, 255 for zero: the sources of product_table_log. from and to may be
// the same.
//
// Grid: (blocks, 1, 1), any number; count·rows·⌈columns/4⌉ / 256 gives each thread one word. Block:
// (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void sources_to_log(const __grid_constant__ LogArguments a) {
  const int64_t row_words = (static_cast<int64_t>(a.columns) + 3) / 4;
  const int64_t words = a.count * a.rows * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t row = at / row_words;
    const int64_t column = 4 * (at - row * row_words);
    const int64_t matrix = row / a.rows;
    const int64_t left = a.columns - column;
    const uint32_t word = load_word(row_of(a.from, matrix, row - matrix * a.rows) + column, left);
    uint32_t logs = 0;
#pragma unroll
    for (int b = 0; b < 4; b++) {
      const uint32_t log = a.tables->log[word >> (8 * b) & 0xFF];
      logs |= min(log, tables::kZeroByte) << (8 * b);
    }
    store_word(row_of(a.to, matrix, row - matrix * a.rows) + column, logs, left);
  }
}

// Logarithms to bytes, the inverse of sources_to_log, for reading resident blocks. from and to may be
// the same.
//
// Grid, block, shared memory and shapes: as sources_to_log.
extern "C" __global__ void sources_from_log(const __grid_constant__ LogArguments a) {
  const int64_t row_words = (static_cast<int64_t>(a.columns) + 3) / 4;
  const int64_t words = a.count * a.rows * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t row = at / row_words;
    const int64_t column = 4 * (at - row * row_words);
    const int64_t matrix = row / a.rows;
    const int64_t left = a.columns - column;
    const uint32_t logs = load_word(row_of(a.from, matrix, row - matrix * a.rows) + column, left);
    uint32_t word = 0;
#pragma unroll
    for (int b = 0; b < 4; b++) {
      const uint32_t log = logs >> (8 * b) & 0xFF;
      const uint32_t element = log == tables::kZeroByte ? 0 : a.tables->exp[log];
      word |= element << (8 * b);
    }
    store_word(row_of(a.to, matrix, row - matrix * a.rows) + column, word, left);
  }
}

// Converts bytes to dilated logarithms whose lane bits are ones: the coefficients of
// product_table_log. A row of `to` has ⌈columns/4⌉·4 uint16, with logarithms of zero after the last
// column. The data, stride and pitch (bytes) of `to` are multiples of 8.
//
// Grid: (blocks, 1, 1), any number; count·rows·⌈columns/4⌉ / 256 gives each thread four
// coefficients. Block: (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void coefficients_to_log(const __grid_constant__ LogArguments a) {
  using namespace tables;
  const int64_t row_words = (static_cast<int64_t>(a.columns) + 3) / 4;
  const int64_t words = a.count * a.rows * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t row = at / row_words;
    const int64_t column = 4 * (at - row * row_words);
    const int64_t matrix = row / a.rows;
    const int64_t left = a.columns - column;
    const uint32_t word = load_word(row_of(a.from, matrix, row - matrix * a.rows) + column, left);
    uint32_t logs[4];
#pragma unroll
    for (int b = 0; b < 4; b++) {
      logs[b] = dilate(a.tables->log[word >> (8 * b) & 0xFF]) | kRoom;
    }
    uint8_t* to = row_of(a.to, matrix, row - matrix * a.rows) + 2 * column;
    *reinterpret_cast<uint2*>(to) = make_uint2(logs[0] | logs[1] << 16, logs[2] | logs[3] << 16);
  }
}
