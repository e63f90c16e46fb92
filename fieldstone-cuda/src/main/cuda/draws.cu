// Draws coefficients by Philox4x32-10, a counter-based generator. Any 16 bytes of a coding vector are
// a function of the seed and their position, so the same seed gives the same blocks on every engine.
//
// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).

#include "fieldstone.cuh"

/**
 * Fills `count` matrices of rows × columns. Row i of matrix g is the first `columns` bytes of the blocks of
 * counters (block, first_generation + g, first_index + i, domain), each word modulo 2^32, with the
 * seed as key.
 */
struct DrawArguments {
  Matrices target;
  uint64_t seed;
  uint64_t first_generation;
  uint64_t first_index;
  int64_t count;
  int32_t rows;
  int32_t columns;
  uint32_t domain;
  uint32_t unused;
};

namespace draws {

constexpr int kBlockBytes = 16;

/** Returns the block of random words for a counter. */
__device__ __forceinline__ uint4 philox(uint64_t key, uint4 counter) {
  uint32_t key0 = static_cast<uint32_t>(key);
  uint32_t key1 = static_cast<uint32_t>(key >> 32);
#pragma unroll
  for (int round = 0; round < 10; round++) {
    const uint64_t product0 = static_cast<uint64_t>(0xD2511F53u) * counter.x;
    const uint64_t product1 = static_cast<uint64_t>(0xCD9E8D57u) * counter.z;
    counter = make_uint4(
        static_cast<uint32_t>(product1 >> 32) ^ counter.y ^ key0,
        static_cast<uint32_t>(product1),
        static_cast<uint32_t>(product0 >> 32) ^ counter.w ^ key1,
        static_cast<uint32_t>(product0));
    // Weyl sequences: the golden ratio and √3 − 1, each times 2^32.
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return counter;
}

/** The position of a block of 16 bytes, or the distance between two. */
struct Place {
  int64_t matrix;
  uint32_t row;
  uint32_t block;
};

__device__ __forceinline__ Place place(uint32_t number, uint32_t rows, uint32_t row_blocks) {
  const uint32_t vector = number / row_blocks;
  return {vector / rows, vector % rows, number % row_blocks};
}

}  // namespace draws

// Draws coefficients. A thread draws blocks of 16 bytes; the distance between its blocks is the number
// of threads. This distance is divided into matrices, rows and blocks once and then added, because a
// division per block takes the same number of instructions as drawing the block.
//
// Grid: (blocks, 1, 1), any number with less than 2^32 threads; no more than run at once, so that a
// thread draws many. Block: (256, 1, 1), any. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void draw_uniform(const __grid_constant__ DrawArguments a) {
  using namespace draws;
  if (a.rows == 0 || a.columns == 0) return;
  const uint32_t rows = a.rows;
  const uint32_t row_blocks = (static_cast<uint32_t>(a.columns) + kBlockBytes - 1) / kBlockBytes;
  const Place step = place(static_cast<uint32_t>(launch_threads()), rows, row_blocks);
  Place at = place(static_cast<uint32_t>(launch_thread()), rows, row_blocks);
  while (at.matrix < a.count) {
    const uint4 drawn = philox(
        a.seed,
        make_uint4(
            at.block,
            static_cast<uint32_t>(a.first_generation + at.matrix),
            static_cast<uint32_t>(a.first_index) + at.row,
            a.domain));
    const uint32_t words[4] = {drawn.x, drawn.y, drawn.z, drawn.w};
    const int64_t column = static_cast<int64_t>(kBlockBytes) * at.block;
    store_words(row_of(a.target, at.matrix, at.row) + column, words, a.columns - column);
    at.block += step.block;
    at.row += step.row;
    at.matrix += step.matrix;
    if (at.block >= row_blocks) {
      at.block -= row_blocks;
      at.row++;
    }
    if (at.row >= rows) {
      at.row -= rows;
      at.matrix++;
    }
  }
}
