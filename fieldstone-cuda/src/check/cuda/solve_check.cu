// Checks substitution.cu and progressive.cu against plain loops on the host, then times them.
//
//   nvcc -O3 -std=c++17 -arch=native -I fieldstone-cuda/src/main/cuda -o solve_check
//       fieldstone-cuda/src/check/cuda/solve_check.cu
//   ./solve_check
//
// With a number, checks only, and matrices of at most about that many rows (for compute-sanitizer:
// 40). Exits 1 if anything is wrong.
//
// Every matrix lies in an image of random bytes, at a random offset, stride and pitch. What a
// kernel should do is done to the image on the host too, and then the whole images must be equal:
// results right, all else untouched.

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../../../../fieldstone-papers/src/main/cuda/hpds.cu"
#include "../../main/cuda/progressive.cu"
#include "../../main/cuda/substitution.cu"
#include "check.cuh"

namespace {

using namespace combination;
using namespace hpds;
using namespace progressive;
using namespace substitution;

template <typename Arguments>
void launch(void (*kernel)(Arguments), dim3 grid, dim3 block, size_t shared, const Arguments& a,
            cudaStream_t stream = nullptr) {
  kernel<<<grid, block, shared, stream>>>(a);
  REQUIRE(cudaGetLastError());
}

std::mt19937_64 random_bits(20260101);

int64_t uniform(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(random_bits() % static_cast<uint64_t>(high - low + 1));
}

uint8_t random_byte() { return static_cast<uint8_t>(random_bits() >> 32); }

uint8_t random_nonzero() { return static_cast<uint8_t>(uniform(1, 255)); }

int64_t divide_up(int64_t a, int64_t b) { return (a + b - 1) / b; }

unsigned blocks(int64_t n) { return static_cast<unsigned>(n); }

// ---- a field, plainly ----

class Field {
 public:
  explicit Field(int polynomial) : polynomial_(polynomial) {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        products_[a][b] = multiply_slowly(a, b);
        if (products_[a][b] == 1) {
          inverses_[a] = static_cast<uint8_t>(b);
        }
      }
    }
    FieldTables tables{};
    int generator = 2;
    while (order(generator) != 255) {
      generator++;
    }
    int power = 1;
    tables.log[0] = 511;
    for (int i = 0; i <= 508; i++) {
      tables.exp[i] = static_cast<uint8_t>(power);
      if (i < 255) {
        tables.log[power] = static_cast<uint16_t>(i);
      }
      power = products_[power][generator];
    }
    for (int c = 0; c < 256; c++) {
      for (int b = 0; b < 8; b++) {
        for (int r = 0; r < 8; r++) {
          tables.masks[c] |= static_cast<uint64_t>(products_[c][1 << b] >> r & 1) << (8 * r + b);
        }
      }
    }
    REQUIRE(cudaMalloc(&device_, sizeof tables));
    REQUIRE(cudaMemcpy(device_, &tables, sizeof tables, cudaMemcpyHostToDevice));
  }

  ~Field() { cudaFree(device_); }
  Field(const Field&) = delete;
  Field& operator=(const Field&) = delete;

  int polynomial() const { return polynomial_; }
  const FieldTables* device() const { return device_; }
  uint8_t inverse(uint8_t a) const { return inverses_[a]; }

  /** to += c · from */
  void add(uint8_t* to, uint8_t c, const uint8_t* from, int64_t bytes) const {
    for (int64_t i = 0; i < bytes; i++) {
      to[i] ^= products_[c][from[i]];
    }
  }

  /** row *= c */
  void scale(uint8_t* row, uint8_t c, int64_t bytes) const {
    for (int64_t i = 0; i < bytes; i++) {
      row[i] = products_[c][row[i]];
    }
  }

 private:
  uint8_t multiply_slowly(int a, int b) const {
    int product = 0;
    for (int i = 0; i < 8; i++) {
      product ^= (b >> i & 1) * (a << i);
    }
    for (int i = 14; i >= 8; i--) {
      product ^= (product >> i & 1) * (polynomial_ << (i - 8));
    }
    return static_cast<uint8_t>(product);
  }

  int order(int g) const {
    int i = 1;
    for (int power = g; power != 1; power = products_[power][g]) {
      i++;
    }
    return i;
  }

  int polynomial_;
  uint8_t products_[256][256];
  uint8_t inverses_[256] = {};
  FieldTables* device_ = nullptr;
};

// ---- memory ----

/** Device memory and what it should hold. */
class Image {
 public:
  explicit Image(int64_t bytes) : expected(static_cast<size_t>(std::max<int64_t>(bytes, 1))) {
    for (uint8_t& byte : expected) {
      byte = random_byte();
    }
    REQUIRE(cudaMalloc(&device_, expected.size()));
    upload();
  }

  ~Image() { cudaFree(device_); }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  uint8_t* device() const { return static_cast<uint8_t*>(device_); }

  void upload() {
    REQUIRE(cudaMemcpy(device_, expected.data(), expected.size(), cudaMemcpyHostToDevice));
  }

