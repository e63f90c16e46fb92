// Checksums: remainders of long messages divided by a polynomial over GF(2).
//
// A message of L bytes is the polynomial whose first bit is the coefficient of x^(8L-1); the first
// bit of a byte is its highest, or its lowest where lowBitFirst. G is the divisor, of degree w up to
// 64, and the remainder sought is message·x^w mod G. Bit i of a remainder is the coefficient of x^i.
//
// 1. checksum_pcrc, checksum_pcrc_reduction: the PCRC paper's (De Marchi, Capogrosso, section VII).
//    A thread multiplies a chunk of w bits by its β. The first thread of a block adds, or a tree.
// 2. checksum_strips_W: one message at the speed of memory, for w up to W. Not from the paper.
// 3. checksum_rows_W: many messages at a time, for w up to W. Not from the paper.
//
// Kernels 2 and 3 compute a product over GF(2): the remainder is the sum of x^(position + w) mod G
// over all bits that are set. AND+POPC tensor instructions multiply 16 rows of 256 bits by 8 bits of
// the remainder at once, with a matrix of powers of x; the lowest bit of a count is a bit of the
// remainder. For w = 64 these are 64 bit products per bit of data. That is half of the rate of an
// H200's binary tensor cores in the time in which memory delivers the bit; in the same time, tables
// or carry-less products by 32-bit instructions have 15 instructions per word. The layout of rows
// therefore meets two conditions:
//
// - All rows of an instruction use the same matrix. Bits of two rows that use the same row of the
//   matrix differ in position by a constant of the two rows. This power of x is applied to the sums
//   at the end.
// - No bits are rearranged and no registers are copied. The 16 contiguous bytes that a thread loads
//   are its operand registers, in order. In the operand of the instruction, a thread (g = lane/4,
//   t = lane mod 4) holds word t of row g, then of row 8 + g, then word 4 + t of both. The matrix
//   takes the resulting order of bits into account: words 0 and 2 of a load are in row g; words 1
//   and 3, whose positions are lower by 32, are in row 8 + g.
//
// A strip of one message is processed in units of 1024 contiguous bytes; a thread loads byte 64g + 16t
// of each half. Of many messages, eight are processed together, 64 bytes of each at a time; a thread
// loads byte 16t of message g.
// half. Of many messages eight go together, 64 bytes of each at a time: the thread's are of message
// g, at byte 16t.

#include "fieldstone.cuh"

/** A linear map of remainders: column i is the image of x^i. */
struct RemainderMap {
  uint64_t columns[64];
};

/** Messages in device memory, by lists or equal. Aligned units of 16 bytes around them are read. */
struct Messages {
  const uint8_t* data;
  /** For lists: the offsets of messages in data, and their lengths; otherwise null. */
  const int64_t* offsets;
  const int64_t* lengths;
  /** For equal messages: the first offset, the distance between offsets, and the length. */
  int64_t offset;
  int64_t stride;
  int64_t length;
  int64_t count;
};

/** The register before each message: a remainder r, which adds r·x^(8L) to a message of L bytes. */
struct Register {
  /** The register as bytes, the highest coefficient first; added to the first eight bytes. */
  uint64_t front;
  /** The register as a remainder, for messages that are shorter than it. */
  uint64_t remainder;
  /** The divisor's degree. */
  int32_t width;
  int32_t unused;
};

/** Arguments of checksum_strips_W: long messages. */
struct ChecksumStripsArguments {
  Messages messages;
  Register initial;
  /** Operands of the 32 steps of a strip: W/16 vectors per lane each. */
  const uint4* operands;
  /** Weights of the sums: for each half, W/8 columns, and two rows per vector of two, per lane. */
  const uint4* weights;
  /** Products by x^(8·32768·2^i): i up to 15. */
  const RemainderMap* strips;
  /** Products by x^(-8·2^i): i up to 3. */
  const RemainderMap* back;
  /** Receives the remainders, which are added to its content. */
  unsigned long long* remainders;
  /** Thread blocks per message: a divisor of the blocks of the launch, at most 4096. */
  int32_t blocks;
  int32_t unused;
};

/** Arguments of checksum_rows_W: many messages. */
struct ChecksumRowsArguments {
  Messages messages;
  Register initial;
  /** Operands of the 64-byte blocks of a segment: W/16 vectors per lane each. */
  const uint4* operands;
  /** Products by x^(32 - 8·i): i up to 67. */
  const RemainderMap* back;
  /** Product by x^(8·64·segment). */
  const RemainderMap* segments;
  /** Receives the remainders, which replace its content. */
  uint64_t* remainders;
  /** Added to each remainder: the register's part if all messages have the same length, else 0. */
  uint64_t addend;
  /** 64-byte blocks of a segment, which the operands cover: a multiple of 4. */
  int32_t segment;
  int32_t unused;
};

