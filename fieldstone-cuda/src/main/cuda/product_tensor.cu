// Products over GF(2^8) on binary tensor cores.
//
// Multiplying by a constant is linear over GF(2): bit r of c·x is the parity of mask_r(c) & x. So
// an m×n by n×k product of bytes is an 8m×8n by 8n×k product of bits, and AND+POPC tensor
// instructions count its terms: the lowest bit of a count is a bit of the result. The two operands
// are laid out beforehand for the instructions:
//
// - tiles of the source blocks: 128 columns × 32 sources, a source byte being 8 bits of the sum
//   (K), no bits rearranged;
// - expanded coefficients: 32 coded blocks (a group) × 32 sources, each coefficient 8 mask bytes in
//   8 rows (M), two of them in each quarter of the group.
//
// Both consist of core matrices, 8 rows × 16 bytes that are contiguous, so that 128 bytes use
// every bank once, and a tile is one contiguous copy from memory to shared memory. Which column and
// which bit is which row is free, and is chosen so that a thread's accumulators hold whole bytes of
// contiguous columns: results go from registers to memory, through no shared memory. With w the
// warp (mod 4), g = lane / 4 and t = lane mod 4,
//
// - accumulator row 16w + 8h + g of quarter a is bit 2a + h of coded block 8w + g of the group;
// - accumulator column 8c + 2t + s is column 64(c / 8) + 16t + 2(c mod 8) + s of the tile.
//
// There are two kernels: tensor_sync_multiply by a warp's instructions (mma.sync, compute
// capability 8.0 and later), and the faster tensor_multiply_N by a warpgroup's (wgmma, 9.0a only).
//
// Sums longer than the shared memory holds are cut into chunks whose results are added (XOR) in
// memory.
#include "binary.cuh"
#include "fieldstone.cuh"
#include "hopper.cuh"

namespace tensor {

constexpr int kTileColumns = 128;
constexpr int kStepSources = 32;                         // one instruction sums 256 bits
constexpr int kTileBytes = kTileColumns * kStepSources;  // a step of a tile

// Where the 16 sources of half `half` of a step lie in the tile, for column `column`.
__device__ __forceinline__ int tile_offset(int column, int half) {
  int c = (column >> 6) * 8 + ((column >> 1) & 7);
  int row = ((column >> 4) & 3) * 2 + (column & 1);
  return c * 256 + half * 128 + row * 16;
}

}  // namespace tensor

// -------------------------------------------------------------------------------------------------
// Laying out and reading back blocks. A thread moves 16 sources × 4 columns.

struct TensorLayOutArguments {
  Matrices rows;        // count × row_count×k bytes, row-major
  uint8_t* tiles;       // of matrix 0; zeroed when it was allocated, so that padding is zero
  int64_t tiles_pitch;  // bytes from a matrix to the next: columnTiles · steps · 4096
  int64_t count;
  int32_t first_row;  // row 0 of `rows` is source first_row of the resident matrix
  int32_t row_count;
  int32_t k;
  int32_t steps;  // ceil(n / 32) of the resident matrix
};

namespace tensor {

// One thread's share: the 16 sources from 16·half16 on, of columns 4·quad … 4·quad + 3 of a matrix.
struct Patch {
  int64_t matrix;
  int half16;
  int column;
};

__device__ __forceinline__ bool patch(int64_t unit, int first_half, int halves, int k,
                                      int64_t count, Patch& p) {
  int quads = (k + 3) / 4;
  int64_t per_matrix = (int64_t)quads * halves;
  p.matrix = unit / per_matrix;
  int rest = (int)(unit % per_matrix);
  p.half16 = first_half + rest / quads;
  p.column = rest % quads * 4;
  return p.matrix < count;
}

}  // namespace tensor

// Launch: 256 threads a block, ceil(count · ceil(k/4) · halves / 256) blocks or fewer (it strides),
// where halves counts the 16-source halves that rows first_row … first_row+row_count−1 touch. No
// shared memory.
extern "C" __global__ void __launch_bounds__(256)
    tensor_lay_out(const __grid_constant__ TensorLayOutArguments a) {
  using namespace tensor;
  if (a.row_count == 0) return;
  int first_half = a.first_row / 16, halves = (a.first_row + a.row_count - 1) / 16 - first_half + 1;
  Patch p;
  for (int64_t unit = blockIdx.x * 256ll + threadIdx.x;
       patch(unit, first_half, halves, a.k, a.count, p); unit += gridDim.x * 256ll) {
    const uint8_t* from = a.rows.data + p.matrix * a.rows.pitch + p.column;
    bool whole = p.column + 4 <= a.k && (((uintptr_t)from | (uintptr_t)a.rows.stride) & 3) == 0;
    uint32_t words[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
      int row = p.half16 * 16 + i - a.first_row;
      words[i] = 0;
      if (row >= 0 && row < a.row_count) {
        const uint8_t* at = from + row * a.rows.stride;
        if (whole) {
          words[i] = *(const uint32_t*)at;
        } else {
          for (int x = 0; x < 4 && p.column + x < a.k; x++) words[i] |= (uint32_t)at[x] << (8 * x);
        }
      }
    }
    uint4 columns[4];
#pragma unroll
    for (int q = 0; q < 4; q++) {
      uint32_t w[4] = {words[4 * q], words[4 * q + 1], words[4 * q + 2], words[4 * q + 3]};
      transpose_bytes(w[0], w[1], w[2], w[3]);
#pragma unroll
      for (int x = 0; x < 4; x++) ((uint32_t*)&columns[x])[q] = w[x];
    }
    uint8_t* tile = a.tiles + p.matrix * a.tiles_pitch +
                    ((int64_t)(p.column / kTileColumns) * a.steps + p.half16 / 2) * kTileBytes;
    int first_in_half = max(0, a.first_row - p.half16 * 16),
        last_in_half = min(16, a.first_row + a.row_count - p.half16 * 16);
#pragma unroll
    for (int x = 0; x < 4; x++) {
      uint8_t* to = tile + tile_offset(p.column % kTileColumns + x, p.half16 % 2);
      if (first_in_half == 0 && last_in_half == 16) {
        *(uint4*)to = columns[x];
      } else if (p.column + x < a.k) {
        const uint8_t* bytes = (const uint8_t*)&columns[x];
#pragma unroll
        for (int i = 0; i < 16; i++) {
          if (i >= first_in_half && i < last_in_half) to[i] = bytes[i];
        }
      }
    }
  }
}