  std::vector<uint8_t> download() const {
    std::vector<uint8_t> bytes(expected.size());
    REQUIRE(cudaMemcpy(bytes.data(), device_, bytes.size(), cudaMemcpyDeviceToHost));
    return bytes;
  }

  void check(const std::string& what) const {
    const std::vector<uint8_t> found = download();
    for (size_t i = 0; i < found.size(); i++) {
      if (found[i] != expected[i]) {
        expect(false, what + ": byte " + std::to_string(i) + " of " + std::to_string(found.size()));
        return;
      }
    }
  }

  std::vector<uint8_t> expected;

 private:
  void* device_ = nullptr;
};

/** count matrices somewhere in an image. */
class MatricesImage : public Image {
 public:
  MatricesImage(int64_t count, int64_t rows, int64_t columns, bool aligned)
      : MatricesImage(count, rows, columns, aligned ? 0 : uniform(0, 17),
                      aligned ? divide_up(columns, 16) * 16 : columns + uniform(0, 19),
                      aligned ? 0 : uniform(0, 33)) {}

  uint8_t* row(int64_t g, int64_t r) {
    return expected.data() + offset_ + g * pitch_ + r * stride_;
  }
  Matrices view() const { return Matrices{device() + offset_, stride_, pitch_}; }

 private:
  MatricesImage(int64_t count, int64_t rows, int64_t, int64_t offset, int64_t stride, int64_t gap)
      : Image(offset + count * (rows * stride + gap) + 5),
        offset_(offset),
        stride_(stride),
        pitch_(rows * stride + gap) {}

  int64_t offset_;
  int64_t stride_;
  int64_t pitch_;
};

// ---- substitution ----

/** Generations of a pipeline code: lower-triangular E, sources p, coded frames c = E·p. */
struct Generations {
  Generations(const Field& field, int64_t count, int n, int64_t k, bool aligned)
      : count(count),
        n(n),
        k(k),
        coefficients(count, n, n, aligned),
        received(count, n, k, aligned),
        sources(count * n * k) {
    for (uint8_t& byte : sources) {
      byte = random_byte();
    }
    for (int64_t g = 0; g < count; g++) {
      for (int r = 0; r < n; r++) {
        uint8_t* e = coefficients.row(g, r);
        for (int j = 0; j < r; j++) {
          e[j] = random_byte();
        }
        e[r] = random_nonzero();
        std::memset(received.row(g, r), 0, k);
        for (int j = 0; j <= r; j++) {
          field.add(received.row(g, r), e[j], source(g, j), k);
        }
      }
    }
    coefficients.upload();
    received.upload();
  }

  const uint8_t* source(int64_t g, int64_t r) const { return sources.data() + (g * n + r) * k; }

  int64_t count;
  int n;
  int64_t k;
  MatricesImage coefficients;
  MatricesImage received;
  std::vector<uint8_t> sources;
};

enum class Frames { kBaseline, kHpds, kOurs };

const char* name(Frames frames) {
  return frames == Frames::kBaseline ? "baseline" : frames == Frames::kHpds ? "hpds" : "fieldstone";
}

void launch_frame(Frames how, const SubstitutionFrameArguments& a, int block, cudaStream_t stream) {
  switch (how) {
    case Frames::kBaseline:
      launch(substitution_baseline_frame, blocks(divide_up(divide_up(a.k, 4), block)), block, 0, a,
             stream);
      break;
    case Frames::kHpds:
      if (a.frame > 0) {
        launch(substitution_hpds_frame,
               dim3(blocks(divide_up(a.k, 128)), blocks(divide_up(a.frame, 32))), dim3(32, 32), 0,
               a, stream);
      }
      launch(substitution_hpds_reduce, blocks(divide_up(a.k, 128)), dim3(32, 32), 0, a, stream);
      break;
    case Frames::kOurs:
      launch(substitution_frame, blocks(divide_up(divide_up(a.k, 16), a.vectors)), block, 0, a,
             stream);
      break;
  }
}

void check_frames(const Field& field, int n, int64_t k, bool aligned) {
  Generations generations(field, 1, n, k, aligned);
  Image partials(divide_up(n, 32) * 4 * divide_up(k, 4));
  for (const Frames how : {Frames::kBaseline, Frames::kHpds, Frames::kOurs}) {
    MatricesImage solved(1, n, k, aligned);
    const int vectors = 1 << uniform(0, 5);
    const int block = 256 << uniform(0, 1);
    for (int s = 0; s < n; s++) {
      const Matrices e = generations.coefficients.view();
      const Matrices c = generations.received.view();
      const SubstitutionFrameArguments a{field.device(),
                                         field.polynomial(),
                                         s,
                                         k,
                                         e.data + s * e.stride,
                                         c.data + s * c.stride,
                                         solved.view().data,
                                         solved.view().stride,
                                         partials.device(),
                                         vectors,
                                         0};
      launch_frame(how, a, block, nullptr);
      std::memcpy(solved.row(0, s), generations.source(0, s), k);
    }
    solved.check(std::string("frames ") + name(how) + " n=" + std::to_string(n) +
                 " k=" + std::to_string(k));
  }
}

