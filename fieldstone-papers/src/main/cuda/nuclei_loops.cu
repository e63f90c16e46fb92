// Products of matrices over GF(2^8) by loops over the bits of the coefficients, without tables.
//
// Shojania, Li and Wang, "Nuclei: GPU-accelerated many-core network coding" (INFOCOM 2009),
// sections IV-B, IV-C and IV-E. A product c·y is the sum of the y·x^b whose bit b of c is set, and
// y·x^(b+1) comes from y·x^b by a shift and, on overflow, the polynomial. product_loop_byte is the
// paper's Fig. 3. product_loop_word and the kernels with its name are the steps of the paper to and
// from its Fig. 4: they differ in one property each. product_loop_tile of product_loops.cu is the same
// loop for current GPUs.

#include "fieldstone.cuh"

namespace loops {

/** Fig. 3. */
__device__ __forceinline__ uint32_t multiply_byte(
    uint32_t factor, uint32_t data, uint32_t polynomial) {
  uint32_t result = 0;
  while (factor != 0) {
    if ((factor & 1) != 0) {
      result ^= data;
    }
    data <<= 1;
    if ((data & 0x100) != 0) {
      data ^= polynomial;
    }
    factor >>= 1;
  }
  return result;
}

/** The polynomial's mask of a word by conditions, a byte at a time (section IV-B). */
struct MaskByConditions {
  static __device__ __forceinline__ uint32_t mask(uint32_t data, uint32_t reduction) {
    uint32_t mask = 0;
    if ((data & 0x80u) != 0) {
      mask |= reduction;
    }
    if ((data & 0x8000u) != 0) {
      mask |= reduction << 8;
    }
    if ((data & 0x800000u) != 0) {
      mask |= reduction << 16;
    }
    if ((data & 0x80000000u) != 0) {
      mask |= reduction << 24;
    }
    return mask;
  }
};

/** The mask by a multiplication of 32 bits: Fig. 4, statement (7a). */
struct MaskByProduct {
  static __device__ __forceinline__ uint32_t mask(uint32_t data, uint32_t reduction) {
    return ((data & 0x80808080u) >> 7) * reduction;
  }
};

/** The mask by a multiplication of 24 bits, and the top byte by a condition: statement (7b). */
struct MaskBy24Bits {
  static __device__ __forceinline__ uint32_t mask(uint32_t data, uint32_t reduction) {
    uint32_t mask = __umul24((data & 0x80808080u) >> 7, reduction);
    if ((data & 0x80000000u) != 0) {
      mask += reduction << 24;
    }
    return mask;
  }
};

/** Fig. 4. */
template <typename Mask>
__device__ __forceinline__ uint32_t multiply_word(
    uint32_t factor, uint32_t data, uint32_t reduction) {
  uint32_t result = 0;
  while (factor != 0) {
    if ((factor & 1) != 0) {
      result ^= data;
    }
    const uint32_t mask = Mask::mask(data, reduction);
    data = ((data & 0x7F7F7F7Fu) << 1) ^ mask;
    factor >>= 1;
  }
  return result;
}

/**
 * Computes the word at `column` of a coded block. Coefficients are read kAtOnce at a time, 1 or 4.
 */
template <typename Mask, int kAtOnce>
__device__ __forceinline__ void write_word(
    const ProductArguments& a, int64_t matrix, int64_t row, int64_t column) {
  const uint32_t reduction = a.polynomial & 0xFF;
  const int64_t left = a.k - column;
  const uint8_t* coefficient = row_of(a.coefficients, matrix, row);
  const uint8_t* source = row_of(a.sources, matrix, 0) + column;
  uint8_t* product = row_of(a.products, matrix, row) + column;
  uint32_t sum = a.accumulate ? load_word(product, left) : 0;
  for (int s = 0; s < a.n; s += kAtOnce) {
    uint32_t factors = kAtOnce == 1 ? coefficient[s] : load_word(coefficient + s, a.n - s);
    const int sources = min(kAtOnce, a.n - s);
    for (int i = 0; i < sources; i++) {
      sum ^= multiply_word<Mask>(factors & 0xFF, load_word(source, left), reduction);
      factors >>= 8;
      source += a.sources.stride;
    }
  }
  store_word(product, sum, left);
}

/** A thread a word: neighbours in a warp compute neighbouring words, so loads are coalesced. */
template <typename Mask, int kAtOnce>
__device__ __forceinline__ void write_words(const ProductArguments& a) {
  const int64_t row_words = (static_cast<int64_t>(a.k) + 3) / 4;
  const int64_t words = a.count * a.m * row_words;
  for (int64_t at = launch_thread(); at < words; at += launch_threads()) {
    const int64_t block = at / row_words;
    const int64_t matrix = block / a.m;
    write_word<Mask, kAtOnce>(
        a, matrix, block - matrix * a.m, 4 * (at - block * row_words));
  }
}

}  // namespace loops