// As tensor_lay_out, from tiles to rows. Launch: the same.
extern "C" __global__ void __launch_bounds__(256)
    tensor_read(const __grid_constant__ TensorLayOutArguments a) {
  using namespace tensor;
  if (a.row_count == 0) return;
  int first_half = a.first_row / 16, halves = (a.first_row + a.row_count - 1) / 16 - first_half + 1;
  Patch p;
  for (int64_t unit = blockIdx.x * 256ll + threadIdx.x;
       patch(unit, first_half, halves, a.k, a.count, p); unit += gridDim.x * 256ll) {
    const uint8_t* tile =
        a.tiles + p.matrix * a.tiles_pitch +
        ((int64_t)(p.column / kTileColumns) * a.steps + p.half16 / 2) * kTileBytes;
    uint4 columns[4];
#pragma unroll
    for (int x = 0; x < 4; x++)
      columns[x] = *(const uint4*)(tile + tile_offset(p.column % kTileColumns + x, p.half16 % 2));
    uint8_t* to = a.rows.data + p.matrix * a.rows.pitch + p.column;
    bool whole = p.column + 4 <= a.k && (((uintptr_t)to | (uintptr_t)a.rows.stride) & 3) == 0;
#pragma unroll
    for (int q = 0; q < 4; q++) {
      uint32_t words[4];
#pragma unroll
      for (int x = 0; x < 4; x++) words[x] = ((const uint32_t*)&columns[x])[q];
      transpose_bytes(words[0], words[1], words[2], words[3]);
#pragma unroll
      for (int i = 0; i < 4; i++) {
        int row = p.half16 * 16 + 4 * q + i - a.first_row;
        if (row >= 0 && row < a.row_count) {
          uint8_t* at = to + row * a.rows.stride;
          if (whole) {
            *(uint32_t*)at = words[i];
          } else {
            for (int x = 0; x < 4 && p.column + x < a.k; x++) at[x] = words[i] >> (8 * x);
          }
        }
      }
    }
  }
}

// -------------------------------------------------------------------------------------------------
// The product, for GPUs with binary tensor cores.

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

struct TensorMultiplyArguments {
  Matrices coefficients;  // count × m×n bytes, row-major
  const uint8_t* tiles;   // of the first matrix
  int64_t tiles_pitch;
  Matrices products;  // count × m×k bytes, row-major
  const FieldTables* tables;
  int64_t count;
  int32_t m;
  int32_t n;
  int32_t k;
  int32_t tile_steps;  // steps of a resident tile: ceil(rows / 32) of the resident matrix, rows ≥ n
  int32_t chunks;      // of the sum, chunk_steps = ceil(ceil(n / 32) / chunks) steps each, the last
                       // one perhaps shorter, but not empty
  int32_t groups_at_once;  // groups of 32 coded blocks that share a pass over the columns
  int32_t accumulate;      // not 0: the products are added to the previous content
};

