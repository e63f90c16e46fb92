// Gauss-Jordan elimination of [C|x], a coded block at a time: Nuclei (INFOCOM 2009), section IV-F.
//
// As in the paper, a thread has one 4-byte column of the aggregate rows of n + k bytes, and a coded
// block takes several launches, since threads of one launch cannot all wait for each other:
//
//   gauss_jordan_reduce: the new block loses its entries in the columns of earlier pivots
//   the host, or gauss_jordan_pivot: finds the first entry that is not 0
//   gauss_jordan_eliminate, gauss_jordan_column: all earlier rows lose their entries in that column
//
// The paper's second launch does the last two. But rows must keep their entries in the pivot's column
// until all threads have read them, so the word with that column is the last to change. The rows held
// are always in reduced form; a row is stored in the slot of its pivot's column.

#include "combination.cuh"

/** A system of n source blocks of k bytes, and the coded block that joins it. */
struct GaussJordanArguments {
  const FieldTables* tables;
  /** n slots of `stride` bytes, 4-byte aligned, without initial values: 4·⌈n/4⌉ of C, then x. */
  uint8_t* rows;
  /** At least 4·⌈n/4⌉ + 4·⌈k/4⌉, a multiple of 4. */
  int64_t stride;
  /** By slot, 1 if it holds a row, else 0. */
  uint8_t* held;
  /** The arriving coded block: n and k bytes, at any alignment. */
  const uint8_t* vector;
  const uint8_t* payload;
  /** The coded block in reduced form, as a row of `stride` bytes. */
  uint8_t* reduced;
  /** The pivot's column, or -1; 4-byte aligned, in device memory or mapped host memory. */
  int32_t* pivot;
  int64_t k;
  int32_t n;
  int32_t polynomial;
};
static_assert(sizeof(GaussJordanArguments) == 80, "the host writes 80 bytes");

namespace gauss_jordan {

using combination::multiply;

constexpr int kPivotThreads = 256;

/** Words of C in a row. */
__device__ __forceinline__ int64_t vector_words(const GaussJordanArguments& a) {
  return (static_cast<int64_t>(a.n) + 3) / 4;
}

/** Words of a row. */
__device__ __forceinline__ int64_t row_words(const GaussJordanArguments& a) {
  return vector_words(a) + (a.k + 3) / 4;
}

__device__ __forceinline__ uint32_t* word_of(const GaussJordanArguments& a, int slot, int64_t word) {
  return reinterpret_cast<uint32_t*>(a.rows + slot * a.stride) + word;
}

/** A word of the reduced block divided by its entry in the pivot's column. */
__device__ __forceinline__ uint32_t divided(
    const GaussJordanArguments& a, int pivot, int64_t word, uint32_t reduction) {
  const uint32_t inverse = a.tables->exp[255 - a.tables->log[a.reduced[pivot]]];
  return multiply(reinterpret_cast<const uint32_t*>(a.reduced)[word], inverse, reduction);
}

}  // namespace gauss_jordan

// Reduces the coded block by the rows held.
//
// Grid: (blocks, 1, 1), any number; (⌈n/4⌉ + ⌈k/4⌉) / 64 gives each thread one word. Block:
// (64, 1, 1), any multiple of 32. Dynamic shared memory: none. With k = 0 the payload is not read.
extern "C" __global__ void gauss_jordan_reduce(const __grid_constant__ GaussJordanArguments a) {
  using namespace gauss_jordan;
  const int64_t vector_end = vector_words(a);
  const uint32_t reduction = reduction_of(a.polynomial);
  for (int64_t at = launch_thread(); at < row_words(a); at += launch_threads()) {
    const int64_t byte = 4 * (at - vector_end);
    uint32_t sum = at < vector_end ? load_word(a.vector + 4 * at, a.n - 4 * at)
                                   : load_word(a.payload + byte, a.k - byte);
    // Empty slots have undefined rows, and are multiplied by 0.
#pragma unroll 8
    for (int slot = 0; slot < a.n; slot++) {
      const uint32_t c = a.held[slot] != 0 ? a.vector[slot] : 0;
      sum ^= multiply(*word_of(a, slot, at), c, reduction);
    }
    reinterpret_cast<uint32_t*>(a.reduced)[at] = sum;
  }
}