/** n×n inverse of a lower-triangular matrix, rows and columns [from, to) of it. */
std::vector<uint8_t> invert(const Field& field, MatricesImage& matrices, int64_t g, int from,
                            int to) {
  const int b = to - from;
  std::vector<uint8_t> inverse(static_cast<size_t>(b) * b, 0);
  for (int r = 0; r < b; r++) {
    const uint8_t* e = matrices.row(g, from + r) + from;
    inverse[r * b + r] = 1;
    for (int j = 0; j < r; j++) {
      field.add(&inverse[r * b], e[j], &inverse[j * b], b);
    }
    field.scale(&inverse[r * b], field.inverse(e[r]), b);
  }
  return inverse;
}

int diagonal_threads(int b) { return static_cast<int>(32 * divide_up(b, 32) * divide_up(b, 16)); }

void check_diagonal(const Field& field, int64_t count, int n, int b, bool aligned) {
  Generations generations(field, count, n, 1, aligned);
  const int64_t singular = uniform(0, 3) == 0 ? uniform(0, count - 1) : -1;
  if (singular >= 0) {
    const int64_t r = uniform(0, n - 1);
    generations.coefficients.row(singular, r)[r] = 0;
    generations.coefficients.upload();
  }
  MatricesImage inverses(count, n, n, aligned);
  Image flags(count * 4);
  std::fill(flags.expected.begin(), flags.expected.end(), uint8_t{0});
  flags.upload();
  const SubstitutionDiagonalArguments a{field.device(),
                                        field.polynomial(),
                                        n,
                                        b,
                                        0,
                                        count,
                                        generations.coefficients.view(),
                                        inverses.view(),
                                        reinterpret_cast<int32_t*>(flags.device())};
  launch(substitution_diagonal, dim3(blocks(divide_up(n, b)), blocks(std::min<int64_t>(count, 3))),
         diagonal_threads(b), 0, a);
  const std::string what = "diagonal n=" + std::to_string(n) + " b=" + std::to_string(b);
  const std::vector<uint8_t> found = inverses.download();
  for (int64_t g = 0; g < count; g++) {
    flags.expected[4 * g] = g == singular;
    for (int from = 0; from < n; from += b) {
      const int to = std::min(n, from + b);
      const std::vector<uint8_t> inverse = invert(field, generations.coefficients, g, from, to);
      for (int r = from; r < to; r++) {
        uint8_t* row = inverses.row(g, r);
        if (g == singular) {  // anything may stand in its own place, but nowhere else
          std::memcpy(row + from, found.data() + (row + from - inverses.expected.data()), n - from);
        } else {
          std::memcpy(row + from, &inverse[(r - from) * (to - from)], to - from);
          std::memset(row + to, 0, n - to);
        }
      }
    }
  }
  inverses.check(what);
  flags.check(what + " flags");
}

/** Products, 16 bytes of a row a thread: what the check has in place of the tensor cores' kernel.
 */
__global__ void __launch_bounds__(256) product_by_bits(const __grid_constant__ ProductArguments a) {
  const int64_t column = (static_cast<int64_t>(blockIdx.x) * 32 + threadIdx.x) * 16;
  const int64_t row = static_cast<int64_t>(blockIdx.y) * 8 + threadIdx.y;
  if (column >= a.k || row >= a.m) {
    return;
  }
  for (int64_t g = blockIdx.z; g < a.count; g += gridDim.z) {
    const uint8_t* c = row_of(a.coefficients, g, row);
    const uint8_t* source = row_of(a.sources, g, 0) + column;
    uint8_t* product = row_of(a.products, g, row) + column;
    BitSums sums;
#pragma unroll 4
    for (int j = 0; j < a.n; j++) {
      sums.add(c[j], load(source + j * a.sources.stride, a.k - column));
    }
    Vector total = sums.total(reduction_of(a.polynomial));
    if (a.accumulate != 0) {
      const Vector before = load(product, a.k - column);
      for (int w = 0; w < 4; w++) {
        total.word[w] ^= before.word[w];
      }
    }
    store(product, total, a.k - column);
  }
}

/** Recipe of one generation's decoding by products; see the plan in substitution.cu. */
struct Blocked {
  const Field& field;
  int n;
  int64_t k;
  int b;
  int64_t panel;  // H
  Matrices e;
  Matrices x;
  uint8_t* scratch;  // n·n/4 bytes
  int32_t* singular;
  Matrices c;  // spoiled
  Matrices solved;
};

Matrices at(const Matrices& matrices, int64_t row, int64_t column, int64_t pitch) {
  return Matrices{matrices.data + row * matrices.stride + column, matrices.stride, pitch};
}

