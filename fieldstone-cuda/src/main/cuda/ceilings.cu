// What no kernel can beat: reading device memory. (Writing and copying are the driver's own; the
// tensor cores' rate is in product_tensor.cu.)

#include "fieldstone.cuh"

struct MemoryReadArguments {
  const uint4* memory;
  int64_t vectors;  // of 16 bytes
  int32_t* sums;    // a word a block, written if a sum is not what it almost surely is
};

// Reads all of it once, 16 bytes a thread and four of them under way.
// Launch: 512 threads a block, as many blocks as fit on the GPU, or fewer. No shared memory.
extern "C" __global__ void __launch_bounds__(512)
    memory_read(const __grid_constant__ MemoryReadArguments a) {
  uint32_t sum = 0;
#pragma unroll 4
  for (int64_t i = launch_thread(); i < a.vectors; i += launch_threads()) {
    const uint4 vector = __ldcs(&a.memory[i]);
    sum += vector.x ^ vector.y ^ vector.z ^ vector.w;
  }
  if (sum == 0x9E3779B9u) a.sums[blockIdx.x] = static_cast<int32_t>(sum);
}
