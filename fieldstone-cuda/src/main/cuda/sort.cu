// Radix sort: sorts records stably by their keys, with digits of eight bits.
//
// An item is the unit that is moved: one to four 32-bit words, of which the first one or two are the
// key. A record of that size is an item itself. For other records, an item is the key and the index
// of the record, and the records are gathered at the end. Keys are never changed: a digit is taken
// from the bit-ordered key, an unsigned number whose order is the sort order.
//
// 1. sort_count: computes the histograms of all digits in one pass over the keys.
// 2. sort_plan: computes the offset of each bin. Digits that are equal in all keys are skipped.
// 3. sort_pass: moves items by one digit, reading and writing each item once ("onesweep"). A block
//    takes the next tile, ranks its items and publishes its histogram. It finds the offsets of its
//    bins from the histograms of earlier tiles (decoupled look-back, Merrill and Garland). The items
//    of a tile are ordered in shared memory first, so that the items of a bin are stored together.
//    Ranking: lanes of a warp find items of the same bin by ballots; the first of these lanes adds
//    their number to the warp's counter of that bin.
// 4. sort_take, sort_give, sort_order, sort_gather: make items from records, and copy items, indices
//    or records to the result.
// 5. sort_segments, sort_collect, sort_pass_..._segments: for items that were partitioned in parts, as
//    they arrived. sort_segments sums the histograms of the parts. sort_collect copies the items of
//    each bin from all parts to one segment, and counts lower digits. The passes then sort many
//    segments at once, each within its bounds.
// 6. sort_pack: compresses sorted keys to differences of few bits, for the download.

#include "sort.cuh"

/** The plan of the passes. Only the GPU knows which passes are skipped. */
struct SortPlan {
  /** The buffer, 0 or 1, that pass i reads (0 is the lowest digit); -1 if the pass is skipped. */
  int32_t source[8];
  /** The buffer that holds the result. */
  int32_t result;
  int32_t unused;
};

/** Arguments of sort_count: histograms of the digits of keys. */
struct SortCountArguments {
  const uint32_t* items;
  /** Receives the counts: counts[256·digit + value] is increased. */
  unsigned long long* counts;
  int64_t count;
  /** XORed to keys, or to ordered floating-point keys, to make them bit-ordered. */
  uint64_t flip;
  /** Words of an item. */
  int32_t words;
  int32_t unused;
};

/** Arguments of sort_plan: histograms to a plan. */
struct SortPlanArguments {
  const unsigned long long* counts;
  /** bin_offsets[512·digit + value]: the items in lower bins. sort_pass needs twice the memory. */
  int64_t* bin_offsets;
  SortPlan* plan;
  int64_t count;
  /** Digits of a key: 4 or 8. */
  int32_t digits;
  int32_t unused;
};

/** Arguments of sort_pass: one pass by one digit. */
struct SortPassArguments {
  uint32_t* items[2];
  /** The plan that gives the source buffer; if null, the source is buffer 0. */
  const SortPlan* plan;
  /** Offsets of the bins for this launch; 256·(1 - portion % 2) is memory for the next launch. */
  int64_t* bin_offsets;
  /** Zeros at first: 256 words, of which one counts tiles; then 256 look-back words per tile. */
  uint32_t* lookback;
  /** Index of the first item of this launch; earlier launches took the items before it. */
  int64_t first;
  /** Items of this launch, fewer than 2^30; a multiple of the tile except in the last launch. */
  int64_t count;
  uint64_t flip;
  int32_t digit;
  int32_t portion;
};

/** Arguments of sort_take: makes items from records. */
struct SortTakeArguments {
  const uint8_t* records;
  uint32_t* items;
  int64_t count;
  /** Index of the first record. */
  int64_t first;
  int64_t record_bytes;
  /** Words of an item that are copied from the record. */
  int32_t taken;
  /** Words of an item that hold the index of the record, 0 to 2. */
  int32_t index_words;
};

/** Arguments of sort_give, sort_order and sort_gather: items to results. */
struct SortGiveArguments {
  const uint32_t* items[2];
  const SortPlan* plan;
  /** Source records; only sort_gather uses them. */
  const uint8_t* records;
  uint8_t* to;
  int64_t count;
  /** Bytes of a record; for sort_order, bytes of an index: 4 or 8. */
  int64_t bytes;
  /** Words of an item. */
  int32_t words;
  /** Words of the index, which are the last of an item. */
  int32_t index_words;
};

/** The start of a segment, which has the items of one bin and ends where the next one starts. */
struct SortSegment {
  int64_t first;
  /** First tile of sort_pass; each segment starts with a new tile. */
  int64_t first_tile;
};

/** Arguments of sort_segments: sums the histograms of parts that were partitioned separately. */
struct SortSegmentsArguments {
  /** Histograms of the first part; those of the other parts follow. */
  const unsigned long long* counts;
  /** Receives the sums of all parts: totals[256·digit + value]. */
  unsigned long long* totals;
  /** Receives the segment of each bin of `digit`, and the end of the last: 257 entries. */
  SortSegment* segments;
  /** Receives the buffer that holds the result after passes by all lower digits. */
  SortPlan* plan;
  /** Items of a tile. */
  int64_t tile;
  int32_t parts;
  /** Digits of a key: 4 or 8. One block per digit. */
  int32_t digits;
  int32_t digit;
  int32_t unused;
};

