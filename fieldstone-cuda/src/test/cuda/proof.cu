// A kernel for the tests of the driver's Java objects: its struct has every kind of member that the
// kernels' structs have, so that what Java writes and what a kernel reads are seen to agree.

#include <cstdint>

struct Rows {
  uint8_t* data;
  int64_t stride;
  int64_t pitch;
};

struct ProofArguments {
  Rows from;
  Rows to;
  int64_t count;
  int32_t rows;
  int32_t columns;
  uint32_t value;
  uint32_t sharedBytes;
};

/**
 * to = from XOR value, for count matrices of rows × columns bytes; the value goes through the last
 * byte of shared memory on its way. Any grid in x; any block; sharedBytes of dynamic shared memory,
 * at least 1.
 */
extern "C" __global__ void proof(const __grid_constant__ ProofArguments a) {
  extern __shared__ uint8_t shared[];
  if (threadIdx.x == 0) {
    shared[a.sharedBytes - 1] = static_cast<uint8_t>(a.value);
  }
  __syncthreads();
  const uint8_t value = shared[a.sharedBytes - 1];
  const int64_t bytes = a.count * a.rows * a.columns;
  const int64_t threads = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes;
       i += threads) {
    const int64_t column = i % a.columns;
    const int64_t row = i / a.columns % a.rows;
    const int64_t matrix = i / a.columns / a.rows;
    a.to.data[matrix * a.to.pitch + row * a.to.stride + column] =
        a.from.data[matrix * a.from.pitch + row * a.from.stride + column] ^ value;
  }
}
