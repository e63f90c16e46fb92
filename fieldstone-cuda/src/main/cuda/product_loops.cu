// Products of matrices over GF(2^8) by loops over the bits of the coefficients, without tables.
//
// A product c·y is the sum of the y·x^b whose bit b of c is set, and y·x^(b+1) comes from y·x^b by a
// shift and, on overflow, the polynomial (Nuclei, INFOCOM 2009, Fig. 4).

#include "fieldstone.cuh"

namespace loops {

/** Coded blocks, and bytes of each, that a thread of product_loop_tile computes. */
constexpr int kTileRows = 8;
constexpr int kTileBytes = 16;

/** Sources per iteration: one word of coefficients. */
constexpr int kTileSources = 4;

}  // namespace loops

// The loop for current GPUs: a thread computes 16 bytes of each of eight coded blocks. A source's 16
// bytes are read once, in one access, and multiplied by x seven times for all eight; the loop over
// the bits has no exit that depends on data, and an addition is one LOP3 with a mask of zeros or
// ones. That mask is a PRMT, which copies a byte's top bit: with the coefficients' bits reversed,
// bit b is there after b shifts of four coefficients at once. 3.5 instructions for a byte's
// product, where a word of Fig. 4 takes about 50 for its four.
//
// Grid: (blocks, 1, 1), any number; count·⌈m/8⌉·⌈k/16⌉ / 256 gives each thread one tile. Block:
// (256, 1, 1), any multiple of 32 up to 256. Dynamic shared memory: none. Shapes: any; 16-byte
// accesses where a row of sources or products is 16-byte aligned.
extern "C" __global__ void __launch_bounds__(256, 2)
    product_loop_tile(const __grid_constant__ ProductArguments a) {
  using namespace loops;
  const int64_t row_tiles = (static_cast<int64_t>(a.k) + kTileBytes - 1) / kTileBytes;
  const int64_t column_tiles = (static_cast<int64_t>(a.m) + kTileRows - 1) / kTileRows;
  const int64_t tiles = a.count * column_tiles * row_tiles;
  const uint32_t reduction = reduction_of(a.polynomial);
  for (int64_t at = launch_thread(); at < tiles; at += launch_threads()) {
    const int64_t block = at / row_tiles;
    const int64_t column = kTileBytes * (at - block * row_tiles);
    const int64_t matrix = block / column_tiles;
    const int first_row = kTileRows * static_cast<int>(block - matrix * column_tiles);
    const int64_t left = a.k - column;
    uint32_t sums[kTileRows][4] = {};
    for (int s = 0; s < a.n; s += kTileSources) {
      uint32_t factors[kTileRows];
#pragma unroll
      for (int r = 0; r < kTileRows; r++) {
        // Rows beyond the last repeat it, and are not stored.
        const int row = min(first_row + r, a.m - 1);
        factors[r] = __brev(load_word(row_of(a.coefficients, matrix, row) + s, a.n - s));
      }
      uint32_t multiples[kTileSources][4];
#pragma unroll
      for (int i = 0; i < kTileSources; i++) {
        const int64_t source_left = s + i < a.n ? left : 0;
        load_words(row_of(a.sources, matrix, s + i) + column, source_left, multiples[i]);
      }
#pragma unroll
      for (int bit = 0; bit < 8; bit++) {
#pragma unroll
        for (int i = 0; i < kTileSources; i++) {
#pragma unroll
          for (int r = 0; r < kTileRows; r++) {
            const uint32_t mask = permute(factors[r], 0, 0xBBBB - 0x1111 * i);
#pragma unroll
            for (int w = 0; w < 4; w++) {
              sums[r][w] ^= multiples[i][w] & mask;
            }
          }
#pragma unroll
          for (int w = 0; w < 4; w++) {
            multiples[i][w] = times_x(multiples[i][w], reduction);
          }
        }
#pragma unroll
        for (int r = 0; r < kTileRows; r++) {
          factors[r] <<= 1;
        }
      }
    }
#pragma unroll
    for (int r = 0; r < kTileRows; r++) {
      if (first_row + r < a.m) {
        uint8_t* product = row_of(a.products, matrix, first_row + r) + column;
        if (a.accumulate) {
          uint32_t before[4];
          load_words(product, left, before);
#pragma unroll
          for (int w = 0; w < 4; w++) {
            sums[r][w] ^= before[w];
          }
        }
        store_words(product, sums[r], left);
      }
    }
  }
}
