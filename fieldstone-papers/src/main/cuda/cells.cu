// 3-stars by cells, as the paper finds them (III-C): triples of points that are more than R apart from
// each other, on a circle (or, by the other rule, within a circle) of radius at most R.
//
// A block has a segment, up to 256 points of a cell, and one of the 13 combinations of two cells near
// it. Each thread has one point and tests all q and r of those cells. Tables replace arithmetic: lattice
// points have few squared distances, so a table numbers them, and another gives, for two sides, the
// minimum and the maximum number of the third. stars_cells reports three indices per star, 12 bytes.
// stars_cells_local reports three local numbers, 3 bytes, in chunks that name the cells and segments
// once.

#include "fieldstone.cuh"

/** A segment: at most 256 points of one cell. */
struct StarSegment {
  int32_t cell;
  int32_t first;
  int32_t count;
};

/** Points, as ranges, of a cell and of the four cells that its combinations include. */
struct StarCells {
  int32_t from[5];
  int32_t to[5];
};

/** Arguments of stars_cells and stars_cells_local. */
struct StarCellsArguments {
  const int32_t* xs;
  const int32_t* ys;
  const StarCells* cells;
  const StarSegment* segments;
  /** Number of a squared distance that a side may have, at |dy|·side + |dx|; otherwise kNoSide. */
  const uint16_t* numbers;
  /** For numbers of two sides: the minimum and, in the upper 16 bits, the maximum of the third. */
  const uint32_t* bounds;
  /** Receives stars of three indices, or chunks. */
  void* output;
  /** Receives the number of stars, or chunks, which is added and may exceed `room`. */
  unsigned long long* filled;
  /** Receives the number of stars of chunks, which is added. */
  unsigned long long* stars;
  int64_t room;
  int32_t segment_count;
  int32_t side;
  int32_t number_count;
  /** Only stars whose lowest point is in this range are reported. */
  int32_t first;
  int32_t end;
  int32_t unused;
};

/** Stars of three segments, by local numbers. */
struct StarChunk {
  /** First points of the segments of p, q and r; the paper's CID and SID. */
  int32_t firsts[3];
  int32_t count;
  /** Local numbers of p, q and r of each star. */
  uint8_t locals[768];
};

static_assert(sizeof(StarSegment) == 12, "the host writes 12 bytes");
static_assert(sizeof(StarCells) == 40, "the host writes 40 bytes");
static_assert(sizeof(StarCellsArguments) == 104, "the host writes 104 bytes");
static_assert(sizeof(StarChunk) == 784, "the host reads 784 bytes");

namespace cells {

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / kWarpSize;
constexpr unsigned kAll = 0xFFFFFFFFu;

__device__ __forceinline__ int lane_number() { return threadIdx.x % kWarpSize; }

__device__ __forceinline__ int lanes_before(unsigned lanes) {
  return __popc(lanes & ((1u << lane_number()) - 1));
}

constexpr uint32_t kNoSide = 0xFFFF;
constexpr int kSegment = 256;

/** Stars that a warp collects before it reports them; the paper has 1024 integers. */
constexpr int kGathered = 256;
constexpr int kGatherRoom = kGathered + kWarpSize;

/**
 * The two cells of each combination, of a cell and the four near it; two of these are too far apart.
 * Not const: the name of a constant would contain a digest of the path of the source file.
 */
__constant__ int8_t combination_cells[13][2] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4},
    {1, 1}, {1, 3}, {1, 4}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {4, 4}};
constexpr int kCombinations = 13;

/** Returns the number of the distance of two points. */
__device__ __forceinline__ uint32_t side_number(const StarCellsArguments& a, int2 p, int2 q) {
  const uint32_t x = abs(p.x - q.x);
  const uint32_t y = abs(p.y - q.y);
  const uint32_t side = a.side;
  return x < side && y < side ? __ldg(&a.numbers[y * side + x]) : kNoSide;
}