void launch_blocked(const Blocked& a, cudaStream_t stream) {
  const auto multiply = [&](const Matrices& coefficients, const Matrices& sources,
                            const Matrices& products, int64_t count, int64_t m, int64_t n,
                            int64_t k, bool accumulate) {
    if (m <= 0 || count <= 0) {
      return;
    }
    const ProductArguments product{coefficients,
                                   sources,
                                   products,
                                   a.field.device(),
                                   count,
                                   static_cast<int32_t>(m),
                                   static_cast<int32_t>(n),
                                   static_cast<int32_t>(k),
                                   a.field.polynomial(),
                                   accumulate,
                                   0};
    launch(product_by_bits,
           dim3(blocks(divide_up(divide_up(k, 16), 32)), blocks(divide_up(m, 8)),
                blocks(std::min<int64_t>(count, 65535))),
           dim3(32, 8), 0, product, stream);
  };
  const SubstitutionDiagonalArguments diagonal{
      a.field.device(), a.field.polynomial(), a.n, a.b, 0, 1, a.e, a.x, a.singular};
  launch(substitution_diagonal, blocks(divide_up(a.n, a.b)), diagonal_threads(a.b), 0, diagonal,
         stream);
  for (int64_t h = a.b; h < std::min<int64_t>(a.panel, a.n); h *= 2) {
    const int64_t whole = a.n / (2 * h);
    const auto level = [&](int64_t first, int64_t count, int64_t height) {
      const int64_t o = 2 * h * first;
      const int64_t e_pitch = 2 * h * (a.e.stride + 1);
      const int64_t x_pitch = 2 * h * (a.x.stride + 1);
      const Matrices t{a.scratch, h, h * h};
      multiply(at(a.e, o + h, o, e_pitch), at(a.x, o, o, x_pitch), t, count, height, h, h, false);
      multiply(at(a.x, o + h, o + h, x_pitch), t, at(a.x, o + h, o, x_pitch), count, height, height,
               h, false);
    };
    level(0, whole, h);
    level(whole, 1, a.n - 2 * h * whole - h);
  }
  for (int64_t r = 0; r < a.n; r += a.panel) {
    const int64_t to = std::min(r + a.panel, static_cast<int64_t>(a.n));
    multiply(at(a.x, r, r, 0), at(a.c, r, 0, 0), at(a.solved, r, 0, 0), 1, to - r, to - r, a.k,
             false);
    multiply(at(a.e, to, r, 0), at(a.solved, r, 0, 0), at(a.c, to, 0, 0), 1, a.n - to, to - r, a.k,
             true);
  }
}

void check_blocked(const Field& field, int n, int64_t k, int b, bool aligned) {
  const int64_t panel = static_cast<int64_t>(b) << uniform(0, 4);
  Generations generations(field, 1, n, k, aligned);
  MatricesImage inverses(1, n, n, aligned);
  MatricesImage solved(1, n, k, aligned);
  Image scratch(static_cast<int64_t>(n) * n / 4);
  Image flags(4);
  launch_blocked(
      {field, n, k, b, panel, generations.coefficients.view(), inverses.view(), scratch.device(),
       reinterpret_cast<int32_t*>(flags.device()), generations.received.view(), solved.view()},
      nullptr);
  for (int from = 0; from < n; from += static_cast<int>(panel)) {
    const int to = static_cast<int>(std::min<int64_t>(n, from + panel));
    const std::vector<uint8_t> inverse = invert(field, generations.coefficients, 0, from, to);
    for (int r = from; r < to; r++) {
      std::memcpy(inverses.row(0, r) + from, &inverse[static_cast<size_t>(r - from) * (to - from)],
                  to - from);
      std::memset(inverses.row(0, r) + to, 0, n - to);
      std::memcpy(solved.row(0, r), generations.source(0, r), k);
    }
  }
  const std::string what = "blocked n=" + std::to_string(n) + " k=" + std::to_string(k) +
                           " b=" + std::to_string(b) + " panel=" + std::to_string(panel);
  inverses.check(what + " inverse");
  solved.check(what);
  flags.check(what + " flags");
}

// ---- progressive ----

/** Pinned host memory that the GPU sees. */
class Mapped {
 public:
  explicit Mapped(int64_t bytes) {
    REQUIRE(cudaHostAlloc(&host_, std::max<int64_t>(bytes, 1), cudaHostAllocMapped));
    REQUIRE(cudaHostGetDevicePointer(&device_, host_, 0));
    std::memset(host_, 0xa5, bytes);
  }
  ~Mapped() { cudaFreeHost(host_); }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  uint8_t* host() const { return static_cast<uint8_t*>(host_); }
  uint8_t* device() const { return static_cast<uint8_t*>(device_); }

 private:
  void* host_ = nullptr;
  void* device_ = nullptr;
};