namespace tensor {

constexpr int kHalfColumns = kTileColumns / 2;
constexpr int kGroupBlocks = 32;
constexpr int kQuarters = 4;                        // of a group: two bits of each block
constexpr int kQuarterBytes = 64 * kStepSources;    // a step of a quarter: 64 rows
constexpr int kMaskBytes = 256 * sizeof(uint64_t);  // a field's masks

// An item of work: some groups of one matrix over some of its column tiles. A pass is all of them.
struct Item {
  int64_t matrix;
  int group;
  int end_group;
  int first_tile;
  int end_tile;
};

__device__ __forceinline__ int divide_up(int a, int b) { return (a + b - 1) / b; }

// Finds the item of a block in a round; returns false if it has none. While there is a pass for
// every block, each block takes a whole pass, and neighbouring blocks share sources. Fewer passes
// than blocks remain. They are divided by tiles, so that all blocks end together: a block gets the
// end of one pass and, a round later, the beginning of the next; or only one of these, or none.
// 4096 passes then take 132 blocks 31.03 rounds and not 32. Tiles are counted in 32 bits, which
// suffice because the divided passes are fewer than the blocks. With 64 bits ptxas orders the
// descriptors of the products worse.
__device__ __forceinline__ bool find_item(const TensorMultiplyArguments& a, int round, Item& item) {
  int passes = divide_up(divide_up(a.m, kGroupBlocks), a.groups_at_once);  // of a matrix
  uint32_t tiles = divide_up(a.k, kTileColumns);                           // of a pass
  int64_t all = a.count * passes, rounds = all / gridDim.x, pass;
  if (round < rounds) {
    pass = (int64_t)round * gridDim.x + blockIdx.x;
    item.first_tile = 0, item.end_tile = tiles;
  } else {
    uint32_t left = (uint32_t)(all - rounds * gridDim.x) * tiles, later = round - (int)rounds;
    uint32_t begin = (uint64_t)left * blockIdx.x / gridDim.x;
    uint32_t end = (uint64_t)left * (blockIdx.x + 1) / gridDim.x;
    if (later > 0) begin = (begin / tiles + later) * tiles;
    if (begin >= end) return false;
    pass = rounds * gridDim.x + begin / tiles;
    item.first_tile = begin % tiles;
    item.end_tile = min(tiles, item.first_tile + end - begin);
  }
  item.matrix = pass / passes;
  item.group = (int)(pass % passes) * a.groups_at_once;
  item.end_group = min(divide_up(a.m, kGroupBlocks), item.group + a.groups_at_once);
  return true;
}

// Expands coefficients. At a time a warp takes 8 coded blocks and 16 sources: a lane takes 4
// sources of one block, and writes 4 bytes to each of the 8 rows of mask bytes. Each row of lanes
// fills a core matrix. Elements beyond m and n become zeros.
struct Expansion {
  const TensorMultiplyArguments& a;
  const uint64_t* masks;  // in shared memory

  __device__ __forceinline__ uint32_t load(int64_t matrix, int row, int source) const {
    int left = a.n - source;
    if (row >= a.m || left <= 0) return 0;
    const uint8_t* from =
        a.coefficients.data + matrix * a.coefficients.pitch + row * a.coefficients.stride + source;
    if (left >= 4 && ((uintptr_t)from & 3) == 0) return *(const uint32_t*)from;
    uint32_t word = 0;
    for (int x = 0; x < 4 && x < left; x++) word |= (uint32_t)from[x] << (8 * x);
    return word;
  }

  // `to`: where the lane's bytes of row 0 go; bits 2a and 2a + 1 are `quarter` bytes further for
  // each a.
  __device__ __forceinline__ void store(uint32_t coefficients, uint8_t* to, int quarter) const {
    uint32_t low[4], high[4];
#pragma unroll
    for (int x = 0; x < 4; x++) {
      uint64_t mask = masks[coefficients >> (8 * x) & 0xFF];
      low[x] = (uint32_t)mask, high[x] = (uint32_t)(mask >> 32);
    }
    transpose_bytes(low[0], low[1], low[2], low[3]);
#pragma unroll
    for (int r = 0; r < 4; r++) *(uint32_t*)(to + r / 2 * quarter + r % 2 * 256) = low[r];
    transpose_bytes(high[0], high[1], high[2], high[3]);
#pragma unroll
    for (int r = 0; r < 4; r++) *(uint32_t*)(to + (2 + r / 2) * quarter + r % 2 * 256) = high[r];
  }

  // A core matrix of each of 8 rows: an eighth block of a group, in half a step.
  struct Task {
    int eighth, half, step, group;
    __device__ __forceinline__ Task(int number, int steps)
        : eighth(number % 4),
          half(number / 4 % 2),
          step(number / 8 % steps),
          group(number / (8 * steps)) {}
  };