/** Arguments of checksum_pcrc: one message in chunks of w bits, counted from its end. */
struct ChecksumChunksArguments {
  const uint8_t* start;
  int64_t length;
  /** β_i = x^((i+1)·w) mod G for i < beta_count; the threads of a block divide beta_count. */
  const uint64_t* beta;
  int64_t beta_count;
  /** Receives one sum per thread block; chunk i of each beta_count chunks is multiplied by β_i. */
  uint64_t* partials;
  /** G without its leading coefficient. */
  uint64_t terms;
  int32_t width;
  int32_t low_bit_first;
};

static_assert(sizeof(ChecksumStripsArguments) == 128, "the host writes 128 bytes");
static_assert(sizeof(ChecksumRowsArguments) == 128, "the host writes 128 bytes");
static_assert(sizeof(ChecksumChunksArguments) == 56, "the host writes 56 bytes");

namespace checksums {

// ---- 1. PCRC ----

constexpr int kLargestBlock = 1024;

__device__ __forceinline__ uint64_t times_x(uint64_t remainder, uint64_t terms, int width) {
  const uint64_t carry = 0 - (remainder >> (width - 1) & 1);
  const uint64_t mask = ~0ull >> (64 - width);
  return ((remainder << 1) ^ (terms & carry)) & mask;
}

/** Returns a byte by its distance from the end, in normal bit order; 0 before the message. */
__device__ __forceinline__ uint32_t byte_from_end(
    const ChecksumChunksArguments& a, int64_t distance) {
  if (distance >= a.length) {
    return 0;
  }
  const uint32_t byte = a.start[a.length - 1 - distance];
  return a.low_bit_first ? __brev(byte) >> 24 : byte;
}

/** Returns w bits of the message: W_i, where i is counted from the end. */
__device__ __forceinline__ uint64_t chunk_of(const ChecksumChunksArguments& a, int64_t i) {
  const int64_t bit = i * a.width;
  const int shift = static_cast<int>(bit & 7);
  uint64_t chunk = byte_from_end(a, bit / 8) >> shift;
  for (int at = 8 - shift; at < a.width; at += 8) {
    chunk |= static_cast<uint64_t>(byte_from_end(a, (bit + at) / 8)) << at;
  }
  return chunk & ~0ull >> (64 - a.width);
}

/** W_i ⊗ β_i. */
__device__ __forceinline__ uint64_t chunk_product(const ChecksumChunksArguments& a, int64_t i) {
  const uint64_t chunk = chunk_of(a, i);
  const uint64_t beta = a.beta[i % a.beta_count];
  uint64_t product = 0;
  for (int bit = a.width - 1; bit >= 0; bit--) {
    product = times_x(product, a.terms, a.width) ^ (beta & (0 - (chunk >> bit & 1)));
  }
  return product;
}

// ---- 2 and 3: sums of powers of x on tensor cores ----

/** Tiles of 16 rows that share each operand of powers after it is loaded. */
constexpr int kRowTiles = 2;

/** Bits of the remainder that an instruction computes. */
constexpr int kTileBits = 8;

template <int kTiles>
using Sums = int32_t[kRowTiles][kTiles][4];

template <int kTiles>
__device__ __forceinline__ void clear(Sums<kTiles>& sums) {
#pragma unroll
  for (int q = 0; q < kRowTiles; q++) {
#pragma unroll
    for (int tile = 0; tile < kTiles; tile++) {
#pragma unroll
      for (int i = 0; i < 4; i++) {
        sums[q][tile][i] = 0;
      }
    }
  }
}

/** Multiplies one vector per lane, words of two rows 8 apart, by 8 columns; adds to the sums. */
__device__ __forceinline__ void add_products(
    int32_t (&sums)[4], const uint4& rows, uint32_t first, uint32_t second) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(rows.x), "r"(rows.y), "r"(rows.z), "r"(rows.w), "r"(first), "r"(second));
#endif
}

/** Computes a step: 256 bits of 32 rows. operands: this lane's first vector of the step. */
template <int kTiles>
__device__ __forceinline__ void add_step(
    Sums<kTiles>& sums, const uint4 (&vectors)[kRowTiles], const uint4* operands) {
#pragma unroll
  for (int pair = 0; pair < kTiles / 2; pair++) {
    const uint4 operand = operands[pair * kWarpSize];
#pragma unroll
    for (int q = 0; q < kRowTiles; q++) {
      add_products(sums[q][2 * pair], vectors[q], operand.x, operand.y);
      add_products(sums[q][2 * pair + 1], vectors[q], operand.z, operand.w);
    }
  }
}