/** A decoder's state on the GPU and how it is launched. */
class Progressive {
 public:
  Progressive(const Field& field, int n, int64_t k, int vectors, int block,
              int64_t most_payload_blocks)
      : n(n),
        words(static_cast<int>(divide_up(n, 32))),
        coefficient_stride(divide_up(n, 16) * 16),
        payload_stride(divide_up(k, 16) * 16),
        coefficients(2 * n * coefficient_stride),
        payloads(n * payload_stride),
        state(4 * (2 * words + 1 + slices(coefficient_stride, vectors) * words)),
        block_(block) {
    arguments_ = {};
    arguments_.tables = field.device();
    arguments_.polynomial = field.polynomial();
    arguments_.n = n;
    arguments_.k = k;
    arguments_.coefficients = coefficients.device();
    arguments_.payloads = payloads.device();
    arguments_.state = reinterpret_cast<uint32_t*>(state.device());
    arguments_.vectors = vectors;
    arguments_.coefficient_slices = static_cast<int32_t>(slices(coefficient_stride, vectors));
    grid_ = arguments_.coefficient_slices +
            std::min(most_payload_blocks, slices(payload_stride, vectors));
    reset();
  }

  void reset() {
    REQUIRE(cudaMemset(state.device(), 0, 4 * (2 * words + 1)));
    arrival = 0;
  }

  void add(const uint8_t* vector, const uint8_t* payload, uint8_t* status, int hint,
           cudaStream_t stream = nullptr) {
    arguments_.arrival = arrival++;
    arguments_.vector = vector;
    arguments_.payload = payload;
    arguments_.status = status;
    arguments_.hint = hint;
    launch(progressive_add, blocks(grid_), block_, 2 * coefficient_stride + 4 * words, arguments_,
           stream);
  }

  /** The status that a vector would have if it came next; changes nothing. */
  void probe(const uint8_t* vector, uint8_t* status, int hint) {
    ProgressiveAddArguments a = arguments_;
    a.k = 0;
    a.arrival = arrival;
    a.vector = vector;
    a.payload = nullptr;
    a.status = status;
    a.hint = hint;
    launch(progressive_add, blocks(a.coefficient_slices), block_,
           2 * coefficient_stride + 4 * words, a);
  }

  static int64_t slices(int64_t stride, int vectors) { return divide_up(stride / 16, vectors - 1); }

  int n;
  int words;
  int64_t coefficient_stride;
  int64_t payload_stride;
  int64_t arrival = 0;
  Image coefficients;
  Image payloads;
  Image state;

 private:
  ProgressiveAddArguments arguments_;
  int block_;
  int64_t grid_;
};

bool bit(const uint32_t* bitmap, int i) { return (bitmap[i / 32] >> (i % 32) & 1) != 0; }

/** Adds blocks of all kinds one by one, and compares status and state with Gauss–Jordan elimination
 * on the host. */
