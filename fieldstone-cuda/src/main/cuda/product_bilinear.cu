// Products over GF(2^8) from 24 products over GF(2) instead of 64, for long sums.
//
// Let g be a root of x^8 + x^4 + x^3 + x^2 + 1, ω = g^85 (so that ω^2 = ω + 1), and Tr(x) = x + x^2
// + x^4 + … + x^128, a bit. Then for all c and x of the field
//
//   c·x  =  Σ Tr(a c) Tr(a x) w      over  a = (ω^j g^3)^(2^i),  w = ω^(2^i) a,  i < 8,  j < 3:
//
// eight products in GF(4), where eight points of an elliptic curve give a product of polynomials of
// degree 3 (D. V. and G. V. Chudnovsky, 1988), by three products of bits each (Karatsuba). With
// plane l of a matrix the bits Tr(a_l x) of its bytes, a product of matrices is 24 products of
// planes: AND+POPC tensor instructions count the terms, the lowest bits of the counts are the
// product's, and where they are 1, w_l is added. Taking lowest bits from counts, one instruction
// each, is the cost; the tensor cores hide it for sums longer than about 512.
//
//   planes   of coefficients (a row is a coded block) and sources (a row is a column of these):
//            8192 bytes, 256 bits a row, for each tile of 256 rows, each plane and each step of 256
//            sources, in this order, so that a tile's planes are one contiguous stream. The 8192
//            are core matrices, 8 rows × 128 bits that are contiguous: of rows 8r … 8r + 7 at 256r,
//            and of the second 128 sources at 256r + 128.
//
//   columns  64u + 8v + e of a tile of sources is row 8 (8u + e) + v, so that a thread's counts are
//            of 16 contiguous columns for each u and its results go from registers to memory.
//
// A block multiplies 256 coded blocks by 256 columns. Two warpgroups alternate: while one uses the
// tensor cores, the other collects bits. A third loads planes.
#include "fieldstone.cuh"
#include "hopper.cuh"

/** The functionals and constants of a field, 64 bytes. */
struct BilinearFormula {
  /** Bit b of functionals[l] is Tr(a_l x^b): plane l of a byte is its parity with this mask. */
  uint8_t functionals[24];
  /** w_l. */
  uint8_t constants[24];
  uint8_t unused[16];
};

namespace bilinear {

constexpr int kPlanes = 24;
constexpr int kTileRows = 256;
constexpr int kStepSources = 256;
constexpr int kStepBytes = kTileRows * kStepSources / 8;
constexpr int kMatrixBytes = 128;        // a core matrix
constexpr int kRowGroupBytes = 256;      // the core matrices of 8 rows and a step
constexpr int kRun = 64;                 // columns that lie within 8 core matrices

constexpr __host__ __device__ int divide_up(int a, int b) { return (a + b - 1) / b; }

/** The bits of `one` where the mask has ones, those of `other` elsewhere: one instruction. */
__device__ __forceinline__ uint32_t select(uint32_t mask, uint32_t one, uint32_t other) {
  return (one & mask) | (other & ~mask);
}

/** Transposes 8×8 bits four times: bit b of a byte of word i becomes bit i of that of word b. */
__device__ __forceinline__ void transpose_bits(uint32_t (&words)[8]) {
  constexpr uint32_t kMasks[3] = {0x55555555, 0x33333333, 0x0F0F0F0F};
#pragma unroll
  for (int stage = 0; stage < 3; stage++) {
    const int apart = 1 << stage;
#pragma unroll
    for (int i = 0; i < 8; i++) {
      if (i & apart) continue;
      const uint32_t low = words[i], high = words[i + apart];
      words[i] = select(kMasks[stage], low, high << apart);
      words[i + apart] = select(kMasks[stage], low >> apart, high);
    }
  }
}

}  // namespace bilinear

// -------------------------------------------------------------------------------------------------
// The formula of a field.