// Finds the first entry of the reduced block that is not 0: what the CPU does in section IV-F1.
//
// Grid: (1, 1, 1). Block: (256, 1, 1). Dynamic shared memory: none.
extern "C" __global__ void gauss_jordan_pivot(const __grid_constant__ GaussJordanArguments a) {
  __shared__ int first;
  if (threadIdx.x == 0) {
    first = a.n;
  }
  __syncthreads();
  for (int column = threadIdx.x; column < a.n; column += gauss_jordan::kPivotThreads) {
    if (a.reduced[column] != 0) {
      atomicMin(&first, column);
      break;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    *a.pivot = first < a.n ? first : -1;
  }
}

// Stores the reduced block in its slot, and eliminates the pivot's column from the rows held, but for
// the word with that column. Does nothing if the pivot is -1.
//
// Grid, block and shared memory: as gauss_jordan_reduce.
extern "C" __global__ void gauss_jordan_eliminate(const __grid_constant__ GaussJordanArguments a) {
  using namespace gauss_jordan;
  const int pivot = *a.pivot;
  if (pivot < 0) {
    return;
  }
  const uint32_t reduction = reduction_of(a.polynomial);
  for (int64_t at = launch_thread(); at < row_words(a); at += launch_threads()) {
    if (at == pivot / 4) {
      continue;
    }
    const uint32_t value = divided(a, pivot, at, reduction);
#pragma unroll 4
    for (int slot = 0; slot < a.n; slot++) {
      const uint32_t c = a.held[slot] != 0 ? a.rows[slot * a.stride + pivot] : 0;
      if (c != 0) {
        *word_of(a, slot, at) ^= multiply(value, c, reduction);
      }
    }
    *word_of(a, pivot, at) = value;
  }
}

// The rest of gauss_jordan_eliminate: the word with the pivot's column, a row a thread; then the slot
// holds its row.
//
// Grid: (blocks, 1, 1), any number; n / 64 gives each thread one row. Block: (64, 1, 1), any multiple
// of 32. Dynamic shared memory: none.
extern "C" __global__ void gauss_jordan_column(const __grid_constant__ GaussJordanArguments a) {
  using namespace gauss_jordan;
  const int pivot = *a.pivot;
  if (pivot < 0) {
    return;
  }
  const uint32_t reduction = reduction_of(a.polynomial);
  const uint32_t value = divided(a, pivot, pivot / 4, reduction);
  for (int64_t at = launch_thread(); at < a.n; at += launch_threads()) {
    const int slot = static_cast<int>(at);
    uint32_t* word = word_of(a, slot, pivot / 4);
    if (slot == pivot) {
      *word = value;
      a.held[slot] = 1;
    } else if (a.held[slot] != 0) {
      *word ^= multiply(value, *word >> (pivot % 4 * 8) & 0xFF, reduction);
    }
  }
}

// Writes which source blocks are solved: at reduced + slot, 1 if the slot holds a row whose vector
// has no entry but its pivot, else 0. `reduced` must have n bytes.
//
// Grid, block and shared memory: as gauss_jordan_column.
extern "C" __global__ void gauss_jordan_solved(const __grid_constant__ GaussJordanArguments a) {
  using namespace gauss_jordan;
  for (int64_t at = launch_thread(); at < a.n; at += launch_threads()) {
    const int slot = static_cast<int>(at);
    uint32_t others = a.held[slot] != 0 ? 0 : 1;
    for (int64_t word = 0; word < vector_words(a) && others == 0; word++) {
      const uint32_t own = word == slot / 4 ? 0xFFu << (slot % 4 * 8) : 0;
      others = *word_of(a, slot, word) & ~own;
    }
    a.reduced[slot] = others == 0 ? 1 : 0;
  }
}
