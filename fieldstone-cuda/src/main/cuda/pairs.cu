// Joint weights: counts pairs (u, v) of words by x, the positions where both have a one; and counts
// single words by weight.
//
// Words come in groups of one weight. For two groups, only x = popcount(u & v) varies among the
// pairs: y = wt(u) - x and z = wt(v) - x (JWD, section 2).
//
// 1. pairs_global: JWD's first kernel. Every pair increments a bin (x, y, z) in global memory.
// 2. pairs_local: JWD's second kernel. A block has one u; x + y = wt(u) = t leaves
//    (t + 1)(n - t + 1) bins (y, z), which fit shared memory.
// 3. pairs_tensor_W: for words of W bits; not from the paper. AND+POPC tensor instructions compute x
//    of 128 pairs at once, faster than they can be counted, so counting limits the rate. Each lane
//    has a column of bins in its own bank of shared memory. The atomic increments of a warp therefore
//    never conflict, and a pair takes an address and an increment.
//
// 4. weights_count: counts the words of cosets by weight.
//
// Bits past the length must be zero. Bins are computed from words, so if such bits are set, or if
// words change while they are copied to the GPU, the kernels mask them: every bin is in its memory.

#include "binary.cuh"
#include "fieldstone.cuh"

/**
 * Pairs of the words of two groups, or of parts of them. Words are contiguous; after the last right
 * word there is memory of 64 more words, with any content.
 */
struct PairRun {
  const uint32_t* left;
  const uint32_t* right;
  int64_t left_count;
  int64_t right_count;
  /** Receives the counts: counts[x] is increased. */
  unsigned long long* counts;
  /** Number of tiles of earlier runs. */
  int64_t first_tile;
};

/** Arguments of pairs_tensor: runs. */
struct PairTilesArguments {
  const PairRun* runs;
  int64_t tiles;
  int32_t run_count;
  /** Length of the words in bits. */
  int32_t length;
};

/** Arguments of pairs_global and pairs_local: all pairs of left and right words. */
struct PairBinsArguments {
  const uint32_t* left;
  const uint32_t* right;
  int64_t left_count;
  int64_t right_count;
  /** (length + 1)^3 bins; bin (x, y, z) is at (x·(length + 1) + y)·(length + 1) + z. */
  unsigned long long* bins;
  int32_t length;
  /** 32-bit parts of a word: 4 or 8. */
  int32_t words;
};

/** Arguments of pairs_collect: adds bins to the counts of groups of pairwise different weights. */
struct PairCollectArguments {
  unsigned long long* bins;
  /** Receives the counts: counts[(left·right_groups + right)·(length + 1) + x] is increased. */
  unsigned long long* counts;
  const int32_t* left_weights;
  const int32_t* right_weights;
  /** Groups of the counted pairs, and their position among all groups. */
  int32_t first_left;
  int32_t left_count;
  int32_t first_right;
  int32_t right_count;
  int32_t right_groups;
  int32_t length;
};

/** Arguments of weights_count: cosets whose words are counted. */
struct WeightCountArguments {
  const uint32_t* basis;
  const uint32_t* offsets;
  const unsigned long long* multiplicities;
  int64_t offset_count;
  /** Receives the counts: counts[w] is increased. */
  unsigned long long* counts;
  int32_t rows;
  int32_t length;
  int32_t words;
  /** 2^split_bits blocks count a coset; at most rows. */
  int32_t split_bits;
};

static_assert(sizeof(PairRun) == 48, "the host writes 48 bytes");
static_assert(sizeof(PairTilesArguments) == 24, "the host writes 24 bytes");
static_assert(sizeof(PairBinsArguments) == 48, "the host writes 48 bytes");
static_assert(sizeof(PairCollectArguments) == 56, "the host writes 56 bytes");
static_assert(sizeof(WeightCountArguments) == 56, "the host writes 56 bytes");