/** Arguments of sort_collect: copies the items of some bins from all parts to segments. */
struct SortCollectArguments {
  /** Items of the first part; those of the other parts follow. */
  const uint32_t* items;
  uint32_t* to;
  /** Bin offsets of the first part, as sort_plan computed them for the digit. */
  const int64_t* bin_offsets;
  /** Index of the first item of each part, then the total number of items. */
  const int64_t* firsts;
  /** Segment of the first bin. */
  const SortSegment* segments;
  /** Receives histograms, zeros at first: counts[256·(digits·segment + digit) + value]. */
  uint32_t* counts;
  /** Distance between the bin offsets of two parts. */
  int64_t stride;
  uint64_t flip;
  /** At most 256. */
  int32_t parts;
  int32_t first_value;
  int32_t values;
  /** Number of digits that are counted; all are lower than the digit of the partition. */
  int32_t digits;
};

/** Arguments of sort_pass_..._segments: moves the items of each segment within the segment. */
struct SortSegmentPassArguments {
  const uint32_t* from;
  uint32_t* to;
  /** First segment; all segments together have fewer than 2^30 items. */
  const SortSegment* segments;
  /** Histogram of the digit in the first segment. */
  const uint32_t* counts;
  /** Zeros at first: 256 words, of which one counts tiles; then 256 look-back words per tile. */
  uint32_t* lookback;
  /** Distance between the histograms of two segments. */
  int64_t stride;
  uint64_t flip;
  /** At most 256. */
  int32_t count;
  int32_t digit;
};

/** Arguments of sort_pack: compresses sorted keys. */
struct SortPackArguments {
  const uint32_t* items[2];
  const SortPlan* plan;
  /** Receives rows of 64 bytes. */
  uint32_t* rows;
  /** Receives for each block its first row, and the bits of a difference or kPlain. */
  int2* directory;
  /** Zeros at first: rows that are allocated, and thread blocks that have finished. */
  unsigned long long* used;
  /** Receives the number of rows, in host memory: a copy would wait for other copies. */
  unsigned long long* host_rows;
  int64_t count;
  uint64_t flip;
  int32_t floating;
  /** Padding keys before the first key, in the first block. */
  int32_t before;
};

static_assert(sizeof(SortPlan) == 40, "the host reserves 40 bytes");
static_assert(sizeof(SortCountArguments) == 40, "the host writes 40 bytes");
static_assert(sizeof(SortPlanArguments) == 40, "the host writes 40 bytes");
static_assert(sizeof(SortPassArguments) == 72, "the host writes 72 bytes");
static_assert(sizeof(SortTakeArguments) == 48, "the host writes 48 bytes");
static_assert(sizeof(SortGiveArguments) == 64, "the host writes 64 bytes");
static_assert(sizeof(SortSegment) == 16, "the host reserves 16 bytes");
static_assert(sizeof(SortSegmentsArguments) == 56, "the host writes 56 bytes");
static_assert(sizeof(SortCollectArguments) == 80, "the host writes 80 bytes");
static_assert(sizeof(SortSegmentPassArguments) == 64, "the host writes 64 bytes");
static_assert(sizeof(SortPackArguments) == 80, "the host writes 80 bytes");

namespace sorting {

constexpr int kValues = 256;
/** Returns a digit of bit-ordered keys. */
template <int kKeyWords, bool kFloating>
struct Digits {
  typename Key<kKeyWords>::Type flip;
  int shift;
  bool is_high;

  __device__ __forceinline__ Digits(uint64_t flip, int digit)
      : flip(static_cast<typename Key<kKeyWords>::Type>(flip)),
        shift(digit % 4 * 8),
        is_high(digit >= 4) {}

