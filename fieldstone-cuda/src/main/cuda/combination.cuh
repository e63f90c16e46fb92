// Linear combinations of rows, Σ cᵢ·rowᵢ over GF(2^8), 16 bytes of a row a thread.
//
// A product c·row is the sum of row·x^b over the bits b of c. So a thread keeps eight sums, one a bit:
// rowᵢ goes into sum b if cᵢ has bit b. That is one three-input logic instruction a word and bit, reads
// no table and takes any field. Only the finished sums are multiplied by their x^b.
// The other way round, many multiples of one row want row·x^b once (Multiples).
#pragma once

#include "fieldstone.cuh"

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

/** Low eight bits of the field's polynomial, in each byte of a word: what x^8 reduces to. */
__device__ __forceinline__ uint32_t reduction_of(int32_t polynomial) {
  return (static_cast<uint32_t>(polynomial) & 0xff) * 0x01010101u;
}

/** All ones in the bytes whose top bit is set, zeros in the others. */
__device__ __forceinline__ uint32_t top_bits(uint32_t word) {
#ifdef __CUDA_ARCH__
  uint32_t mask;
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(mask) : "r"(word));
  return mask;
#else
  return ((word >> 7) & 0x01010101u) * 0xff;
#endif
}

/** Each byte of a word times x. */
__device__ __forceinline__ uint32_t times_x(uint32_t word, uint32_t reduction) {
  return ((word << 1) & 0xfefefefeu) ^ (top_bits(word) & reduction);
}

/** All ones if bit b of c is set, else zero. */
__device__ __forceinline__ uint32_t bit_mask(uint32_t c, int b) {
  return static_cast<uint32_t>(static_cast<int32_t>(c << (31 - b)) >> 31);
}

/** Each byte of a word times c. */
__device__ __forceinline__ uint32_t multiply(uint32_t word, uint32_t c, uint32_t reduction) {
  uint32_t product = 0;
#pragma unroll
  for (int b = 7; b >= 0; b--) {
    product = times_x(product, reduction) ^ (bit_mask(c, b) & word);
  }
  return product;
}

/** 16 bytes of a row, as words that loops can count. */
struct alignas(16) Vector {
  uint32_t word[4];
};

__device__ __forceinline__ Vector zeros() { return Vector{{0, 0, 0, 0}}; }

/** The 16 bytes at `bytes` that are aligned and all there. */
__device__ __forceinline__ Vector load_aligned(const uint8_t* bytes) {
  const uint4 v = *reinterpret_cast<const uint4*>(bytes);
  return Vector{{v.x, v.y, v.z, v.w}};
}

__device__ __forceinline__ void store_aligned(uint8_t* bytes, const Vector& v) {
  *reinterpret_cast<uint4*>(bytes) = make_uint4(v.word[0], v.word[1], v.word[2], v.word[3]);
}

/** The 16 bytes at `bytes`, of which only the first `valid` are there; zeros for the others. */
__device__ __forceinline__ Vector load(const uint8_t* bytes, int64_t valid) {
  if (valid >= 16 && (reinterpret_cast<uintptr_t>(bytes) & 15) == 0) {
    return load_aligned(bytes);
  }
  Vector v;
#pragma unroll
  for (int w = 0; w < 4; w++) {
    v.word[w] = 0;
#pragma unroll
    for (int i = 0; i < 4; i++) {
      const int at = 4 * w + i;
      v.word[w] |= (at < valid ? static_cast<uint32_t>(bytes[at]) : 0) << (8 * i);
    }
  }
  return v;
}

/** Writes the first `valid` of 16 bytes, and nothing else. */
__device__ __forceinline__ void store(uint8_t* bytes, const Vector& v, int64_t valid) {
  if (valid >= 16 && (reinterpret_cast<uintptr_t>(bytes) & 15) == 0) {
    store_aligned(bytes, v);
    return;
  }
#pragma unroll
  for (int w = 0; w < 4; w++) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      if (4 * w + i < valid) {
        bytes[4 * w + i] = static_cast<uint8_t>(v.word[w] >> (8 * i));
      }
    }
  }
}

/** The four bytes at `bytes`, of which only the first `valid` are there; zeros for the others. */
__device__ __forceinline__ uint32_t load_word(const uint8_t* bytes, int64_t valid) {
  if (valid >= 4 && (reinterpret_cast<uintptr_t>(bytes) & 3) == 0) {
    return *reinterpret_cast<const uint32_t*>(bytes);
  }
  uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    word |= (i < valid ? static_cast<uint32_t>(bytes[i]) : 0) << (8 * i);
  }
  return word;
}

