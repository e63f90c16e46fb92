// Shared by all kernels: matrices in device memory, the tables of a field, four field elements in a
// word, and loads and stores of words that access no byte outside a row.
//
// A field is GF(2)[x] modulo an irreducible polynomial of degree 8, any of the 30; `polynomial` has
// its 9 bits, such as 0x11D. Its elements are bytes: bit b is the coefficient of x^b.

#pragma once

#include <cstdint>

/** Matrices of bytes: row r of matrix g begins at data + g·pitch + r·stride, at any alignment. */
struct Matrices {
  uint8_t* data;
  int64_t stride;
  int64_t pitch;
};

/** The tables of a field, 3584 bytes. The generator g is any element of order 255. */
struct FieldTables {
  /** Discrete logarithms; log[0] is 511, so that exp of a sum with log[0] is 0. */
  uint16_t log[256];
  /** exp[i] is g^(i mod 255) for i up to 254 + 254, and 0 above. */
  uint8_t exp[1024];
  /** Bit b of byte r of masks[c] is bit r of c·x^b: bit r of c·y is parity(byte r AND y). */
  uint64_t masks[256];
};

/**
 * Multiplies `count` m×n coefficients by n×k sources. The m×k products replace the previous content
 * or, if accumulate is not 0, are added to it. For n = 0 the products are zeros. The products must
 * overlap neither coefficients nor sources.
 */
struct ProductArguments {
  Matrices coefficients;
  Matrices sources;
  Matrices products;
  const FieldTables* tables;
  int64_t count;
  int32_t m;
  int32_t n;
  int32_t k;
  int32_t polynomial;
  int32_t accumulate;
  int32_t unused;
};

constexpr int kWarpSize = 32;

/** Returns the index of this thread in a one-dimensional launch. */
__device__ __forceinline__ int64_t launch_thread() {
  return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/** Returns the number of threads of a one-dimensional launch. */
__device__ __forceinline__ int64_t launch_threads() {
  return static_cast<int64_t>(gridDim.x) * blockDim.x;
}

__device__ __forceinline__ uint8_t* row_of(const Matrices& matrices, int64_t matrix, int64_t row) {
  return matrices.data + matrix * matrices.pitch + row * matrices.stride;
}

/** Returns an address in shared memory, as PTX instructions take it. */
__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

/**
 * PRMT: byte i of the result is byte s of (low, high), 0 to 7, where s is nibble i of the selector;
 * s + 8 gives eight copies of that byte's top bit.
 */
__device__ __forceinline__ uint32_t permute(uint32_t low, uint32_t high, uint32_t selector) {
  uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
}

/** Transposes 4×4 bytes: byte j of word i becomes byte i of word j. */
__device__ __forceinline__ void transpose_bytes(
    uint32_t& w0, uint32_t& w1, uint32_t& w2, uint32_t& w3) {
  const uint32_t low01 = __byte_perm(w0, w1, 0x5140), high01 = __byte_perm(w0, w1, 0x7362);
  const uint32_t low23 = __byte_perm(w2, w3, 0x5140), high23 = __byte_perm(w2, w3, 0x7362);
  w0 = __byte_perm(low01, low23, 0x5410);
  w1 = __byte_perm(low01, low23, 0x7632);
  w2 = __byte_perm(high01, high23, 0x5410);
  w3 = __byte_perm(high01, high23, 0x7632);
}

/** Returns the polynomial without x^8, in each byte; x^8 is congruent to it. */
__device__ __forceinline__ uint32_t reduction_of(int32_t polynomial) {
  return (polynomial & 0xFF) * 0x01010101u;
}

/** Returns four elements, each times x. */
__device__ __forceinline__ uint32_t times_x(uint32_t elements, uint32_t reduction) {
  const uint32_t overflowing = permute(elements, 0, 0xBA98);
  return ((elements & 0x7F7F7F7Fu) << 1) ^ (overflowing & reduction);
}

/** Loads a word of a row; bytes past the `left` remaining bytes (none if negative) are zeros. */
__device__ __forceinline__ uint32_t load_word(const uint8_t* from, int64_t left) {
  if (left >= 4 && (reinterpret_cast<uintptr_t>(from) & 3) == 0) {
    return *reinterpret_cast<const uint32_t*>(from);
  }
  uint32_t word = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (i < left) {
      word |= static_cast<uint32_t>(from[i]) << (8 * i);
    }
  }
  return word;
}

/** Stores the bytes of a word that are within the `left` remaining bytes (none if negative). */
__device__ __forceinline__ void store_word(uint8_t* to, uint32_t word, int64_t left) {
  if (left >= 4 && (reinterpret_cast<uintptr_t>(to) & 3) == 0) {
    *reinterpret_cast<uint32_t*>(to) = word;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (i < left) {
      to[i] = static_cast<uint8_t>(word >> (8 * i));
    }
  }
}

/** load_word for four words, in one access if the address is aligned. */
__device__ __forceinline__ void load_words(
    const uint8_t* from, int64_t left, uint32_t (&words)[4]) {
  if (left >= 16 && (reinterpret_cast<uintptr_t>(from) & 15) == 0) {
    const uint4 loaded = *reinterpret_cast<const uint4*>(from);
    words[0] = loaded.x;
    words[1] = loaded.y;
    words[2] = loaded.z;
    words[3] = loaded.w;
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    words[i] = load_word(from + 4 * i, left - 4 * i);
  }
}

/** store_word for four words, in one access if the address is aligned. */
__device__ __forceinline__ void store_words(
    uint8_t* to, const uint32_t (&words)[4], int64_t left) {
  if (left >= 16 && (reinterpret_cast<uintptr_t>(to) & 15) == 0) {
    *reinterpret_cast<uint4*>(to) = make_uint4(words[0], words[1], words[2], words[3]);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    store_word(to + 4 * i, words[i], left - 4 * i);
  }
}