  template <int kWords>
  __device__ __forceinline__ uint32_t of(const Item<kWords>& item) const {
    const auto rank = rank_of<kFloating>(Key<kKeyWords>::of(item.words), flip);
    if constexpr (kKeyWords == 2) {
      const uint32_t word = static_cast<uint32_t>(is_high ? rank >> 32 : rank);
      return word >> shift & (kValues - 1);
    } else {
      return rank >> shift & (kValues - 1);
    }
  }
};

/** Selects a buffer by comparison; a variable index would copy the arguments to local memory. */
__device__ __forceinline__ uint32_t* place(uint32_t* const (&items)[2], int which) {
  return which == 0 ? items[0] : items[1];
}

__device__ __forceinline__ const uint32_t* place(const uint32_t* const (&items)[2], int which) {
  return which == 0 ? items[0] : items[1];
}

// ---- 1: counts ----

constexpr int kCountThreads = 512;
/** Keys that a thread loads at a time. */
constexpr int kCountAhead = 8;

template <int kKeyWords, bool kFloating>
__device__ __forceinline__ void count_digits(
    uint32_t (&counts)[kKeyWords * 4][kValues], typename Key<kKeyWords>::Type key, uint64_t flip) {
  using Rank = typename Key<kKeyWords>::Type;
  const Rank rank = rank_of<kFloating>(key, static_cast<Rank>(flip));
#pragma unroll
  for (int digit = 0; digit < kKeyWords * 4; digit++) {
    atomicAdd(&counts[digit][rank >> (8 * digit) & (kValues - 1)], 1u);
  }
}

template <int kKeyWords, bool kFloating>
__device__ __forceinline__ void count(const SortCountArguments& a) {
  __shared__ uint32_t counts[kKeyWords * 4][kValues];
  for (int i = threadIdx.x; i < kKeyWords * 4 * kValues; i += kCountThreads) {
    (&counts[0][0])[i] = 0;
  }
  __syncthreads();
  constexpr int kStep = kCountThreads * kCountAhead;
  const int64_t whole = a.count / kStep * kStep;
  for (int64_t i = int64_t{blockIdx.x} * kStep; i < whole; i += int64_t{gridDim.x} * kStep) {
    typename Key<kKeyWords>::Type keys[kCountAhead];
#pragma unroll
    for (int j = 0; j < kCountAhead; j++) {
      keys[j] = Key<kKeyWords>::of(a.items + (i + j * kCountThreads + threadIdx.x) * a.words);
    }
#pragma unroll
    for (int j = 0; j < kCountAhead; j++) {
      count_digits<kKeyWords, kFloating>(counts, keys[j], a.flip);
    }
  }
  for (int64_t i = whole + launch_thread(); i < a.count; i += launch_threads()) {
    count_digits<kKeyWords, kFloating>(counts, Key<kKeyWords>::of(a.items + i * a.words), a.flip);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < kKeyWords * 4 * kValues; i += kCountThreads) {
    const uint32_t counted = (&counts[0][0])[i];
    if (counted != 0) {
      atomicAdd(&a.counts[i], static_cast<unsigned long long>(counted));
    }
  }
}

// ---- 2: the plan ----

/** Returns the sum over all lower bins, for the first 256 threads; all threads must call it. */
template <class T>
__device__ __forceinline__ T sum_below(T value, T (&warps)[kValues / kWarpSize]) {
  const int warp = threadIdx.x / kWarpSize;
  T inclusive = 0;
  if (threadIdx.x < kValues) {
    inclusive = inclusive_sum(value);
    if (threadIdx.x % kWarpSize == kWarpSize - 1) {
      warps[warp] = inclusive;
    }
  }
  __syncthreads();
  T before = 0;
  if (threadIdx.x < kValues) {
#pragma unroll
    for (int i = 0; i < kValues / kWarpSize; i++) {
      before += i < warp ? warps[i] : 0;
    }
  }
  return before + inclusive - value;
}

__device__ __forceinline__ void plan(const SortPlanArguments& a) {
  __shared__ int64_t warps[kValues / kWarpSize];
  int at = 0;
  for (int digit = 0; digit < a.digits; digit++) {
    const int64_t items = a.counts[kValues * digit + threadIdx.x];
    a.bin_offsets[2 * kValues * digit + threadIdx.x] = sum_below(items, warps);
    const bool is_shared = __syncthreads_or(items == a.count);
    if (threadIdx.x == 0) {
      a.plan->source[digit] = is_shared ? -1 : at;
    }
    at ^= is_shared ? 0 : 1;
  }
  if (threadIdx.x == 0) {
    a.plan->result = at;
  }
}

// ---- 3: passes ----

/**
 * A tile has kThreads·kItems items; the host uses the same numbers. They were the fastest on an H200:
 * long runs are stored at full speed, and two or three blocks fit the registers and shared memory of
 * a multiprocessor.
 */
constexpr int kPassThreads = 384;

/** Blocks per multiprocessor that its registers allow. */
template <int kKeyWords>
constexpr int kPassBlocks = kKeyWords == 1 ? 2 : 3;

/** The same for sort_collect. */
constexpr int kCollectBlocks = 3;

template <int kKeyWords, int kWords>
constexpr int kPassItems = 0;
template <>
constexpr int kPassItems<1, 1> = 28;
template <>
constexpr int kPassItems<1, 2> = 15;
template <>
constexpr int kPassItems<1, 3> = 10;
template <>
constexpr int kPassItems<2, 2> = 13;
template <>
constexpr int kPassItems<2, 3> = 9;
template <>
constexpr int kPassItems<2, 4> = 7;

/** Flags of a look-back word: its count is that of the tile, or of all tiles up to it. */
constexpr uint32_t kOfTile = 1u << 30;
constexpr uint32_t kOfAll = 2u << 30;
constexpr uint32_t kCountMask = kOfTile - 1;

__device__ __forceinline__ uint32_t load_state(const uint32_t* state) {
  uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(state) : "memory");
  return value;
}

__device__ __forceinline__ void store_state(uint32_t* state, uint32_t value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" : : "l"(state), "r"(value) : "memory");
}

/** Returns the items of a bin in all earlier tiles; `lookback` is the word of the bin in tile 0. */
__device__ __forceinline__ uint32_t look_back(const uint32_t* lookback, int tile) {
  uint32_t before = 0;
  for (int earlier = tile - 1; earlier >= 0; earlier--) {
    uint32_t state;
    do {
      state = load_state(lookback + int64_t{kValues} * earlier);
    } while (state == 0);
    before += state & kCountMask;
    if ((state & kOfAll) != 0) {
      break;
    }
  }
  return before;
}

template <int kWords, int kThreads, int kItems>
union TileMemory {
  /** Per warp: the histogram, then the position of the next item of each bin. */
  uint32_t counts[kThreads / kWarpSize][kValues];
  /** Items in order, as one array per word of an item. */
  uint32_t words[kWords][kThreads * kItems];
};

/** Shared memory of a block. */
template <int kWords, int kThreads, int kItems>
struct PassRoom {
  TileMemory<kWords, kThreads, kItems> memory;
  int64_t positions[kValues];
  uint32_t warp_sums[kValues / kWarpSize];
  int taken;
};

/** Takes the next tile, and clears the histograms of the warps. */
template <int kWords, int kThreads, int kItems>
__device__ __forceinline__ int take_tile(PassRoom<kWords, kThreads, kItems>& room,
                                         uint32_t* lookback) {
  if (threadIdx.x == 0) {
    room.taken = atomicAdd(lookback, 1u);
  }
#pragma unroll
  for (int i = 0; i < kValues; i += kWarpSize) {
    room.memory.counts[threadIdx.x / kWarpSize][i + threadIdx.x % kWarpSize] = 0;
  }
  __syncthreads();
  return room.taken;
}

/**
 * Moves the items of a tile.
 *
 * @param from the first item of the tile
 * @param valid the number of items of the tile
 * @param tile the index of the tile in the look-back
 * @param first_lookback the look-back words of tile 0
 * @param bin_offsets gives the offsets of bins. All threads call prepare; one per bin calls of
 */
