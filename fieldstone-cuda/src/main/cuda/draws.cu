// Coefficients drawn on the GPU: Philox4x32-10, a counter-based generator, in which any 16 bytes of
// any coding vector come straight from the seed and their place, so that the same seed gives the
// same blocks on every engine.
//
// Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011).

#include "fieldstone.cuh"

/**
 * count matrices of rows × columns. Row i of matrix g is the first `columns` bytes of the blocks of
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

/** The block of random words for a counter. */
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

}  // namespace draws

// A thread draws one block of 16 bytes.
//
// Grid: (blocks, 1, 1), any number; count·rows·⌈columns/16⌉ / 256 gives each thread one Philox
// block. Block: (256, 1, 1), any. Dynamic shared memory: none. Shapes: any.
extern "C" __global__ void draw_uniform(const __grid_constant__ DrawArguments a) {
  using namespace draws;
  const int64_t row_blocks = (static_cast<int64_t>(a.columns) + kBlockBytes - 1) / kBlockBytes;
  const int64_t blocks = a.count * a.rows * row_blocks;
  for (int64_t at = launch_thread(); at < blocks; at += launch_threads()) {
    const int64_t vector = at / row_blocks;
    const int64_t block = at - vector * row_blocks;
    const int64_t matrix = vector / a.rows;
    const int64_t row = vector - matrix * a.rows;
    const uint4 drawn = philox(
        a.seed,
        make_uint4(
            static_cast<uint32_t>(block),
            static_cast<uint32_t>(a.first_generation + matrix),
            static_cast<uint32_t>(a.first_index + row),
            a.domain));
    const uint32_t words[4] = {drawn.x, drawn.y, drawn.z, drawn.w};
    const int64_t column = kBlockBytes * block;
    store_words(row_of(a.target, matrix, row) + column, words, a.columns - column);
  }
}
