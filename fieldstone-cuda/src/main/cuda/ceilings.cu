// The rate of reading device memory, an upper bound for all kernels. (The driver measures writing
// and copying; product_tensor.cu measures the tensor cores.)

#include "fieldstone.cuh"

struct MemoryReadArguments {
  const uint4* memory;
  int64_t vectors;  // units of 16 bytes
  int32_t* sums;    // one word per block; written only if the sum has an improbable value
};

constexpr int kReadThreads = 512;
constexpr int kReadLoads = 8;  // 16-byte loads of a thread in a round

__device__ __forceinline__ uint32_t folded(uint4 vector) {
  return vector.x ^ vector.y ^ vector.z ^ vector.w;
}

// Reads all vectors once. A block reads one tile of 64 contiguous KiB per round. The loads of a tile
// are independent, and no branch is between them. On sm_90a the compiler keeps five 16-byte loads in
// flight in 32 registers, so that all 2048 threads of a multiprocessor fit.
// Launch: 512 threads per block; blocks: the number that fits on the GPU, or the number of tiles if
// that is less. No shared memory.
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
