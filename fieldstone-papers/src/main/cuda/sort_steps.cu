// Radix sort in steps, the baseline of the radix paper (Merrill and Grimshaw): digits of four bits, and
// three kernels for each.
//
// 1. sort_reduce: each block counts the items of each bin in its own range of items.
// 2. sort_spine: one block turns the counts into the place of the first item of each bin and block.
// 3. sort_scatter: each block moves the items of its range, in order.
//
// The paper's program also keeps items in registers between steps and stores runs from shared memory.
// This is the plain form of the same steps. sort.cu says what items are.

#include "sort.cuh"

/** Arguments of sort_reduce and sort_scatter, one pass, and of sort_spine. */
struct SortStepArguments {
  const uint32_t* from;
  uint32_t* to;
  /** By bin, then by block: counts, then places. */
  int64_t* places;
  int64_t count;
  uint64_t flip;
  /** Lowest bit of the digit in a bit-ordered key. */
  int32_t shift;
  /** Blocks of sort_reduce and of sort_scatter. */
  int32_t blocks;
  /** Words of an item. */
  int32_t words;
  int32_t unused;
};

static_assert(sizeof(SortStepArguments) == 56, "the host writes 56 bytes");

namespace sorting {

constexpr int kBits = 4;
constexpr int kBins = 1 << kBits;
constexpr int kStepThreads = 256;
constexpr int kStepWarps = kStepThreads / kWarpSize;
/** Items of a thread in a tile. */
constexpr int kStepItems = 8;
constexpr int kWarpItems = kWarpSize * kStepItems;
constexpr int kStepTile = kStepThreads * kStepItems;
constexpr int kSpineThreads = 1024;

/** Returns the digit of a key. */
template <int kKeyWords, bool kFloating>
__device__ __forceinline__ uint32_t bin_of(const uint32_t* key, const SortStepArguments& a) {
  using Rank = typename Key<kKeyWords>::Type;
  const Rank rank = rank_of<kFloating>(Key<kKeyWords>::of(key), static_cast<Rank>(a.flip));
  return static_cast<uint32_t>(rank >> a.shift) & (kBins - 1);
}

/** Returns, to lane d < 16, the number of lanes whose bin is d; a missing item has the bin kBins. */
__device__ __forceinline__ uint32_t lanes_in_my_bin(uint32_t bin) {
  const int lane = threadIdx.x % kWarpSize;
  uint32_t lanes = __ballot_sync(kAllLanes, bin < kBins);
#pragma unroll
  for (int bit = 0; bit < kBits; bit++) {
    const uint32_t is_set = __ballot_sync(kAllLanes, bin >> bit & 1);
    lanes &= lane >> bit & 1 ? is_set : ~is_set;
  }
  return __popc(lanes);
}

/** The range of items of this block: whole tiles, except for the last block that has any. */
struct StepRange {
  int64_t first;
  int64_t end;