/** Copies vectors to shared memory; the copy is complete after a barrier by the caller. */
__device__ __forceinline__ void copy_vectors(uint4* to, const void* from, int vectors) {
  const uint4* source = static_cast<const uint4*>(from);
  for (int i = threadIdx.x; i < vectors; i += blockDim.x) {
    to[i] = source[i];
  }
}

/** Returns all ones if the lowest bit is set, else zeros. */
__device__ __forceinline__ uint32_t mask_of_lowest(uint32_t bits) {
  return 0 - (bits & 1);
}

__device__ __forceinline__ uint32_t sum_of_lanes(uint32_t word) {
#if __CUDA_ARCH__ >= 800
  return __reduce_xor_sync(~0u, word);
#else
  return word;
#endif
}

__device__ __forceinline__ uint64_t sum_of_lanes(uint64_t words) {
  return static_cast<uint64_t>(sum_of_lanes(static_cast<uint32_t>(words >> 32))) << 32 |
         sum_of_lanes(static_cast<uint32_t>(words));
}

/** Returns word i of the mask that keeps bytes first … last - 1 of 16; both are clamped to 0…16. */
__device__ __forceinline__ uint32_t word_mask(int32_t first, int32_t last, int i) {
  return __funnelshift_lc(0, ~0u, max(8 * first - 32 * i, 0)) &
         __funnelshift_rc(~0u, 0, max(32 * (i + 1) - 8 * last, 0));
}

/** The first byte of a message, and the end after its last byte. */
struct Range {
  const uint8_t* start;
  const uint8_t* end;
};

__device__ __forceinline__ Range range_of(const Messages& messages, int64_t i) {
  const uint8_t* start =
      messages.data +
      (messages.offsets == nullptr ? messages.offset + i * messages.stride : messages.offsets[i]);
  return {start, start + (messages.lengths == nullptr ? messages.length : messages.lengths[i])};
}

__device__ __forceinline__ const uint8_t* align_up(const uint8_t* address, uintptr_t bytes) {
  return reinterpret_cast<const uint8_t*>(
      (reinterpret_cast<uintptr_t>(address) + bytes - 1) & ~(bytes - 1));
}

/** Loads 16 bytes if any of bytes first … last - 1 is in the message; otherwise returns zeros. */
__device__ __forceinline__ uint4 load_touched(const uint8_t* from, int32_t first, int32_t last) {
  uint4 vector = make_uint4(0, 0, 0, 0);
  if (first < last && first < 16 && last > 0) {
    vector = *reinterpret_cast<const uint4*>(from);
  }
  return vector;
}

/** Returns the eight bytes at which a pattern starts at byte `first`; other bytes are zeros. */
__device__ __forceinline__ uint64_t shifted(uint64_t pattern, int32_t first) {
  if (first <= -8 || first >= 8) {
    return 0;
  }
  return first >= 0 ? pattern << 8 * first : pattern >> -8 * first;
}

/** Keeps bytes first … last - 1 of 16, and adds the register to the start of the message. */
__device__ __forceinline__ uint4 trim(uint4 vector, int32_t first, int32_t last, uint64_t front) {
  if (front != 0) {
    const uint64_t low = shifted(front, first);
    const uint64_t high = shifted(front, first - 8);
    vector.x ^= static_cast<uint32_t>(low);
    vector.y ^= static_cast<uint32_t>(low >> 32);
    vector.z ^= static_cast<uint32_t>(high);
    vector.w ^= static_cast<uint32_t>(high >> 32);
  }
  first = min(max(first, 0), 16);
  last = min(max(last, 0), 16);
  return make_uint4(
      vector.x & word_mask(first, last, 0),
      vector.y & word_mask(first, last, 1),
      vector.z & word_mask(first, last, 2),
      vector.w & word_mask(first, last, 3));
}

/** Returns a distance in bytes; distances of two vectors and more become one such value. */
__device__ __forceinline__ int32_t bounded(int64_t bytes) {
  return bytes < -32 ? -32 : bytes > 32 ? 32 : static_cast<int32_t>(bytes);
}

/** Returns the number of message bytes that the register is added to. */
__device__ __forceinline__ int32_t front_bytes(const Register& initial) {
  return initial.front == 0 ? 0 : sizeof(initial.front);
}

/** Returns the part of the register beyond the end of a message shorter than the register. */
__device__ __forceinline__ uint64_t register_rest(const Register& initial, int64_t bytes) {
  return 8 * bytes < initial.width
             ? initial.remainder << 8 * bytes & ~0ull >> (64 - initial.width)
             : 0;
}

}  // namespace checksums

