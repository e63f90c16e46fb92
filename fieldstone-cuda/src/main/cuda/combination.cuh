// Linear combinations of rows, Σ cᵢ·rowᵢ over GF(2^8), 16 bytes of a row a thread.
//
// A product c·row is the sum of row·x^b over the bits b of c. So a thread keeps eight sums, one a
// bit: rowᵢ goes into sum b if cᵢ has bit b. That is one three-input logic instruction a word and
// bit, reads no table and takes any field. Only the finished sums are multiplied by their x^b. The
// other way round, many multiples of one row want row·x^b once (Multiples).
#pragma once

#include "fieldstone.cuh"

namespace combination {

constexpr unsigned kAllLanes = 0xffffffffu;

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

/** The first bytes of a row's rest, `left` of them (none if negative), zeros where it ends. */
__device__ __forceinline__ Vector load(const uint8_t* from, int64_t left) {
  Vector v;
  load_words(from, left, v.word);
  return v;
}

/** Stores the first bytes of a vector, as many as are `left` in the row (none if negative). */
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

/** What inverses and single products of coefficients need of a field, in shared memory: 256 words.
 */
struct CoefficientTables {
  uint32_t words[256];

  /** Word number i < 256 of it, from the field's tables: 512 bytes of log, then 512 of exp. */
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

  /** 1/c, and 0 for 0. */
  __device__ __forceinline__ uint32_t inverse(uint32_t c) const {
    return c == 0 ? 0 : exp(255 - log(c));
  }
};

/**
 * First half of a sum over the threads of a block, where thread t holds a part of vector t mod
 * `vectors` (a power of two up to 32): leaves the sum of each warp in partials[warp·vectors +
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

/** Word w < 4·vectors of the sums whose parts sum_in_warps left. */
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