struct BilinearFormulaArguments {
  BilinearFormula* formula;
  int32_t polynomial;
  int32_t unused;
};

namespace bilinear {

__device__ __forceinline__ uint32_t times(uint32_t a, uint32_t b, uint32_t polynomial) {
  uint32_t product = 0;
  for (int bit = 7; bit >= 0; bit--) {
    product = product << 1 ^ (product & 0x80 ? polynomial : 0) ^ (b >> bit & 1 ? a : 0);
  }
  return product;
}

__device__ __forceinline__ uint32_t trace(uint32_t x, uint32_t polynomial) {
  uint32_t sum = 0;
  for (int i = 0; i < 8; i++, x = times(x, x, polynomial)) sum ^= x;
  return sum;
}

__device__ __forceinline__ uint32_t power(uint32_t x, int exponent, uint32_t polynomial) {
  uint32_t power = 1;
  for (; exponent > 0; exponent--) power = times(power, x, polynomial);
  return power;
}

}  // namespace bilinear

// Launch: 1 block of 32 threads, no shared memory. Once for a field.
extern "C" __global__ void __launch_bounds__(32)
    bilinear_formula(const __grid_constant__ BilinearFormulaArguments a) {
  using namespace bilinear;
  const uint32_t p = a.polynomial;
  // Any of the eight roots: the others are its squares, and give the same terms in another order.
  uint32_t g = 2;
  while (g < 255 && (power(g, 8, p) ^ power(g, 4, p) ^ power(g, 3, p) ^ power(g, 2, p)) != 1) g++;
  const int plane = threadIdx.x;
  if (plane >= kPlanes) return;
  const uint32_t omega = power(g, 85, p);
  uint32_t element = times(power(omega, plane % 3, p), power(g, 3, p), p), factor = omega;
  for (int i = 0; i < plane / 3; i++) {
    element = times(element, element, p);
    factor = times(factor, factor, p);
  }
  uint32_t mask = 0;
  for (int bit = 0; bit < 8; bit++) mask |= trace(times(element, 1u << bit, p), p) << bit;
  a.formula->functionals[plane] = static_cast<uint8_t>(mask);
  a.formula->constants[plane] = static_cast<uint8_t>(times(element, factor, p));
}

// -------------------------------------------------------------------------------------------------
// Planes.

struct BilinearPlanesArguments {
  Matrices bytes;        // row-major: coefficients, m×n, or sources, n×k
  uint8_t* planes;       // of matrix 0, 16-byte aligned
  int64_t planes_pitch;  // bytes from a matrix to the next: ceil(rows / 256) · 24 · steps · 8192,
                         // where rows is m or k
  const BilinearFormula* formula;
  int64_t count;
  int32_t rows;  // m of coefficients, n of sources
  int32_t columns;  // n of coefficients, k of sources
};

struct BilinearTilePlanesArguments {
  const uint8_t* tiles;  // resident, as tensor_lay_out makes them, of the first matrix
  int64_t tiles_pitch;
  uint8_t* planes;  // as above
  int64_t planes_pitch;
  const BilinearFormula* formula;
  int64_t count;
  int32_t n;  // sources, no more than are resident
  int32_t k;
  int32_t tile_steps;  // ceil(rows / 32) of the resident matrix
  int32_t unused;
};

namespace bilinear {

/** Bits of functionals as words of zeros or ones; the third of three is the sum of the others. */
struct Masks {
  uint32_t of[kPlanes / 3][2][8];

