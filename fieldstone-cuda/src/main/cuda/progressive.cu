// Progressive decoding on the GPU (Shojania, Li, Wang: Nuclei, IV-F 2): eliminates each arriving coded
// block against the rows held, by one kernel per block, without the host and without a barrier across
// the grid.
//
// State: n slots for rows of [C | x] in reduced row echelon form. The row with pivot p is in slot
// p, so at full rank slot p is source block p. C is there twice: an arrival reads the copy of its
// parity and writes the other. So all thread blocks may read C while its owners write it, and none
// waits for another. A slice of x is read and written by its owner only.
//
// Reduction: the multiplier of the row in slot p is the arriving vector's own entry p, at once for
// all p, because the rows held are reduced. So the arriving block is reduced by one combination of
// rows (combination.cuh) and not by n steps one after the other.
//
// Pivot: as in the paper, each thread block owns a slice of columns and finds the pivot for itself.
// But for that it needs no coefficient row of its own, only 16 columns with a pivot in them. Dense
// vectors have one nearly anywhere; for others the host gives a hint, since it has the vector and
// the pivots held. If these 16 columns have none, the next 16 are tried.
//
// Elimination of the pivot's column: the rows are still in registers. Owners of C also see which
// rows have become unit vectors, that is, which source blocks are solved.

#include "combination.cuh"

/** One arriving coded block, and the state it is added to. */
struct ProgressiveAddArguments {
  const FieldTables* tables;
  int32_t polynomial;
  /** Source blocks, up to 8192. */
  int32_t n;
  /** Bytes of a block. */
  int64_t k;
  /**
   * 0, 1, 2 …: one more at each launch, also after blocks that were not innovative. But with k = 0
   * a launch may come before that of the same number: it gives the status that the vector will
   * have, and writes nothing that the next launch reads.
   */
  int64_t arrival;
  /** n coefficients, in device memory or mapped host memory, at any alignment. */
  const uint8_t* vector;
  /** k bytes, likewise. */
  const uint8_t* payload;
  /** Two copies of n rows of 16·⌈n/16⌉ bytes, 16-byte aligned; they need no initial value. */
  uint8_t* coefficients;
  /** n rows of 16·⌈k/16⌉ bytes, 16-byte aligned; they need no initial value. */
  uint8_t* payloads;
  /**
   * With w = ⌈n/32⌉: 2w + 1 words that are 0 before arrival 0, then w·coefficient_slices words of
   * scratch.
   */
  uint32_t* state;
  /** A ProgressiveStatus and 2w words, 8-byte aligned, in device memory or mapped host memory. */
  uint8_t* status;
  /**
   * The column, below n, where to look for a pivot first. Best is one that is not 0 in `vector` and
   * no pivot so far, but any will do.
   */
  int32_t hint;
  /** 16-byte columns of a thread block, with the one it searches: 2, 4, 8, 16 or 32. */
  int32_t vectors;
  /** ⌈⌈n/16⌉ / (vectors − 1)⌉. */
  int32_t coefficient_slices;
  int32_t unused;
};

/**
 * The status of an arrival. Two bitmaps of ⌈n/32⌉ words follow: pivots held, and source blocks
 * solved; bit p mod 32 of word p/32 is slot p.
 */
struct ProgressiveStatus {
  /** 1 or 0. */
  int32_t innovative;
  /** The new pivot column, or -1. */
  int32_t pivot;
  int32_t rank;
  /** How many source blocks are solved. */
  int32_t solved;
  /** The arrival that this status belongs to. */
  int64_t arrival;
};

/** Source blocks to copy out of the state. */
static_assert(sizeof(ProgressiveAddArguments) == 96, "the host writes 96 bytes");
static_assert(sizeof(ProgressiveStatus) == 24, "the host reads 24 bytes");

namespace progressive {

using namespace combination;

constexpr int kProgressiveThreads = 512;
constexpr int kRowsAtOnce = 4;

/** Shared memory of a thread block, besides the n-byte arrays. */
struct ProgressiveShared {
  CoefficientTables tables;
  Vector partials[kProgressiveThreads];
  Vector multiples[8][kWarpSize];  // of the reduced block's vectors: [b][v] is vector v times x^b
  bool last;
};

/** Returns the sum of x over the lanes of a warp. */
__device__ __forceinline__ int sum_of_lanes(int x) {
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    x += __shfl_xor_sync(kAllLanes, x, offset);
  }
  return x;
}