template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems, class Bases>
__device__ __forceinline__ void move_tile(PassRoom<kWords, kThreads, kItems>& room,
                                          const Item<kWords>* from, Item<kWords>* to, int valid,
                                          const Digits<kKeyWords, kFloating>& digits, int tile,
                                          uint32_t* first_lookback, Bases& bin_offsets) {
  constexpr int kWarps = kThreads / kWarpSize;
  constexpr int kTile = kThreads * kItems;
  constexpr int kWarpItems = kWarpSize * kItems;
  static_assert(kThreads >= kValues, "a thread for each value");
  const int warp = threadIdx.x / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  auto& memory = room.memory;
  // Missing items count as the last of the highest bin, and are not written.
  Item<kWords> items[kItems];
  const Item<kWords>* mine = from + warp * kWarpItems + lane;
  const int left = valid - warp * kWarpItems - lane;
  if (valid == kTile) {
#pragma unroll
    for (int i = 0; i < kItems; i++) {
      items[i] = mine[i * kWarpSize];
    }
  } else {
#pragma unroll
    for (int i = 0; i < kItems; i++) {
      if (i * kWarpSize < left) {
        items[i] = mine[i * kWarpSize];
      }
    }
  }
  const auto value_of = [&](int i) -> uint32_t {
    return valid == kTile || i * kWarpSize < left ? digits.of(items[i]) : kValues - 1;
  };

  uint32_t* own = memory.counts[warp];
#pragma unroll
  for (int i = 0; i < kItems; i++) {
    atomicAdd(&own[value_of(i)], 1u);
  }
  __syncthreads();

  const int value = threadIdx.x;
  uint32_t total = 0;
  uint32_t* lookback = first_lookback + value;
  if (value < kValues) {
#pragma unroll
    for (int i = 0; i < kWarps; i++) {
      total += memory.counts[i][value];
    }
    store_state(lookback + int64_t{kValues} * tile, (tile == 0 ? kOfAll : kOfTile) | total);
  }
  const uint32_t begin = sum_below(total, room.warp_sums);
  bin_offsets.prepare();
  if (value < kValues) {
    uint32_t at = begin;
#pragma unroll
    for (int i = 0; i < kWarps; i++) {
      const uint32_t counted = memory.counts[i][value];
      memory.counts[i][value] = at;
      at += counted;
    }
  }
  __syncthreads();

  uint32_t places[kItems];
#pragma unroll
  for (int i = 0; i < kItems; i++) {
    const uint32_t item_value = value_of(i);
    const uint32_t alike = lanes_of_value<8>(item_value);
    const int leader = __ffs(alike) - 1;
    uint32_t first = 0;
    if (lane == leader) {
      first = own[item_value];
      own[item_value] = first + __popc(alike);
    }
    __syncwarp();
    first = __shfl_sync(kAllLanes, first, leader);
    places[i] = first + __popc(alike & ((1u << lane) - 1));
  }
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kItems; i++) {
    if (valid == kTile || i * kWarpSize < left) {
#pragma unroll
      for (int word = 0; word < kWords; word++) {
        memory.words[word][places[i]] = items[i].words[word];
      }
    }
  }
  if (value < kValues) {
    const uint32_t before = look_back(lookback, tile);
    if (tile > 0) {
      store_state(lookback + int64_t{kValues} * tile, kOfAll | (before + total));
    }
    room.positions[value] = bin_offsets.of(value, before, total) - begin;
  }
  __syncthreads();

#pragma unroll
  for (int i = 0; i < kItems; i++) {
    const int at = i * kThreads + threadIdx.x;
    if (at < valid) {
      Item<kWords> item;
#pragma unroll
      for (int word = 0; word < kWords; word++) {
        item.words[word] = memory.words[word][at];
      }
      to[room.positions[digits.of(item)] + at] = item;
    }
  }
}

/** Offsets of the bins of a launch. */
struct LaunchBases {
  const SortPassArguments& a;
  bool is_last;

  __device__ __forceinline__ void prepare() {}

  __device__ __forceinline__ int64_t of(int value, uint32_t before, uint32_t total) {
    const int64_t base = a.bin_offsets[a.portion % 2 * kValues + value] + before;
    if (is_last) {
      a.bin_offsets[(a.portion + 1) % 2 * kValues + value] = base + total;
    }
    return base;
  }
};

template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems>
__device__ __forceinline__ void pass(const SortPassArguments& a) {
  constexpr int kTile = kThreads * kItems;
  __shared__ PassRoom<kWords, kThreads, kItems> room;
  const int source = a.plan == nullptr ? 0 : a.plan->source[a.digit];
  if (source < 0) {
    return;
  }
  const Item<kWords>* from = reinterpret_cast<const Item<kWords>*>(place(a.items, source)) + a.first;
  Item<kWords>* to = reinterpret_cast<Item<kWords>*>(place(a.items, source ^ 1));
  const Digits<kKeyWords, kFloating> digits(a.flip, a.digit);
  const int tile = take_tile(room, a.lookback);
  const int64_t tile_first = int64_t{tile} * kTile;
  const int valid = static_cast<int>(min(a.count - tile_first, int64_t{kTile}));
  LaunchBases bin_offsets{a, tile_first + kTile >= a.count};
  move_tile(room, from + tile_first, to, valid, digits, tile, a.lookback + kValues, bin_offsets);
}

// ---- Segments ----

/** A tile of a segment. */
struct SegmentTile {
  int segment;
  /** First item of this and of the next segment, relative to the first of all segments. */
  int first;
  int end;
  int first_tile;
};

/** The segment that a thread examines, so that a block finds a tile's segment in one step. */
struct SegmentView {
  int first = 0;
  int end = 0;
  int first_tile = 0;
  int end_tile = 0;