  __device__ __forceinline__ void load(const BilinearFormula& formula) {
    for (int i = threadIdx.x; i < kPlanes / 3 * 16; i += blockDim.x) {
      const uint32_t functional = formula.functionals[i / 16 * 3 + i / 8 % 2];
      of[i / 16][i / 8 % 2][i % 8] = 0u - (functional >> i % 8 & 1);
    }
    __syncthreads();
  }
};

/**
 * Stores the planes of kWords · 32 elements: bit s of word `bits[e][b]` is bit b of element s of
 * these. Word e is stored 256 · e bytes after `to`, plane l at l · plane_bytes.
 */
template <int kWords>
__device__ __forceinline__ void store_planes(const uint32_t (&bits)[kWords][8], const Masks& masks,
                                             uint8_t* to, int64_t plane_bytes) {
#pragma unroll 1
  for (int i = 0; i < kPlanes / 3; i++, to += 3 * plane_bytes) {
#pragma unroll
    for (int e = 0; e < kWords; e++) {
      uint32_t first = 0, second = 0;
#pragma unroll
      for (int b = 0; b < 8; b++) {
        first ^= bits[e][b] & masks.of[i][0][b];
        second ^= bits[e][b] & masks.of[i][1][b];
      }
      uint8_t* at = to + e * kRowGroupBytes;
      *reinterpret_cast<uint32_t*>(at) = first;
      *reinterpret_cast<uint32_t*>(at + plane_bytes) = second;
      *reinterpret_cast<uint32_t*>(at + 2 * plane_bytes) = first ^ second;
    }
  }
}

/** Bits of 32 contiguous bytes: bit s of word b becomes bit b of byte s. */
__device__ __forceinline__ void slice(uint32_t (&words)[8]) {
  transpose_bytes(words[0], words[2], words[4], words[6]);
  transpose_bytes(words[1], words[3], words[5], words[7]);
  uint32_t ordered[8] = {words[0], words[2], words[4], words[6],
                         words[1], words[3], words[5], words[7]};
  transpose_bits(ordered);
#pragma unroll
  for (int b = 0; b < 8; b++) words[b] = ordered[b];
}

/** Where the planes of a tile begin that hold a row, at its core matrix of 128 sources. */
__device__ __forceinline__ uint8_t* core_matrix(uint8_t* planes, int64_t plane_bytes, int row,
                                                int hundred28) {
  return planes + row / kTileRows * kPlanes * plane_bytes +
         static_cast<int64_t>(hundred28 / 2) * kStepBytes +
         row % kTileRows / 8 * kRowGroupBytes + hundred28 % 2 * kMatrixBytes;
}

}  // namespace bilinear

// Planes of coefficients. A warp makes core matrices of 8 rows × 128 coefficients, a lane 32
// coefficients of a row. Launch: 256 threads a block, ceil(count · ceil(m/8) · 2 steps / 8) blocks
// or fewer (it strides), steps = ceil(n / 256). No dynamic shared memory.
extern "C" __global__ void __launch_bounds__(256)
    bilinear_coefficient_planes(const __grid_constant__ BilinearPlanesArguments a) {
  using namespace bilinear;
  __shared__ Masks masks;
  masks.load(*a.formula);
  const int steps = divide_up(a.columns, kStepSources), lane = threadIdx.x % kWarpSize;
  const int64_t plane_bytes = static_cast<int64_t>(steps) * kStepBytes;
  const int groups = divide_up(a.rows, 8), matrices = 2 * steps;
  const int64_t tasks = a.count * groups * matrices;
  for (int64_t task = launch_thread() / kWarpSize; task < tasks;
       task += launch_threads() / kWarpSize) {
    const int hundred28 = static_cast<int>(task % matrices);
    const int group = static_cast<int>(task / matrices % groups);
    const int64_t matrix = task / matrices / groups;
    const int row = group * 8 + lane / 4, first = hundred28 * 128 + lane % 4 * 32;
    const int left = row < a.rows ? a.columns - first : 0;
    uint32_t bits[1][8], low[4], high[4];
    const uint8_t* from = left > 0 ? row_of(a.bytes, matrix, row) + first : a.bytes.data;
    load_words(from, left, low);
    load_words(from + 16, left - 16, high);
#pragma unroll
    for (int i = 0; i < 4; i++) bits[0][i] = low[i], bits[0][i + 4] = high[i];
    slice(bits[0]);
    store_planes(
        bits, masks,
        core_matrix(a.planes + matrix * a.planes_pitch, plane_bytes, group * 8, hundred28) +
            lane * 4,
        plane_bytes);
  }
}

