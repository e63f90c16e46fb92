// Minimum distances: light sums of few rows, and trials of random information sets.
//
// 1. sums_table: the sums of the few smallest rows of a subset, of the words that decide.
// 2. sums_light: sums of rows by number. A warp adds up the largest rows of a sum, the prefix, which
//    changes rarely; its lanes look up the rest in the table. A sum takes an exclusive or and a
//    population count for each word that decides: in nearly all sums these few words have more ones
//    than are wanted. The others are added up as they are defined.
// 3. trials_W: walks among systematic generator matrices. A block has the matrix of a walk in shared
//    memory, exchanges columns, and tries all sums of up to three rows; W words decide.
//
// Subsets are in colexicographic order: c1 < … < cs is number C(c1, 1) + … + C(cs, s).

#include "fieldstone.cuh"

/** Arguments of sums_table. */
struct SumTableArguments {
  /** `words` words of each row, then those of its label. */
  const uint32_t* rows;
  /** C(c, i) at [i·(matrix_rows + 1) + c]. */
  const unsigned long long* binomials;
  /** Receives C(matrix_rows, tail) sums of `deciding` words: see table_word. */
  uint32_t* table;
  int64_t sums;
  int32_t matrix_rows;
  /** 32-bit words of a row, and of a row with its label. */
  int32_t words;
  int32_t row_words;
  int32_t deciding;
  /** The rows of a sum of the table. */
  int32_t tail;
};

/** Arguments of sums_light: sums first … first + count - 1 of `size` rows. */
struct LightSumsArguments {
  const uint32_t* rows;
  const unsigned long long* binomials;
  const uint32_t* table;
  /**
   * If room is 0, (weight << 52 | number - first) of the lightest sum, at first any bound of it.
   * Else the number of sums that are found.
   */
  unsigned long long* found;
  /** Receives the numbers, less `first`, of light sums, in any order. */
  unsigned long long* numbers;
  int64_t first;
  int64_t count;
  int64_t table_sums;
  int32_t room;
  int32_t matrix_rows;
  int32_t size;
  int32_t tail;
  int32_t words;
  int32_t row_words;
  int32_t deciding;
  int32_t max_weight;
};

/** Arguments of trials: walks first_walk … first_walk + walks - 1. */
struct TrialsArguments {
  /** The words of each row, then those of its label. */
  const uint32_t* rows;
  /** Weight << 52 | trial, from the first walk on, of the lightest word; at first any bound of it. */
  unsigned long long* found;
  uint64_t seed;
  int64_t first_walk;
  int64_t walks;
  int32_t matrix_rows;
  /** Columns of a row without label. */
  int32_t length;
  int32_t words;
  int32_t row_words;
  /** Words from one row to the next in shared memory, odd. */
  int32_t stride;
  int32_t deciding;
  int32_t depth;
  /** Exchanges before a trial, and in those of the first one of a walk. */
  int32_t steps;
  int32_t first_steps;
  /** Trials of a walk. */
  int32_t trials;
};