namespace checksum_strips {

using namespace checksums;

constexpr int kWarps = 12;

/** A step is two vectors per lane: 16 rows of 32 bytes in each half. */
constexpr int kHalfBytes = 512;
constexpr int kStepBytes = kRowTiles * kHalfBytes;
constexpr int kStepVectors = kStepBytes / 16;
constexpr int kSteps = 32;
constexpr int kStripBytes = kSteps * kStepBytes;

/** Steps that are loaded ahead: 12 warps × 4 × 1024 bytes cover the latency of memory. */
template <int kTiles>
constexpr int kAhead = kTiles == 8 ? 4 : 8;

/** Products by x^(8·kStripBytes·2^i). */
constexpr int kMaps = 16;

template <int kTiles>
constexpr int kOperandVectors = kSteps * kTiles / 2 * kWarpSize;

template <int kTiles>
constexpr int kWeightVectors = kRowTiles * kTiles * 2 * kWarpSize;

template <int kTiles>
constexpr int kSharedBytes =
    16 * (kOperandVectors<kTiles> + kWeightVectors<kTiles>) + kMaps * sizeof(RemainderMap);
static_assert(kSharedBytes<4> == 49152, "the host allows this size");
static_assert(kSharedBytes<8> == 90112, "the host allows this size");

/** Shared memory of a warp, from this lane's first vector. */
struct Tables {
  const uint4* operands;
  const uint4* weights;
  const RemainderMap* strips;
};

/** Returns the image of a remainder; all lanes have the same remainder. */
__device__ __forceinline__ uint64_t apply(const RemainderMap& map, uint64_t remainder) {
  const int lane = threadIdx.x % kWarpSize;
  const uint64_t low = 0 - (remainder >> lane & 1);
  const uint64_t high = 0 - (remainder >> (lane + kWarpSize) & 1);
  return sum_of_lanes((map.columns[lane] & low) ^ (map.columns[lane + kWarpSize] & high));
}

/** Returns the remainder times x^(8·kStripBytes·count). */
__device__ __forceinline__ uint64_t advance(
    const RemainderMap* strips, uint64_t remainder, uint32_t count) {
  for (int i = 0; count != 0; i++, count >>= 1) {
    if (count & 1) {
      remainder = apply(strips[i], remainder);
    }
  }
  return remainder;
}

/** Returns the remainder of the strip with these sums, and clears the sums. */
template <int kTiles>
__device__ __forceinline__ uint64_t take_remainder(Sums<kTiles>& sums, const uint4* weights) {
  uint32_t low = 0;
  uint32_t high = 0;
#pragma unroll
  for (int q = 0; q < kRowTiles; q++) {
#pragma unroll
    for (int tile = 0; tile < kTiles; tile++) {
#pragma unroll
      for (int h = 0; h < 2; h++) {
        const uint4 weight = weights[((q * kTiles + tile) * 2 + h) * kWarpSize];
        const uint32_t even = mask_of_lowest(sums[q][tile][2 * h]);
        const uint32_t odd = mask_of_lowest(sums[q][tile][2 * h + 1]);
        low ^= (weight.x & even) ^ (weight.z & odd);
        high ^= (weight.y & even) ^ (weight.w & odd);
      }
    }
  }
  clear<kTiles>(sums);
  return static_cast<uint64_t>(sum_of_lanes(high)) << 32 | sum_of_lanes(low);
}

/** Returns the sums of a strip that is partly outside the message, or has the register added. */
template <int kTiles>
__device__ __noinline__ uint64_t part_remainder(
    const Range message, const uint8_t* strip, uint64_t front, const Tables tables) {
  constexpr int kAtOnce = 4;
  Sums<kTiles> sums;
  clear<kTiles>(sums);
  const int64_t missing = max(static_cast<int64_t>(message.start - strip), 0l);
  const uint8_t* from = strip + threadIdx.x % kWarpSize * 16;
  const int first_step = static_cast<int>(missing / (kAtOnce * kStepBytes)) * kAtOnce;
#pragma unroll 1
  for (int s = first_step; s < kSteps; s += kAtOnce) {
    uint4 vectors[kAtOnce][kRowTiles];
#pragma unroll
    for (int d = 0; d < kAtOnce; d++) {
#pragma unroll
      for (int q = 0; q < kRowTiles; q++) {
        const uint8_t* at = from + (s + d) * kStepBytes + q * kHalfBytes;
        vectors[d][q] = load_touched(at, bounded(message.start - at), bounded(message.end - at));
      }
    }
#pragma unroll
    for (int d = 0; d < kAtOnce; d++) {
#pragma unroll
      for (int q = 0; q < kRowTiles; q++) {
        const uint8_t* at = from + (s + d) * kStepBytes + q * kHalfBytes;
        vectors[d][q] = trim(
            vectors[d][q], bounded(message.start - at), bounded(message.end - at), front);
      }
      add_step<kTiles>(sums, vectors[d], tables.operands + (s + d) * (kTiles / 2 * kWarpSize));
    }
  }
  return take_remainder<kTiles>(sums, tables.weights);
}

/**
 * Computes the remainders of long messages. Strips are counted from the end of the message, which is
 * padded with zeros to 16 bytes, as is the first strip at its front. Warp i processes strips i,
 * i + warps, …, from the farthest to the nearest; before it adds a strip, it advances its remainder
 * over the strips between.
 */
template <int kTiles>
__device__ __forceinline__ void add_message(
    const ChecksumStripsArguments& a,
    const Range message,
    unsigned long long* sum,
    const Tables& tables) {
  constexpr int kDepth = kAhead<kTiles>;
  constexpr int kOperandsOfStep = kTiles / 2 * kWarpSize;
  const int lane = threadIdx.x % kWarpSize;
  const uint8_t* end = align_up(message.end, 16);
  const uint32_t pad = static_cast<uint32_t>(end - message.end);
  const int64_t count = (end - message.start + kStripBytes - 1) / kStripBytes;
  const uint32_t warps = a.blocks * kWarps;
  // Consecutive warps are in different thread blocks, so that few strips are spread over the GPU.
  const uint32_t warp = threadIdx.x / kWarpSize * a.blocks + blockIdx.x % a.blocks;
  if (warp == 0 && lane == 0) {
    const uint64_t rest = register_rest(a.initial, message.end - message.start);
    if (rest != 0) {
      atomicXor(sum, static_cast<unsigned long long>(rest));
    }
  }
  if (warp >= count) {
    return;
  }

  int64_t strip = warp + (count - 1 - warp) / warps * warps;
  uint64_t remainder = 0;
  const uint8_t* begin = end - (strip + 1) * kStripBytes;
  if (begin < message.start + front_bytes(a.initial)) {
    remainder = part_remainder<kTiles>(message, begin, a.initial.front, tables);
    strip -= warps;
  }

  const int64_t nearest_whole = pad == 0 ? 0 : 1;
  if (strip >= nearest_whole) {
    Sums<kTiles> sums;
    clear<kTiles>(sums);
    const uint4* from = reinterpret_cast<const uint4*>(end - (strip + 1) * kStripBytes) + lane;
    uint4 vectors[kDepth][kRowTiles];
#pragma unroll
    for (int d = 0; d < kDepth; d++) {
#pragma unroll
      for (int q = 0; q < kRowTiles; q++) {
        vectors[d][q] = __ldcs(from + d * kStepVectors + q * kWarpSize);
      }
    }
    do {
      // After the last strip, this loads the same strip again, from cache.
      const bool is_last = strip - warps < nearest_whole;
      const uint4* next = is_last ? from : from + static_cast<int64_t>(warps) * (kStripBytes / 16);
      const uint4* operands = tables.operands;
#pragma unroll 1
      for (int s = 0; s < kSteps; s += kDepth) {
        const uint4* ahead = s + kDepth < kSteps ? from + (s + kDepth) * kStepVectors : next;
#pragma unroll
        for (int d = 0; d < kDepth; d++) {
          add_step<kTiles>(sums, vectors[d], operands);
          operands += kOperandsOfStep;
#pragma unroll
          for (int q = 0; q < kRowTiles; q++) {
            vectors[d][q] = __ldcs(ahead + d * kStepVectors + q * kWarpSize);
          }
        }
      }
      remainder = advance(tables.strips, remainder, warps) ^
                  take_remainder<kTiles>(sums, tables.weights);
      from = next;
      strip -= warps;
    } while (strip >= nearest_whole);
  }

  if (strip == 0) {
    remainder = advance(tables.strips, remainder, warps) ^
                part_remainder<kTiles>(message, end - kStripBytes, a.initial.front, tables);
  }
  remainder = advance(tables.strips, remainder, warp);
  for (int i = 0; i < 4; i++) {
    if (pad >> i & 1) {
      remainder = apply(a.back[i], remainder);
    }
  }
  if (lane == 0) {
    atomicXor(sum, static_cast<unsigned long long>(remainder));
  }
}

template <int kTiles>
__device__ __forceinline__ void add_messages(const ChecksumStripsArguments& a) {
  extern __shared__ uint4 shared_memory[];
  const int lane = threadIdx.x % kWarpSize;
  uint4* weights = shared_memory + kOperandVectors<kTiles>;
  uint4* strips = weights + kWeightVectors<kTiles>;
  copy_vectors(shared_memory, a.operands, kOperandVectors<kTiles>);
  copy_vectors(weights, a.weights, kWeightVectors<kTiles>);
  copy_vectors(strips, a.strips, kMaps * sizeof(RemainderMap) / 16);
  __syncthreads();
  const Tables tables{
      shared_memory + lane, weights + lane, reinterpret_cast<const RemainderMap*>(strips)};
#pragma unroll 1
  for (int64_t i = blockIdx.x / a.blocks; i < a.messages.count; i += gridDim.x / a.blocks) {
    add_message<kTiles>(a, range_of(a.messages, i), a.remainders + i, tables);
  }
}

}  // namespace checksum_strips