// Planes of sources. A warp makes 8 core matrices, of 64 columns × 128 sources, a lane 32 sources
// of 8 columns. Launch: 256 threads a block, ceil(count · ceil(k/64) · 2 steps / 8) blocks or fewer
// (it strides), steps = ceil(n / 256). No dynamic shared memory.
extern "C" __global__ void __launch_bounds__(256)
    bilinear_source_planes(const __grid_constant__ BilinearPlanesArguments a) {
  using namespace bilinear;
  __shared__ Masks masks;
  masks.load(*a.formula);
  const int steps = divide_up(a.rows, kStepSources), lane = threadIdx.x % kWarpSize;
  const int64_t plane_bytes = static_cast<int64_t>(steps) * kStepBytes;
  const int runs = divide_up(a.columns, kRun), matrices = 2 * steps;
  const int64_t tasks = a.count * runs * matrices;
  for (int64_t task = launch_thread() / kWarpSize; task < tasks;
       task += launch_threads() / kWarpSize) {
    const int run = static_cast<int>(task % runs);
    const int hundred28 = static_cast<int>(task / runs % matrices);
    const int64_t matrix = task / runs / matrices;
    const int column = run * kRun + lane / 4 * 8, first = hundred28 * 128 + lane % 4 * 32;
    const int left = a.columns - column;
    const uint8_t* from = row_of(a.bytes, matrix, 0) + column;
    const bool whole =
        left >= 8 && ((reinterpret_cast<uintptr_t>(from) | static_cast<uintptr_t>(a.bytes.stride)) &
                      7) == 0;
    uint32_t quarters[2][8][4];  // byte c of [v][b][q]: bit b of column 4 v + c, sources 8 q …
#pragma unroll
    for (int q = 0; q < 4; q++) {
      uint32_t words[2][8];
#pragma unroll
      for (int i = 0; i < 8; i++) {
        const int row = first + 8 * q + i;
        words[0][i] = words[1][i] = 0;
        if (row < a.rows) {
          const uint8_t* at = from + row * a.bytes.stride;
          if (whole) {
            const uint2 both = *reinterpret_cast<const uint2*>(at);
            words[0][i] = both.x, words[1][i] = both.y;
          } else {
            words[0][i] = load_word(at, left), words[1][i] = load_word(at + 4, left - 4);
          }
        }
      }
#pragma unroll
      for (int v = 0; v < 2; v++) {
        transpose_bits(words[v]);
#pragma unroll
        for (int b = 0; b < 8; b++) quarters[v][b][q] = words[v][b];
      }
    }
    uint32_t bits[8][8];
#pragma unroll
    for (int v = 0; v < 2; v++) {
#pragma unroll
      for (int b = 0; b < 8; b++) {
        uint32_t(&q)[4] = quarters[v][b];
        transpose_bytes(q[0], q[1], q[2], q[3]);
#pragma unroll
        for (int c = 0; c < 4; c++) bits[4 * v + c][b] = q[c];
      }
    }
    store_planes(
        bits, masks,
        core_matrix(a.planes + matrix * a.planes_pitch, plane_bytes, run * kRun, hundred28) +
            lane * 4,
        plane_bytes);
  }
}