namespace pairs {

extern __shared__ uint32_t shared_words[];

/** Returns the bits of part i of a word that are within the length. */
__device__ __forceinline__ uint32_t part_mask(int length, int i) {
  const int bits = length - 32 * i;
  return bits >= 32 ? 0xFFFFFFFF : bits <= 0 ? 0 : (1u << bits) - 1;
}

// ---- 1 and 2: the kernels of JWD ----

template <int kWords>
struct Word {
  uint32_t parts[kWords];

  __device__ __forceinline__ int weight() const {
    int ones = 0;
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      ones += __popc(parts[i]);
    }
    return ones;
  }

  /** Returns the word without bits past the length. */
  __device__ __forceinline__ Word within(int length) const {
    Word word;
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      word.parts[i] = parts[i] & part_mask(length, i);
    }
    return word;
  }
};

template <int kWords>
__device__ __forceinline__ Word<kWords> word_at(const uint32_t* words, int64_t i) {
  Word<kWords> word;
  const uint4* from = reinterpret_cast<const uint4*>(words + i * kWords);
#pragma unroll
  for (int part = 0; part < kWords / 4; part++) {
    const uint4 loaded = from[part];
    word.parts[4 * part] = loaded.x;
    word.parts[4 * part + 1] = loaded.y;
    word.parts[4 * part + 2] = loaded.z;
    word.parts[4 * part + 3] = loaded.w;
  }
  return word;
}

template <int kWords>
__device__ __forceinline__ int common_ones(const Word<kWords>& u, const Word<kWords>& v) {
  int ones = 0;
#pragma unroll
  for (int i = 0; i < kWords; i++) {
    ones += __popc(u.parts[i] & v.parts[i]);
  }
  return ones;
}

/**
 * Returns the i-th right word in an order in which neighbouring lanes have distant words. JWD counts
 * words in an order that does not depend on weights; increments of the same bin are slow.
 */
__device__ __forceinline__ int64_t scattered(int64_t i, int64_t count) {
  const int64_t stride = (count + kWarpSize - 1) / kWarpSize;
  return (i % kWarpSize) * stride + i / kWarpSize;
}

__device__ __forceinline__ int64_t scattered_end(int64_t count) {
  return (count + kWarpSize - 1) / kWarpSize * kWarpSize;
}

__device__ __forceinline__ int64_t bin_of(int length, int x, int y, int z) {
  return (static_cast<int64_t>(x) * (length + 1) + y) * (length + 1) + z;
}

/** Left words that are combined with a right word after a thread has loaded it. */
constexpr int kGlobalRows = 32;

template <int kWords>
__device__ __forceinline__ void count_global(const PairBinsArguments& a) {
  const int64_t columns = scattered_end(a.right_count);
  const int64_t blocks = (columns + blockDim.x - 1) / blockDim.x;
  const int64_t bands = (a.left_count + kGlobalRows - 1) / kGlobalRows;
  for (int64_t item = blockIdx.x; item < blocks * bands; item += gridDim.x) {
    const int64_t i = item % blocks * blockDim.x + threadIdx.x;
    const int64_t right = scattered(i, a.right_count);
    if (i >= columns || right >= a.right_count) {
      continue;
    }
    const Word<kWords> v = word_at<kWords>(a.right, right).within(a.length);
    const int64_t first = item / blocks * kGlobalRows;
    const int rows = static_cast<int>(min(a.left_count - first, int64_t{kGlobalRows}));
    for (int row = 0; row < rows; row++) {
      const Word<kWords> u = word_at<kWords>(a.left, first + row).within(a.length);
      const int x = common_ones(u, v);
      atomicAdd(&a.bins[bin_of(a.length, x, u.weight() - x, v.weight() - x)], 1ull);
    }
  }
}