__device__ __forceinline__ bool is_lower(int2 p, int2 q) {
  return p.y < q.y || (p.y == q.y && p.x < q.x);
}

/** The stars of a warp, as indices. */
struct Indices {
  static constexpr bool kBySegments = false;
  int32_t gathered[kGatherRoom][3];

  __device__ __forceinline__ void put(int at, int32_t lowest, int32_t second, int32_t third) {
    gathered[at][0] = lowest;
    gathered[at][1] = min(second, third);
    gathered[at][2] = max(second, third);
  }

  __device__ void move(int from, int count) {
    if (lane_number() < count) {
      for (int i = 0; i < 3; i++) {
        gathered[lane_number()][i] = gathered[from + lane_number()][i];
      }
    }
  }
};

/** The stars of a warp, as local numbers. */
struct Locals {
  static constexpr bool kBySegments = true;
  uint8_t gathered[kGatherRoom][3];

  __device__ void move(int from, int count) {
    if (lane_number() < count) {
      for (int i = 0; i < 3; i++) {
        gathered[lane_number()][i] = gathered[from + lane_number()][i];
      }
    }
  }
};

/** State of a warp: its points, and the stars it has collected. */
template <class Gather>
struct CellSearch {
  const StarCellsArguments& a;
  Gather& gather;
  const StarSegment segment;
  const int combination;
  int filled = 0;
  /** First points of the segments of p, q and r. */
  int3 firsts = {};

  __device__ __forceinline__ int2 at(int32_t point) const {
    return make_int2(__ldg(&a.xs[point]), __ldg(&a.ys[point]));
  }

  /** Reports the first `count` collected stars, and keeps the others. */
  __device__ __noinline__ void report(int count) {
    unsigned long long to = 0;
    if (lane_number() == 0) {
      to = atomicAdd(a.filled, static_cast<unsigned long long>(Gather::kBySegments ? 1 : count));
      if (Gather::kBySegments) {
        atomicAdd(a.stars, static_cast<unsigned long long>(count));
      }
    }
    to = __shfl_sync(kAll, to, 0);
    __syncwarp();
    if constexpr (Gather::kBySegments) {
      if (to < a.room) {
        StarChunk& chunk = static_cast<StarChunk*>(a.output)[to];
        if (lane_number() == 0) {
          chunk.firsts[0] = firsts.x;
          chunk.firsts[1] = firsts.y;
          chunk.firsts[2] = firsts.z;
          chunk.count = count;
        }
        const uint32_t* from = reinterpret_cast<const uint32_t*>(gather.gathered);
        uint32_t* words = reinterpret_cast<uint32_t*>(chunk.locals);
        for (int i = lane_number(); i < (3 * count + 3) / 4; i += kWarpSize) {
          words[i] = from[i];
        }
      }
    } else {
      if (to + count <= a.room) {
        const int32_t* from = &gather.gathered[0][0];
        int32_t* indices = static_cast<int32_t*>(a.output) + 3 * to;
        for (int i = lane_number(); i < 3 * count; i += kWarpSize) {
          indices[i] = from[i];
        }
      }
    }
    __syncwarp();
    filled -= count;
    gather.move(count, filled);
    __syncwarp();
  }

  /** Collects the stars of the lanes that have found one. */
  __device__ __forceinline__ void found(
      bool is_star, int32_t p, int2 p_at, int32_t q, int2 q_at, int32_t r, int2 r_at) {
    int32_t lowest = is_lower(p_at, q_at) ? p : q;
    lowest = is_lower(lowest == p ? p_at : q_at, r_at) ? lowest : r;
    const bool reported = is_star && lowest >= a.first && lowest < a.end;
    const unsigned lanes = __ballot_sync(kAll, reported);
    if (reported) {
      const int to = filled + lanes_before(lanes);
      if constexpr (Gather::kBySegments) {
        gather.gathered[to][0] = static_cast<uint8_t>(p - firsts.x);
        gather.gathered[to][1] = static_cast<uint8_t>(q - firsts.y);
        gather.gathered[to][2] = static_cast<uint8_t>(r - firsts.z);
      } else {
        gather.put(to, lowest, lowest == p ? q : p, lowest == r ? q : r);
      }
    }
    filled += __popc(lanes);
    if (filled >= kGathered) {
      report(kGathered);
    }
  }