/** Writes the first `valid` of four bytes, and nothing else. */
__device__ __forceinline__ void store_word(uint8_t* bytes, uint32_t word, int64_t valid) {
  if (valid >= 4 && (reinterpret_cast<uintptr_t>(bytes) & 3) == 0) {
    *reinterpret_cast<uint32_t*>(bytes) = word;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (i < valid) {
      bytes[i] = static_cast<uint8_t>(word >> (8 * i));
    }
  }
}

/** Sums of rows by bit of their coefficients. */
struct BitSums {
  uint32_t sum[8][4];

  __device__ __forceinline__ BitSums() {
#pragma unroll
    for (int b = 0; b < 8; b++) {
#pragma unroll
      for (int w = 0; w < 4; w++) {
        sum[b][w] = 0;
      }
    }
  }

  /** Adds c·row. */
  __device__ __forceinline__ void add(uint32_t c, const Vector& row) {
#pragma unroll
    for (int b = 0; b < 8; b++) {
      const uint32_t mask = bit_mask(c, b);
#pragma unroll
      for (int w = 0; w < 4; w++) {
        sum[b][w] ^= mask & row.word[w];
      }
    }
  }

  /** The combination: Σ sum[b]·x^b, by Horner's rule. */
  __device__ __forceinline__ Vector total(uint32_t reduction) const {
    Vector total;
#pragma unroll
    for (int w = 0; w < 4; w++) {
      total.word[w] = sum[7][w];
#pragma unroll
      for (int b = 6; b >= 0; b--) {
        total.word[w] = times_x(total.word[w], reduction) ^ sum[b][w];
      }
    }
    return total;
  }
};

/** One row times x^b, b = 0 … 7: any multiple of it is a sum of these. */
struct Multiples {
  Vector multiple[8];

  /** row += c · this */
  __device__ __forceinline__ void add_to(Vector& row, uint32_t c) const {
#pragma unroll
    for (int b = 0; b < 8; b++) {
      const uint32_t mask = bit_mask(c, b);
#pragma unroll
      for (int w = 0; w < 4; w++) {
        row.word[w] ^= mask & multiple[b].word[w];
      }
    }
  }
};

/** What inverses and single products of coefficients need of a field, in shared memory: 256 words. */
struct CoefficientTables {
  uint32_t words[256];

  /** Word number i < 256 of it, from the field's tables: 512 bytes of log, then 512 of exp. */
  static __device__ __forceinline__ uint32_t word(const FieldTables* tables, int i) {
    const uint32_t* log = reinterpret_cast<const uint32_t*>(tables->log);
    const uint32_t* exp = reinterpret_cast<const uint32_t*>(tables->exp);
    return i < 128 ? log[i] : exp[i - 128];
  }

  __device__ __forceinline__ uint32_t log(uint32_t c) const { return reinterpret_cast<const uint16_t*>(words)[c]; }

  __device__ __forceinline__ uint32_t exp(uint32_t i) const { return reinterpret_cast<const uint8_t*>(words)[512 + i]; }

  __device__ __forceinline__ uint32_t product(uint32_t c, uint32_t d) const {
    return c == 0 || d == 0 ? 0 : exp(log(c) + log(d));
  }

  /** 1/c, and 0 for 0. */
  __device__ __forceinline__ uint32_t inverse(uint32_t c) const { return c == 0 ? 0 : exp(255 - log(c)); }
};

/**
 * First half of a sum over the threads of a block, where thread t holds a part of vector t mod
 * `vectors` (a power of two up to 32): leaves the sum of each warp in partials[warp·vectors + vector].
 * The second half, after a barrier, is sum_of_warps. All threads of the block call it.
 */
__device__ __forceinline__ void sum_in_warps(Vector part, int vectors, Vector* partials) {
  const int lane = threadIdx.x % kWarp;
  for (int offset = vectors; offset < kWarp; offset *= 2) {
#pragma unroll
    for (int w = 0; w < 4; w++) {
      part.word[w] ^= __shfl_xor_sync(kAllLanes, part.word[w], offset);
    }
  }
  if (lane < vectors) {
    partials[threadIdx.x / kWarp * vectors + lane] = part;
  }
}

/** Word w < 4·vectors of the sums whose parts sum_in_warps left. */
__device__ __forceinline__ uint32_t sum_of_warps(const Vector* partials, int vectors, int w) {
  const int warps = blockDim.x / kWarp;
  const uint32_t* words = reinterpret_cast<const uint32_t*>(partials);
  uint32_t sum = 0;
#pragma unroll 8
  for (int i = 0; i < warps; i++) {
    sum ^= words[i * 4 * vectors + w];
  }
  return sum;
}
