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
  /** C(c, i) at [i·(row_count + 1) + c]. */
  const unsigned long long* binomials;
  /** Receives C(row_count, tail) sums of `deciding` words: see table_word. */
  uint32_t* table;
  int64_t sums;
  int32_t row_count;
  /** 32-bit words of a row, and of a row with its label. */
  int32_t words;
  int32_t row_words;
  int32_t deciding;
  /** The rows of a sum of the table. */
  int32_t tail;
  int32_t unused;
};

/** Arguments of sums_light: sums first … first + count - 1 of `size` rows. */
struct LightSumsArguments {
  const uint32_t* rows;
  const unsigned long long* binomials;
  const uint32_t* table;
  /**
   * If capacity is 0, (weight << 52 | number - first) of the lightest sum, at first any bound of it.
   * Else the number of sums that are found.
   */
  unsigned long long* found;
  /** Receives the numbers, less `first`, of light sums, in any order. */
  unsigned long long* numbers;
  int64_t first;
  int64_t count;
  int64_t table_sums;
  int32_t capacity;
  int32_t row_count;
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
  int32_t row_count;
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
    const unsigned long long* binomials, int row_count, int i, int below, uint64_t rest) {
  const unsigned long long* column = binomials + static_cast<int64_t>(i) * (row_count + 1);
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
    const unsigned long long* binomials, int row_count, int i, int c) {
  return binomials[static_cast<int64_t>(i) * (row_count + 1) + c];
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

/** The prefix of the sums of a warp: rows tail … size - 1 of a subset, in shared memory. */
struct Prefix {
  const LightSumsArguments& a;
  uint16_t* chosen;

  /** Takes the prefix of a sum; returns its number among those with this prefix. */
  __device__ int64_t start(uint64_t number) {
    uint64_t rest = number;
    int below = a.row_count;
    for (int i = a.size; i > a.tail; i--) {
      below = largest(a.binomials, a.row_count, i, below, rest);
      rest -= binomial(a.binomials, a.row_count, i, below);
      if (threadIdx.x % kWarpSize == 0) {
        chosen[i - 1] = static_cast<uint16_t>(below);
      }
      below = max(below, 1);
    }
    __syncwarp();
    return static_cast<int64_t>(rest);
  }

  /** Returns the row after those of the rest. */
  __device__ __forceinline__ int below() const {
    return a.size > a.tail ? chosen[a.tail] : a.row_count;
  }

  /** Replaces the smallest row by the next one. */
  __device__ __forceinline__ void set_smallest(int row) {
    __syncwarp();
    if (threadIdx.x % kWarpSize == 0) {
      chosen[a.tail] = static_cast<uint16_t>(row);
    }
    __syncwarp();
  }

  /** Goes on to the next prefix. */
  __device__ void next() {
    __syncwarp();
    if (threadIdx.x % kWarpSize == 0) {
      int i = a.tail;
      while (i + 1 < a.size && chosen[i] + 1 == chosen[i + 1]) {
        chosen[i] = static_cast<uint16_t>(i);
        i++;
      }
      if (chosen[i] + 1 < a.row_count) {
        chosen[i]++;
      }
    }
    __syncwarp();
  }

  /** Returns a word of the sum of the prefix. */
  __device__ __forceinline__ uint32_t word(int w) const {
    uint32_t sum = 0;
    for (int i = a.tail; i < a.size; i++) {
      sum ^= a.rows[static_cast<int64_t>(chosen[i]) * a.row_words + w];
    }
    return sum;
  }
};

/** Returns the greatest weight that is wanted. */
__device__ __forceinline__ int max_weight(const LightSumsArguments& a) {
  if (a.capacity > 0) {
    return a.max_weight;
  }
  const uint64_t key = *reinterpret_cast<volatile unsigned long long*>(a.found);
  return min(a.max_weight, static_cast<int>(key >> kNumberBits));
}

/** Adds up a sum as it is defined, and keeps it if it is light. */
__device__ __noinline__ void offer(
    const LightSumsArguments& a, const Prefix& prefix, int64_t in_tail, int64_t number, int limit) {
  int rest_rows[3] = {0, 0, 0};
  uint64_t rest = in_tail;
  int below = prefix.below();
  for (int i = a.tail; i > 0; i--) {
    below = largest(a.binomials, a.row_count, i, max(below, 1), rest);
    rest -= binomial(a.binomials, a.row_count, i, below);
    rest_rows[i - 1] = below;
  }
  int weight = 0;
  uint32_t label = a.row_words == a.words;
  for (int w = 0; w < a.row_words; w++) {
    uint32_t sum = prefix.word(w);
    for (int i = 0; i < a.tail; i++) {
      sum ^= a.rows[static_cast<int64_t>(rest_rows[i]) * a.row_words + w];
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
  if (a.capacity == 0) {
    atomicMin(a.found, static_cast<unsigned long long>(weight) << kNumberBits | number);
  } else {
    const unsigned long long place = atomicAdd(a.found, 1ull);
    if (place < a.capacity) {
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

/** Tries the sums of a prefix with sums from … end - 1 of the table. */
template <int W>
__device__ __forceinline__ void scan(const LightSumsArguments& a, const Prefix& prefix,
                                     const uint32_t (&base)[W], int from, int end,
                                     int64_t first_number, int limit) {
  const int lane = threadIdx.x % kWarpSize;
  int start = from;
  for (; start + kUnroll * kWarpSize <= end; start += kUnroll * kWarpSize) {
    int found[kUnroll];
#pragma unroll
    for (int i = 0; i < kUnroll; i++) {
      found[i] = ones(base, load<W>(a.table, start + i * kWarpSize + lane));
    }
    if (min(min(found[0], found[1]), min(found[2], found[3])) <= limit) {
#pragma unroll 1
      for (int i = 0; i < kUnroll; i++) {
        const int sum = start + i * kWarpSize + lane;
        if (ones(base, load<W>(a.table, sum)) <= limit) {
          offer(a, prefix, sum, first_number + sum, limit);
        }
      }
    }
  }
#pragma unroll 1
  for (int sum = start + lane; sum < end; sum += kWarpSize) {
    if (ones(base, load<W>(a.table, sum)) <= limit) {
      offer(a, prefix, sum, first_number + sum, limit);
    }
  }
}

/** As scan, for more than four words, a multiple of four, of which a warp has the base in memory. */
__device__ __forceinline__ void scan_long(const LightSumsArguments& a, const Prefix& prefix,
                                          uint32_t* base, int from, int end, int64_t first_number,
                                          int limit) {
  for (int w = threadIdx.x % kWarpSize; w < a.deciding; w += kWarpSize) {
    base[w] = w < a.words ? prefix.word(w) : 0;
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
      offer(a, prefix, sum, first_number + sum, limit);
    }
  }
  __syncwarp();
}

/** Tries a range of sums with one warp. */
template <int W>
__device__ __forceinline__ void search(const LightSumsArguments& a, Prefix& prefix,
                                       uint32_t* shared_base, int64_t first, int64_t end) {
  const bool has_prefix = a.size > a.tail;
  int from = static_cast<int>(min(prefix.start(a.first + first), a.table_sums));
  int64_t number = first - from;
  uint32_t upper[W > 0 ? W : 1];
  int smallest = 0, next_row = 0, limit = 0;
  bool is_new = true;
  for (int prefixes = 0;; prefixes++) {
    if (prefixes % kPrefixes == 0) {
      limit = max_weight(a);
    }
    if (is_new) {
      is_new = false;
      smallest = prefix.below();
      next_row = a.size > a.tail + 1 ? prefix.chosen[a.tail + 1] : a.row_count;
      if constexpr (W > 0) {
#pragma unroll
        for (int w = 0; w < W; w++) {
          upper[w] = w < a.words ? prefix.word(w) : 0;
          if (has_prefix && w < a.words) {
            upper[w] ^= a.rows[static_cast<int64_t>(smallest) * a.row_words + w];
          }
        }
      }
    }
    const int64_t rest =
        has_prefix ? static_cast<int64_t>(binomial(a.binomials, a.row_count, a.tail, smallest))
                   : a.table_sums;
    const int last = static_cast<int>(min(min(rest, a.table_sums), end - number));
    if constexpr (W == 0) {
      scan_long(a, prefix, shared_base, from, last, number, limit);
    } else {
      uint32_t base[W];
#pragma unroll
      for (int w = 0; w < W; w++) {
        base[w] = upper[w];
        if (has_prefix && w < a.words) {
          base[w] ^= a.rows[static_cast<int64_t>(smallest) * a.row_words + w];
        }
      }
      scan<W>(a, prefix, base, from, last, number, limit);
    }
    number += max(last, 1);
    from = 0;
    if (number >= end || !has_prefix) {
      return;
    }
    if (smallest + 1 < next_row) {
      smallest++;
      prefix.set_smallest(smallest);
    } else {
      prefix.next();
      is_new = true;
    }
  }
}

template <int W>
__device__ __forceinline__ void search(const LightSumsArguments& a) {
  extern __shared__ uint32_t shared[];
  uint32_t* base = shared + threadIdx.x / kWarpSize * (a.deciding + (a.size + 1) / 2);
  Prefix prefix{a, reinterpret_cast<uint16_t*>(base + a.deciding)};
  const int64_t warps = launch_threads() / kWarpSize;
  // A few units for each warp, so that all end at about the same time.
  const int64_t unit = max(static_cast<int64_t>(4096), (a.count + 8 * warps - 1) / (8 * warps));
  for (int64_t each = launch_thread() / kWarpSize; each * unit < a.count; each += warps) {
    search<W>(a, prefix, base, each * unit, min(a.count, each * unit + unit));
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

/** The trials of a block, whose matrix is in shared memory. */
template <int W>
struct Trials {
  const TrialsArguments& a;
  uint32_t* matrix;
  /** The first row of each warp, for two steps. */
  uint32_t* pivots;

  static constexpr uint32_t kNone = 0xffffffffu;

  __device__ void load() {
    __syncthreads();
    for (int i = threadIdx.x; i < a.row_count * a.row_words; i += kTrialThreads) {
      matrix[i / a.row_words * a.stride + i % a.row_words] = a.rows[i];
    }
    __syncthreads();
  }

  /** Exchanges a column of the identity with one of the matrix; begins and ends between barriers. */
  __device__ void exchange(uint64_t random, int slot) {
    const int column =
        static_cast<int>((random & 0xffffffffu) * static_cast<uint64_t>(a.length) >> 32);
    const int start = static_cast<int>((random >> 32) * static_cast<uint64_t>(a.row_count) >> 32);
    const int column_word = column / 32;
    const uint32_t bit = 1u << column % 32;
    uint32_t least = kNone;
    for (int row = threadIdx.x; row < a.row_count; row += kTrialThreads) {
      if (matrix[row * a.stride + column_word] & bit) {
        least = min(least, static_cast<uint32_t>(row < start ? row - start + a.row_count : row - start));
      }
    }
    least = least_of_warp(least);
    uint32_t* of_warps = pivots + slot * (kTrialThreads / kWarpSize);
    if (threadIdx.x % kWarpSize == 0) {
      of_warps[threadIdx.x / kWarpSize] = least;
    }
    __syncthreads();
    least = of_warps[0];
#pragma unroll
    for (int warp = 1; warp < kTrialThreads / kWarpSize; warp++) {
      least = min(least, of_warps[warp]);
    }
    if (least != kNone) {
      const int wrapped = start + static_cast<int>(least);
      const int pivot = wrapped < a.row_count ? wrapped : wrapped - a.row_count;
      const uint32_t* added = matrix + pivot * a.stride;
      for (int row = threadIdx.x; row < a.row_count; row += kTrialThreads) {
        uint32_t* sum = matrix + row * a.stride;
        if (row != pivot && (sum[column_word] & bit)) {
          for (int w = 0; w < a.row_words; w++) {
            sum[w] ^= added[w];
          }
          sum[column_word] |= bit;
        }
      }
    }
    __syncthreads();
  }

  __device__ __noinline__ void offer(int i, int j, int l, int limit, int64_t trial) {
    int weight = 1 + (j >= 0) + (l >= 0);
    uint32_t label = a.row_words == a.words;
    for (int w = 0; w < a.row_words; w++) {
      uint32_t sum = matrix[i * a.stride + w];
      sum ^= j >= 0 ? matrix[j * a.stride + w] : 0;
      sum ^= l >= 0 ? matrix[l * a.stride + w] : 0;
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

  /** Tries pairs of rows, the larger less than `end`, with row `third` if it is not negative. */
  __device__ void pairs(int end, int third, int limit, int64_t trial) {
    const int lane = threadIdx.x % kWarpSize;
    const int ones = third >= 0 ? 3 : 2;
    int unit = 0;
    for (int tile = 0; tile * kWarpSize < end; tile++) {
      const int i = tile * kWarpSize + lane;
      const bool is_row = i < end;
      uint32_t base[W > 0 ? W : 1];
      bool has_base = false;
      for (int other = 0; other <= tile; other++, unit++) {
        if (unit % (kTrialThreads / kWarpSize) != threadIdx.x / kWarpSize) {
          continue;
        }
        if constexpr (W > 0) {
          if (!has_base) {
            has_base = true;
#pragma unroll
            for (int w = 0; w < W; w++) {
              base[w] = is_row ? matrix[i * a.stride + w] : 0;
              base[w] ^= third >= 0 ? matrix[third * a.stride + w] : 0;
            }
          }
        }
        const int last = min(other * kWarpSize + kWarpSize, end);
        int j = other * kWarpSize;
        for (; W > 0 && j + kUnroll <= last; j += kUnroll) {
          int least = 1 << 20;
#pragma unroll
          for (int next = 0; next < kUnroll; next++) {
            least = min(least, ones_with(base, j + next));
          }
          if (least + ones <= limit) {
#pragma unroll 1
            for (int next = 0; next < kUnroll; next++) {
              if (j + next < i && is_row && ones_with(base, j + next) + ones <= limit) {
                offer(i, j + next, third, limit, trial);
              }
            }
          }
        }
#pragma unroll 1
        for (; j < last; j++) {
          const int weight = W > 0 ? ones_with(base, j) : is_row ? ones_of(i, j, third) : limit;
          if (j < i && is_row && weight + ones <= limit) {
            offer(i, j, third, limit, trial);
          }
        }
      }
    }
  }

  /** Returns the ones of the words that decide, of a base with a row. */
  __device__ __forceinline__ int ones_with(const uint32_t (&base)[W > 0 ? W : 1], int row) const {
    int ones = 0;
#pragma unroll
    for (int w = 0; w < W; w++) {
      ones += __popc(base[w] ^ matrix[row * a.stride + w]);
    }
    return ones;
  }

  __device__ int ones_of(int i, int j, int third) const {
    int ones = 0;
    for (int w = 0; w < a.deciding; w++) {
      uint32_t sum = matrix[i * a.stride + w] ^ matrix[j * a.stride + w];
      sum ^= third >= 0 ? matrix[third * a.stride + w] : 0;
      ones += __popc(sum);
    }
    return ones;
  }

  __device__ void sums(int64_t trial) {
    const uint64_t key = *reinterpret_cast<volatile unsigned long long*>(a.found);
    const int limit = static_cast<int>(key >> kNumberBits);
    for (int row = threadIdx.x; row < a.row_count; row += kTrialThreads) {
      offer(row, -1, -1, limit, trial);
    }
    if (a.depth >= 2) {
      pairs(a.row_count, -1, limit, trial);
    }
    for (int third = 2; a.depth >= 3 && third < a.row_count; third++) {
      pairs(third, third, limit, trial);
    }
  }

  __device__ void run() {
    for (int64_t walk = blockIdx.x; walk < a.walks; walk += gridDim.x) {
      load();
      const uint64_t key = mix(a.seed + mix(a.first_walk + walk + kGolden));
      uint64_t step = 0;
      for (int trial = 0; trial < a.trials; trial++) {
        const int steps = trial == 0 ? a.first_steps : a.steps;
        for (int i = 0; i < steps; i++) {
          step++;
          exchange(mix(key + step * kGolden), static_cast<int>(step % 2));
        }
        sums(walk * a.trials + trial);
        __syncthreads();
      }
    }
  }
};

template <int W>
__device__ __forceinline__ void run_trials(const TrialsArguments& a) {
  extern __shared__ uint32_t shared[];
  Trials<W>{a, shared + 2 * (kTrialThreads / kWarpSize), shared}.run();
}

}  // namespace distances

// sums_table: a thread a sum. Launch: any number of threads.
extern "C" __global__ void __launch_bounds__(256)
    sums_table(const __grid_constant__ SumTableArguments a) {
  for (int64_t sum = launch_thread(); sum < a.sums; sum += launch_threads()) {
    int rows[3] = {0, 0, 0};
    uint64_t rest = sum;
    int below = a.row_count;
    for (int i = a.tail; i > 0; i--) {
      below = distances::largest(a.binomials, a.row_count, i, max(below, 1), rest);
      rest -= distances::binomial(a.binomials, a.row_count, i, below);
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