// Planes of resident sources. As bilinear_source_planes; launch: the same.
extern "C" __global__ void __launch_bounds__(256)
    bilinear_tile_planes(const __grid_constant__ BilinearTilePlanesArguments a) {
  using namespace bilinear;
  constexpr int kResidentColumns = 128, kResidentBytes = 4096;
  __shared__ Masks masks;
  masks.load(*a.formula);
  const int steps = divide_up(a.n, kStepSources), lane = threadIdx.x % kWarpSize;
  const int64_t plane_bytes = static_cast<int64_t>(steps) * kStepBytes;
  const int runs = divide_up(a.k, kRun), matrices = 2 * steps;
  const int64_t tasks = a.count * runs * matrices;
  for (int64_t task = launch_thread() / kWarpSize; task < tasks;
       task += launch_threads() / kWarpSize) {
    const int run = static_cast<int>(task % runs);
    const int hundred28 = static_cast<int>(task / runs % matrices);
    const int64_t matrix = task / runs / matrices;
    const int step = hundred28 * 4 + lane % 4;
    const uint8_t* tile = a.tiles + matrix * a.tiles_pitch +
                          (static_cast<int64_t>(run * kRun / kResidentColumns) * a.tile_steps +
                           step) *
                              kResidentBytes;
    uint32_t bits[8][8];
#pragma unroll
    for (int e = 0; e < 8; e++) {
      // The place of a column is tensor::tile_offset's.
      const int column = run * kRun % kResidentColumns + lane / 4 * 8 + e;
      const int matrix_offset = ((column >> 6) * 8 + (column >> 1 & 7)) * 256;
      const int row = (column >> 4 & 3) * 2 + (column & 1);
      uint4 low = {0, 0, 0, 0}, high = {0, 0, 0, 0};
      if (step < a.tile_steps) {
        low = *reinterpret_cast<const uint4*>(tile + matrix_offset + row * 16);
        high = *reinterpret_cast<const uint4*>(tile + matrix_offset + row * 16 + 128);
      }
      bits[e][0] = low.x, bits[e][1] = low.y, bits[e][2] = low.z, bits[e][3] = low.w;
      bits[e][4] = high.x, bits[e][5] = high.y, bits[e][6] = high.z, bits[e][7] = high.w;
      slice(bits[e]);
    }
    store_planes(
        bits, masks,
        core_matrix(a.planes + matrix * a.planes_pitch, plane_bytes, run * kRun, hundred28) +
            lane * 4,
        plane_bytes);
  }
}

// -------------------------------------------------------------------------------------------------
// The product.

struct BilinearMultiplyArguments {
  const uint8_t* coefficients;  // planes, of the first matrix
  int64_t coefficients_pitch;
  const uint8_t* sources;  // planes, of the first matrix
  int64_t sources_pitch;
  Matrices products;  // count × m×k bytes, row-major
  const BilinearFormula* formula;
  int64_t count;
  int32_t m;
  int32_t n;
  int32_t k;
  int32_t accumulate;  // not 0: the products are added to the previous content
};

#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || !defined(__CUDA_ARCH__)

namespace bilinear {

/** Factors unknown to the compiler, so that it multiplies by them instead of shifting. */
struct Factors {
  uint32_t two;
  uint32_t two16;
};

constexpr int kWarpgroups = 2;
constexpr int kThreads = (kWarpgroups + 1) * 128;
// Registers of a thread, of 168 initially.
constexpr int kComputeRegisters = 232;
constexpr int kFeedRegisters = 40;
constexpr int kOperandsBytes = 192 << 10;
constexpr int kMostChunkSteps = 4;  // three pairs of operands of this size fit
constexpr int kMostSlots = kOperandsBytes / (2 * kStepBytes);
// The words, of four per thread, that are collected by multiplication.
constexpr int kMultipliedWords = 2;
constexpr int kMasksBytes = kPlanes * 8 * 4;
constexpr int kSharedBytes = kOperandsBytes + kMasksBytes + 256;  // with barriers
static_assert((2 * kMostSlots + kWarpgroups) * 8 + sizeof(Factors) <= 256);
static_assert(kSharedBytes <= 227 << 10);

/** A ring of slots: which one is next, and the parity of its round. */
struct Ring {
  int slots;
  int slot = 0;
  uint32_t round = 0;