  // One warp's share, of `warps`, of an item's groups over `steps` steps from `first_step` on.
  // `group_pitch`, `step_pitch` and `quarter` are the bytes from one of these to the next. Words of
  // the tasks after this one are under way, because a warp would wait for each from memory.
  __device__ __forceinline__ void expand(const Item& work, int first_step, int steps, uint8_t* to,
                                         int group_pitch, int step_pitch, int quarter, int warp,
                                         int warps) const {
    constexpr int kAhead = 4;
    int lane = threadIdx.x % 32, g = lane / 4, q = lane % 4;
    int tasks = (work.end_group - work.group) * steps * 8;
    to += g * 16 + q * 4;
    auto load_task = [&](int number) {
      if (number >= tasks) return 0u;
      Task task(number, steps);
      return load(work.matrix, (work.group + task.group) * kGroupBlocks + 8 * task.eighth + g,
                  (first_step + task.step) * kStepSources + task.half * 16 + q * 4);
    };
    uint32_t words[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; i++) words[i] = load_task(warp + i * warps);
#pragma unroll 1
    for (int first = warp; first < tasks; first += kAhead * warps) {
      uint32_t next[kAhead];
#pragma unroll
      for (int i = 0; i < kAhead; i++) next[i] = load_task(first + (kAhead + i) * warps);
#pragma unroll
      for (int i = 0; i < kAhead; i++) {
        int number = first + i * warps;
        Task task(number, steps);
        if (number < tasks)
          store(words[i],
                to + task.group * group_pitch + task.step * step_pitch + task.eighth * 512 +
                    task.half * 128,
                quarter);
        words[i] = next[i];
      }
    }
  }
};

// Collects two bits of 16 columns in each of one or both halves of the tile: field f of a word,
// bits 2f and 2f + 1, is column 4(f mod 4) + f / 4. A funnel shift takes the lowest bit of a count
// and moves those before it on: one instruction a bit, in two independent chains a half.
template <int kHalves>
__device__ __forceinline__ void pack(const int (&d)[32 * kHalves], uint32_t (&fields)[kHalves]) {
  uint32_t bits[kHalves][2];
#pragma unroll
  for (int f = 0; f < 8; f++) {
#pragma unroll
    for (int chain = 0; chain < 2 * kHalves; chain++) {
      int half = chain % kHalves, late = chain / kHalves, field = late * 8 + f;
      int column = 4 * (field % 4) + field / 4;
      int at = (half * 8 + column / 2) * 4 + column % 2;
      bits[half][late] = __funnelshift_r(f == 0 ? 0 : bits[half][late], d[at], 1);
      bits[half][late] = __funnelshift_r(bits[half][late], d[at + 2], 1);
    }
  }
#pragma unroll
  for (int half = 0; half < kHalves; half++)
    fields[half] = __byte_perm(bits[half][0], bits[half][1], 0x7632);
}

// The bits of `one` where the mask has ones, those of `other` elsewhere: one instruction.
__device__ __forceinline__ uint32_t select(uint32_t mask, uint32_t one, uint32_t other) {
  return (one & mask) | (other & ~mask);
}

// 16 bytes, two bits each from four words of fields, by way of nibbles.
__device__ __forceinline__ uint4 interleave(uint32_t f0, uint32_t f1, uint32_t f2, uint32_t f3) {
  constexpr uint32_t kPairs = 0x33333333, kNibbles = 0x0F0F0F0F;
  uint32_t low_even = select(kPairs, f0, f1 << 2), low_odd = select(kPairs, f0 >> 2, f1);
  uint32_t high_even = select(kPairs, f2, f3 << 2), high_odd = select(kPairs, f2 >> 2, f3);
  return {select(kNibbles, low_even, high_even << 4), select(kNibbles, low_odd, high_odd << 4),
          select(kNibbles, low_even >> 4, high_even), select(kNibbles, low_odd >> 4, high_odd)};
}

// The destination of the results of one tile, or of its second half.
struct Target {
  uint8_t* corner;  // the first byte there of the matrix's first row
  int columns;      // left from there
  bool add;         // whether to add to the previous results of the same thread
  bool aligned;     // rows, and the tile is whole
};

__device__ __forceinline__ Target target(const TensorMultiplyArguments& a, int64_t matrix, int tile,
                                         bool add) {
  Target to;
  to.corner = a.products.data + matrix * a.products.pitch + tile * kTileColumns;
  to.columns = a.k - tile * kTileColumns;
  to.add = add;
  to.aligned = to.columns >= kTileColumns &&
               (((uintptr_t)to.corner | (uintptr_t)a.products.stride) & 15) == 0;
  return to;
}

// Writes up to 16 bytes at any alignment. Not unrolled, because it is rarely used and adds registers.
__device__ __forceinline__ void put_bytes(uint8_t* to, uint4 bytes, int length, bool add) {
#pragma unroll 1
  for (int i = 0; i < min(length, 16); i++) {
    to[i] = (uint8_t)bytes.x ^ (add ? to[i] : 0);
    bytes.x = __funnelshift_r(bytes.x, bytes.y, 8), bytes.y = __funnelshift_r(bytes.y, bytes.z, 8);
    bytes.z = __funnelshift_r(bytes.z, bytes.w, 8), bytes.w >>= 8;
  }
}

__device__ __forceinline__ void add_bytes(uint8_t* to, uint4 bytes) {
  unsigned long long* words = (unsigned long long*)to;
  atomicXor(words, bytes.x | (unsigned long long)bytes.y << 32);
  atomicXor(words + 1, bytes.z | (unsigned long long)bytes.w << 32);
}

// A thread's bytes of one group and one or both halves of a tile, from its four words of fields for
// each half.
template <int kHalves>
__device__ __forceinline__ void write(const TensorMultiplyArguments& a, const Target& target,
                                      int group, const uint32_t (&fields)[kQuarters][kHalves]) {
  int lane = threadIdx.x % 32, row = group * kGroupBlocks + threadIdx.x / 32 % 4 * 8 + lane / 4;
  if (row >= a.m) return;
  int column = lane % 4 * 16;
  uint8_t* to = target.corner + row * a.products.stride + column;
  uint4 bytes[kHalves];
#pragma unroll
  for (int half = 0; half < kHalves; half++)
    bytes[half] = interleave(fields[0][half], fields[1][half], fields[2][half], fields[3][half]);
  if (!target.aligned) {
#pragma unroll
    for (int half = 0; half < kHalves; half++)
      put_bytes(to + half * kHalfColumns, bytes[half],
                target.columns - column - half * kHalfColumns, target.add);
  } else if (target.add) {
#pragma unroll
    for (int half = 0; half < kHalves; half++) add_bytes(to + half * kHalfColumns, bytes[half]);
  } else {
#pragma unroll
    for (int half = 0; half < kHalves; half++) *(uint4*)(to + half * kHalfColumns) = bytes[half];
  }
}

// --- Ampere and later: a warp's instructions (mma.sync) on operands that it brings from shared
// memory to registers. The block expands the coefficients of an item, then streams parts of tiles,
// a step of 64 columns each, through a ring in shared memory; every warp multiplies all four
// quarters of 8 coded blocks by each part. A step so takes 2 KiB of each operand and 32
// instructions of a warp. The two blocks of a multiprocessor get out of step by themselves: while
// one collects bits or expands coefficients, the other has the tensor cores.

constexpr int kSyncThreads = 128;
constexpr int kPartBytes = kHalfColumns * kStepSources;
constexpr int kParts = 7;
constexpr int kExpandedStepBytes = kQuarters * kQuarterBytes;  // a step of a group
constexpr int kSyncSharedBytes = kParts * kPartBytes + kMaskBytes;  // without the coefficients
constexpr int kOctets = kHalfColumns / 8;  // of columns, an instruction each
static_assert(kPartBytes == kSyncThreads * 16, "a thread copies 16 bytes of a part");
static_assert(kSyncSharedBytes + 4 * kExpandedStepBytes <= 49 << 10, "two blocks fit 100 KiB");
static_assert(kSyncSharedBytes + 8 * kExpandedStepBytes <= 81 << 10, "two blocks fit 164 KiB");

__device__ __forceinline__ void copy_16(uint32_t to, const uint8_t* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

// Closes a group of copies, perhaps an empty one.
__device__ __forceinline__ void commit_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits until at most kPending groups of this thread's copies are unfinished.
template <int kPending>
__device__ __forceinline__ void await_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kPending) : "memory");
}