  /** Loads one segment per thread; count is at most the number of threads. */
  __device__ __forceinline__ SegmentView(const SortSegment* segments, int count) {
    if (threadIdx.x < count) {
      const SortSegment before = segments[0];
      const SortSegment own = segments[threadIdx.x];
      const SortSegment next = segments[threadIdx.x + 1];
      first = static_cast<int>(own.first - before.first);
      end = static_cast<int>(next.first - before.first);
      first_tile = static_cast<int>(own.first_tile - before.first_tile);
      end_tile = static_cast<int>(next.first_tile - before.first_tile);
    }
  }

  /** Finds the segment of a tile. All threads of the block call it after a barrier. */
  __device__ __forceinline__ void find(int tile, SegmentTile& found) const {
    if (first_tile <= tile && tile < end_tile) {
      found = {static_cast<int>(threadIdx.x), first, end, first_tile};
    }
    __syncthreads();
  }
};

/** Additional shared memory of a block that moves a tile of a segment. */
struct SegmentRoom {
  SegmentTile found;
  uint32_t warp_sums[kValues / kWarpSize];
};

/** Offsets of the bins of a segment. */
struct SegmentBases {
  const SegmentRoom& segment;
  uint32_t (&warp_sums)[kValues / kWarpSize];
  int64_t (&positions)[kValues];
  /** Items of the bin of this thread. */
  uint32_t items;

  __device__ __forceinline__ void prepare() {
    const uint32_t below = sum_below(items, warp_sums);
    if (threadIdx.x < kValues) {
      positions[threadIdx.x] = segment.found.first + below;
    }
  }

  __device__ __forceinline__ int64_t of(int value, uint32_t before, uint32_t) {
    return positions[value] + before;
  }
};

template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems>
__device__ __forceinline__ void pass(const SortSegmentPassArguments& a) {
  constexpr int kTile = kThreads * kItems;
  __shared__ PassRoom<kWords, kThreads, kItems> room;
  __shared__ SegmentRoom segment;
  const SegmentView view(a.segments, a.count);
  const Digits<kKeyWords, kFloating> digits(a.flip, a.digit);
  const int tile = take_tile(room, a.lookback);
  view.find(tile, segment.found);
  const uint32_t* counts = a.counts + segment.found.segment * a.stride;
  SegmentBases bin_offsets{segment, segment.warp_sums, room.positions,
                           threadIdx.x < kValues ? counts[threadIdx.x] : 0};
  const int first_tile = segment.found.first_tile;
  const int first = segment.found.first + (tile - first_tile) * kTile;
  const Item<kWords>* from = reinterpret_cast<const Item<kWords>*>(a.from) + first;
  Item<kWords>* to = reinterpret_cast<Item<kWords>*>(a.to);
  uint32_t* lookback = a.lookback + kValues + int64_t{kValues} * first_tile;
  move_tile(room, from, to, min(segment.found.end - first, kTile), digits, tile - first_tile,
            lookback, bin_offsets);
}

// ---- 4: records to items, and items to results ----

__device__ __forceinline__ void take(const SortTakeArguments& a) {
  const int words = a.taken + a.index_words;
  for (int64_t i = launch_thread(); i < a.count; i += launch_threads()) {
    uint32_t* item = a.items + i * words;
    for (int word = 0; word < a.taken; word++) {
      item[word] = load_word(a.records + i * a.record_bytes + 4 * word, 4);
    }
    if (a.index_words > 0) {
      item[a.taken] = static_cast<uint32_t>(a.first + i);
    }
    if (a.index_words > 1) {
      item[a.taken + 1] = static_cast<uint32_t>((a.first + i) >> 32);
    }
  }
}

__device__ __forceinline__ void give(const SortGiveArguments& a) {
  const uint32_t* from = place(a.items, a.plan->result);
  if (reinterpret_cast<const uint8_t*>(from) == a.to) {
    return;
  }
  const int64_t words = a.count * a.words;
  for (int64_t i = launch_thread() * 4; i < words; i += launch_threads() * 4) {
    uint32_t four[4];
    load_words(reinterpret_cast<const uint8_t*>(from + i), 4 * (words - i), four);
    store_words(a.to + 4 * i, four, 4 * (words - i));
  }
}

__device__ __forceinline__ int64_t index_of(const uint32_t* item, const SortGiveArguments& a) {
  const uint32_t* index = item + a.words - a.index_words;
  return a.index_words == 1 ? int64_t{index[0]}
                            : static_cast<int64_t>(uint64_t{index[1]} << 32 | index[0]);
}

__device__ __forceinline__ void order(const SortGiveArguments& a) {
  const uint32_t* from = place(a.items, a.plan->result);
  for (int64_t i = launch_thread(); i < a.count; i += launch_threads()) {
    const int64_t index = index_of(from + i * a.words, a);
    if (a.bytes == 4) {
      reinterpret_cast<uint32_t*>(a.to)[i] = static_cast<uint32_t>(index);
    } else {
      reinterpret_cast<int64_t*>(a.to)[i] = index;
    }
  }
}

/** Copies records in units of 16 bytes; neighbouring lanes copy units of the same record. */
__device__ __forceinline__ void gather(const SortGiveArguments& a) {
  const uint32_t* from = place(a.items, a.plan->result);
  const int64_t pieces = (a.bytes + 15) / 16;
  for (int64_t i = launch_thread(); i < a.count * pieces; i += launch_threads()) {
    const int64_t record = i / pieces;
    const int64_t offset = i % pieces * 16;
    const uint8_t* found = a.records + index_of(from + record * a.words, a) * a.bytes + offset;
    uint32_t four[4];
    load_words(found, a.bytes - offset, four);
    store_words(a.to + record * a.bytes + offset, four, a.bytes - offset);
  }
}