void check_progressive(const Field& field, int n, int64_t k, int vectors, int block,
                       int64_t most_payload_blocks, int kind, bool in_flight) {
  const std::string shape = "progressive n=" + std::to_string(n) + " k=" + std::to_string(k) +
                            " vectors=" + std::to_string(vectors) + " kind=" + std::to_string(kind);
  Progressive gpu(field, n, k, vectors, block, most_payload_blocks);
  const int words = gpu.words;
  std::vector<std::vector<uint8_t>> sources(n, std::vector<uint8_t>(k));
  for (auto& source : sources) {
    for (uint8_t& byte : source) {
      byte = random_byte();
    }
  }
  std::vector<std::vector<uint8_t>> rows(n);  // [C | x] by pivot; empty where none is held
  std::vector<std::vector<uint8_t>> sent;
  const int arrivals = n + std::min(n, 12) + 3;
  const int64_t vector_offset = uniform(0, 3);
  const int64_t payload_offset = uniform(0, 1) * uniform(0, 15);
  const int64_t status_bytes = 24 + 8 * words;
  Mapped incoming((n + k + 20) * arrivals);
  Mapped statuses(status_bytes * (arrivals + 1));  // the last for probes
  std::vector<std::vector<uint8_t>> expected_status;
  std::vector<int> permutation(n);
  for (int i = 0; i < n; i++) {
    permutation[i] = i;
  }
  std::shuffle(permutation.begin(), permutation.end(), random_bits);

  const auto check_status = [&](int arrival) {
    const uint8_t* found = statuses.host() + arrival * status_bytes;
    expect(std::memcmp(found, expected_status[arrival].data(), status_bytes) == 0,
           shape + " status of arrival " + std::to_string(arrival));
  };

  for (int arrival = 0; arrival < arrivals; arrival++) {
    std::vector<uint8_t> vector(n, 0);
    const int64_t dice = uniform(0, 9);
    if (dice == 0 && !sent.empty()) {  // dependent
      for (int i = 0; i < 3; i++) {
        field.add(vector.data(), random_byte(),
                  sent[uniform(0, static_cast<int64_t>(sent.size()) - 1)].data(), n);
      }
    } else if (dice == 1 && kind != 0) {  // nothing at all
    } else if (kind == 0) {               // dense
      for (uint8_t& c : vector) {
        c = random_byte();
      }
    } else if (kind == 1) {  // sparse
      for (int i = 0; i < 3; i++) {
        vector[uniform(0, n - 1)] = random_byte();
      }
    } else {  // uncoded, in any order, multiplied
      vector[permutation[arrival % n]] = random_nonzero();
    }
    sent.push_back(vector);
    std::vector<uint8_t> reduced = vector;
    reduced.resize(n + k);
    for (int j = 0; j < n; j++) {
      field.add(reduced.data() + n, vector[j], sources[j].data(), k);
    }
    uint8_t* bytes = incoming.host() + (n + k + 20) * arrival;
    std::memcpy(bytes + vector_offset, vector.data(), n);
    const int64_t payload_at = vector_offset + n + payload_offset;
    std::memcpy(bytes + payload_at, reduced.data() + n, k);
    int hint = static_cast<int>(uniform(0, n - 1));
    for (int j = 0; j < n && arrival % 3 != 0; j++) {
      if (vector[j] != 0 && rows[j].empty()) {
        hint = j;
        break;
      }
    }
    gpu.probe(incoming.device() + (bytes - incoming.host()) + vector_offset,
              statuses.device() + arrivals * status_bytes, hint);
    gpu.add(incoming.device() + (bytes - incoming.host()) + vector_offset,
            incoming.device() + (bytes - incoming.host()) + payload_at,
            statuses.device() + arrival * status_bytes, hint);

    for (int p = 0; p < n; p++) {
      if (!rows[p].empty()) {
        field.add(reduced.data(), vector[p], rows[p].data(), n + k);
      }
    }
    int pivot = -1;
    const int chunks = static_cast<int>(divide_up(n, 16));
    for (int i = 0; i < chunks && pivot < 0; i++) {
      const int chunk = (hint / 16 + i) % chunks;
      for (int j = 16 * chunk; j < std::min(n, 16 * chunk + 16) && pivot < 0; j++) {
        pivot = reduced[j] != 0 ? j : -1;
      }
    }
    if (pivot >= 0) {
      field.scale(reduced.data(), field.inverse(reduced[pivot]), n + k);
      for (auto& row : rows) {
        if (!row.empty()) {
          field.add(row.data(), row[pivot], reduced.data(), n + k);
        }
      }
      rows[pivot] = reduced;
    }
    std::vector<uint32_t> bitmaps(2 * words, 0);
    int32_t rank = 0;
    int32_t solved = 0;
    for (int p = 0; p < n; p++) {
      if (!rows[p].empty()) {
        rank++;
        bitmaps[p / 32] |= 1u << (p % 32);
        if (std::count(rows[p].begin(), rows[p].begin() + n, 0) == n - 1) {
          solved++;
          bitmaps[words + p / 32] |= 1u << (p % 32);
        }
      }
    }
    const ProgressiveStatus status{pivot >= 0, pivot, rank, solved, arrival};
    std::vector<uint8_t> status_image(status_bytes);
    std::memcpy(status_image.data(), &status, sizeof status);
    std::memcpy(status_image.data() + sizeof status, bitmaps.data(), 8 * words);
    expected_status.push_back(status_image);
    if (!in_flight) {
      REQUIRE(cudaDeviceSynchronize());
      check_status(arrival);
      expect(std::memcmp(statuses.host() + arrivals * status_bytes, expected_status[arrival].data(),
                         status_bytes) == 0,
             shape + " probe of arrival " + std::to_string(arrival));
    }
  }
  REQUIRE(cudaDeviceSynchronize());
  for (int arrival = 0; arrival < arrivals && in_flight; arrival++) {
    check_status(arrival);
  }

  const std::vector<uint8_t> found = gpu.coefficients.download();
  for (int p = 0; p < n; p++) {
    if (!rows[p].empty()) {
      std::memcpy(gpu.payloads.expected.data() + p * gpu.payload_stride, rows[p].data() + n, k);
      const uint8_t* row = found.data() + (gpu.arrival % 2 * n + p) * gpu.coefficient_stride;
      expect(std::memcmp(row, rows[p].data(), n) == 0,
             shape + " coefficients of slot " + std::to_string(p));
    }
  }
  const std::vector<uint8_t> payloads = gpu.payloads.download();
  for (int p = 0; p < n; p++) {
    expect(std::memcmp(payloads.data() + p * gpu.payload_stride,
                       gpu.payloads.expected.data() + p * gpu.payload_stride, k) == 0,
           shape + " payload of slot " + std::to_string(p));
  }

  const uint32_t* solved =
      reinterpret_cast<const uint32_t*>(statuses.host() + (arrivals - 1) * status_bytes + 24) +
      words;
  for (int source = 0; source < n; source++) {
    if (bit(solved, source)) {
      expect(std::memcmp(payloads.data() + source * gpu.payload_stride, sources[source].data(), k) ==
                 0,
             shape + " source block " + std::to_string(source));
    }
  }
}

// ---- timing ----

__global__ void empty() {}

double microseconds_of(const std::chrono::steady_clock::time_point from) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - from).count();
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

