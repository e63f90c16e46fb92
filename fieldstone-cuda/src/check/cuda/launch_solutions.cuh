// Launches the kernels of substitution, of progressive decoding and of the Gauss-Jordan elimination of
// fieldstone-papers as their contracts say.

#pragma once

#include <cstring>

#include "../../../../fieldstone-papers/src/main/cuda/gauss_jordan.cu"
#include "../../../../fieldstone-papers/src/main/cuda/hpds.cu"
#include "../../main/cuda/progressive.cu"
#include "../../main/cuda/substitution.cu"
#include "check.cuh"

namespace solutions {

using namespace hpds;
using namespace progressive;
using namespace substitution;

enum class Frames { kBaseline, kHpds, kSubstitution };

/** One frame of a generation; `block` is ignored by HPDS. */
inline void solve_frame(Frames how, const SubstitutionFrameArguments& a, int block,
                        cudaStream_t stream = nullptr) {
  const dim3 square(32, 32);
  switch (how) {
    case Frames::kBaseline:
      launch(substitution_baseline_frame, blocks_of(ceil_div(ceil_div(a.k, 4), block)), block, 0, a,
             stream);
      break;
    case Frames::kHpds:
      if (a.frame > 0) {
        const dim3 grid(blocks_of(ceil_div(a.k, 128)), blocks_of(ceil_div(a.frame, 32)));
        launch(substitution_hpds_frame, grid, square, 0, a, stream);
      }
      launch(substitution_hpds_reduce, blocks_of(ceil_div(a.k, 128)), square, 0, a, stream);
      break;
    case Frames::kSubstitution:
      launch(substitution_frame, blocks_of(ceil_div(ceil_div(a.k, 16), a.vectors)), block, 0, a,
             stream);
      break;
  }
}

/** A generation of a pipeline code: random coefficients with a diagonal that is not 0. */
struct Generation {
  const Field& field;
  const int n;
  const int64_t k;
  RandomMatrices coefficients, received, solved, inverses;
  DeviceArray<uint8_t> partials;
  DeviceArray<int32_t> singular{1};

  Generation(const Field& field, int n, int64_t k, int offset = 0, int pad = 0)
      : field(field),
        n(n),
        k(k),
        coefficients(1, n, n, offset, pad),
        received(1, n, k, offset, pad),
        solved(1, n, k, offset, pad),
        inverses(1, n, n, offset, pad),
        partials(ceil_div(n, 32) * 4 * ceil_div(k, 4)) {
    std::vector<uint8_t> bytes = coefficients.bytes.read();
    for (int r = 0; r < n; r++) {
      bytes[offset + r * coefficients.view.stride + r] |= 1;
    }
    coefficients.bytes.write(bytes);
    singular.clear();
  }

  void solve(Frames how, int vectors, int block, cudaStream_t stream = nullptr) const {
    const Matrices &e = coefficients.view, &c = received.view;
    for (int s = 0; s < n; s++) {
      solve_frame(how,
                  {field.tables.data, field.polynomial, s, k, e.data + s * e.stride,
                   c.data + s * c.stride, solved.view.data, solved.view.stride, partials.data,
                   vectors, 0},
                  block, stream);
    }
  }

  /** Inverts diagonal blocks of b rows. */
  void invert_diagonal(int b, cudaStream_t stream = nullptr) const {
    launch(substitution_diagonal, blocks_of(ceil_div(n, b)),
           static_cast<unsigned>(32 * ceil_div(b, 32) * ceil_div(b, 16)), 0,
           SubstitutionDiagonalArguments{field.tables.data, field.polynomial, n, b, 0, 1,
                                         coefficients.view, inverses.view, singular.data},
           stream);
  }
};

/** Pinned host memory that the GPU reads and writes. */
struct Mapped {
  uint8_t* host = nullptr;
  uint8_t* device = nullptr;

  explicit Mapped(int64_t bytes) {
    REQUIRE(cudaHostAlloc(&host, std::max<int64_t>(bytes, 1), cudaHostAllocMapped));
    REQUIRE(cudaHostGetDevicePointer(&device, host, 0));
    memset(host, 0, bytes);
  }
  Mapped(const Mapped&) = delete;
  ~Mapped() { cudaFreeHost(host); }
};

/** The state of a progressive decoder. */
struct Progressive {
  const int n, words, block;
  const int64_t coefficient_stride, payload_stride;
  int64_t arrival = 0;
  DeviceArray<uint8_t> coefficients, payloads;
  DeviceArray<uint32_t> state;
  ProgressiveAddArguments arguments = {};