// ---- 5: segments from parts ----

/** Sums the histograms of all parts; one block per digit. */
__device__ __forceinline__ void sum_parts(const SortSegmentsArguments& a) {
  __shared__ int64_t item_sums[kValues / kWarpSize];
  __shared__ int64_t tile_sums[kValues / kWarpSize];
  const int digit = blockIdx.x;
  const int value = threadIdx.x;
  const unsigned long long* counts = a.counts + kValues * digit + value;
  unsigned long long total = 0;
#pragma unroll 8
  for (int part = 0; part < a.parts; part++) {
    total += counts[int64_t{kValues} * a.digits * part];
  }
  a.totals[kValues * digit + value] = total;
  if (digit != a.digit) {
    return;
  }
  const int64_t items = static_cast<int64_t>(total);
  const int64_t tiles = (items + a.tile - 1) / a.tile;
  const SortSegment own = {sum_below(items, item_sums), sum_below(tiles, tile_sums)};
  a.segments[value] = own;
  if (value == kValues - 1) {
    a.segments[kValues] = {own.first + items, own.first_tile + tiles};
    a.plan->result = a.digit % 2;
  }
}

/** Returns the first item of a bin in a part; for the value 256, the end of the part. */
__device__ __forceinline__ int64_t value_begin(const SortCollectArguments& a, int part, int value) {
  return value < kValues ? a.bin_offsets[part * a.stride + value] : a.firsts[part + 1] - a.firsts[part];
}

/** The sources of the items of a segment. */
struct SegmentSources {
  /** Per part, the number of items of the segment in this and earlier parts. */
  int ends[kValues];
  /** Per part, the difference between an item's index in the parts and in the segment. */
  int64_t moves[kValues];
  int warp_sums[kValues / kWarpSize];

  /** Computes the sources; all threads of a block call it. */
  __device__ __forceinline__ void find(const SortCollectArguments& a, int value) {
    const int part = threadIdx.x;
    const int64_t begin = part < a.parts ? value_begin(a, part, value) : 0;
    const int items =
        part < a.parts ? static_cast<int>(value_begin(a, part, value + 1) - begin) : 0;
    const int before = sum_below(items, warp_sums);
    if (part < kValues) {
      ends[part] = before + items;
      moves[part] = part < a.parts ? a.firsts[part] + begin - before : 0;
    }
    __syncthreads();
  }

  /** Returns the part that has an item of the segment. */
  __device__ __forceinline__ int part_of(int at) const {
    int part = 0;
#pragma unroll
    for (int step = kValues / 2; step > 0; step /= 2) {
      part += ends[part + step - 1] <= at ? step : 0;
    }
    return part;
  }
};