// Four core matrices, to which the lanes point 16 bytes each: thread (g, t) gets bytes 4t … 4t + 3
// of row g of each, in the order of an operand.
__device__ __forceinline__ void load_matrices(uint32_t (&d)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
               : "r"(address)
               : "memory");
}

// Loads the parts of tiles for an item's sums, one after another: by tile, half, group and
// step. It runs kParts − 1 parts ahead of their use.
struct Parts {
  const uint8_t* from;  // this thread's bytes of the item's next part
  int64_t tile_pitch;
  int steps;
  int groups;
  int left;  // parts to load
  int step = 0;
  int group = 0;
  bool second_half = false;
  uint32_t ring;      // this thread's bytes of slot 0
  int next_slot = 0;  // the slot to fill

  __device__ __forceinline__ Parts(const TensorMultiplyArguments& a, const Item& work,
                                   int first_step, int steps, uint32_t ring)
      : from(a.tiles + work.matrix * a.tiles_pitch +
             ((int64_t)work.first_tile * a.tile_steps + first_step) * kTileBytes +
             threadIdx.x * 16),
        tile_pitch((int64_t)a.tile_steps * kTileBytes),
        steps(steps),
        groups(work.end_group - work.group),
        left((work.end_tile - work.first_tile) * 2 * groups * steps),
        ring(ring + threadIdx.x * 16) {}

  __device__ __forceinline__ void bring() {
    if (left > 0) {
      left--;
      copy_16(ring + next_slot * kPartBytes, from + step * kTileBytes);
      if (++step == steps) {
        step = 0;
        if (++group == groups) {
          group = 0;
          from += second_half ? tile_pitch - kPartBytes : kPartBytes;
          second_half = !second_half;
        }
      }
    }
    commit_copies();
    next_slot = next_slot == kParts - 1 ? 0 : next_slot + 1;
  }

  // Releases the previous slot, and waits until the next one is full.
  __device__ __forceinline__ void next() {
    await_copies<kParts - 2>();
    __syncthreads();
    bring();
  }
};

// The operands of a warp in a step, loaded to registers as the previous step frees them.
struct Operands {
  uint32_t expanded[kQuarters][4];
  uint32_t sources[kOctets / 2][4];
  uint32_t next_expanded;  // where this lane loads from, for the step after this one
  uint32_t begin_expanded;
  uint32_t end_expanded;
  uint32_t part;  // the same in slot 0 of the ring
  int slot = 0;   // of the step after this one

  __device__ __forceinline__ Operands(uint32_t coefficients, int group_steps, uint32_t ring) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    // Both eights of rows, then their other sources: in the order of an operand's registers.
    int rows = lane / 8 % 2, sources_half = lane / 16;
    begin_expanded = next_expanded =
        coefficients + warp * 512 + rows * 256 + sources_half * 128 + lane % 8 * 16;
    end_expanded = begin_expanded + group_steps * kExpandedStepBytes;
    part = ring + lane * 16;
  }

  __device__ __forceinline__ void load_expanded(int quarter) {
    load_matrices(expanded[quarter], next_expanded + quarter * kQuarterBytes);
  }

  __device__ __forceinline__ void load_sources(int pair) {
    load_matrices(sources[pair], part + slot * kPartBytes + pair * 512);
  }

  __device__ __forceinline__ void next() {
    next_expanded += kExpandedStepBytes;
    if (next_expanded == end_expanded) next_expanded = begin_expanded;
    slot = slot == kParts - 1 ? 0 : slot + 1;
  }
};