template <int kWords>
__device__ __forceinline__ void count_local(const PairBinsArguments& a) {
  const int64_t columns = scattered_end(a.right_count);
  for (int64_t left = blockIdx.x; left < a.left_count; left += gridDim.x) {
    const Word<kWords> u = word_at<kWords>(a.left, left).within(a.length);
    Word<kWords> others;
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      others.parts[i] = ~u.parts[i] & part_mask(a.length, i);
    }
    const int t = u.weight();
    const int z_bins = a.length - t + 1;
    const int bins = (t + 1) * z_bins;
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
      shared_words[i] = 0;
    }
    __syncthreads();
    for (int64_t i = threadIdx.x; i < columns; i += blockDim.x) {
      const int64_t right = scattered(i, a.right_count);
      if (right < a.right_count) {
        const Word<kWords> v = word_at<kWords>(a.right, right);
        const int y = t - common_ones(u, v);
        atomicAdd(&shared_words[y * z_bins + common_ones(others, v)], 1u);
      }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < bins; i += blockDim.x) {
      const int y = i / z_bins;
      if (shared_words[i] != 0) {
        atomicAdd(&a.bins[bin_of(a.length, t - y, y, i % z_bins)],
                  static_cast<unsigned long long>(shared_words[i]));
      }
    }
    __syncthreads();
  }
}

// ---- 3: tensor cores ----

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarpSize;

/** Rows of an instruction, and the row sets of an instruction that a warp has in registers. */
constexpr int kMatrixRows = 16;
constexpr int kRowTiles = 4;
constexpr int kWarpRows = kRowTiles * kMatrixRows;

/** A tile: the left words of all warps of a block, and right words that all of them use. */
constexpr int kTileRows = kWarps * kWarpRows;
constexpr int kTileColumns = 2048;

/** Columns of an instruction, and columns of an iteration. */
constexpr int kMatrixColumns = 8;
constexpr int kColumnTiles = 4;
constexpr int kStepColumns = kColumnTiles * kMatrixColumns;

/** Maximum number of tiles before bins are emptied: at most 2^30 pairs in the bin of a lane. */
constexpr int kMostTiles = 1 << 15;

/** Words of 16 rows or 8 columns: lane 4g + t, t < 4, has parts t, t + 4 … of row g. */
template <int kWords>
struct RowOperand {
  uint32_t upper[kWords / 4];
  uint32_t lower[kWords / 4];
};

template <int kWords>
struct ColumnOperand {
  uint32_t parts[kWords / 4];
};

/** Returns a part of a word; zero for words past the last. */
template <int kWords>
__device__ __forceinline__ uint32_t part_of(const uint32_t* words, int64_t word, int64_t count,
                                            int part) {
  return word < count ? words[word * kWords + part] : 0;
}

template <int kWords>
__device__ __forceinline__ void count_common(int32_t (&x)[4],
                                             const RowOperand<kWords>& rows,
                                             const ColumnOperand<kWords>& columns) {
#if __CUDA_ARCH__ >= 800
  if constexpr (kWords == 4) {
    asm("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc "
        "{%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%7,%7,%7};"
        : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
        : "r"(rows.upper[0]), "r"(rows.lower[0]), "r"(columns.parts[0]), "r"(0));
  } else {
    const int32_t zeros[4] = {0, 0, 0, 0};
    and_popc(x, zeros,
             make_uint4(rows.upper[0], rows.lower[0], rows.upper[1], rows.lower[1]),
             make_uint2(columns.parts[0], columns.parts[1]));
  }
#endif
}

template <int kWords>
__device__ __forceinline__ void load_rows(RowOperand<kWords> (&rows)[kRowTiles],
                                          const PairRun& run, int64_t first, int length) {
  const int lane = threadIdx.x % kWarpSize;
#pragma unroll
  for (int tile = 0; tile < kRowTiles; tile++) {
    const int64_t row = first + tile * kMatrixRows + lane / 4;
#pragma unroll
    for (int half = 0; half < kWords / 4; half++) {
      const int part = half * 4 + lane % 4;
      const uint32_t mask = part_mask(length, part);
      rows[tile].upper[half] = part_of<kWords>(run.left, row, run.left_count, part) & mask;
      rows[tile].lower[half] = part_of<kWords>(run.left, row + 8, run.left_count, part) & mask;
    }
  }
}