/** Collects one tile per block. */
template <int kKeyWords, int kWords, bool kFloating, int kThreads, int kItems>
__device__ __forceinline__ void collect(const SortCollectArguments& a) {
  constexpr int kDigits = 4 * kKeyWords - 1;
  static_assert(kThreads >= kValues, "a thread for each part and each segment");
  __shared__ uint32_t counts[kDigits][kValues];
  __shared__ SegmentSources sources;
  __shared__ SegmentTile tile;
  for (int i = threadIdx.x; i < kDigits * kValues; i += kThreads) {
    (&counts[0][0])[i] = 0;
  }
  SegmentView(a.segments, a.values).find(blockIdx.x, tile);
  sources.find(a, a.first_value + tile.segment);

  const int first = (blockIdx.x - tile.first_tile) * kThreads * kItems + threadIdx.x;
  const int left = tile.end - tile.first - first;
  const Item<kWords>* from = reinterpret_cast<const Item<kWords>*>(a.items);
  Item<kWords> items[kItems];
  int part = sources.part_of(first);
#pragma unroll
  for (int i = 0; i < kItems; i++) {
    if (i * kThreads < left) {
      const int at = first + i * kThreads;
      while (at >= sources.ends[part]) {
        part++;
      }
      items[i] = from[sources.moves[part] + at];
    }
  }
  Item<kWords>* to = reinterpret_cast<Item<kWords>*>(a.to) + tile.first + first;
  const auto flip = static_cast<typename Key<kKeyWords>::Type>(a.flip);
#pragma unroll
  for (int i = 0; i < kItems; i++) {
    if (i * kThreads < left) {
      to[i * kThreads] = items[i];
      const auto rank = rank_of<kFloating>(Key<kKeyWords>::of(items[i].words), flip);
#pragma unroll
      for (int digit = 0; digit < kDigits; digit++) {
        if (digit < a.digits) {
          atomicAdd(&counts[digit][rank >> (8 * digit) & (kValues - 1)], 1u);
        }
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < a.digits * kValues; i += kThreads) {
    const uint32_t counted = (&counts[0][0])[i];
    if (counted != 0) {
      atomicAdd(&a.counts[int64_t{kValues} * a.digits * tile.segment + i], counted);
    }
  }
}

// ---- 6: compression ----
//
// A block is 64 rows of 64 bytes: 16 keys of 32 bits, or 8 keys of 64 bits, in each row. The
// compressed data are the bit-ordered keys of the first row, then the difference of each bit-ordered
// key from the one above it. Each column of differences is a bit stream of `width` bits per
// difference, which starts with a 0 for the first row. The streams have the columns of the keys, so a
// decoder adds whole rows and shifts all columns by the same amount. A block is stored as plain keys
// if it has NaNs or if compression saves no row. The rows of neighbouring blocks are adjacent, so
// that they are in few memory pages. The padding of the first and the last block repeats the nearest
// key.

constexpr int kRows = 64;
constexpr int kRowBytes = 64;
constexpr int kPlain = -1;
constexpr int kPackThreads = 256;
constexpr int kPackWarps = kPackThreads / kWarpSize;

/** Shared memory of the warps of a thread block. */
template <class Rank>
struct PackRoom {
  /** Per warp, the differences of its block. */
  Rank more[kPackWarps][kRows * kRowBytes / sizeof(Rank)];
  /** Per warp, the number of rows of its block. */
  int rows[kPackWarps];
  /** Per warp, the first row of its block. */
  unsigned long long firsts[kPackWarps];
};

/** The encoding of a block. */
template <class Rank>
struct Packing {
  /** Bits of a difference. */
  int width;
  /** Whether the block is stored as plain keys. */
  bool is_plain;
  int rows;
  /** First row: one key per lane, in the lanes of the columns. */
  Rank first;
};

/** Returns the key at an index; indices outside the keys give the nearest key. */
template <class Rank>
__device__ __forceinline__ Rank packed_key(const SortPackArguments& a, const Rank* keys,
                                           int64_t place) {
  return keys[max(int64_t{0}, min(place, a.count - 1))];
}

/** Computes the encoding of a block, and writes the differences to `more`. One warp calls it. */
template <int kKeyWords, bool kFloating>
__device__ __forceinline__ auto packing_of(const SortPackArguments& a, int64_t block,
                                           typename Key<kKeyWords>::Type* more) {
  using Rank = typename Key<kKeyWords>::Type;
  constexpr int kBits = 8 * sizeof(Rank);
  constexpr int kColumns = kRowBytes / sizeof(Rank);
  constexpr int kKeys = kRows * kColumns;
  constexpr int kOwn = kKeys / kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  const Rank flip = static_cast<Rank>(a.flip);
  // All NaNs have the same bit-ordered key, so they cannot be restored from it.
  const Rank nan = rank_of<kFloating>(static_cast<Rank>(~Rank{0} >> 1), flip);
  const Rank* keys = reinterpret_cast<const Rank*>(place(a.items, a.plan->result));
  const int64_t first = block * kKeys - a.before;
  Rank ranks[kOwn];
  bool has_nan = false;
#pragma unroll
  for (int i = 0; i < kOwn; i++) {
    ranks[i] = rank_of<kFloating>(packed_key(a, keys, first + i * kWarpSize + lane), flip);
    has_nan = has_nan || (kFloating && ranks[i] == nan);
  }
  Rank any = 0;
#pragma unroll
  for (int i = 0; i < kOwn; i++) {
    // The key one row above is in a lower lane, or, for the first lanes, in the previous register.
    const int above = (lane + kWarpSize - kColumns) % kWarpSize;
    const Rank before = lane >= kWarpSize - kColumns && i > 0 ? ranks[i - 1] : ranks[i];
    const Rank over = __shfl_sync(kAllLanes, before, above);
    const Rank difference = i == 0 && lane < kColumns ? 0 : ranks[i] - over;
    more[i * kWarpSize + lane] = difference;
    any |= difference;
  }
#pragma unroll
  for (int step = kWarpSize / 2; step > 0; step /= 2) {
    any |= __shfl_xor_sync(kAllLanes, any, step);
  }
  __syncwarp();
  const int width = kKeyWords == 1 ? 32 - __clz(static_cast<int>(any))
                                   : 64 - __clzll(static_cast<long long>(any));
  const int packed_rows = 1 + (width * kRows + kBits - 1) / kBits;
  const bool is_plain = __any_sync(kAllLanes, has_nan) || packed_rows >= kRows;
  return Packing<Rank>{width, is_plain, is_plain ? kRows : packed_rows, ranks[0]};
}

/** Writes the rows of a block. One warp calls it. */
template <int kKeyWords>
__device__ __forceinline__ void pack_block(const SortPackArguments& a, int64_t block,
                                           const Packing<typename Key<kKeyWords>::Type>& packing,
                                           const typename Key<kKeyWords>::Type* more,
                                           unsigned long long row) {
  using Rank = typename Key<kKeyWords>::Type;
  constexpr int kBits = 8 * sizeof(Rank);
  constexpr int kColumns = kRowBytes / sizeof(Rank);
  constexpr int kKeys = kRows * kColumns;
  const int lane = threadIdx.x % kWarpSize;
  if (lane == 0) {
    const int width = packing.is_plain ? kPlain : packing.width;
    a.directory[block] = make_int2(static_cast<int>(row), width);
  }
  Rank* to = reinterpret_cast<Rank*>(a.rows) + row * kColumns;
  if (packing.is_plain) {
    const Rank* keys = reinterpret_cast<const Rank*>(place(a.items, a.plan->result));
#pragma unroll
    for (int i = lane; i < kKeys; i += kWarpSize) {
      to[i] = packed_key(a, keys, block * kKeys - a.before + i);
    }
    return;
  }
  if (lane < kColumns) {
    to[lane] = packing.first;
  }
  const int width = packing.width;
  for (int i = lane; i < (packing.rows - 1) * kColumns; i += kWarpSize) {
    const int column = i % kColumns;
    const int bit = i / kColumns * kBits;
    Rank word = 0;
    for (int r = bit / width; r < kRows && r * width < bit + kBits; r++) {
      const int shift = r * width - bit;
      const Rank difference = more[r * kColumns + column];
      word |= shift >= 0 ? difference << shift : difference >> -shift;
    }
    to[kColumns + i] = word;
  }
}

template <int kKeyWords, bool kFloating>
__device__ __forceinline__ void pack(const SortPackArguments& a,
                                     PackRoom<typename Key<kKeyWords>::Type>& room) {
  using Rank = typename Key<kKeyWords>::Type;
  constexpr int kKeys = kRows * kRowBytes / sizeof(Rank);
  const int warp = threadIdx.x / kWarpSize;
  const int64_t blocks = (a.before + a.count + kKeys - 1) / kKeys;
  for (int64_t first = int64_t{blockIdx.x} * kPackWarps; first < blocks;
       first += int64_t{gridDim.x} * kPackWarps) {
    const int64_t block = first + warp;
    Packing<Rank> packing{};
    if (block < blocks) {
      packing = packing_of<kKeyWords, kFloating>(a, block, room.more[warp]);
    }
    if (threadIdx.x % kWarpSize == 0) {
      room.rows[warp] = packing.rows;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int together = 0;
      for (int i = 0; i < kPackWarps; i++) {
        together += room.rows[i];
      }
      unsigned long long row = atomicAdd(a.used, static_cast<unsigned long long>(together));
      for (int i = 0; i < kPackWarps; i++) {
        room.firsts[i] = row;
        row += room.rows[i];
      }
    }
    __syncthreads();
    if (block < blocks) {
      pack_block<kKeyWords>(a, block, packing, room.more[warp], room.firsts[warp]);
    }
    __syncwarp();
  }
  if (threadIdx.x == 0) {
    __threadfence();
    if (atomicAdd(a.used + 1, 1ull) == gridDim.x - 1) {
      *a.host_rows = atomicAdd(a.used, 0ull);
    }
  }
}

template <int kKeyWords>
__device__ __forceinline__ void pack(const SortPackArguments& a) {
  __shared__ PackRoom<typename Key<kKeyWords>::Type> room;
  if (a.floating != 0) {
    pack<kKeyWords, true>(a, room);
  } else {
    pack<kKeyWords, false>(a, room);
  }
}

}  // namespace sorting

#define FIELDSTONE_SORT_COUNT(NAME, KEY, FLOATING)                                                  \
  extern "C" __global__ void __launch_bounds__(sorting::kCountThreads)                              \
      NAME(const SortCountArguments a) {                                                            \
    sorting::count<KEY, FLOATING>(a);                                                               \
  }

FIELDSTONE_SORT_COUNT(sort_count_1, 1, false)
FIELDSTONE_SORT_COUNT(sort_count_1_floating, 1, true)
FIELDSTONE_SORT_COUNT(sort_count_2, 2, false)
FIELDSTONE_SORT_COUNT(sort_count_2_floating, 2, true)

extern "C" __global__ void __launch_bounds__(sorting::kValues)
    sort_plan(const SortPlanArguments a) {
  sorting::plan(a);
}

#define FIELDSTONE_SORT_TILES(NAME, ARGUMENTS, BLOCKS, WORK, KEY, WORDS, FLOATING)                  \
  extern "C" __global__ void __launch_bounds__(sorting::kPassThreads, BLOCKS)                       \
      NAME(const ARGUMENTS a) {                                                                     \
    sorting::WORK<KEY, WORDS, FLOATING, sorting::kPassThreads, sorting::kPassItems<KEY, WORDS>>(a); \
  }

#define FIELDSTONE_SORT_LAYOUT(SUFFIX, KEY, WORDS, FLOATING)                                       \
  FIELDSTONE_SORT_TILES(sort_pass##SUFFIX, SortPassArguments, sorting::kPassBlocks<KEY>, pass, KEY, \
                        WORDS, FLOATING)                                                            \
  FIELDSTONE_SORT_TILES(sort_pass##SUFFIX##_segments, SortSegmentPassArguments,                     \
                        sorting::kPassBlocks<KEY>, pass, KEY, WORDS, FLOATING)                      \
  FIELDSTONE_SORT_TILES(sort_collect##SUFFIX, SortCollectArguments, sorting::kCollectBlocks,        \
                        collect, KEY, WORDS, FLOATING)

FIELDSTONE_SORT_LAYOUT(_1_1, 1, 1, false)
FIELDSTONE_SORT_LAYOUT(_1_2, 1, 2, false)
FIELDSTONE_SORT_LAYOUT(_1_3, 1, 3, false)
FIELDSTONE_SORT_LAYOUT(_2_2, 2, 2, false)
FIELDSTONE_SORT_LAYOUT(_2_3, 2, 3, false)
FIELDSTONE_SORT_LAYOUT(_2_4, 2, 4, false)
FIELDSTONE_SORT_LAYOUT(_1_1_floating, 1, 1, true)
FIELDSTONE_SORT_LAYOUT(_1_2_floating, 1, 2, true)
FIELDSTONE_SORT_LAYOUT(_1_3_floating, 1, 3, true)
FIELDSTONE_SORT_LAYOUT(_2_2_floating, 2, 2, true)
FIELDSTONE_SORT_LAYOUT(_2_3_floating, 2, 3, true)
FIELDSTONE_SORT_LAYOUT(_2_4_floating, 2, 4, true)

extern "C" __global__ void __launch_bounds__(sorting::kValues)
    sort_segments(const SortSegmentsArguments a) {
  sorting::sum_parts(a);
}

extern "C" __global__ void sort_take(const SortTakeArguments a) { sorting::take(a); }

extern "C" __global__ void sort_give(const SortGiveArguments a) { sorting::give(a); }

extern "C" __global__ void sort_order(const SortGiveArguments a) { sorting::order(a); }

extern "C" __global__ void sort_gather(const SortGiveArguments a) { sorting::gather(a); }

extern "C" __global__ void __launch_bounds__(sorting::kPackThreads)
    sort_pack_1(const SortPackArguments a) {
  sorting::pack<1>(a);
}

extern "C" __global__ void __launch_bounds__(sorting::kPackThreads)
    sort_pack_2(const SortPackArguments a) {
  sorting::pack<2>(a);
}