namespace distances {

constexpr int kUnroll = 4;
/** Prefixes of a warp between two looks at the lightest sum of all. */
constexpr int kPrefixes = 64;
constexpr int kTrialThreads = 128;
constexpr int kNumberBits = 52;
constexpr unsigned kAllLanes = 0xffffffffu;

/** Where word w of a sum of the table is: two words together, or groups of four. */
__device__ __forceinline__ int64_t table_word(int64_t sum, int w, int deciding, int64_t sums) {
  return deciding < 4 ? sum * deciding + w : ((w / 4) * sums + sum) * 4 + w % 4;
}

/**
 * Returns the largest c < below with C(c, i) <= rest. The result is in 0 … below - 1 whatever the
 * binomials are.
 */
__device__ __forceinline__ int largest(
    const unsigned long long* binomials, int matrix_rows, int i, int below, uint64_t rest) {
  const unsigned long long* column = binomials + static_cast<int64_t>(i) * (matrix_rows + 1);
  int low = 0, high = below;
  while (low + 1 < high) {
    const int middle = (low + high) / 2;
    if (column[middle] <= rest) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

__device__ __forceinline__ uint64_t binomial(
    const unsigned long long* binomials, int matrix_rows, int i, int c) {
  return binomials[static_cast<int64_t>(i) * (matrix_rows + 1) + c];
}

/** The words of a sum of the table that decide. */
template <int W>
struct Words {
  uint32_t word[W];
};

template <int W>
__device__ __forceinline__ Words<W> load(const uint32_t* table, int64_t sum) {
  Words<W> words;
  if constexpr (W == 2) {
    const uint2 both = reinterpret_cast<const uint2*>(table)[sum];
    words.word[0] = both.x;
    words.word[1] = both.y;
  } else {
    const uint4 all = reinterpret_cast<const uint4*>(table)[sum];
    words.word[0] = all.x;
    words.word[1] = all.y;
    words.word[2] = all.z;
    words.word[3] = all.w;
  }
  return words;
}

/** The dynamic shared memory of a block. */
__device__ __forceinline__ uint32_t* memory() {
  extern __shared__ uint32_t shared[];
  return shared;
}

/** The words of shared memory of a warp: a base of long words, and the rows of a sum. */
__device__ __forceinline__ int warp_words(const LightSumsArguments& a) {
  return a.deciding + (a.size + 1) / 2;
}

/** Row i of the sums of a warp, ascending; those before `tail` are not used. */
__device__ __forceinline__ uint16_t& chosen(const LightSumsArguments& a, int i) {
  return reinterpret_cast<uint16_t*>(memory() + threadIdx.x / kWarpSize * warp_words(a) +
                                     a.deciding)[i];
}

__device__ __forceinline__ uint32_t row_word(const LightSumsArguments& a, int row, int w) {
  return a.rows[static_cast<int64_t>(row) * a.row_words + w];
}

/** Returns a word of the sum of rows first … size - 1 of the prefix. */
__device__ __forceinline__ uint32_t prefix_word(const LightSumsArguments& a, int first, int w) {
  uint32_t sum = 0;
  for (int i = first; i < a.size; i++) {
    sum ^= row_word(a, chosen(a, i), w);
  }
  return sum;
}

/** Takes the prefix of a sum; returns the sum's number among those with this prefix. */
__device__ __forceinline__ int64_t start_prefix(const LightSumsArguments& a, uint64_t number) {
  uint64_t rest = number;
  int below = a.matrix_rows;
  for (int i = a.size; i > a.tail; i--) {
    below = largest(a.binomials, a.matrix_rows, i, max(below, 1), rest);
    rest -= binomial(a.binomials, a.matrix_rows, i, below);
    if (threadIdx.x % kWarpSize == 0) {
      chosen(a, i - 1) = static_cast<uint16_t>(below);
    }
  }
  __syncwarp();
  return static_cast<int64_t>(rest);
}

/** Goes on to the prefix after one whose smallest row is given, and that cannot be the next row. */
__device__ __forceinline__ void next_prefix(const LightSumsArguments& a, int smallest) {
  __syncwarp();
  if (threadIdx.x % kWarpSize == 0) {
    chosen(a, a.tail) = static_cast<uint16_t>(smallest);
    int i = a.tail;
    while (i + 1 < a.size && chosen(a, i) + 1 == chosen(a, i + 1)) {
      chosen(a, i) = static_cast<uint16_t>(i);
      i++;
    }
    if (chosen(a, i) + 1 < a.matrix_rows) {
      chosen(a, i)++;
    }
  }
  __syncwarp();
}

/** Returns the greatest weight that is wanted. */
__device__ __forceinline__ int max_weight(const LightSumsArguments& a) {
  if (a.room > 0) {
    return a.max_weight;
  }
  const uint64_t key = *reinterpret_cast<volatile unsigned long long*>(a.found);
  return min(a.max_weight, static_cast<int>(key >> kNumberBits));
}

/**
 * Adds up a sum as it is defined, and keeps it if it is light: of the prefix, whose smallest row is
 * given, and a sum of the table.
 */
__device__ __noinline__ void offer(
    const LightSumsArguments& a, int smallest, int in_tail, int64_t number, int limit) {
  int rest_rows[3] = {0, 0, 0};
  uint64_t rest = in_tail;
  int below = smallest;
  for (int i = a.tail; i > 0; i--) {
    below = largest(a.binomials, a.matrix_rows, i, max(below, 1), rest);
    rest -= binomial(a.binomials, a.matrix_rows, i, below);
    rest_rows[i - 1] = below;
  }
  int weight = 0;
  uint32_t label = a.row_words == a.words;
  for (int w = 0; w < a.row_words; w++) {
    uint32_t sum = prefix_word(a, a.tail + 1, w);
    if (a.size > a.tail) {
      sum ^= row_word(a, smallest, w);
    }
    for (int i = 0; i < a.tail; i++) {
      sum ^= row_word(a, rest_rows[i], w);
    }
    if (w < a.words) {
      weight += __popc(sum);
    } else {
      label |= sum;
    }
  }
  if (weight > limit || label == 0) {
    return;
  }
  if (a.room == 0) {
    atomicMin(a.found, static_cast<unsigned long long>(weight) << kNumberBits | number);
  } else {
    const unsigned long long place = atomicAdd(a.found, 1ull);
    if (place < a.room) {
      a.numbers[place] = number;
    }
  }
}

template <int W>
__device__ __forceinline__ int ones(const uint32_t (&base)[W], const Words<W>& words) {
  int ones = 0;
#pragma unroll
  for (int w = 0; w < W; w++) {
    ones += __popc(base[w] ^ words.word[w]);
  }
  return ones;
}

/**
 * Tries sums from … end - 1 of the table with B prefixes, whose smallest rows follow each other.
 * numbers[b] is the number of the first sum of a prefix.
 */
template <int W, int B>
__device__ __forceinline__ void scan(const LightSumsArguments& a, const uint32_t (&bases)[B][W],
                                     const int64_t (&numbers)[B], int smallest, int from, int end,
                                     int limit) {
  const int lane = threadIdx.x % kWarpSize;
  for (int start = from; start < end; start += kUnroll * kWarpSize) {
    int least = 1 << 20;
#pragma unroll
    for (int i = 0; i < kUnroll; i++) {
      const Words<W> words = load<W>(a.table, min(start + i * kWarpSize + lane, end - 1));
#pragma unroll
      for (int b = 0; b < B; b++) {
        least = min(least, ones(bases[b], words));
      }
    }
    if (least <= limit) {
#pragma unroll 1
      for (int sum = start + lane; sum < min(end, start + kUnroll * kWarpSize); sum += kWarpSize) {
        const Words<W> words = load<W>(a.table, sum);
#pragma unroll
        for (int b = 0; b < B; b++) {
          if (ones(bases[b], words) <= limit) {
            offer(a, smallest + b, sum, numbers[b] + sum, limit);
          }
        }
      }
    }
  }
}

/** As scan, for more than four words, a multiple of four, of which a warp has the base in memory. */
__device__ __forceinline__ void scan_long(const LightSumsArguments& a, int smallest, int from,
                                          int end, int64_t number, int limit) {
  uint32_t* base = memory() + threadIdx.x / kWarpSize * warp_words(a);
  __syncwarp();
  for (int w = threadIdx.x % kWarpSize; w < a.deciding; w += kWarpSize) {
    uint32_t word = 0;
    if (w < a.words && a.size > a.tail) {
      word = prefix_word(a, a.tail + 1, w) ^ row_word(a, smallest, w);
    }
    base[w] = word;
  }
  __syncwarp();
  for (int sum = from + threadIdx.x % kWarpSize; sum < end; sum += kWarpSize) {
    int ones = 0;
    for (int group = 0; group < a.deciding / 4; group++) {
      const Words<4> rest = load<4>(a.table, group * a.table_sums + sum);
#pragma unroll
      for (int w = 0; w < 4; w++) {
        ones += __popc(base[4 * group + w] ^ rest.word[w]);
      }
    }
    if (ones <= limit) {
      offer(a, smallest, sum, number + sum, limit);
    }
  }
}

/** Returns the sums of the table of rows before one, which are the first ones. */
__device__ __forceinline__ int sums_before(const LightSumsArguments& a, int row) {
  const uint64_t sums = binomial(a.binomials, a.matrix_rows, a.tail, row);
  return static_cast<int>(min(sums, static_cast<uint64_t>(a.table_sums)));
}

/** Tries sums first … end - 1, relative to those of the launch, with one warp. */
template <int W>
__device__ __forceinline__ void search(const LightSumsArguments& a, int64_t first, int64_t end) {
  const bool has_prefix = a.size > a.tail;
  int from = static_cast<int>(min(start_prefix(a, a.first + first), a.table_sums));
  int64_t number = first - from;
  uint32_t upper[W > 0 ? W : 1];
  int smallest = 0, next_row = 0, limit = 0, prefixes = 0;
  bool is_new = true;
  while (true) {
    if (prefixes++ % kPrefixes == 0) {
      limit = max_weight(a);
    }
    if (is_new) {
      is_new = false;
      smallest = has_prefix ? chosen(a, a.tail) : a.matrix_rows;
      next_row = a.size > a.tail + 1 ? chosen(a, a.tail + 1) : a.matrix_rows;
      if constexpr (W > 0) {
#pragma unroll
        for (int w = 0; w < W; w++) {
          upper[w] = w < a.words ? prefix_word(a, a.tail + 1, w) : 0;
        }
      }
    }
    const int rest = sums_before(a, smallest);
    int together = 1;
    if constexpr (W > 0) {
      constexpr int kTogether = 8 / W;  // prefixes whose sums with the table are tried at once
      uint32_t bases[kTogether][W];
      int64_t numbers[kTogether];
      int sums[kTogether];
      int64_t next = number;
#pragma unroll
      for (int b = 0; b < kTogether; b++) {
        const int row = min(smallest + b, a.matrix_rows - 1);
        sums[b] = b == 0 ? rest : sums_before(a, row);
        numbers[b] = next;
        next += sums[b];
#pragma unroll
        for (int w = 0; w < W; w++) {
          bases[b][w] = upper[w];
          if (has_prefix && w < a.words) {
            bases[b][w] ^= row_word(a, row, w);
          }
        }
      }
      const bool all = from == 0 && smallest + kTogether <= next_row && has_prefix && next <= end;
      if (all) {
        together = kTogether;
        scan<W, kTogether>(a, bases, numbers, smallest, 0, rest, limit);
#pragma unroll
        for (int b = 1; b < kTogether; b++) {
          const uint32_t (&one)[1][W] = *reinterpret_cast<const uint32_t (*)[1][W]>(&bases[b]);
          const int64_t its[1] = {numbers[b]};
          scan<W, 1>(a, one, its, smallest + b, rest, sums[b], limit);
        }
        number = next;
      } else {
        const int last = static_cast<int>(min(static_cast<int64_t>(rest), end - number));
        const uint32_t (&one)[1][W] = *reinterpret_cast<const uint32_t (*)[1][W]>(&bases[0]);
        const int64_t its[1] = {number};
        scan<W, 1>(a, one, its, smallest, from, last, limit);
        number += max(last, 1);
      }
    } else {
      const int last = static_cast<int>(min(static_cast<int64_t>(rest), end - number));
      scan_long(a, smallest, from, last, number, limit);
      number += max(last, 1);
    }
    from = 0;
    if (number >= end || !has_prefix) {
      return;
    }
    smallest += together;
    if (smallest >= next_row) {
      next_prefix(a, smallest - 1);
      is_new = true;
    }
  }
}

template <int W>
__device__ __forceinline__ void search(const LightSumsArguments& a) {
  const int64_t warps = launch_threads() / kWarpSize;
  // A few units for each warp, so that all end at about the same time.
  const int64_t unit = max(static_cast<int64_t>(4096), (a.count + 8 * warps - 1) / (8 * warps));
  for (int64_t each = launch_thread() / kWarpSize; each * unit < a.count; each += warps) {
    search<W>(a, each * unit, min(a.count, each * unit + unit));
    __syncwarp();
  }
}

/** The finalizer of SplitMix64. */
__device__ __forceinline__ uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

constexpr uint64_t kGolden = 0x9E3779B97F4A7C15ull;

__device__ __forceinline__ uint32_t least_of_warp(uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, value);
#else
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    value = min(value, __shfl_xor_sync(kAllLanes, value, offset));
  }
  return value;
#endif
}

constexpr uint32_t kNone = 0xffffffffu;
constexpr int kTrialWarps = kTrialThreads / kWarpSize;

/** A word of the matrix of a block, in shared memory after the first rows of two steps. */
__device__ __forceinline__ uint32_t& entry(const TrialsArguments& a, int row, int w) {
  return memory()[2 * kTrialWarps + row * a.stride + w];
}

__device__ __forceinline__ void load_matrix(const TrialsArguments& a) {
  __syncthreads();
  for (int row = threadIdx.x; row < a.matrix_rows; row += kTrialThreads) {
    for (int w = 0; w < a.row_words; w++) {
      entry(a, row, w) = a.rows[static_cast<int64_t>(row) * a.row_words + w];
    }
  }
  __syncthreads();
}

/** Exchanges a column of the identity with one of the matrix; begins and ends after a barrier. */
__device__ __forceinline__ void exchange(const TrialsArguments& a, uint64_t random, int slot) {
  const int column =
      static_cast<int>((random & 0xffffffffu) * static_cast<uint64_t>(a.length) >> 32);
  const int start = static_cast<int>((random >> 32) * static_cast<uint64_t>(a.matrix_rows) >> 32);
  const int column_word = column / 32;
  const uint32_t bit = 1u << column % 32;
  uint32_t least = kNone;
  for (int row = threadIdx.x; row < a.matrix_rows; row += kTrialThreads) {
    if (entry(a, row, column_word) & bit) {
      least = min(least, static_cast<uint32_t>(row < start ? row - start + a.matrix_rows : row - start));
    }
  }
  least = least_of_warp(least);
  uint32_t* of_warps = memory() + slot * kTrialWarps;
  if (threadIdx.x % kWarpSize == 0) {
    of_warps[threadIdx.x / kWarpSize] = least;
  }
  __syncthreads();
#pragma unroll
  for (int warp = 0; warp < kTrialWarps; warp++) {
    least = min(least, of_warps[warp]);
  }
  if (least != kNone) {
    const int wrapped = start + static_cast<int>(least);
    const int pivot = wrapped < a.matrix_rows ? wrapped : wrapped - a.matrix_rows;
    for (int row = threadIdx.x; row < a.matrix_rows; row += kTrialThreads) {
      if (row != pivot && (entry(a, row, column_word) & bit)) {
#pragma unroll 4
        for (int w = 0; w < a.row_words; w++) {
          entry(a, row, w) ^= entry(a, pivot, w);
        }
        entry(a, row, column_word) |= bit;
      }
    }
  }
  __syncthreads();
}

/** Adds up row i and, if they are not negative, rows j and l; keeps the sum if it is light. */
__device__ __noinline__ void offer(const TrialsArguments& a, int i, int j, int l, int limit,
                                   int64_t trial) {
  int weight = 1 + (j >= 0) + (l >= 0);
  uint32_t label = a.row_words == a.words;
  for (int w = 0; w < a.row_words && weight <= limit; w++) {
    uint32_t sum = entry(a, i, w);
    sum ^= j >= 0 ? entry(a, j, w) : 0;
    sum ^= l >= 0 ? entry(a, l, w) : 0;
    if (w < a.words) {
      weight += __popc(sum);
    } else {
      label |= sum;
    }
  }
  if (weight <= limit && label != 0) {
    const unsigned long long key = static_cast<unsigned long long>(weight) << kNumberBits | trial;
    if (key < *reinterpret_cast<volatile unsigned long long*>(a.found)) {
      atomicMin(a.found, key);
    }
  }
}

/** Returns the ones of the words that decide, of a base with a row. */
template <int W>
__device__ __forceinline__ int ones_with(const TrialsArguments& a, const uint32_t (&base)[W],
                                         int row) {
  int ones = 0;
#pragma unroll
  for (int w = 0; w < W; w++) {
    ones += __popc(base[w] ^ entry(a, row, w));
  }
  return ones;
}

/** As ones_with, for the rows of a sum. */
__device__ __forceinline__ int ones_of(const TrialsArguments& a, int i, int j, int third) {
  int ones = 0;
  for (int w = 0; w < a.deciding; w++) {
    uint32_t sum = entry(a, i, w) ^ entry(a, j, w);
    sum ^= third >= 0 ? entry(a, third, w) : 0;
    ones += __popc(sum);
  }
  return ones;
}

/** Tries pairs of rows, the larger less than `end`, with row `third` if it is not negative. */
template <int W>
__device__ __forceinline__ void pairs(const TrialsArguments& a, int end, int third, int limit,
                                      int64_t trial) {
  const int warp = threadIdx.x / kWarpSize;
  const int rest = limit - (third >= 0 ? 3 : 2);
  int unit = 0;
  for (int tile = 0; tile * kWarpSize < end; tile++) {
    const int i = tile * kWarpSize + threadIdx.x % kWarpSize;
    const bool is_row = i < end;
    uint32_t base[W > 0 ? W : 1];
#pragma unroll
    for (int w = 0; w < W; w++) {
      base[w] = entry(a, is_row ? i : 0, w);
      base[w] ^= third >= 0 ? entry(a, third, w) : 0;
    }
    // Tiles of 32 rows with 32; each warp takes every fourth.
    for (int other = (warp - unit) & (kTrialWarps - 1); other <= tile; other += kTrialWarps) {
      const int last = min(other * kWarpSize + kWarpSize, end);
      int j = other * kWarpSize;
      if constexpr (W > 0) {
        for (; j + kUnroll <= last; j += kUnroll) {
          int least = 1 << 20;
#pragma unroll
          for (int next = 0; next < kUnroll; next++) {
            least = min(least, ones_with<W>(a, base, j + next));
          }
          if (least <= rest) {
#pragma unroll 1
            for (int next = 0; next < kUnroll; next++) {
              if (j + next < i && is_row && ones_with<W>(a, base, j + next) <= rest) {
                offer(a, i, j + next, third, limit, trial);
              }
            }
          }
        }
      }
#pragma unroll 1
      for (; j < last; j++) {
        if (j < i && is_row && ones_of(a, i, j, third) <= rest) {
          offer(a, i, j, third, limit, trial);
        }
      }
    }
    unit += tile + 1;
  }
}

template <int W>
__device__ __forceinline__ void run_trials(const TrialsArguments& a) {
  for (int64_t walk = blockIdx.x; walk < a.walks; walk += gridDim.x) {
    load_matrix(a);
    const uint64_t key = mix(a.seed + mix(a.first_walk + walk + kGolden));
    uint64_t step = 0;
    for (int trial = 0; trial < a.trials; trial++) {
      const int steps = trial == 0 ? a.first_steps : a.steps;
      for (int i = 0; i < steps; i++) {
        step++;
        exchange(a, mix(key + step * kGolden), static_cast<int>(step % 2));
      }
      const uint64_t best = *reinterpret_cast<volatile unsigned long long*>(a.found);
      const int limit = static_cast<int>(best >> kNumberBits);
      const int64_t number = walk * a.trials + trial;
      for (int row = threadIdx.x; row < a.matrix_rows; row += kTrialThreads) {
        offer(a, row, -1, -1, limit, number);
      }
      if (a.depth >= 2) {
        pairs<W>(a, a.matrix_rows, -1, limit, number);
      }
      for (int third = 2; a.depth >= 3 && third < a.matrix_rows; third++) {
        pairs<W>(a, third, third, limit, number);
      }
      __syncthreads();
    }
  }
}

}  // namespace distances