// One step of a sum, while the operands of the next step are loaded; after an item's last step the
// loaded operands are not used.
template <bool kFirst>
__device__ __forceinline__ void multiply_step(int (&counts)[kQuarters][32], Operands& operands,
                                              Parts& parts) {
  const int zeros[4] = {0, 0, 0, 0};
#pragma unroll
  for (int quarter = 0; quarter < kQuarters; quarter++) {
    if (quarter == kQuarters - 1) parts.next();
#pragma unroll
    for (int octet = 0; octet < kOctets; octet++) {
      int* d = &counts[quarter][octet * 4];
      const uint32_t(&sources)[4] = operands.sources[octet / 2];
      const uint32_t(&rows)[4] = operands.expanded[quarter];
      and_popc(d, kFirst ? zeros : d, make_uint4(rows[0], rows[1], rows[2], rows[3]),
               make_uint2(sources[octet % 2 * 2], sources[octet % 2 * 2 + 1]));
      if (quarter == kQuarters - 1 && octet % 2 == 1) operands.load_sources(octet / 2);
    }
    operands.load_expanded(quarter);
  }
  operands.next();
}

// The sums of an item over `steps` steps of its sources, whose coefficients are expanded.
__device__ __forceinline__ void multiply_chunk(const TensorMultiplyArguments& a, const Item& work,
                                               int steps, bool add, uint32_t coefficients,
                                               uint32_t ring, Parts& parts) {
  int groups = work.end_group - work.group;
  Operands operands(coefficients, groups * steps, ring);
  parts.next();
#pragma unroll
  for (int pair = 0; pair < kOctets / 2; pair++) operands.load_sources(pair);
#pragma unroll
  for (int quarter = 0; quarter < kQuarters; quarter++) operands.load_expanded(quarter);
  operands.next();
#pragma unroll 1
  for (int tile = work.first_tile; tile < work.end_tile; tile++) {
    Target to = target(a, work.matrix, tile, add);
#pragma unroll 1
    for (int half = 0; half < 2; half++) {
#pragma unroll 1
      for (int group = work.group; group < work.end_group; group++) {
        int counts[kQuarters][32];
        multiply_step<true>(counts, operands, parts);
#pragma unroll 1
        for (int step = 1; step < steps; step++) multiply_step<false>(counts, operands, parts);
        uint32_t fields[kQuarters][1];
#pragma unroll
        for (int quarter = 0; quarter < kQuarters; quarter++)
          pack<1>(counts[quarter], fields[quarter]);
        write<1>(a, to, group, fields);
      }
      to.corner += kHalfColumns;
      to.columns -= kHalfColumns;
    }
  }
}

}  // namespace tensor