/** Loads the words of a step; `from` is this lane's first part of its first word. */
template <int kWords>
__device__ __forceinline__ void load_columns(ColumnOperand<kWords> (&columns)[kColumnTiles],
                                             const uint32_t* from, int left) {
#pragma unroll
  for (int tile = 0; tile < kColumnTiles; tile++) {
#pragma unroll
    for (int half = 0; half < kWords / 4; half++) {
      columns[tile].parts[half] = from[tile * kMatrixColumns * kWords + half * 4];
    }
  }
  if (left < kStepColumns) {
#pragma unroll
    for (int tile = 0; tile < kColumnTiles; tile++) {
#pragma unroll
      for (int half = 0; half < kWords / 4; half++) {
        const int column = tile * kMatrixColumns + threadIdx.x % kWarpSize / 4;
        columns[tile].parts[half] = column < left ? columns[tile].parts[half] : 0;
      }
    }
  }
}

/** Counts in this lane's column of bins. */
__device__ __forceinline__ void count(uint32_t* column, const int32_t (&x)[4]) {
#pragma unroll
  for (int i = 0; i < 4; i++) {
    atomicAdd(column + x[i] * kWarpSize, 1u);
  }
}

/** Counts a warp's rows with a tile's columns. */
template <int kWords>
__device__ __forceinline__ void count_tile(const PairRun& run, int64_t first_row,
                                           int64_t first_column, int64_t columns_end,
                                           int length, uint32_t* bins) {
  RowOperand<kWords> rows[kRowTiles];
  ColumnOperand<kWords> columns[kColumnTiles], next[kColumnTiles];
  const int lane = threadIdx.x % kWarpSize;
  const uint32_t* from = run.right + (first_column + lane / 4) * kWords + lane % 4;
  int left = static_cast<int>(columns_end - first_column);
  load_rows<kWords>(rows, run, first_row, length);
  load_columns<kWords>(next, from, left);
  for (; left > 0; left -= kStepColumns) {
#pragma unroll
    for (int tile = 0; tile < kColumnTiles; tile++) {
      columns[tile] = next[tile];
    }
    from += kStepColumns * kWords;
    load_columns<kWords>(next, from, left - kStepColumns);
#pragma unroll
    for (int tile = 0; tile < kColumnTiles; tile++) {
#pragma unroll
      for (int row_tile = 0; row_tile < kRowTiles; row_tile++) {
        int32_t x[4];
        count_common<kWords>(x, rows[row_tile], columns[tile]);
        count(bins + lane, x);
      }
    }
  }
}

/** Adds up the columns of bins and clears them. The block calls it between two barriers. */
__device__ __forceinline__ uint64_t take_bin(uint32_t* bins, int bin) {
  uint64_t sum = 0;
  for (int i = 0; i < kWarpSize; i++) {
    uint32_t& count = bins[bin * kWarpSize + (i + threadIdx.x) % kWarpSize];
    sum += count;
    count = 0;
  }
  return sum;
}

__device__ __forceinline__ void flush(uint32_t* bins, const PairRun& run, int length,
                                      int64_t padding) {
  for (int x = threadIdx.x; x <= length; x += kThreads) {
    // The padding words of operands are zero, and have no ones in common with other words.
    const int64_t count = static_cast<int64_t>(take_bin(bins, x)) - (x == 0 ? padding : 0);
    if (count != 0) {
      atomicAdd(&run.counts[x], static_cast<unsigned long long>(count));
    }
  }
}