/** Returns the bits of the columns from 16·chunk that are below n and are no pivots. */
__device__ __forceinline__ uint32_t free_columns(const uint32_t* held, int chunk, int n) {
  const uint32_t pivots = held[chunk / 2] >> (chunk % 2 * 16);
  const int columns = min(16, n - 16 * chunk);
  return ~pivots & ((1u << columns) - 1);
}

/**
 * Writes pivots and status of an arrival; one warp does it. `unsolved` has for each slice of C the
 * bitmap of the rows that hold more than their pivot there.
 */
__device__ __forceinline__ void finish_arrival(const ProgressiveAddArguments& a,
                                               const uint32_t* held, int pivot,
                                               const uint32_t* unsolved, int slices) {
  const int words = (a.n + 31) / 32;
  const int lane = threadIdx.x % kWarpSize;
  ProgressiveStatus* status = reinterpret_cast<ProgressiveStatus*>(a.status);
  uint32_t* bitmaps = reinterpret_cast<uint32_t*>(a.status + sizeof(ProgressiveStatus));
  uint32_t* held_next = a.state + (a.arrival + 1) % 2 * words;
  int rank = 0;
  int solved = 0;
  for (int w = lane; w < words; w += kWarpSize) {
    const uint32_t pivots = held[w] | (pivot >= 0 && pivot / 32 == w ? 1u << (pivot % 32) : 0);
    uint32_t others = 0;
    for (int slice = 0; slice < slices; slice++) {
      others |= __ldcg(unsolved + static_cast<int64_t>(slice) * words + w);
    }
    held_next[w] = pivots;
    bitmaps[w] = pivots;
    bitmaps[words + w] = pivots & ~others;
    rank += __popc(pivots);
    solved += __popc(pivots & ~others);
  }
  rank = sum_of_lanes(rank);
  solved = sum_of_lanes(solved);
  if (lane == 0) {
    status->innovative = pivot >= 0;
    status->pivot = pivot;
    status->rank = rank;
    status->solved = solved;
    status->arrival = a.arrival;
  }
}

/**
 * Adds a coded block. Thread t takes vector t mod a.vectors and every (threads/a.vectors)-th row.
 * Vector 0 is the 16 columns of C in which the block looks for the pivot; the others are its slice,
 * of C or of x.
 *
 * Launch: grid a.coefficient_slices + x, where x ≤ ⌈⌈k/16⌉ / (a.vectors − 1)⌉ blocks (fewer loop; 0
 * only if k = 0) share the payload; block 256 or 512; dynamic shared memory 32·⌈n/16⌉ + 4·⌈n/32⌉
 * bytes. Arrivals of one state in one stream, or each after the one before; several may be in
 * flight, each with memory of its own for vector, payload and status. The status is whole when the
 * kernel has ended.
 */
