// Linear combinations of rows, Σ cᵢ·rowᵢ over GF(2^8), with 16 bytes of a row per thread.
//
// A product c·row is the sum of row·x^b over the bits b of c. A thread keeps eight sums, one per bit:
// rowᵢ is added to sum b if cᵢ has bit b. This takes one three-input logic instruction per word and
// bit, without tables, for any field. At the end sum b is multiplied by x^b. Many multiples of one
// row need row·x^b only once (Multiples).
#pragma once

#include "fieldstone.cuh"

namespace combination {

constexpr unsigned kAllLanes = 0xffffffffu;

/** Returns all ones if bit b of c is set, else zero. */
__device__ __forceinline__ uint32_t bit_mask(uint32_t c, int b) {
  return static_cast<uint32_t>(static_cast<int32_t>(c << (31 - b)) >> 31);
}

/** Returns each byte of a word times c. */
__device__ __forceinline__ uint32_t multiply(uint32_t word, uint32_t c, uint32_t reduction) {
  uint32_t product = 0;
#pragma unroll
  for (int b = 7; b >= 0; b--) {
    product = times_x(product, reduction) ^ (bit_mask(c, b) & word);
  }
  return product;
}

/** 16 bytes of a row, as an array of words. */
struct alignas(16) Vector {
  uint32_t word[4];
};

__device__ __forceinline__ Vector zeros() { return Vector{{0, 0, 0, 0}}; }

/** Loads 16 aligned bytes that are all within the row. */
__device__ __forceinline__ Vector load_aligned(const uint8_t* bytes) {
  const uint4 v = *reinterpret_cast<const uint4*>(bytes);
  return Vector{{v.x, v.y, v.z, v.w}};
}

__device__ __forceinline__ void store_aligned(uint8_t* bytes, const Vector& v) {
  *reinterpret_cast<uint4*>(bytes) = make_uint4(v.word[0], v.word[1], v.word[2], v.word[3]);
}

/** Loads 16 bytes; bytes past the `left` remaining bytes (none if negative) are zeros. */
__device__ __forceinline__ Vector load(const uint8_t* from, int64_t left) {
  Vector v;
  load_words(from, left, v.word);
  return v;
}

/** Stores the bytes of a vector within the `left` remaining bytes (none if negative). */
__device__ __forceinline__ void store(uint8_t* to, const Vector& v, int64_t left) {
  store_words(to, v.word, left);
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

  /** Returns the combination Σ sum[b]·x^b, by Horner's rule. */
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

/** The tables for inverses and single products of coefficients, in shared memory: 256 words. */
struct CoefficientTables {
  uint32_t words[256];

  /** Returns word i < 256 of the tables: 512 bytes of log, then 512 bytes of exp. */
  static __device__ __forceinline__ uint32_t word(const FieldTables* tables, int i) {
    const uint32_t* log = reinterpret_cast<const uint32_t*>(tables->log);
    const uint32_t* exp = reinterpret_cast<const uint32_t*>(tables->exp);
    return i < 128 ? log[i] : exp[i - 128];
  }

  __device__ __forceinline__ uint32_t log(uint32_t c) const {
    return reinterpret_cast<const uint16_t*>(words)[c];
  }

  __device__ __forceinline__ uint32_t exp(uint32_t i) const {
    return reinterpret_cast<const uint8_t*>(words)[512 + i];
  }

  __device__ __forceinline__ uint32_t product(uint32_t c, uint32_t d) const {
    return c == 0 || d == 0 ? 0 : exp(log(c) + log(d));
  }

  /** Returns 1/c; 0 for 0. */
  __device__ __forceinline__ uint32_t inverse(uint32_t c) const {
    return c == 0 ? 0 : exp(255 - log(c));
  }
};

/**
 * The first half of a sum over the threads of a block, where thread t has a part of vector t mod
 * `vectors` (a power of two up to 32): writes the sum of each warp to partials[warp·vectors +
 * vector]. The second half, after a barrier, is sum_of_warps. All threads of the block call it.
 */
__device__ __forceinline__ void sum_in_warps(Vector part, int vectors, Vector* partials) {
  const int lane = threadIdx.x % kWarpSize;
  for (int offset = vectors; offset < kWarpSize; offset *= 2) {
#pragma unroll
    for (int w = 0; w < 4; w++) {
      part.word[w] ^= __shfl_xor_sync(kAllLanes, part.word[w], offset);
    }
  }
  if (lane < vectors) {
    partials[threadIdx.x / kWarpSize * vectors + lane] = part;
  }
}

/** Returns word w < 4·vectors of the sums, from the partial sums of sum_in_warps. */
__device__ __forceinline__ uint32_t sum_of_warps(const Vector* partials, int vectors, int w) {
  const int warps = blockDim.x / kWarpSize;
  const uint32_t* words = reinterpret_cast<const uint32_t*>(partials);
  uint32_t sum = 0;
#pragma unroll 8
  for (int i = 0; i < warps; i++) {
    sum ^= words[i * 4 * vectors + w];
  }
  return sum;
}

}  // namespace combination