  __device__ __forceinline__ void next() {
    if (++slot == slots) slot = 0, round ^= 1;
  }
};

/**
 * Returns the index of the count that belongs to bit `position` = 8j + 4u + x of word q in row h of
 * a thread. The bit is that of column 4x + j of the 16 columns of the thread in run 2q + u.
 */
constexpr __device__ int place(int position, int h, int q) {
  const int j = position / 8, u = position / 4 % 2, x = position % 4;
  const int s = x / 2, e = x % 2 * 4 + j;  // column 8s + e
  return ((2 * q + u) * 8 + e) * 4 + 2 * h + s;
}

/**
 * The lowest bits of a thread's counts. A funnel shift takes one and moves those before it on: one
 * instruction of the ALU for a bit. Or, for two bits, a multiplication puts two counts into halves
 * of a word, an AND leaves their lowest bits, and another multiplication moves those before on:
 * half an instruction of the ALU for a bit, and one of the multipliers, which are idle otherwise.
 */
__device__ __forceinline__ void collect(const int (&counts)[128], const Factors& factors,
                                        uint32_t (&words)[2][2]) {
#pragma unroll
  for (int i = 15; i >= 0; i--) {
#pragma unroll
    for (int word = 0; word < 4; word++) {
      const int h = word / 2, q = word % 2;
      uint32_t& bits = words[h][q];
      if (i == 15) bits = 0;
      if (word < kMultipliedWords) {
        const uint32_t two = counts[place(16 + i, h, q)] * factors.two16 + counts[place(i, h, q)];
        bits = bits * factors.two + (two & 0x00010001);
      } else {
        bits = __funnelshift_r(bits, counts[place(30 - 2 * i, h, q)], 1);
        bits = __funnelshift_r(bits, counts[place(31 - 2 * i, h, q)], 1);
      }
    }
  }
}

/** Multiplies by the warpgroups of a block. */
struct Product {
  const BilinearMultiplyArguments& a;
  uint8_t* operands;
  uint32_t (*masks)[8];  // the bits of w_l as words of zeros or ones
  hopper::Barrier* full;
  hopper::Barrier* free;
  hopper::Barrier* turns;  // of the warpgroups on the tensor cores
  volatile Factors* factors;
  int steps;
  int chunks;
  int slot_bytes;
  int slots;
  int row_tiles;
  int column_tiles;

  __device__ __forceinline__ Product(const BilinearMultiplyArguments& a, uint8_t* shared) : a(a) {
    operands = shared;
    masks = reinterpret_cast<uint32_t(*)[8]>(operands + kOperandsBytes);
    full = reinterpret_cast<hopper::Barrier*>(masks + kPlanes);
    free = full + kMostSlots;
    turns = free + kMostSlots;
    factors = reinterpret_cast<volatile Factors*>(turns + kWarpgroups);
    steps = divide_up(a.n, kStepSources);
    chunks = divide_up(steps, kMostChunkSteps);
    slot_bytes = divide_up(steps, chunks) * 2 * kStepBytes;
    slots = kOperandsBytes / slot_bytes;
    row_tiles = divide_up(a.m, kTileRows);
    column_tiles = divide_up(a.k, kTileRows);
  }

  __device__ __forceinline__ void prepare() {
    if (threadIdx.x < kPlanes * 8) {
      const int plane = threadIdx.x / 8, bit = threadIdx.x % 8;
      masks[plane][bit] = 0u - (a.formula->constants[plane] >> bit & 1);
    }
    if (threadIdx.x == 0) {
      factors->two = 2;
      factors->two16 = 1 << 16;
      for (int i = 0; i < kMostSlots; i++) full[i].init(1), free[i].init(kWarpgroups * 4);
      for (int i = 0; i < kWarpgroups; i++) turns[i].init(4);
      hopper::publish_barriers();
    }
    __syncthreads();
  }