/** Median wall time, launch to synchronised, of some runs after one more, in µs. */
template <typename Work>
double time_runs(int runs, cudaStream_t stream, Work&& work) {
  std::vector<double> times;
  for (int i = 0; i <= runs; i++) {
    const auto from = std::chrono::steady_clock::now();
    work();
    REQUIRE(cudaStreamSynchronize(stream));
    if (i > 0) {
      times.push_back(microseconds_of(from));
    }
  }
  return median(times);
}

/** The same work recorded once and replayed as a graph. */
template <typename Work>
double time_graph(int runs, cudaStream_t stream, Work&& work) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  REQUIRE(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  work();
  REQUIRE(cudaStreamEndCapture(stream, &graph));
  REQUIRE(cudaGraphInstantiate(&executable, graph, 0));
  const double time =
      time_runs(runs, stream, [&] { REQUIRE(cudaGraphLaunch(executable, stream)); });
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  return time;
}

void time_substitution(const Field& field, int n, int64_t k, cudaStream_t stream) {
  MatricesImage coefficients(1, n, n, true);
  for (int r = 0; r < n; r++) {
    coefficients.row(0, r)[r] |= 1;
  }
  coefficients.upload();
  MatricesImage received(1, n, k, true);
  MatricesImage solved(1, n, k, true);
  MatricesImage reference(1, n, k, true);
  MatricesImage inverses(1, n, n, true);
  Image partials(divide_up(n, 32) * divide_up(k, 4) * 4);
  Image scratch(static_cast<int64_t>(n) * n / 4);
  Image flags(4);
  const double megabytes = static_cast<double>(n) * k / 1e6;
  std::printf("\npipeline code, %d frames of %d bytes: µs a generation, and MB/s\n", n,
              static_cast<int>(k));
  const auto report = [&](const std::string& what, double time) {
    std::printf("  %-46s %10.1f µs %10.0f MB/s\n", what.c_str(), time, megabytes / time * 1e6);
  };
  const auto frames = [&](Frames how, int vectors, int block, MatricesImage& target) {
    return [&, how, vectors, block] {
      for (int s = 0; s < n; s++) {
        const Matrices e = coefficients.view();
        const SubstitutionFrameArguments a{field.device(),
                                           field.polynomial(),
                                           s,
                                           k,
                                           e.data + s * e.stride,
                                           received.view().data + s * received.view().stride,
                                           target.view().data,
                                           target.view().stride,
                                           partials.device(),
                                           vectors,
                                           0};
        launch_frame(how, a, block, stream);
      }
    };
  };
  frames(Frames::kBaseline, 1, 128, reference)();
  REQUIRE(cudaStreamSynchronize(stream));
  const std::vector<uint8_t> right = reference.download();
  const auto same = [&](const std::string& what) {
    const std::vector<uint8_t> found = solved.download();
    for (int r = 0; r < n; r++) {
      const int64_t row = r * solved.view().stride;
      if (std::memcmp(found.data() + row, right.data() + row, k) != 0) {
        expect(false, what + " differs from the baseline in frame " + std::to_string(r));
        break;
      }
    }
    REQUIRE(cudaMemset(solved.device(), 0x5a, solved.expected.size()));
  };
  const auto frame_by_frame = [&](const std::string& what, Frames how, int vectors, int block) {
    report(what + ", frame by frame", time_runs(3, stream, frames(how, vectors, block, solved)));
    same(what);
    report(what + ", frame by frame, as a graph",
           time_graph(3, stream, frames(how, vectors, block, solved)));
    same(what);
  };
  frame_by_frame("baseline", Frames::kBaseline, 1, 128);
  frame_by_frame("HPDS", Frames::kHpds, 1, 0);
  for (const int vectors : {1, 2, 4}) {
    for (const int block : {256, 512}) {
      frame_by_frame(
          "fieldstone, " + std::to_string(vectors) + " vectors, block " + std::to_string(block),
          Frames::kOurs, vectors, block);
    }
  }
  MatricesImage spoiled(1, n, k, true);
  for (const int b : {32, 64, 128}) {
    for (const int64_t panel : {256, 512, 4096}) {
      const auto blocked = [&] {  // c is spoiled, so it is copied each time, and that is timed too
        REQUIRE(cudaMemcpyAsync(spoiled.view().data, received.view().data, n * received.view().stride,
                             cudaMemcpyDeviceToDevice, stream));
        launch_blocked(
            {field, n, k, b, panel, coefficients.view(), inverses.view(), scratch.device(),
             reinterpret_cast<int32_t*>(flags.device()), spoiled.view(), solved.view()},
            stream);
      };
      const std::string what =
          "fieldstone (simple product), whole, b=" + std::to_string(b) + ", H=" + std::to_string(panel);
      report(what, time_runs(5, stream, blocked));
      same(what);
    }
    const SubstitutionDiagonalArguments diagonal{field.device(),
                                                 field.polynomial(),
                                                 n,
                                                 b,
                                                 0,
                                                 1,
                                                 coefficients.view(),
                                                 inverses.view(),
                                                 reinterpret_cast<int32_t*>(flags.device())};
    report("  of which the diagonal, b=" + std::to_string(b), time_runs(20, stream, [&] {
             launch(substitution_diagonal, blocks(divide_up(n, b)), diagonal_threads(b), 0,
                    diagonal, stream);
           }));
  }
}