  __device__ __forceinline__ explicit StepRange(const SortStepArguments& a) {
    const int64_t tiles = (a.count + kStepTile - 1) / kStepTile;
    const int64_t share = (tiles + a.blocks - 1) / a.blocks * kStepTile;
    first = min(blockIdx.x * share, a.count);
    end = min(first + share, a.count);
  }
};

template <int kKeyWords, bool kFloating>
__device__ __forceinline__ void reduce(const SortStepArguments& a) {
  __shared__ uint32_t counts[kStepWarps][kBins];
  const int warp = threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  const StepRange range(a);
  uint32_t counted = 0;
  for (int64_t first = range.first + warp * kWarpItems; first < range.end; first += kStepTile) {
#pragma unroll
    for (int i = 0; i < kStepItems; i++) {
      const int64_t at = first + i * kWarpSize + lane;
      counted += lanes_in_my_bin(
          at < range.end ? bin_of<kKeyWords, kFloating>(a.from + at * a.words, a) : kBins);
    }
  }
  if (lane < kBins) {
    counts[warp][lane] = counted;
  }
  __syncthreads();
  if (threadIdx.x < kBins) {
    int64_t sum = 0;
    for (int i = 0; i < kStepWarps; i++) {
      sum += counts[i][threadIdx.x];
    }
    a.places[int64_t{threadIdx.x} * a.blocks + blockIdx.x] = sum;
  }
}

__device__ __forceinline__ void spine(const SortStepArguments& a) {
  __shared__ int64_t warps[kSpineThreads / kWarpSize];
  const int64_t counts = int64_t{kBins} * a.blocks;
  const int64_t each = (counts + kSpineThreads - 1) / kSpineThreads;
  const int64_t first = min(threadIdx.x * each, counts);
  const int64_t end = min(first + each, counts);
  int64_t sum = 0;
  for (int64_t i = first; i < end; i++) {
    sum += a.places[i];
  }
  const int64_t inclusive = inclusive_sum(sum);
  if (threadIdx.x % kWarpSize == kWarpSize - 1) {
    warps[threadIdx.x / kWarpSize] = inclusive;
  }
  __syncthreads();
  int64_t place = inclusive - sum;
  for (int i = 0; i < static_cast<int>(threadIdx.x) / kWarpSize; i++) {
    place += warps[i];
  }
  for (int64_t i = first; i < end; i++) {
    const int64_t counted = a.places[i];
    a.places[i] = place;
    place += counted;
  }
}

template <int kKeyWords, int kWords, bool kFloating>
__device__ __forceinline__ void scatter(const SortStepArguments& a) {
  __shared__ uint32_t counts[kStepWarps][kBins];
  __shared__ int64_t places[kStepWarps][kBins];
  const int warp = threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  const StepRange range(a);
  const Item<kWords>* from = reinterpret_cast<const Item<kWords>*>(a.from);
  Item<kWords>* to = reinterpret_cast<Item<kWords>*>(a.to);
  int64_t place = threadIdx.x < kBins ? a.places[int64_t{threadIdx.x} * a.blocks + blockIdx.x] : 0;
  for (int64_t first = range.first; first < range.end; first += kStepTile) {
    Item<kWords> items[kStepItems];
    uint32_t bins[kStepItems];
    // Earlier items of the same bin in the warp's part of the tile.
    uint32_t before[kStepItems];
#pragma unroll
    for (int i = 0; i < kStepItems; i++) {
      const int64_t at = first + warp * kWarpItems + i * kWarpSize + lane;
      bins[i] = kBins;
      if (at < range.end) {
        items[i] = from[at];
        bins[i] = bin_of<kKeyWords, kFloating>(items[i].words, a);
      }
    }
    uint32_t counted = 0;
#pragma unroll
    for (int i = 0; i < kStepItems; i++) {
      const uint32_t alike = lanes_of_value<kBits + 1>(bins[i]);
      before[i] = __shfl_sync(kAllLanes, counted, bins[i] % kBins) +
                  __popc(alike & ((1u << lane) - 1));
      counted += lanes_in_my_bin(bins[i]);
    }
    if (lane < kBins) {
      counts[warp][lane] = counted;
    }
    __syncthreads();
    if (threadIdx.x < kBins) {
      for (int i = 0; i < kStepWarps; i++) {
        places[i][threadIdx.x] = place;
        place += counts[i][threadIdx.x];
      }
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kStepItems; i++) {
      if (bins[i] < kBins) {
        to[places[warp][bins[i]] + before[i]] = items[i];
      }
    }
  }
}

}  // namespace sorting

#define FIELDSTONE_SORT_REDUCE(SUFFIX, KEY, FLOATING)                    \
  extern "C" __global__ void __launch_bounds__(sorting::kStepThreads)    \
      sort_reduce##SUFFIX(const __grid_constant__ SortStepArguments a) { \
    sorting::reduce<KEY, FLOATING>(a);                                   \
  }

FIELDSTONE_SORT_REDUCE(_1, 1, false)
FIELDSTONE_SORT_REDUCE(_1_floating, 1, true)
FIELDSTONE_SORT_REDUCE(_2, 2, false)
FIELDSTONE_SORT_REDUCE(_2_floating, 2, true)

#define FIELDSTONE_SORT_SCATTER(SUFFIX, KEY, WORDS, FLOATING)             \
  extern "C" __global__ void __launch_bounds__(sorting::kStepThreads)     \
      sort_scatter##SUFFIX(const __grid_constant__ SortStepArguments a) { \
    sorting::scatter<KEY, WORDS, FLOATING>(a);                            \
  }

FIELDSTONE_SORT_SCATTER(_1_1, 1, 1, false)
FIELDSTONE_SORT_SCATTER(_1_2, 1, 2, false)
FIELDSTONE_SORT_SCATTER(_1_3, 1, 3, false)
FIELDSTONE_SORT_SCATTER(_2_2, 2, 2, false)
FIELDSTONE_SORT_SCATTER(_2_3, 2, 3, false)
FIELDSTONE_SORT_SCATTER(_2_4, 2, 4, false)
FIELDSTONE_SORT_SCATTER(_1_1_floating, 1, 1, true)
FIELDSTONE_SORT_SCATTER(_1_2_floating, 1, 2, true)
FIELDSTONE_SORT_SCATTER(_1_3_floating, 1, 3, true)
FIELDSTONE_SORT_SCATTER(_2_2_floating, 2, 2, true)
FIELDSTONE_SORT_SCATTER(_2_3_floating, 2, 3, true)
FIELDSTONE_SORT_SCATTER(_2_4_floating, 2, 4, true)

extern "C" __global__ void __launch_bounds__(sorting::kSpineThreads)
    sort_spine(const __grid_constant__ SortStepArguments a) {
  sorting::spine(a);
}
