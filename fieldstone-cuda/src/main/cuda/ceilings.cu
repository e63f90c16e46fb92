// What no kernel can beat: reading device memory. (Writing and copying are the driver's own; the
// tensor cores' rate is in product_tensor.cu.)

#include "fieldstone.cuh"

struct MemoryReadArguments {
  const uint4* memory;
  int64_t vectors;  // of 16 bytes
  int32_t* sums;    // a word a block, written if a sum is not what it almost surely is
};

constexpr int kReadThreads = 512;
constexpr int kReadLoads = 8;  // of 16 bytes each, in a thread and round

__device__ __forceinline__ uint32_t folded(uint4 vector) {
  return vector.x ^ vector.y ^ vector.z ^ vector.w;
}

// Reads all of it once, a tile of contiguous 64 KiB a block and round. A tile's loads do not depend
// on each other, and no branch stands between them. On sm_90a the compiler keeps five of them, of 16
// bytes each, under way in 32 registers, so that all 2048 threads of a multiprocessor fit.
// Launch: 512 threads a block, as many blocks as fit on the GPU, or a block for each tile if those
// are fewer. No shared memory.
extern "C" __global__ void __launch_bounds__(kReadThreads)
    memory_read(const __grid_constant__ MemoryReadArguments a) {
  constexpr int64_t kTile = kReadThreads * kReadLoads;
  const int64_t tiles = a.vectors / kTile;
  uint32_t sum = 0;
  for (int64_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const uint4* from = a.memory + tile * kTile + threadIdx.x;
    uint4 vectors[kReadLoads];
#pragma unroll
    for (int i = 0; i < kReadLoads; ++i) vectors[i] = __ldcs(from + i * kReadThreads);
#pragma unroll
    for (int i = 0; i < kReadLoads; ++i) sum ^= folded(vectors[i]);
  }
  for (int64_t i = tiles * kTile + launch_thread(); i < a.vectors; i += launch_threads()) {
    sum ^= folded(__ldcs(&a.memory[i]));
  }
  if (sum == 0x9E3779B9u) a.sums[blockIdx.x] = static_cast<int32_t>(sum);
}