void time_progressive(const Field& field, int n, int64_t k, int samples, cudaStream_t stream) {
  std::printf("\nprogressive, n=%d k=%d: medians of µs from launch to synchronised\n", n,
              static_cast<int>(k));
  const int64_t bytes = n + k;
  Mapped blocks_on_host(bytes * n);
  Mapped status(24 + 8 * divide_up(n, 32));
  Image blocks_on_device(bytes * n);
  std::memcpy(blocks_on_host.host(), blocks_on_device.expected.data(), bytes * n);
  for (const bool mapped : {false, true}) {
    const uint8_t* arriving = mapped ? blocks_on_host.device() : blocks_on_device.device();
    for (const int vectors : {2, 4, 8, 16}) {
      for (const int block : {256, 512}) {
        Progressive gpu(field, n, k, vectors, block, 1024);
        std::vector<double> floors;
        std::vector<double> times;
        std::vector<double> polled;
        const ProgressiveStatus* seen = reinterpret_cast<const ProgressiveStatus*>(status.host());
        for (int i = 0; i < samples + n; i++) {  // the first generation warms up
          if (i % n == 0) {
            gpu.reset();
            REQUIRE(cudaDeviceSynchronize());
          }
          auto from = std::chrono::steady_clock::now();
          empty<<<1, 32, 0, stream>>>();
          REQUIRE(cudaStreamSynchronize(stream));
          const double floor = microseconds_of(from);
          from = std::chrono::steady_clock::now();
          gpu.add(arriving + bytes * (i % n), arriving + bytes * (i % n) + n, status.device(),
                  seen->rank % n, stream);
          REQUIRE(cudaStreamSynchronize(stream));
          const double time = microseconds_of(from);
          if (i >= n) {
            floors.push_back(floor);
            times.push_back(time);
          }
        }
        std::printf(
            "  %-6s vectors %2d block %d: %6.2f, empty kernel %6.2f, ratio %.2f (rank %d)\n",
            mapped ? "mapped" : "device", vectors, block, median(times), median(floors),
            median(times) / median(floors), seen->rank);
        expect(seen->rank >= (samples - 1) % n - 1,
               "progressive timing: rank " + std::to_string(seen->rank));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int largest = argc > 1 ? std::atoi(argv[1]) : 300;
  REQUIRE(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  const Field fields[] = {Field(0x11d), Field(0x11b), Field(0x187)};
  int round = 0;
  for (const Field& field : fields) {
    for (int i = 0; i < 4; i++, round++) {
      const bool aligned = i % 2 == 0;
      const int n = static_cast<int>(i == 0 ? 1 : uniform(2, largest));
      const int64_t k = i == 1 ? uniform(1, 40) : uniform(1, 3 * largest);
      check_frames(field, n, k, aligned);
      check_diagonal(field, uniform(1, 4), n, static_cast<int>(uniform(1, 128)), aligned);
      check_diagonal(field, uniform(1, 4), static_cast<int>(uniform(1, largest)),
                     32 << uniform(0, 2), aligned);
      check_blocked(field, static_cast<int>(uniform(1, largest)), k, 1 << uniform(3, 7), aligned);
    }
    for (int kind = 0; kind < 3; kind++) {
      for (int log_vectors = 1; log_vectors <= 5; log_vectors++) {
        const int n = static_cast<int>(uniform(1, 10) == 1 ? 1 : uniform(1, largest));
        check_progressive(field, n, uniform(1, 3 * largest), 1 << log_vectors, 256 << uniform(0, 1),
                          uniform(1, 40), kind, uniform(0, 1) == 0);
      }
    }
  }
  check_blocked(fields[1], 2 * largest + 1, 33, 16, false);
  check_progressive(fields[0], 4 * largest + 3, 100, 4, 512, 1000, 0, true);
  check_progressive(fields[2], 2 * largest + 5, 40, 32, 256, 1, 0,
                    false);  // more rows than its registers hold
  check_progressive(fields[1], 33, 0, 4, 256, 10, 0, false);
  REQUIRE(cudaDeviceSynchronize());
  verdict();
  if (argc <= 1 && failures == 0) {
    cudaStream_t stream;
    REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    time_progressive(fields[0], 128, 4096, 1000, stream);
    time_progressive(fields[0], 1024, 2048, 1024, stream);
    const int shapes[][2] = {{2048, 1024}, {1024, 1024}, {512, 4096}, {256, 8192}, {128, 4096}};
    for (const auto& shape : shapes) {
      time_substitution(fields[0], shape[0], shape[1], stream);
    }
  }
  return verdict();
}