extern "C" __global__ void __launch_bounds__(kProgressiveThreads, 1)
    progressive_add(const __grid_constant__ ProgressiveAddArguments a) {
  __shared__ ProgressiveShared shared;
  extern __shared__ Vector dynamic_shared[];
  const int chunks = (a.n + 15) / 16;
  const int words = (a.n + 31) / 32;
  // The arriving vector, with zeros up to 16·chunks; by row, whether it holds more than its pivot
  // in this slice of C; the pivots held.
  uint8_t* const vector = reinterpret_cast<uint8_t*>(dynamic_shared);
  uint8_t* const rest = vector + chunks * 16;
  uint32_t* const held = reinterpret_cast<uint32_t*>(rest + chunks * 16);

  const int lane = threadIdx.x % kWarpSize;
  const int v = threadIdx.x % a.vectors;
  const int group = threadIdx.x / a.vectors;
  const int groups = blockDim.x / a.vectors;
  const int warp_group = (threadIdx.x - lane) / a.vectors;  // the group of the warp's lane 0
  const uint32_t reduction = reduction_of(a.polynomial);

  const bool owns_coefficients = static_cast<int>(blockIdx.x) < a.coefficient_slices;
  const int64_t coefficient_stride = static_cast<int64_t>(chunks) * 16;
  const int64_t payload_stride = (a.k + 15) / 16 * 16;
  const int64_t stride = owns_coefficients ? coefficient_stride : payload_stride;
  const int64_t copy = a.n * coefficient_stride;
  const uint8_t* const coefficients = a.coefficients + a.arrival % 2 * copy;
  const uint8_t* const rows_from = owns_coefficients ? coefficients : a.payloads;
  uint8_t* const rows_to =
      owns_coefficients ? a.coefficients + (a.arrival + 1) % 2 * copy : a.payloads;

  const int64_t slice_bytes = static_cast<int64_t>(a.vectors - 1) * 16;
  const int64_t first_slice = owns_coefficients ? blockIdx.x : blockIdx.x - a.coefficient_slices;
  const int64_t slice_step =
      owns_coefficients ? a.coefficient_slices : gridDim.x - a.coefficient_slices;

  bool staged = false;
  int chunk = a.hint / 16;
  int tried = 1;
  int pivot = -1;
  for (int64_t slice = first_slice; slice * slice_bytes < stride; slice += slice_step) {
    const int64_t own = slice * slice_bytes + (v - 1) * 16;
    Vector rows[kRowsAtOnce];
    const uint8_t* from;  // this thread's column of slot 0, or null when it has none
    int64_t from_stride;
    for (;;) {
      from = v == 0 ? coefficients + chunk * 16 : own < stride ? rows_from + own : nullptr;
      from_stride = v == 0 ? coefficient_stride : stride;
      // Empty slots have undefined rows: loads must not wait for the pivots, and their
      // multipliers are 0.
      const auto load_rows = [&](int first) {
#pragma unroll
        for (int i = 0; i < kRowsAtOnce; i++) {
          const int64_t row = first + i * groups;
          rows[i] = from != nullptr && row < a.n ? load_aligned(from + row * from_stride) : zeros();
        }
      };
      load_rows(group);
      Vector arriving = zeros();
      if (group == 0 && v > 0 && !owns_coefficients && own < stride) {
        arriving = load(a.payload + own, a.k - own);
      }
      if (!staged) {
        const uint32_t table =
            threadIdx.x < 256 ? CoefficientTables::word(a.tables, threadIdx.x) : 0;
        for (int i = threadIdx.x; i < words; i += blockDim.x) {
          held[i] = a.state[a.arrival % 2 * words + i];
        }
        for (int i = threadIdx.x; i < chunks * 16; i += blockDim.x) {
          vector[i] = i < a.n ? a.vector[i] : 0;
        }
        if (threadIdx.x < 256) {
          shared.tables.words[threadIdx.x] = table;
        }
        __syncthreads();
        staged = true;
      }

      // The arriving block reduced: it, and each row held times the entry at that row's pivot.
      BitSums sums;
      for (int first = group;;) {
#pragma unroll
        for (int i = 0; i < kRowsAtOnce; i++) {
          const int row = first + i * groups;
          if (row < a.n) {
            const bool there = (held[row / 32] >> (row % 32) & 1) != 0;
            sums.add(there ? vector[row] : 0, rows[i]);
          }
        }
        first += groups * kRowsAtOnce;
        if (first >= a.n) {
          break;
        }
        load_rows(first);
      }
      Vector part = sums.total(reduction);
      if (group == 0) {
        if (v == 0) {
          arriving = load_aligned(vector + chunk * 16);
        } else if (owns_coefficients && own < stride) {
          arriving = load_aligned(vector + own);
        }
#pragma unroll
        for (int w = 0; w < 4; w++) {
          part.word[w] ^= arriving.word[w];
        }
      }
      sum_in_warps(part, a.vectors, shared.partials);
      __syncthreads();
      if (static_cast<int>(threadIdx.x) < 4 * a.vectors) {
        uint32_t word = sum_of_warps(shared.partials, a.vectors, threadIdx.x);
#pragma unroll
        for (int b = 0; b < 8; b++) {
          shared.multiples[b][threadIdx.x / 4].word[threadIdx.x % 4] = word;
          word = times_x(word, reduction);
        }
      }
      __syncthreads();

      const uint32_t entry = shared.multiples[0][0].word[lane % 16 / 4] >> (lane % 4 * 8) & 0xff;
      const unsigned candidates = __ballot_sync(kAllLanes, lane < 16 && entry != 0);
      if (candidates != 0) {
        pivot = chunk * 16 + __ffs(candidates) - 1;
        break;
      }
      do {
        chunk = chunk + 1 < chunks ? chunk + 1 : 0;
        tried++;
      } while (tried <= chunks && free_columns(held, chunk, a.n) == 0);
      if (tried > chunks) {
        break;
      }
    }
    if (pivot < 0 && !owns_coefficients) {
      return;
    }

    // The rows held lose their entries in the pivot's column, and the reduced block divided by its
    // entry joins them.
    Multiples reduced;
#pragma unroll
    for (int b = 0; b < 8; b++) {
      reduced.multiple[b] = shared.multiples[b][v];
    }
    const int at = pivot < 0 ? 0 : pivot % 16;
    const uint32_t inverse =
        pivot < 0
            ? 0
            : shared.tables.inverse(shared.multiples[0][0].word[at / 4] >> (at % 4 * 8) & 0xff);
    const bool single = groups * kRowsAtOnce >= a.n;  // then `rows` has them all
    for (int first = 0; first < a.n; first += groups * kRowsAtOnce) {
#pragma unroll
      for (int i = 0; i < kRowsAtOnce; i++) {
        if (first + i * groups + warp_group >= a.n) {  // nothing for this whole warp
          continue;
        }
        const int row = first + i * groups + group;
        const bool there = row < a.n && (held[row / 32] >> (row % 32) & 1) != 0;
        const bool joins = row == pivot;
        Vector value =
            single || !there || from == nullptr ? rows[i] : load_aligned(from + row * from_stride);
        // The entry in the pivot's column is in the registers of the lane that holds vector 0 of
        // this row.
        const uint32_t word = at / 4 == 0   ? value.word[0]
                              : at / 4 == 1 ? value.word[1]
                              : at / 4 == 2 ? value.word[2]
                                            : value.word[3];
        const uint32_t c = __shfl_sync(kAllLanes, word, lane - v) >> (at % 4 * 8) & 0xff;
        uint32_t multiplier = there ? shared.tables.product(c, inverse) : 0;
        if (joins) {
          value = zeros();
          multiplier = inverse;
        }
        reduced.add_to(value, multiplier);
        const bool writes =
            v > 0 && from != nullptr && (there || joins) && (owns_coefficients || multiplier != 0);
        if (writes) {
          store_aligned(rows_to + own + row * stride, value);
        }
        if (owns_coefficients) {
          uint32_t others = 0;
          if (writes) {
#pragma unroll
            for (int w = 0; w < 4; w++) {
              const bool has_pivot = own / 4 + w == row / 4;
              others |= value.word[w] & ~(has_pivot ? 0xffu << (row % 4 * 8) : 0u);
            }
          }
          const unsigned with_others = __ballot_sync(kAllLanes, others != 0);
          const unsigned of_row =
              a.vectors == kWarpSize ? kAllLanes : ((1u << a.vectors) - 1) << lane;
          if (v == 0 && row < a.n) {
            rest[row] = (with_others & of_row) != 0;
          }
        }
      }
    }
  }

  if (!owns_coefficients) {
    return;
  }
  __syncthreads();
  uint32_t* const tickets = a.state + 2 * words;
  uint32_t* const unsolved = tickets + 1;
  const int warps = blockDim.x / kWarpSize;
  for (int w = threadIdx.x / kWarpSize; w < words; w += warps) {
    const int row = 32 * w + lane;
    const unsigned bits = __ballot_sync(kAllLanes, row < a.n && rest[row] != 0);
    if (lane == 0) {
      unsolved[static_cast<int64_t>(blockIdx.x) * words + w] = bits;
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    shared.last = a.coefficient_slices == 1 ||
                  atomicAdd(tickets, 1) == static_cast<uint32_t>(a.coefficient_slices) - 1;
  }
  __syncthreads();
  if (shared.last && threadIdx.x < kWarpSize) {
    // The last owner of C to arrive has the results of all.
    __threadfence();
    if (lane == 0) {
      *tickets = 0;
    }
    finish_arrival(a, held, pivot, unsolved, a.coefficient_slices);
  }
}

}  // namespace progressive