  // An item is a row tile by a column tile. An int counts items, because each has 64 KiB of
  // products.
  __device__ __forceinline__ int first_item() const { return blockIdx.x; }
  __device__ __forceinline__ int item_stride() const { return gridDim.x; }
  __device__ __forceinline__ int items() const {
    return static_cast<int>(a.count) * row_tiles * column_tiles;
  }
  __device__ __forceinline__ int64_t matrix_of(int item) const {
    return item / column_tiles / row_tiles;
  }
  __device__ __forceinline__ int row_tile_of(int item) const {
    return item / column_tiles % row_tiles;
  }
  __device__ __forceinline__ int column_tile_of(int item) const {
    return item % column_tiles;
  }

  // Sums are cut into chunks of equal length, within a step.
  __device__ __forceinline__ int chunk_length(int chunk) const {
    return steps / chunks + (chunk < steps % chunks);
  }

  // Loads planes: a slot holds a chunk of coefficients, then one of sources.
  __device__ __forceinline__ void fetch() {
    Ring ring{slots};
    const int64_t tile_bytes = static_cast<int64_t>(steps) * kPlanes * kStepBytes;
    const int end = items();
    for (int item = first_item(); item < end; item += item_stride()) {
      const uint8_t* coefficients = a.coefficients + matrix_of(item) * a.coefficients_pitch +
                                    row_tile_of(item) * tile_bytes;
      const uint8_t* sources =
          a.sources + matrix_of(item) * a.sources_pitch + column_tile_of(item) * tile_bytes;
      for (int plane = 0; plane < kPlanes; plane++) {
        for (int chunk = 0; chunk < chunks; chunk++, ring.next()) {
          const uint32_t bytes = chunk_length(chunk) * kStepBytes;
          uint8_t* slot = operands + ring.slot * slot_bytes;
          hopper::Barrier& done = full[ring.slot];
          free[ring.slot].await(ring.round ^ 1);
          done.arrive_expecting(2 * bytes);
          hopper::copy(slot, coefficients, bytes, done);
          hopper::copy(slot + slot_bytes / 2, sources, bytes, done);
          coefficients += bytes;
          sources += bytes;
        }
      }
    }
  }

  // A warp has read a slot.
  __device__ __forceinline__ void release(int slot, int lane) const {
    if (lane == 0) free[slot].arrive();
  }

  // Writes 16 bytes of a row, or as many as are left of it.
  __device__ __forceinline__ void put(uint8_t* to, uint32_t (&words)[4], int left) const {
    if (left <= 0) return;
    if (a.accumulate != 0) {
      uint32_t old[4];
      load_words(to, left, old);
#pragma unroll
      for (int i = 0; i < 4; i++) words[i] ^= old[i];
    }
    store_words(to, words, left);
  }

  // Adds the counts of 64 rows and 256 columns over a chunk. There is no branch between the
  // products, so that the compiler issues them one after another. `next` is signalled when all have
  // started.
  template <int kSteps>
  __device__ __forceinline__ void count(int (&counts)[128], uint32_t rows, uint32_t columns,
                                        hopper::Barrier& next) const {
    hopper::open_products();
#pragma unroll
    for (int step = 0; step < kSteps; step++) {
      hopper::count_common(counts, hopper::descriptor(rows + step * (kStepBytes / 16)),
                           hopper::descriptor(columns + step * (kStepBytes / 16)), step > 0);
    }
    hopper::close_products();
    if (threadIdx.x % kWarpSize == 0) next.arrive();
    hopper::finish_products<0>(counts);
  }