namespace checksum_rows {

using namespace checksums;

constexpr int kWarps = 12;

/** Messages of a warp: each has two rows, one word apart. */
constexpr int kMessages = kRowTiles * 8;
constexpr int kWordBytes = 4;

/** Bytes of a block: one vector for each of the four lanes of a message. */
constexpr int kBlockBytes = 64;

/** Blocks that are loaded together: 12 warps × 4 × 1024 bytes cover the latency of memory. */
constexpr int kDepth = 4;

/** Products by x^(8·kWordBytes - 8·i). */
constexpr int kMaps = kBlockBytes + kWordBytes;

/** Distance of maps in shared memory, with a padding that puts them in different banks. */
template <int kTiles>
constexpr int kMapColumns = kTileBits * kTiles + 1;

/** State of a message; in shared memory, because it is rarely used. */
struct Row {
  /** Remainder of the segments so far, per row. */
  uint64_t parts[2];
  /** Distances from the first byte and from the end of the message to the end of block 0. */
  int32_t reach;
  int32_t pad;
};

template <int kTiles>
constexpr int kSharedBytes =
    8 * (kMaps * kMapColumns<kTiles> + kTileBits * kTiles) +
    kWarps * kMessages * static_cast<int>(sizeof(Row));
static_assert(kSharedBytes<4> == 22816, "the host adds the operands");
static_assert(kSharedBytes<8> == 40480, "the host adds the operands");

/** The vectors of a message: at `last` minus the distance of a block from block 0. */
struct Vectors {
  const uint8_t* last;
  /** Distances of the last and of the first vector; other vectors are not loaded. */
  int32_t nearest;
  int32_t farthest;
};

/** Returns the sum over the four lanes of a message. */
__device__ __forceinline__ uint64_t sum_of_four(uint64_t words) {
  words ^= __shfl_xor_sync(~0u, words, 1);
  return words ^ __shfl_xor_sync(~0u, words, 2);
}

/** Returns the part of the image of a remainder that lane t of four computes. */
template <int kTiles>
__device__ __forceinline__ uint64_t part_of_image(
    const uint64_t* columns, uint64_t remainder, int t) {
  uint64_t image = 0;
  remainder >>= t;
#pragma unroll
  for (int i = 0; i < 2 * kTiles; i++) {
    image ^= columns[4 * i + t] & (0 - (remainder >> 4 * i & 1));
  }
  return image;
}

/** Returns the remainder of row g, or of row 8 + g, in the four lanes of the row. */
template <int kTiles>
__device__ __forceinline__ uint64_t remainder_of(const int32_t (&sums)[kTiles][4], int h, int t) {
  uint64_t remainder = 0;
#pragma unroll
  for (int tile = 0; tile < kTiles; tile++) {
    const uint64_t pair = (sums[tile][2 * h] & 1) | (sums[tile][2 * h + 1] & 1) << 1;
    remainder |= pair << kTileBits * tile;
  }
  return sum_of_four(remainder << 2 * t);
}

/** Adds sums to the remainders of a message's rows, which are first advanced by a segment. */
template <int kTiles>
__device__ __forceinline__ void add_segment(
    Row& row,
    const int32_t (&sums)[kTiles][4],
    const uint64_t* segment_map,
    bool is_first,
    int t) {
#pragma unroll
  for (int h = 0; h < 2; h++) {
    uint64_t part = remainder_of<kTiles>(sums, h, t);
    if (!is_first) {
      part ^= sum_of_four(part_of_image<kTiles>(segment_map, row.parts[h], t));
    }
    __syncwarp();
    row.parts[h] = part;
  }
  __syncwarp();
}

/** Keeps the bytes of a round of blocks that are in the messages; `block` is the nearest block. */
__device__ __forceinline__ void trim_ends(
    uint4 (&vectors)[kDepth][kRowTiles], int32_t block, const Row* rows, uint64_t front, int t) {
#pragma unroll
  for (int q = 0; q < kRowTiles; q++) {
    const Row& row = rows[8 * q];
    const int32_t from_end = (block + kDepth) * kBlockBytes - 16 * t;
#pragma unroll
    for (int d = 0; d < kDepth; d++) {
      const int32_t at = from_end - d * kBlockBytes;
      vectors[d][q] = trim(vectors[d][q], at - row.reach, at - row.pad, front);
    }
  }
}

/** Loads a round of blocks, without branches; `block` is the nearest block. */
__device__ __forceinline__ void load(
    uint4 (&vectors)[kDepth][kRowTiles], int32_t block, const Vectors (&of)[kRowTiles]) {
#pragma unroll
  for (int d = 0; d < kDepth; d++) {
    const int32_t distance = (block + kDepth - 1 - d) * kBlockBytes;
#pragma unroll
    for (int q = 0; q < kRowTiles; q++) {
      const int32_t within = min(max(distance, of[q].nearest), of[q].farthest);
      vectors[d][q] = __ldcs(reinterpret_cast<const uint4*>(of[q].last - within));
    }
  }
}

/** Returns the vectors of a message whose last block ends at `end`; `other` if it is empty. */
__device__ __forceinline__ Vectors vectors_of(
    const Range& message, const uint8_t* end, int t, const void* other) {
  if (message.start == message.end) {
    return {static_cast<const uint8_t*>(other), 0, 0};
  }
  const uint8_t* last = end - kBlockBytes + 16 * t;
  return {
      last,
      static_cast<int32_t>(last - align_up(message.end, 16)) + 16,
      static_cast<int32_t>(last - align_up(message.start - 15, 16))};
}

/**
 * Computes the remainders of many messages. A warp processes 16 messages at once, aligned at their
 * ends, 256 bytes of each at a time, from the first block of the longest message. The operands cover
 * one segment; for longer messages, the remainders of rows are advanced by a segment before the next
 * segment is added.
 */
template <int kTiles>
__device__ __forceinline__ void add_messages(const ChecksumRowsArguments& a) {
  extern __shared__ uint4 shared_memory[];
  constexpr int kOperandsOfBlock = kTiles / 2 * kWarpSize;
  constexpr int kColumns = kTileBits * kTiles;
  const int lane = threadIdx.x % kWarpSize;
  const int g = lane / 4;
  const int t = lane % 4;
  uint64_t* maps = reinterpret_cast<uint64_t*>(shared_memory + a.segment * kOperandsOfBlock);
  uint64_t* segment_map = maps + kMaps * kMapColumns<kTiles>;
  // State of the lane's two messages. The four lanes of a message write the same values, after all
  // have read.
  Row* rows =
      reinterpret_cast<Row*>(segment_map + kColumns) + threadIdx.x / kWarpSize * kMessages + g;
  copy_vectors(shared_memory, a.operands, a.segment * kOperandsOfBlock);
  for (int i = threadIdx.x; i < kMaps * kColumns; i += blockDim.x) {
    maps[i / kColumns * kMapColumns<kTiles> + i % kColumns] =
        a.back[i / kColumns].columns[i % kColumns];
  }
  for (int i = threadIdx.x; i < kColumns; i += blockDim.x) {
    segment_map[i] = a.segments->columns[i];
  }
  __syncthreads();
  const uint4* operands = shared_memory + lane;

  const int64_t warps = static_cast<int64_t>(gridDim.x) * kWarps;
  const int64_t groups = (a.messages.count + kMessages - 1) / kMessages;
  for (int64_t group = static_cast<int64_t>(threadIdx.x / kWarpSize) * gridDim.x + blockIdx.x;
       group < groups; group += warps) {
    Vectors of[kRowTiles];
    int32_t longest = 0;
    // Blocks below `least` or from `most` on have bytes outside a message, or the register.
    int32_t most = 0x7FFFFFFF;
    int32_t least = 0;
#pragma unroll
    for (int q = 0; q < kRowTiles; q++) {
      const int64_t i = group * kMessages + 8 * q + g;
      const Range message =
          i < a.messages.count ? range_of(a.messages, i) : Range{a.messages.data, a.messages.data};
      const uint8_t* end = align_up(message.end, kBlockBytes);
      const int32_t reach = static_cast<int32_t>(end - message.start);
      const int32_t pad = static_cast<int32_t>(end - message.end);
      of[q] = vectors_of(message, end, t, a.operands);
      rows[8 * q] = {{0, 0}, reach, pad};
      longest = max(longest, (reach + kBlockBytes - 1) / kBlockBytes);
      most = min(most, (reach - front_bytes(a.initial)) / kBlockBytes);
      least = max(least, pad == 0 ? 0 : 1);
    }
    __syncwarp();
#if __CUDA_ARCH__ >= 800
    longest = __reduce_max_sync(~0u, longest);
    most = __reduce_min_sync(~0u, most);
    least = __reduce_max_sync(~0u, least);
#endif

    Sums<kTiles> sums;
    clear<kTiles>(sums);
    uint4 vectors[kDepth][kRowTiles];
    // The longest message is padded with blocks of zeros at its front to whole rounds.
    int32_t block = (longest - 1) / kDepth * kDepth;
    int32_t in_segment = block % a.segment;
    bool is_first = true;
    load(vectors, block, of);
#pragma unroll 1
    for (; block >= 0; block -= kDepth) {
      if (block < least || block + kDepth > most) {
        trim_ends(vectors, block, rows, a.initial.front, t);
      }
      const uint4* nearest = operands + in_segment * kOperandsOfBlock;
#pragma unroll
      for (int d = 0; d < kDepth; d++) {
        add_step<kTiles>(sums, vectors[d], nearest + (kDepth - 1 - d) * kOperandsOfBlock);
      }
      // After the last round, this loads data that is in cache.
      load(vectors, block - kDepth, of);
      if (in_segment == 0) {
#pragma unroll
        for (int q = 0; q < kRowTiles; q++) {
          add_segment<kTiles>(rows[8 * q], sums[q], segment_map, is_first, t);
        }
        clear<kTiles>(sums);
        is_first = false;
        in_segment = a.segment;
      }
      in_segment -= kDepth;
    }

#pragma unroll
    for (int q = 0; q < kRowTiles; q++) {
      const int64_t message = group * kMessages + 8 * q + g;
      const Row& row = rows[8 * q];
      const uint64_t* back = maps + row.pad * kMapColumns<kTiles>;
      const uint64_t remainder = sum_of_four(
          part_of_image<kTiles>(back, row.parts[0], t) ^
          part_of_image<kTiles>(back + kWordBytes * kMapColumns<kTiles>, row.parts[1], t));
      if (t == 0 && message < a.messages.count) {
        a.remainders[message] =
            remainder ^ a.addend ^ register_rest(a.initial, row.reach - row.pad);
      }
    }
    __syncwarp();
  }
}

}  // namespace checksum_rows