/** Counts tiles [first, end) of one run. */
template <int kWords>
__device__ __forceinline__ void count_run(const PairTilesArguments& a, const PairRun& run,
                                          int64_t first, int64_t end, uint32_t* bins) {
  const int64_t across = (run.right_count + kTileColumns - 1) / kTileColumns;
  int64_t padding = 0;
  for (int64_t tile = first; tile < end; tile++) {
    const int64_t row = tile / across * kTileRows;
    const int64_t column = tile % across * kTileColumns;
    const int64_t columns_end = min(column + kTileColumns, run.right_count);
    const int64_t warp_row = row + threadIdx.x / kWarpSize * kWarpRows;
    if (warp_row < run.left_count) {
      count_tile<kWords>(run, warp_row, column, columns_end, a.length, bins);
    }
    const int64_t rows = min(run.left_count - row, int64_t{kTileRows});
    const int64_t columns = columns_end - column;
    padding += (rows + kWarpRows - 1) / kWarpRows * kWarpRows *
                   ((columns + kStepColumns - 1) / kStepColumns * kStepColumns) -
               rows * columns;
  }
  __syncthreads();
  flush(bins, run, a.length, padding);
  __syncthreads();
}

/** Counts a block's share of all tiles. */
template <int kWords>
__device__ __forceinline__ void count_tiles(const PairTilesArguments& a) {
  uint32_t* bins = shared_words;
  for (int i = threadIdx.x; i < (a.length + 1) * kWarpSize; i += kThreads) {
    bins[i] = 0;
  }
  __syncthreads();
  int64_t tile = a.tiles / gridDim.x * blockIdx.x + min(a.tiles % gridDim.x, int64_t{blockIdx.x});
  const int64_t end = tile + a.tiles / gridDim.x + (blockIdx.x < a.tiles % gridDim.x ? 1 : 0);
  int run = 0;
  while (tile < end) {
    while (run + 1 < a.run_count && a.runs[run + 1].first_tile <= tile) {
      run++;
    }
    const PairRun& current = a.runs[run];
    const int64_t run_end = run + 1 < a.run_count ? a.runs[run + 1].first_tile : a.tiles;
    const int64_t until = min(min(end, run_end), tile + kMostTiles);
    count_run<kWords>(a, current, tile - current.first_tile, until - current.first_tile, bins);
    tile = until;
  }
}

// ---- 4: single words ----

/** Words of a coset whose sums with a word in a thread are counted without a table. */
constexpr int kInnerBits = 5;

template <int kWords>
__device__ __forceinline__ void add_rows(Word<kWords>& word, const uint32_t* basis, int first,
                                         uint32_t rows) {
  for (; rows != 0; rows &= rows - 1) {
    const Word<kWords> row = word_at<kWords>(basis, first + __ffs(rows) - 1);
#pragma unroll
    for (int i = 0; i < kWords; i++) {
      word.parts[i] ^= row.parts[i];
    }
  }
}

/**
 * Counts the words of cosets by weight. The bits of a message are split: the highest select the
 * block, the lowest (up to 5) index a table in shared memory, and the others are divided among
 * threads.
 */
template <int kWords>
__device__ __forceinline__ void count_weights(const WeightCountArguments& a) {
  uint32_t* bins = shared_words;
  uint4* table = reinterpret_cast<uint4*>(shared_words + (a.length + 1) * kWarpSize);
  const int inner_bits = min(a.rows - a.split_bits, kInnerBits);
  const int middle_bits = a.rows - a.split_bits - inner_bits;
  for (int i = threadIdx.x; i < (a.length + 1) * kWarpSize; i += kThreads) {
    bins[i] = 0;
  }
  if (threadIdx.x < 1 << inner_bits) {
    Word<kWords> sum{};
    add_rows(sum, a.basis, 0, threadIdx.x);
    sum = sum.within(a.length);
    memcpy(table + threadIdx.x * (kWords / 4), sum.parts, sizeof(sum.parts));
  }
  __syncthreads();
  const int64_t items = a.offset_count << a.split_bits;
  for (int64_t item = blockIdx.x; item < items; item += gridDim.x) {
    const int64_t offset = item >> a.split_bits;
    const uint32_t part = static_cast<uint32_t>(item) & ((1u << a.split_bits) - 1);
    for (uint32_t middle = threadIdx.x; middle < 1u << middle_bits; middle += kThreads) {
      Word<kWords> word = word_at<kWords>(a.offsets, offset);
      add_rows(word, a.basis, inner_bits, middle);
      add_rows(word, a.basis, inner_bits + middle_bits, part);
      word = word.within(a.length);
#pragma unroll 4
      for (int inner = 0; inner < 1 << inner_bits; inner++) {
        Word<kWords> sum = word_at<kWords>(reinterpret_cast<uint32_t*>(table), inner);
#pragma unroll
        for (int i = 0; i < kWords; i++) {
          sum.parts[i] ^= word.parts[i];
        }
        atomicAdd(&bins[sum.weight() * kWarpSize + threadIdx.x % kWarpSize], 1u);
      }
    }
    __syncthreads();
    for (int weight = threadIdx.x; weight <= a.length; weight += kThreads) {
      const unsigned long long count = take_bin(bins, weight);
      if (count != 0) {
        atomicAdd(&a.counts[weight], count * a.multiplicities[offset]);
      }
    }
    __syncthreads();
  }
}

}  // namespace pairs