  Progressive(const Field& field, int n, int64_t k, int vectors, int block)
      : n(n),
        words(static_cast<int>(ceil_div(n, 32))),
        block(block),
        coefficient_stride(ceil_div(n, 16) * 16),
        payload_stride(ceil_div(k, 16) * 16),
        coefficients(2 * n * coefficient_stride),
        payloads(n * payload_stride),
        state(2 * words + 1 + slices(coefficient_stride, vectors) * words) {
    arguments.tables = field.tables.data;
    arguments.polynomial = field.polynomial;
    arguments.n = n;
    arguments.k = k;
    arguments.coefficients = coefficients.data;
    arguments.payloads = payloads.data;
    arguments.state = state.data;
    arguments.vectors = vectors;
    arguments.coefficient_slices = static_cast<int32_t>(slices(coefficient_stride, vectors));
    // The kernel loads empty slots before it knows that they are empty.
    coefficients.clear();
    payloads.clear();
    reset();
  }

  void reset() {
    REQUIRE(cudaMemset(state.data, 0, 4 * (2 * words + 1)));
    arrival = 0;
  }

  int64_t status_bytes() const { return sizeof(ProgressiveStatus) + 8 * words; }

  /** Adds a block that innovates if `hint` is a free column of it. */
  void add(const uint8_t* vector, const uint8_t* payload, uint8_t* status, int hint,
           cudaStream_t stream = nullptr) {
    ProgressiveAddArguments a = arguments;
    a.arrival = arrival++;
    run(a, vector, payload, status, hint, stream);
  }

  /** Writes the status that a vector would have if it came next. */
  void probe(const uint8_t* vector, uint8_t* status, int hint) const {
    ProgressiveAddArguments a = arguments;
    a.k = 0;
    a.arrival = arrival;
    run(a, vector, nullptr, status, hint, nullptr);
  }

 private:
  static int64_t slices(int64_t stride, int vectors) { return ceil_div(stride / 16, vectors - 1); }

  void run(ProgressiveAddArguments a, const uint8_t* vector, const uint8_t* payload,
           uint8_t* status, int hint, cudaStream_t stream) const {
    a.vector = vector;
    a.payload = payload;
    a.status = status;
    a.hint = hint;
    const int64_t of_payload =
        a.k == 0 ? 0 : std::min<int64_t>(1024, slices(payload_stride, a.vectors));
    launch(progressive_add, blocks_of(a.coefficient_slices + of_payload), block,
           static_cast<int>(2 * coefficient_stride + 4 * words), a, stream);
  }
};

/** A generation of n random coded blocks of k bytes that Gauss-Jordan elimination decodes. */
struct GaussJordan {
  const Field& field;
  const int n, k, stride;
  DeviceArray<uint8_t> vectors, payloads;
  /** n slots and the reduced row, then what slots hold a row. */
  DeviceArray<uint8_t> state;
  DeviceArray<int32_t> pivot{1};

  GaussJordan(const Field& field, int n, int k)
      : field(field),
        n(n),
        k(k),
        stride(round_up(n, 4) + round_up(k, 4)),
        vectors(random_bytes(int64_t{n} * n)),
        payloads(random_bytes(int64_t{n} * k)),
        state(int64_t{n + 1} * stride + n) {}

  void decode() const {
    uint8_t* held = state.data + int64_t{n + 1} * stride;
    REQUIRE(cudaMemsetAsync(held, 0, n));
    for (int row = 0; row < n; row++) {
      const GaussJordanArguments a = {
          field.tables.data, state.data, stride, held, vectors.data + int64_t{row} * n,
          payloads.data + int64_t{row} * k, state.data + int64_t{n} * stride, pivot.data, k, n,
          field.polynomial};
      const unsigned blocks = blocks_of(ceil_div(stride / 4, 64));
      launch(gauss_jordan_reduce, blocks, 64, 0, a);
      launch(gauss_jordan_pivot, 1, 256, 0, a);
      launch(gauss_jordan_eliminate, blocks, 64, 0, a);
      launch(gauss_jordan_column, blocks_of(ceil_div(n, 64)), 64, 0, a);
      if (row == n - 1) {
        launch(gauss_jordan_solved, blocks_of(ceil_div(n, 64)), 64, 0, a);
      }
    }
  }
};

}  // namespace solutions