  /** Tests all q of one segment with all r of another. */
  __device__ __forceinline__ void segments(
      int32_t p, bool has_point, int32_t q_from, int32_t q_to, int32_t r_from, int32_t r_to,
      bool in_own_cell, bool same) {
    const int2 p_at = at(p);
    firsts = make_int3(segment.first, q_from, r_from);
    for (int32_t q = q_from; q < q_to; q++) {
      const int2 q_at = at(q);
      const uint32_t first =
          has_point && (!in_own_cell || q > p) ? side_number(a, p_at, q_at) : kNoSide;
      if (__ballot_sync(kAll, first != kNoSide) == 0) {
        continue;
      }
      for (int32_t r = same ? max(q + 1, r_from) : r_from; r < r_to; r++) {
        const int2 r_at = at(r);
        const uint32_t third = side_number(a, q_at, r_at);
        if (third == kNoSide) {
          continue; // All lanes continue together.
        }
        const uint32_t second = first == kNoSide ? kNoSide : side_number(a, p_at, r_at);
        bool is_star = false;
        if (second != kNoSide) {
          const uint32_t bounds = __ldg(&a.bounds[first * a.number_count + second]);
          is_star = third >= (bounds & 0xFFFF) && third <= bounds >> 16;
        }
        if (__ballot_sync(kAll, is_star) != 0) {
          found(is_star, p, p_at, q, q_at, r, r_at);
        }
      }
    }
  }

  __device__ __forceinline__ void run() {
    const int32_t warp = threadIdx.x / kWarpSize * kWarpSize;
    if (warp >= segment.count) {
      return;
    }
    const int32_t number = warp + lane_number();
    const int32_t p = segment.first + min(number, segment.count - 1);
    const int second = combination_cells[combination][0];
    const int third = combination_cells[combination][1];
    const StarCells& cells = a.cells[segment.cell];
    const bool same = second == third;
    for (int32_t q = cells.from[second]; q < cells.to[second]; q += kSegment) {
      for (int32_t r = same ? q : cells.from[third]; r < cells.to[third]; r += kSegment) {
        segments(p, number < segment.count, q, min(q + kSegment, cells.to[second]), r,
            min(r + kSegment, cells.to[third]), second == 0, same);
        if (Gather::kBySegments && filled > 0) {
          report(filled);
        }
      }
    }
    if (filled > 0) {
      report(filled);
    }
  }
};

template <class Gather>
__device__ __forceinline__ void search_cells(const StarCellsArguments& a) {
  __shared__ __align__(16) Gather gathers[kWarps];
  for (int i = blockIdx.x; i < a.segment_count; i += gridDim.x) {
    for (int combination = blockIdx.y; combination < kCombinations; combination += gridDim.y) {
      CellSearch<Gather> search{
          a, gathers[threadIdx.x / kWarpSize], a.segments[i], combination};
      search.run();
    }
  }
}

}  // namespace cells

// stars_cells, stars_cells_local: the paper's search. Launch: 256 threads; any number of blocks in x,
// which share the segments, and in y, which share the combinations.

extern "C" __global__ void __launch_bounds__(cells::kThreads)
    stars_cells(const __grid_constant__ StarCellsArguments a) {
  cells::search_cells<cells::Indices>(a);
}

extern "C" __global__ void __launch_bounds__(cells::kThreads)
    stars_cells_local(const __grid_constant__ StarCellsArguments a) {
  cells::search_cells<cells::Locals>(a);
}