// pairs_global, pairs_local: JWD's kernels. Launch: any number of blocks; threads: a multiple of 32.
// pairs_local takes 4·(⌊n/2⌋ + 1)·(⌈n/2⌉ + 1) bytes of dynamic shared memory.

extern "C" __global__ void __launch_bounds__(1024)
    pairs_global(const __grid_constant__ PairBinsArguments a) {
  if (a.words == 4) {
    pairs::count_global<4>(a);
  } else {
    pairs::count_global<8>(a);
  }
}

extern "C" __global__ void __launch_bounds__(1024)
    pairs_local(const __grid_constant__ PairBinsArguments a) {
  if (a.words == 4) {
    pairs::count_local<4>(a);
  } else {
    pairs::count_local<8>(a);
  }
}

/** Adds bins to the counts of groups, and clears the bins. Launch: any. */
extern "C" __global__ void __launch_bounds__(1024)
    pairs_collect(const __grid_constant__ PairCollectArguments a) {
  const int64_t all = static_cast<int64_t>(a.left_count) * a.right_count * (a.length + 1);
  for (int64_t i = launch_thread(); i < all; i += launch_threads()) {
    const int x = static_cast<int>(i % (a.length + 1));
    const int left = a.first_left + static_cast<int>(i / (a.length + 1) / a.right_count);
    const int right = a.first_right + static_cast<int>(i / (a.length + 1) % a.right_count);
    const int y = a.left_weights[left] - x;
    const int z = a.right_weights[right] - x;
    if (y >= 0 && z >= 0) {
      unsigned long long& bin = a.bins[pairs::bin_of(a.length, x, y, z)];
      a.counts[(static_cast<int64_t>(left) * a.right_groups + right) * (a.length + 1) + x] += bin;
      bin = 0;
    }
  }
}

// pairs_tensor_W: counts runs. Launch: 256 threads, as many blocks as fit on the GPU; (n + 1)·128
// bytes of dynamic shared memory.

extern "C" __global__ void __launch_bounds__(pairs::kThreads, 3)
    pairs_tensor_128(const __grid_constant__ PairTilesArguments a) {
  pairs::count_tiles<4>(a);
}

extern "C" __global__ void __launch_bounds__(pairs::kThreads, 3)
    pairs_tensor_256(const __grid_constant__ PairTilesArguments a) {
  pairs::count_tiles<8>(a);
}

// weights_count: counts words of cosets. Launch: 256 threads, any number of blocks;
// (n + 1)·128 + 128·words bytes of dynamic shared memory.
extern "C" __global__ void __launch_bounds__(pairs::kThreads)
    weights_count(const __grid_constant__ WeightCountArguments a) {
  if (a.words == 4) {
    pairs::count_weights<4>(a);
  } else {
    pairs::count_weights<8>(a);
  }
}