// PCRC: multiplies each chunk of a message by its β; the first thread of a block adds the products.
// Launch: ⌈chunks/threads⌉ blocks; threads: a power of two up to 1024 that divides beta_count. No
// dynamic shared memory.
extern "C" __global__ void __launch_bounds__(checksums::kLargestBlock)
    checksum_pcrc(const __grid_constant__ ChecksumChunksArguments a) {
  __shared__ uint64_t products[checksums::kLargestBlock];
  products[threadIdx.x] = checksums::chunk_product(a, launch_thread());
  __syncthreads();
  if (threadIdx.x == 0) {
    uint64_t sum = 0;
    for (int i = 0; i < blockDim.x; i++) {
      sum ^= products[i];
    }
    a.partials[blockIdx.x] = sum;
  }
}

// PCRC with a reduction: half of the threads add, then half of these. Launch: as checksum_pcrc.
extern "C" __global__ void __launch_bounds__(checksums::kLargestBlock)
    checksum_pcrc_reduction(const __grid_constant__ ChecksumChunksArguments a) {
  __shared__ uint64_t products[checksums::kLargestBlock];
  products[threadIdx.x] = checksums::chunk_product(a, launch_thread());
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      products[threadIdx.x] ^= products[threadIdx.x + half];
    }
  }
  if (threadIdx.x == 0) {
    a.partials[blockIdx.x] = products[0];
  }
}