// sums_table: a thread a sum. Launch: any number of threads.
extern "C" __global__ void __launch_bounds__(256)
    sums_table(const __grid_constant__ SumTableArguments a) {
  for (int64_t sum = launch_thread(); sum < a.sums; sum += launch_threads()) {
    int rows[3] = {0, 0, 0};
    uint64_t rest = sum;
    int below = a.matrix_rows;
    for (int i = a.tail; i > 0; i--) {
      below = distances::largest(a.binomials, a.matrix_rows, i, max(below, 1), rest);
      rest -= distances::binomial(a.binomials, a.matrix_rows, i, below);
      rows[i - 1] = below;
    }
    for (int w = 0; w < a.deciding; w++) {
      uint32_t word = 0;
      for (int i = 0; i < a.tail && w < a.words; i++) {
        word ^= a.rows[static_cast<int64_t>(rows[i]) * a.row_words + w];
      }
      a.table[distances::table_word(sum, w, a.deciding, a.sums)] = word;
    }
  }
}

// sums_light_W: sums by number, of which W words decide; W = 0 for more than four. Launch: 256 threads,
// any number of blocks; 8·(4·deciding + 4·⌈size / 2⌉) bytes of dynamic shared memory.
#define SUMS_LIGHT(W)                                                    \
  extern "C" __global__ void __launch_bounds__(256)                      \
      sums_light_##W(const __grid_constant__ LightSumsArguments a) {     \
    distances::search<W>(a);                                             \
  }
SUMS_LIGHT(0)
SUMS_LIGHT(2)
SUMS_LIGHT(4)

// trials_W: walks, W words of sums decide; `deciding` of them for W = 0. Launch: 128 threads, any number
// of blocks; 4·(rows·stride + 8) bytes of dynamic shared memory.
#define TRIALS(W)                                                        \
  extern "C" __global__ void __launch_bounds__(128)                      \
      trials_##W(const __grid_constant__ TrialsArguments a) {            \
    distances::run_trials<W>(a);                                         \
  }
TRIALS(0)
TRIALS(2)
TRIALS(3)
TRIALS(4)