// Launch: 128 threads a block, as many blocks as fit on the GPU (two a multiprocessor) or tiles of
// all passes (count · passes · ceil(k / 128)), whichever are fewer; tensor::kSyncSharedBytes +
// groups_at_once · chunk_steps · 8192 bytes of dynamic shared memory, of which two blocks should fit
// on a multiprocessor: groups_at_once · chunk_steps ≤ 4 where it has 100 KiB, ≤ 8 where it has 164
// KiB or more.
extern "C" __global__ void __launch_bounds__(tensor::kSyncThreads, 2)
    tensor_sync_multiply(const __grid_constant__ TensorMultiplyArguments a) {
  using namespace tensor;
  extern __shared__ __align__(1024) uint8_t shared[];
  uint64_t* masks = (uint64_t*)(shared + kParts * kPartBytes);
  uint8_t* coefficients = shared + kSyncSharedBytes;
  for (int i = threadIdx.x; i < 256; i += kSyncThreads) masks[i] = a.tables->masks[i];
  Expansion expansion{a, masks};
  uint32_t ring = shared_address(shared), expanded = shared_address(coefficients);
  int all_steps = max(1, divide_up(a.n, kStepSources));
  int chunk_steps = divide_up(all_steps, a.chunks);
  Item work;
  for (int round = 0; find_item(a, round, work); round++) {
    for (int chunk = 0; chunk < a.chunks; chunk++) {
      int first_step = chunk * chunk_steps, steps = min(chunk_steps, all_steps - first_step);
      __syncthreads();  // No thread reads the coefficients or parts of the previous chunk.
      Parts parts(a, work, first_step, steps, ring);
#pragma unroll 1
      for (int i = 0; i < kParts - 1; i++) parts.bring();
      expansion.expand(work, first_step, steps, coefficients, steps * kExpandedStepBytes,
                       kExpandedStepBytes, kQuarterBytes, threadIdx.x / 32, kSyncThreads / 32);
      // The barrier before the first part is used is also the one after the expansion.
      multiply_chunk(a, work, steps, chunk > 0 || a.accumulate != 0, expanded, ring, parts);
    }
  }
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || !defined(__CUDA_ARCH__)

namespace tensor {

// --- Hopper: warpgroup instructions (wgmma) on operands in shared memory. Two warpgroups multiply
// and collect bits, each of its tensor cores always one product ahead; a third feeds them: one of
// its threads keeps tiles coming through the bulk copy engine, three of its warps expand
// coefficients for the item after this one.

constexpr int kWarpgroups = 2;
// Registers of a thread, of 168 initially: the feeding warpgroup gives some to the others.
constexpr int kComputeRegisters = 208;
constexpr int kFeedRegisters = 88;
constexpr int kThreads = (kWarpgroups + 1) * 128;
constexpr int kExpanders = 96;
constexpr int kExpandedSlotBytes = 64 << 10;
constexpr int kExpandedSlots = 2;
constexpr int kTileSlotsBytes = 96 << 10;
constexpr int kMostTileSlots = 12;
constexpr int kSharedBytes =
    kExpandedSlots * kExpandedSlotBytes + kTileSlotsBytes + kMaskBytes + 512;  // with barriers
static_assert(kSharedBytes <= 227 << 10);

// A ring of slots: which one is next, and the parity of its round.
template <int kSlots>
struct Turn {
  int slot = 0;
  uint32_t round = 0;
  __device__ __forceinline__ void next() {
    if (++slot == kSlots) slot = 0, round ^= 1;
  }
};

// Counts of 64 rows × 128 columns over kSteps steps, begun. Operands by their addresses / 16.
template <int kSteps>
__device__ __forceinline__ void begin(int (&d)[64], uint32_t expanded, uint32_t tile) {
  hopper::open_products();
#pragma unroll
  for (int step = 0; step < kSteps; step++) {
    hopper::count_common(d, hopper::descriptor(expanded + step * (kQuarterBytes / 16)),
                         hopper::descriptor(tile + step * (kTileBytes / 16)), step > 0);
  }
  hopper::close_products();
}

template <int kSteps>
struct Product {
  static constexpr int kTileSlotBytes = kSteps * kTileBytes;
  static constexpr int kFitting = kTileSlotsBytes / kTileSlotBytes;
  static constexpr int kTileSlots = kFitting < kMostTileSlots ? kFitting : kMostTileSlots;
  static constexpr int kQuarter = kSteps * kQuarterBytes;

  const TensorMultiplyArguments& a;
  uint8_t* expanded_slots;
  uint8_t* tile_slots;
  uint64_t* masks;
  hopper::Barrier* expanded_full;
  hopper::Barrier* expanded_free;
  hopper::Barrier* tile_full;
  hopper::Barrier* tile_free;

  __device__ Product(const TensorMultiplyArguments& a, uint8_t* shared) : a(a) {
    expanded_slots = shared;
    tile_slots = expanded_slots + kExpandedSlots * kExpandedSlotBytes;
    masks = (uint64_t*)(tile_slots + kTileSlotsBytes);
    expanded_full = (hopper::Barrier*)(masks + 256);
    expanded_free = expanded_full + kExpandedSlots;
    tile_full = expanded_free + kExpandedSlots;
    tile_free = tile_full + kTileSlots;
  }

  __device__ void prepare() {
    if (threadIdx.x < 256) masks[threadIdx.x] = a.tables->masks[threadIdx.x];
    if (threadIdx.x == 0) {
      for (int i = 0; i < kExpandedSlots; i++)
        expanded_full[i].init(kExpanders), expanded_free[i].init(kWarpgroups * 4);
      for (int i = 0; i < kTileSlots; i++) tile_full[i].init(1), tile_free[i].init(4);
      hopper::publish_barriers();
    }
    __syncthreads();
  }

  __device__ void fetch_tiles() {
    Turn<kTileSlots> turn;
    int steps = max(1, divide_up(a.n, kStepSources));
    Item work;
    for (int round = 0; find_item(a, round, work); round++) {
      for (int chunk = 0; chunk < a.chunks; chunk++) {
        // Where the last chunk is short, old bytes are multiplied by mask bytes of zero.
        uint32_t bytes = min(kSteps, steps - chunk * kSteps) * kTileBytes;
        for (int tile = work.first_tile; tile < work.end_tile; tile++, turn.next()) {
          tile_free[turn.slot].await(turn.round ^ 1);
          uint8_t* to = tile_slots + turn.slot * kTileSlotBytes;
          const uint8_t* from = a.tiles + work.matrix * a.tiles_pitch +
                                ((int64_t)tile * a.tile_steps + chunk * kSteps) * kTileBytes;
          tile_full[turn.slot].arrive_expecting(bytes);
          hopper::copy(to, from, bytes, tile_full[turn.slot]);
        }
      }
    }
  }

  __device__ void expand_coefficients(int warp) {
    Turn<kExpandedSlots> turn;
    Expansion expansion{a, masks};
    Item work;
    for (int round = 0; find_item(a, round, work); round++) {
      for (int chunk = 0; chunk < a.chunks; chunk++, turn.next()) {
        expanded_free[turn.slot].await(turn.round ^ 1);
        expansion.expand(work, chunk * kSteps, kSteps,
                         expanded_slots + turn.slot * kExpandedSlotBytes, kQuarters * kQuarter,
                         kQuarterBytes, kQuarter, warp, kExpanders / 32);
        hopper::publish_operands();
        expanded_full[turn.slot].arrive();
      }
    }
  }

  // Multiplies kGroups groups of coded blocks by a tile: while bits of one product are collected,
  // the next runs. All in one straight line, because a branch between the beginning and the end of
  // a product has the compiler run them one by one.
  template <int kGroups>
  __device__ __forceinline__ void multiply(uint32_t expanded, uint32_t sources, const Target& to,
                                           int group) {
    constexpr int kProducts = kGroups * kQuarters;
    int counts[2][64];
    uint32_t fields[2][4][2];
    begin<kSteps>(counts[0], expanded, sources);
#pragma unroll
    for (int i = 0; i < kProducts; i++) {
      if (i + 1 < kProducts) {
        begin<kSteps>(counts[(i + 1) % 2], expanded + (i + 1) * (kQuarter / 16), sources);
        hopper::finish_products<1>(counts[i % 2]);
      } else {
        hopper::finish_products<0>(counts[i % 2]);
      }
      pack(counts[i % 2], fields[i / kQuarters % 2][i % kQuarters]);
      if (i % kQuarters == kQuarters - 1)
        write(a, to, group + i / kQuarters, fields[i / kQuarters % 2]);
    }
  }

  __device__ __forceinline__ void multiply(int warpgroup, int lane) {
    Turn<kExpandedSlots> expanded_turn;
    Turn<kTileSlots> tile_turn;
    Item work;
    for (int round = 0; find_item(a, round, work); round++) {
      for (int chunk = 0; chunk < a.chunks; chunk++, expanded_turn.next()) {
        expanded_full[expanded_turn.slot].await(expanded_turn.round);
        uint32_t expanded =
            shared_address(expanded_slots + expanded_turn.slot * kExpandedSlotBytes) / 16;
        // The warpgroups alternate in tiles, in each chunk alike, so that the same thread writes a
        // result and adds to it.
        int turn = 0;
        for (int tile = work.first_tile; tile < work.end_tile; tile++, tile_turn.next()) {
          bool mine = turn == warpgroup;
          turn = turn == kWarpgroups - 1 ? 0 : turn + 1;
          if (!mine) continue;
          tile_full[tile_turn.slot].await(tile_turn.round);
          uint32_t sources = shared_address(tile_slots + tile_turn.slot * kTileSlotBytes) / 16;
          Target to = target(a, work.matrix, tile, chunk > 0 || a.accumulate != 0);
          uint32_t from = expanded;
          int group = work.group;
          for (; group + 1 < work.end_group; group += 2, from += 2 * kQuarters * kQuarter / 16)
            multiply<2>(from, sources, to, group);
          for (; group < work.end_group; group++, from += kQuarters * kQuarter / 16)
            multiply<1>(from, sources, to, group);
          if (lane == 0) tile_free[tile_turn.slot].arrive();
        }
        if (lane == 0) expanded_free[expanded_turn.slot].arrive();
      }
    }
  }

  __device__ void run() {
    prepare();
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int warpgroup = __shfl_sync(~0u, warp / 4, 0);
    if (warpgroup < kWarpgroups) {
      hopper::take_registers<kComputeRegisters>();
      multiply(warpgroup, lane);
    } else {
      hopper::release_registers<kFeedRegisters>();
      if (warp % 4 > 0) {
        expand_coefficients(warp % 4 - 1);
      } else if (lane == 0) {
        fetch_tiles();
      }
    }
  }
};

}  // namespace tensor

// Launch: 384 threads a block, as many blocks as multiprocessors or tiles of all passes (count ·
// passes · ceil(k / 128)), whichever are fewer; tensor::kSharedBytes dynamic shared memory. The
// number in the name is chunk_steps; groups_at_once · chunk_steps ≤ 8.
#define TENSOR_MULTIPLY(STEPS)                                                     \
  extern "C" __global__ void __launch_bounds__(tensor::kThreads, 1)                \
      tensor_multiply_##STEPS(const __grid_constant__ TensorMultiplyArguments a) { \
    extern __shared__ __align__(1024) uint8_t shared[];                            \
    tensor::Product<STEPS>(a, shared).run();                                       \
  }