// Computes remainders of long messages. Launch: 384 threads per block; blocks: at most the number of
// multiprocessors, a multiple of `blocks`. Dynamic shared memory: 49152 bytes, or 90112 bytes for
// widths up to 64. Compute capability 8.0 and later.
extern "C" __global__ void __launch_bounds__(checksum_strips::kWarps* kWarpSize, 1)
    checksum_strips_32(const __grid_constant__ ChecksumStripsArguments a) {
  checksum_strips::add_messages<4>(a);
}

extern "C" __global__ void __launch_bounds__(checksum_strips::kWarps* kWarpSize, 1)
    checksum_strips_64(const __grid_constant__ ChecksumStripsArguments a) {
  checksum_strips::add_messages<8>(a);
}

// Computes remainders of many messages of at most 2^30 bytes. Launch: 384 threads per block; blocks:
// at most the number of multiprocessors. Dynamic shared memory: 22816 + 1024·segment bytes, or
// 40480 + 2048·segment bytes for widths up to 64. Compute capability 8.0 and later.
extern "C" __global__ void __launch_bounds__(checksum_rows::kWarps* kWarpSize, 1)
    checksum_rows_32(const __grid_constant__ ChecksumRowsArguments a) {
  checksum_rows::add_messages<4>(a);
}

extern "C" __global__ void __launch_bounds__(checksum_rows::kWarps* kWarpSize, 1)
    checksum_rows_64(const __grid_constant__ ChecksumRowsArguments a) {
  checksum_rows::add_messages<8>(a);
}