  __device__ __forceinline__ void multiply(int warpgroup) {
    Ring ring{slots};
    uint32_t parity = 0;
    const int lane = threadIdx.x % kWarpSize;
    const uint32_t first_operand = shared_address(operands) / 16;
    if (warpgroup == 1 && lane == 0) turns[0].arrive();
    const int end = items();
    for (int item = first_item(); item < end; item += item_stride()) {
      const int row_tile = row_tile_of(item);
      // Warpgroups have alternate 64 rows, so that a short tile is half the work of both.
      const bool both = a.m - row_tile * kTileRows > kWarpgroups * 64;
      uint32_t sums[2][2][2][8] = {};  // [64 rows][h][q][bit], as collect() has them
      for (int plane = 0; plane < kPlanes; plane++) {
        for (int chunk = 0; chunk < chunks; chunk++, ring.next()) {
          const int length = chunk_length(chunk);
          const uint32_t slot = first_operand + ring.slot * (slot_bytes / 16);
          full[ring.slot].await(ring.round);
#pragma unroll
          for (int half = 0; half < 2; half++) {
            if (half == 1 && !both) continue;
            const uint32_t rows =
                slot + (warpgroup + half * kWarpgroups) * (64 / 8 * kRowGroupBytes / 16);
            const uint32_t columns = slot + slot_bytes / 32;
            const Factors unknown{factors->two, factors->two16};
            int counts[128];
            turns[warpgroup].await(parity);
            parity ^= 1;
            switch (length) {
              case 1: count<1>(counts, rows, columns, turns[warpgroup ^ 1]); break;
              case 2: count<2>(counts, rows, columns, turns[warpgroup ^ 1]); break;
              case 3: count<3>(counts, rows, columns, turns[warpgroup ^ 1]); break;
              default: count<4>(counts, rows, columns, turns[warpgroup ^ 1]);
            }
            if (half == 1 || !both) release(ring.slot, lane);
            uint32_t words[2][2];
            collect(counts, unknown, words);
#pragma unroll
            for (int bit = 0; bit < 8; bit++) {
              const uint32_t mask = masks[plane][bit];
#pragma unroll
              for (int h = 0; h < 2; h++) {
#pragma unroll
                for (int q = 0; q < 2; q++) sums[half][h][q][bit] ^= words[h][q] & mask;
              }
            }
          }
        }
      }
      const int column = column_tile_of(item) * kTileRows + lane % 4 * 16;
#pragma unroll
      for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int h = 0; h < 2; h++) {
          const int row = row_tile * kTileRows + (warpgroup + half * kWarpgroups) * 64 +
                          threadIdx.x / kWarpSize % 4 * 16 + 8 * h + lane / 4;
          if (row < a.m) {
            uint8_t* to = row_of(a.products, matrix_of(item), row) + column;
#pragma unroll
            for (int q = 0; q < 2; q++) {
              uint32_t(&bytes)[8] = sums[half][h][q];
              transpose_bits(bytes);
              uint32_t even[4] = {bytes[0], bytes[1], bytes[2], bytes[3]};
              uint32_t odd[4] = {bytes[4], bytes[5], bytes[6], bytes[7]};
              put(to + 2 * q * kRun, even, a.k - column - 2 * q * kRun);
              put(to + (2 * q + 1) * kRun, odd, a.k - column - (2 * q + 1) * kRun);
            }
          }
        }
      }
    }
  }

  __device__ __forceinline__ void run() {
    prepare();
    const int warpgroup = __shfl_sync(~0u, threadIdx.x / 128, 0);
    if (warpgroup < kWarpgroups) {
      hopper::take_registers<kComputeRegisters>();
      multiply(warpgroup);
    } else {
      hopper::release_registers<kFeedRegisters>();
      if (threadIdx.x % 128 == 0) fetch();
    }
  }
};

}  // namespace bilinear

// Launch: 384 threads a block, as many blocks as multiprocessors or items (count · ceil(m/256) ·
// ceil(k/256)) if fewer, bilinear::kSharedBytes dynamic shared memory; n ≥ 1.
extern "C" __global__ void __launch_bounds__(bilinear::kThreads, 1)
    bilinear_multiply(const __grid_constant__ BilinearMultiplyArguments a) {
  extern __shared__ __align__(1024) uint8_t shared[];
  bilinear::Product(a, shared).run();
}
#endif