TENSOR_MULTIPLY(1)
TENSOR_MULTIPLY(2)
TENSOR_MULTIPLY(3)
TENSOR_MULTIPLY(4)
TENSOR_MULTIPLY(5)
TENSOR_MULTIPLY(6)
TENSOR_MULTIPLY(7)
TENSOR_MULTIPLY(8)

// --- The peak rate of the tensor cores: products of arbitrary data in shared memory, one after
// another.

struct TensorCeilingArguments {
  int32_t* counts;  // one word per thread, so that the products are used
  int32_t rounds;   // of 4 products of 64 rows × 128 columns × 256 terms for each of the warpgroups
};

// Launch: 256 threads a block, as many blocks as multiprocessors, 64 KiB dynamic shared memory.
extern "C" __global__ void __launch_bounds__(256, 1)
    tensor_ceiling(const __grid_constant__ TensorCeilingArguments a) {
  extern __shared__ __align__(1024) uint8_t shared[];
  for (int i = threadIdx.x; i < 16384; i += 256) {
    reinterpret_cast<uint32_t*>(shared)[i] = (i + 1) * 0x9E3779B9u;
  }
  hopper::publish_operands();
  __syncthreads();
  uint32_t operands = __shfl_sync(~0u, shared_address(shared), 0) / 16;
  int even[64], odd[64], sum = 0;
  for (int round = 0; round < a.rounds; round += 2) {
    tensor::begin<4>(even, operands, operands + 1024);
    tensor::begin<4>(odd, operands + 2048, operands + 1024);
    hopper::finish_products<1>(even);
    sum += even[0];
    hopper::finish_products<0>(odd);
    sum += odd[0];
  }
  a.counts[blockIdx.x * 256 + threadIdx.x] = sum;
}
#endif
#endif