// Fig. 3: a thread computes one byte of a coded block.
//
// Grid: (blocks, 1, 1), any number; count·m·k / 256 gives each thread one byte. Block: (256, 1, 1),
// any multiple of 32. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void product_loop_byte(const __grid_constant__ ProductArguments a) {
  const int64_t bytes = a.count * a.m * a.k;
  for (int64_t at = launch_thread(); at < bytes; at += launch_threads()) {
    const int64_t block = at / a.k;
    const int64_t column = at - block * a.k;
    const int64_t matrix = block / a.m;
    const int64_t row = block - matrix * a.m;
    const uint8_t* coefficient = row_of(a.coefficients, matrix, row);
    const uint8_t* source = row_of(a.sources, matrix, 0) + column;
    uint8_t* product = row_of(a.products, matrix, row) + column;
    uint32_t sum = a.accumulate ? *product : 0;
    for (int s = 0; s < a.n; s++) {
      sum ^= loops::multiply_byte(coefficient[s], *source, a.polynomial);
      source += a.sources.stride;
    }
    *product = static_cast<uint8_t>(sum);
  }
}

// Fig. 4 and section IV-E: a thread computes one word of a coded block; neighbours in a warp compute
// neighbouring words, so that their loads are coalesced, and coefficients are read four at a time.
// The mask is that of statement (7a).
//
// Grid: (blocks, 1, 1), any number; count·m·⌈k/4⌉ / 256 gives each thread one word. Block:
// (256, 1, 1), any multiple of 32. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void product_loop_word(const __grid_constant__ ProductArguments a) {
  loops::write_words<loops::MaskByProduct, 4>(a);
}

// The same with the mask of section IV-B, by conditions.
extern "C" __global__ void product_loop_word_branch(const __grid_constant__ ProductArguments a) {
  loops::write_words<loops::MaskByConditions, 4>(a);
}

// The same with the mask of statement (7b): the last step of section IV-E1.
extern "C" __global__ void product_loop_word_24(const __grid_constant__ ProductArguments a) {
  loops::write_words<loops::MaskBy24Bits, 4>(a);
}

// The step before: coefficients are read one at a time.
extern "C" __global__ void product_loop_word_bytewise(const __grid_constant__ ProductArguments a) {
  loops::write_words<loops::MaskBy24Bits, 1>(a);
}

// The first step of section IV-E1: a thread computes a coded block, and reads coefficients one at a
// time. Loads of a warp are of one word, its stores are of as many blocks.
//
// Grid: (blocks, 1, 1), any number; count·m / 256 gives each thread one coded block. Block, shared
// memory and shapes: as product_loop_word.
extern "C" __global__ void product_loop_word_coarse(const __grid_constant__ ProductArguments a) {
  const int64_t blocks = a.count * a.m;
  for (int64_t at = launch_thread(); at < blocks; at += launch_threads()) {
    const int64_t matrix = at / a.m;
    for (int64_t column = 0; column < a.k; column += 4) {
      loops::write_word<loops::MaskBy24Bits, 1>(a, matrix, at - matrix * a.m, column);
    }
  }
}
