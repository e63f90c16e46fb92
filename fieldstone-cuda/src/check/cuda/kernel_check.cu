// Checks the kernels of products, draws and inversions against plain loops on the host, then times
// them. One line a check, exit code 1 on a failure.
//
// In the repository's root:
//   nvcc -O3 -std=c++17 -arch=native -I fieldstone-cuda/src/main/cuda -o kernel_check
//       fieldstone-cuda/src/check/cuda/kernel_check.cu
//   ./kernel_check               checks and times
//   ./kernel_check check         only checks
//   ./kernel_check inversions    checks and times inversions
//
// On compute capability 9.0, -gencode arch=compute_90a,code=sm_90a
// -DFIELDSTONE_WARPGROUPS takes instructions of warpgroups.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "../../../../fieldstone-papers/src/main/cuda/nuclei_loops.cu"
#include "../../../../fieldstone-papers/src/main/cuda/product_tables.cu"
#include "../../main/cuda/draws.cu"
#include "../../main/cuda/inversion.cu"
#include "../../main/cuda/product_four_russians.cu"
#include "../../main/cuda/product_loops.cu"
#include "../../main/cuda/product_tensor.cu"
#include "check.cuh"

namespace {

constexpr uint8_t kPoison = 0xA5;
constexpr int kPolynomials[] = {0x11D, 0x11B, 0x1F5};

// --- The field on the host ---------------------------------------------------------------------

/** Multiplication by the definition, and the tables that kernels take. */
struct Field {
  explicit Field(int polynomial) : polynomial(polynomial) {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        products[a][b] = multiply_by_definition(a, b);
      }
    }
    int generator = 2;
    while (order(generator) != 255) {
      generator++;
    }
    std::memset(&tables, 0, sizeof(tables));
    tables.log[0] = 511;
    for (int i = 0, power = 1; i <= 508; i++) {
      tables.exp[i] = static_cast<uint8_t>(power);
      if (i < 255) {
        tables.log[power] = static_cast<uint16_t>(i);
      }
      power = products[power][generator];
    }
    for (int c = 0; c < 256; c++) {
      for (int r = 0; r < 8; r++) {
        for (int b = 0; b < 8; b++) {
          tables.masks[c] |= static_cast<uint64_t>(products[c][1 << b] >> r & 1) << (8 * r + b);
        }
      }
    }
    REQUIRE(cudaMalloc(&device_tables, sizeof(tables)));
    REQUIRE(cudaMemcpy(device_tables, &tables, sizeof(tables), cudaMemcpyHostToDevice));
  }

  uint8_t multiply_by_definition(int a, int b) const {
    int product = 0;
    for (int i = 0; i < 8; i++) {
      product ^= (b >> i & 1) != 0 ? a << i : 0;
    }
    for (int i = 14; i >= 8; i--) {
      product ^= (product >> i & 1) != 0 ? polynomial << (i - 8) : 0;
    }
    return static_cast<uint8_t>(product);
  }

  int order(int element) const {
    int power = element;
    int result = 1;
    while (power != 1) {
      power = products[power][element];
      result++;
    }
    return result;
  }

  uint8_t reciprocal(uint8_t element) const { return tables.exp[255 - tables.log[element]]; }

  int polynomial;
  uint8_t products[256][256];
  FieldTables tables;
  FieldTables* device_tables = nullptr;
};

// --- Matrices on both sides --------------------------------------------------------------------

/** count matrices of rows × columns amid poisoned memory, on the host and the device. */
struct TestMatrices {
  TestMatrices(int64_t count, int64_t rows, int64_t columns, int offset, int padding, int gap)
      : count(count), rows(rows), columns(columns), offset(offset) {
    stride = columns + padding;
    pitch = rows * stride + gap;
    host.assign(offset + count * pitch + 64, kPoison);
    REQUIRE(cudaMalloc(&device, host.size()));
  }
  TestMatrices(const TestMatrices&) = delete;
  TestMatrices& operator=(const TestMatrices&) = delete;
  ~TestMatrices() { cudaFree(device); }

  uint8_t& at(int64_t matrix, int64_t row, int64_t column) {
    return host[offset + matrix * pitch + row * stride + column];
  }

  void randomize(std::mt19937& random, int zero_percent = 0) {
    for (int64_t g = 0; g < count; g++) {
      for (int64_t r = 0; r < rows; r++) {
        for (int64_t c = 0; c < columns; c++) {
          const bool is_zero = static_cast<int>(random() % 100) < zero_percent;
          at(g, r, c) = is_zero ? 0 : static_cast<uint8_t>(random());
        }
      }
    }
  }

  Matrices upload() {
    REQUIRE(cudaMemcpy(device, host.data(), host.size(), cudaMemcpyHostToDevice));
    return on_device();
  }

  Matrices on_device() const { return {device + offset, stride, pitch}; }

  /** All of the memory, padding included. */
  std::vector<uint8_t> download() const {
    std::vector<uint8_t> bytes(host.size());
    REQUIRE(cudaMemcpy(bytes.data(), device, bytes.size(), cudaMemcpyDeviceToHost));
    return bytes;
  }

  int64_t count, rows, columns, stride, pitch;
  int offset;
  std::vector<uint8_t> host;
  uint8_t* device = nullptr;
};

/** Device memory that is only there to be passed. */
template <typename T>
struct Scratch {
  explicit Scratch(int64_t length) {
    REQUIRE(cudaMalloc(&data, std::max<int64_t>(1, length) * sizeof(T)));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { cudaFree(data); }
  T* data = nullptr;
};

// --- Launches as their contracts say -----------------------------------------------------------

int64_t ceil_div(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

int round_up(int a, int b) {
  return static_cast<int>(ceil_div(a, b)) * b;
}

int multiprocessors() {
  int device = 0, found = 0;
  REQUIRE(cudaGetDevice(&device));
  REQUIRE(cudaDeviceGetAttribute(&found, cudaDevAttrMultiProcessorCount, device));
  return found;
}

template <typename Arguments>
void launch(void (*kernel)(Arguments), int64_t grid, int block, int shared, const Arguments& a) {
  const int blocks = static_cast<int>(std::min<int64_t>(std::max<int64_t>(grid, 1), 1 << 30));
  if (shared > 48 * 1024) {
    REQUIRE(cudaFuncSetAttribute(
            reinterpret_cast<const void*>(kernel),
            cudaFuncAttributeMaxDynamicSharedMemorySize,
            shared));
  }
  kernel<<<blocks, block, shared>>>(a);
  REQUIRE(cudaGetLastError());
}

/** A product kernel by its name, and how it is launched. `grid` of 0 is what its contract names. */
struct Product {
  std::string name;
  std::function<void(const ProductArguments&, int64_t grid)> run;
};

int64_t chosen(int64_t grid, int64_t natural) {
  return grid > 0 ? grid : natural;
}

/** A kernel in the log domain: its conversion of coefficients, and how the product is launched. */
struct LogProduct {
  std::string name;
  void (*coefficients_to_log)(LogArguments);
  /** Bytes of the logarithm of a coefficient. */
  int log_bytes;
  std::function<void(const ProductArguments&, int64_t grid)> run;
};

const LogProduct kTableLog = {
    "product_table_log", coefficients_to_log, 2, [](const ProductArguments& a, int64_t grid) {
      const int64_t tiles = a.count * ceil_div(a.m, 8) * ceil_div(a.k, 4);
      launch(product_table_log, chosen(grid, ceil_div(tiles, 256)), 256, 32768, a);
    }};

const LogProduct kTableLogPlain = {
    "product_table_log_plain", sources_to_log, 1, [](const ProductArguments& a, int64_t grid) {
      const int64_t words = a.count * a.m * ceil_div(a.k, 4);
      launch(product_table_log_plain, chosen(grid, ceil_div(words, 512)), 512, 1024, a);
    }};

void run_logs(const LogProduct& product, const ProductArguments& plain, int64_t grid) {
  const int64_t row_bytes = product.log_bytes * round_up(plain.n, 4);
  const int64_t source_bytes = std::max<int64_t>(1, plain.n) * plain.k;
  Scratch<uint8_t> coefficients(plain.count * plain.m * row_bytes);
  Scratch<uint8_t> sources(plain.count * source_bytes);
  ProductArguments a = plain;
  a.coefficients = {coefficients.data, row_bytes, plain.m * row_bytes};
  a.sources = {sources.data, plain.k, source_bytes};
  launch<LogArguments>(
      product.coefficients_to_log, ceil_div(plain.count * plain.m * ceil_div(plain.n, 4), 256), 256,
      0, {plain.coefficients, a.coefficients, plain.tables, plain.count, plain.m, plain.n});
  launch<LogArguments>(
      sources_to_log, ceil_div(plain.count * plain.n * ceil_div(plain.k, 4), 256), 256, 0,
      {plain.sources, a.sources, plain.tables, plain.count, plain.n, plain.k});
  product.run(a, grid);
}

/** A kernel of product_loops.cu whose threads compute a word. */
Product by_words(const std::string& name, void (*kernel)(ProductArguments)) {
  return {name, [kernel](const ProductArguments& a, int64_t grid) {
            const int64_t words = a.count * a.m * ceil_div(a.k, 4);
            launch(kernel, chosen(grid, ceil_div(words, 256)), 256, 0, a);
          }};
}

/** A kernel of product_tables.cu that loads tables first. */
Product by_tables(const std::string& name, void (*kernel)(ProductArguments), int shared) {
  return {name, [kernel, shared](const ProductArguments& a, int64_t grid) {
            const int64_t words = a.count * a.m * ceil_div(a.k, 4);
            const int64_t natural = std::min<int64_t>(ceil_div(words, 512), 8 * 132);
            launch(kernel, chosen(grid, natural), 512, shared, a);
          }};
}

Product by_logs(const LogProduct& product) {
  return {product.name, [&product](const ProductArguments& a, int64_t grid) {
            run_logs(product, a, grid);
          }};
}

const Product kLoopTile = {
    "product_loop_tile", [](const ProductArguments& a, int64_t grid) {
      const int64_t tiles = a.count * ceil_div(a.m, 8) * ceil_div(a.k, 16);
      launch(product_loop_tile, chosen(grid, ceil_div(tiles, 256)), 256, 0, a);
    }};

const Product kFourRussians = {
    "product_four_russians", [](const ProductArguments& a, int64_t grid) {
      const int64_t tiles = a.count * ceil_div(a.m, 128) * ceil_div(a.k, 128);
      launch(product_four_russians, chosen(grid, tiles), 512, 69632, a);
    }};

const Product kProducts[] = {
    {"product_loop_byte",
     [](const ProductArguments& a, int64_t grid) {
       const int64_t bytes = a.count * a.m * a.k;
       launch(product_loop_byte, chosen(grid, ceil_div(bytes, 256)), 256, 0, a);
     }},
    by_words("product_loop_word", product_loop_word),
    by_words("product_loop_word_branch", product_loop_word_branch),
    by_words("product_loop_word_24", product_loop_word_24),
    by_words("product_loop_word_bytewise", product_loop_word_bytewise),
    {"product_loop_word_coarse",
     [](const ProductArguments& a, int64_t grid) {
       const int64_t blocks = a.count * a.m;
       launch(product_loop_word_coarse, chosen(grid, ceil_div(blocks, 256)), 256, 0, a);
     }},
    kLoopTile,
    by_tables("product_table", product_table, 49152),
    by_tables("product_table_plain", product_table_plain, 1536),
    by_logs(kTableLog),
    by_logs(kTableLogPlain),
    kFourRussians,
};

// --- Checks ------------------------------------------------------------------------------------

void report(const std::string& what, bool passed) {
  std::printf("%s %s\n", passed ? "ok    " : "FAILED", what.c_str());
  std::fflush(stdout);
  failures += passed ? 0 : 1;
}

struct Shape {
  int count, m, n, k;
};

bool product_is_right(
    const Field& field, const Product& product, Shape shape, bool aligned, std::mt19937& random) {
  const auto offset = [&] { return aligned ? 0 : static_cast<int>(random() % 19); };
  const auto padding = [&](int columns) {
    return aligned ? round_up(columns, 16) - columns : static_cast<int>(random() % 6);
  };
  const auto gap = [&] { return aligned ? 32 : static_cast<int>(random() % 9); };
  TestMatrices coefficients(
      shape.count, shape.m, shape.n, offset(), aligned ? 0 : padding(shape.n), gap());
  TestMatrices sources(shape.count, shape.n, shape.k, offset(), padding(shape.k), gap());
  TestMatrices products(shape.count, shape.m, shape.k, offset(), padding(shape.k), gap());
  coefficients.randomize(random, static_cast<int>(random() % 3) * 40);
  sources.randomize(random, static_cast<int>(random() % 3) * 40);
  const bool accumulate = random() % 2 == 0;
  if (accumulate) {
    products.randomize(random);
  }
  const ProductArguments arguments = {
      coefficients.upload(), sources.upload(), products.upload(), field.device_tables,
      shape.count, shape.m, shape.n, shape.k, field.polynomial, accumulate ? 1 : 0, 0};
  product.run(arguments, random() % 2 == 0 ? 0 : 1 + random() % 3);
  for (int64_t g = 0; g < shape.count; g++) {
    for (int64_t i = 0; i < shape.m; i++) {
      for (int64_t j = 0; j < shape.k; j++) {
        uint8_t sum = accumulate ? products.at(g, i, j) : 0;
        for (int64_t s = 0; s < shape.n; s++) {
          sum ^= field.products[coefficients.at(g, i, s)][sources.at(g, s, j)];
        }
        products.at(g, i, j) = sum;
      }
    }
  }
  return products.download() == products.host;
}

void check_products(const std::vector<Field>& fields) {
  std::vector<Shape> shapes = {
      {1, 1, 1, 1},    {1, 1, 0, 5},    {2, 3, 0, 17},    {3, 1, 5, 3},      {2, 9, 4, 16},
      {1, 8, 16, 64},  {2, 7, 17, 33},  {1, 130, 40, 70}, {1, 129, 33, 129}, {2, 128, 128, 128},
      {1, 5, 300, 20}, {3, 20, 31, 260}};
  std::mt19937 random(7);
  for (int i = 0; i < 6; i++) {
    shapes.push_back(
        {1 + static_cast<int>(random() % 4), 1 + static_cast<int>(random() % 40),
         static_cast<int>(random() % 50), 1 + static_cast<int>(random() % 150)});
  }
  for (const Product& product : kProducts) {
    for (const Field& field : fields) {
      int wrong = 0;
      for (size_t i = 0; i < shapes.size(); i++) {
        for (const bool aligned : {true, false}) {
          if (!product_is_right(field, product, shapes[i], aligned, random)) {
            const Shape& s = shapes[i];
            std::printf(
                "  wrong: count %d, m %d, n %d, k %d, %s\n", s.count, s.m, s.n, s.k,
                aligned ? "aligned" : "unaligned");
            wrong++;
          }
        }
      }
      char line[100];
      std::snprintf(
          line, sizeof(line), "%s, polynomial 0x%X, %zu products", product.name.c_str(),
          field.polynomial, 2 * shapes.size());
      report(line, wrong == 0);
    }
  }
}

void check_log_round_trip(const Field& field) {
  std::mt19937 random(11);
  TestMatrices bytes(2, 5, 301, 3, 2, 1);
  bytes.randomize(random, 20);
  const Matrices device = bytes.upload();
  const LogArguments arguments = {device, device, field.device_tables, 2, 5, 301};
  launch(sources_to_log, 3, 256, 0, arguments);
  const bool changed = bytes.download() != bytes.host;
  launch(sources_from_log, 3, 256, 0, arguments);
  const bool restored = bytes.download() == bytes.host;
  report("sources_to_log and sources_from_log, in place", changed && restored);
}

void philox(const uint32_t (&key)[2], uint32_t (&counter)[4]) {
  uint32_t key0 = key[0];
  uint32_t key1 = key[1];
  for (int round = 0; round < 10; round++) {
    const uint64_t product0 = 0xD2511F53ull * counter[0];
    const uint64_t product1 = 0xCD9E8D57ull * counter[2];
    counter[0] = static_cast<uint32_t>(product1 >> 32) ^ counter[1] ^ key0;
    counter[1] = static_cast<uint32_t>(product1);
    counter[2] = static_cast<uint32_t>(product0 >> 32) ^ counter[3] ^ key1;
    counter[3] = static_cast<uint32_t>(product0);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

/** The generator here against the known answers of Random123, the kernel against it. */
void check_draws() {
  uint32_t answer[4] = {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344};
  philox({0xa4093822, 0x299f31d0}, answer);
  report(
      "Philox4x32-10 on the host, known answer",
      answer[0] == 0xd16cfe09 && answer[1] == 0x94fdcceb && answer[2] == 0x5001e420 &&
          answer[3] == 0x24126ea1);
  std::mt19937 random(13);
  bool passed = true;
  for (int trial = 0; trial < 20; trial++) {
    const int columns = trial % 2 == 0 ? 1 + random() % 70 : 16 * (1 + random() % 9);
    const bool aligned = trial % 4 < 2;
    TestMatrices drawn(
        1 + random() % 4, 1 + random() % 9, columns, aligned ? 0 : random() % 17,
        aligned ? round_up(columns, 16) - columns : random() % 5, aligned ? 16 : 3);
    const uint64_t seed = static_cast<uint64_t>(random()) << 32 | random();
    const uint64_t generation = 0xFFFFFFFEull + random() % 5;
    const uint64_t index = random();
    const uint32_t domain = random() % 3;
    const DrawArguments arguments = {
        drawn.upload(), seed, generation, index, drawn.count,
        static_cast<int32_t>(drawn.rows), columns, domain, 0};
    launch(draw_uniform, 1 + random() % 3, 256, 0, arguments);
    for (int64_t g = 0; g < drawn.count; g++) {
      for (int64_t i = 0; i < drawn.rows; i++) {
        for (int j = 0; j < columns; j++) {
          uint32_t block[4] = {
              static_cast<uint32_t>(j / 16), static_cast<uint32_t>(generation + g),
              static_cast<uint32_t>(index + i), domain};
          philox({static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}, block);
          drawn.at(g, i, j) = static_cast<uint8_t>(block[j % 16 / 4] >> (8 * (j % 4)));
        }
      }
    }
    passed = passed && drawn.download() == drawn.host;
  }
  report("draw_uniform, 20 draws", passed);
}

/** Gauss-Jordan elimination with the identity beside the matrix; the rank. */
int invert_on_host(
    const Field& field, std::vector<uint8_t> matrix, int n, std::vector<uint8_t>& out) {
  out.assign(static_cast<size_t>(n) * n, 0);
  for (int i = 0; i < n; i++) {
    out[static_cast<size_t>(i) * n + i] = 1;
  }
  int rank = 0;
  for (int column = 0; column < n && rank < n; column++) {
    int pivot = rank;
    while (pivot < n && matrix[static_cast<size_t>(pivot) * n + column] == 0) {
      pivot++;
    }
    if (pivot == n) {
      continue;
    }
    for (std::vector<uint8_t>* side : {&matrix, &out}) {
      std::swap_ranges(
          side->begin() + static_cast<size_t>(pivot) * n,
          side->begin() + static_cast<size_t>(pivot + 1) * n,
          side->begin() + static_cast<size_t>(rank) * n);
    }
    const uint8_t scale = field.reciprocal(matrix[static_cast<size_t>(rank) * n + column]);
    for (std::vector<uint8_t>* side : {&matrix, &out}) {
      for (int j = 0; j < n; j++) {
        uint8_t& element = (*side)[static_cast<size_t>(rank) * n + j];
        element = field.products[scale][element];
      }
    }
    for (int i = 0; i < n; i++) {
      const uint8_t factor = matrix[static_cast<size_t>(i) * n + column];
      if (i != rank && factor != 0) {
        for (std::vector<uint8_t>* side : {&matrix, &out}) {
          for (int j = 0; j < n; j++) {
            (*side)[static_cast<size_t>(i) * n + j] ^=
                field.products[factor][(*side)[static_cast<size_t>(rank) * n + j]];
          }
        }
      }
    }
    rank++;
  }
  return rank;
}

/** An inversion by its name; inputs, inverses, tables, ranks, count, n and polynomial are set. */
struct Inversion {
  std::string name;
  int max_n;
  std::function<void(const InversionArguments&, int64_t grid)> run;
};

/** Adds products of n ≤ 256 coefficients to matrices: work += coefficients · sources. */
struct Update {
  std::string name;
  std::function<void(const ProductArguments&, uint8_t* tiles)> run;
};

Update by_rows(const Product& product) {
  return {product.name, [product](const ProductArguments& a, uint8_t*) { product.run(a, 0); }};
}

/** As TensorKernel.java plans it. */
const Update kByTiles = {
    "tensor", [](const ProductArguments& a, uint8_t* tiles) {
      const int steps = static_cast<int>(ceil_div(a.n, 32));
      const int64_t column_tiles = ceil_div(a.k, 128);
      const int64_t tiles_pitch = column_tiles * steps * 4096;
      launch<TensorLayOutArguments>(
          tensor_lay_out, ceil_div(a.count * ceil_div(a.k, 4) * 2 * steps, 256), 256, 0,
          {a.sources, tiles, tiles_pitch, a.count, 0, a.n, a.k, steps});
      const int groups = static_cast<int>(ceil_div(a.m, 32));
      const int passes = static_cast<int>(ceil_div(groups, 8 / steps));
      const int at_once = static_cast<int>(ceil_div(groups, passes));
      const TensorMultiplyArguments multiply = {
          a.coefficients, tiles, tiles_pitch, a.products, a.tables, a.count, a.m, a.n, a.k, steps,
          1, at_once, 1};
      const int64_t items = a.count * ceil_div(groups, at_once) * column_tiles;
#if defined(FIELDSTONE_WARPGROUPS)
      void (*const by_steps[])(TensorMultiplyArguments) = {
          tensor_multiply_1, tensor_multiply_2, tensor_multiply_3, tensor_multiply_4,
          tensor_multiply_5, tensor_multiply_6, tensor_multiply_7, tensor_multiply_8};
      launch(by_steps[steps - 1], std::min<int64_t>(items, multiprocessors()), 384,
             (128 << 10) + (96 << 10) + 2048 + 512, multiply);
#else
      launch(tensor_sync_multiply, std::min<int64_t>(items, 2 * multiprocessors()), 128,
             (16 << 10) + at_once * steps * (8 << 10), multiply);
#endif
    }};

void invert_by_panels(
    const InversionArguments& plain, int64_t grid, int block, const Update& update) {
  const int padded_n = round_up(plain.n, 32);
  const int64_t matrix_bytes = static_cast<int64_t>(padded_n) * padded_n;
  const int64_t block_bytes = static_cast<int64_t>(block) * padded_n;
  Scratch<uint8_t> work(plain.count * matrix_bytes);
  Scratch<uint8_t> pivot_rows(plain.count * block_bytes);
  Scratch<uint8_t> tiles(plain.count * block * round_up(padded_n, 128));
  Scratch<int32_t> pivot_of_column(plain.count * padded_n);
  Scratch<int32_t> column_of_pivot(plain.count * padded_n);
  PanelArguments a = {
      plain.matrices, plain.inverses, {work.data, padded_n, matrix_bytes},
      {pivot_rows.data, padded_n, block_bytes}, plain.tables, plain.ranks,
      pivot_of_column.data, column_of_pivot.data, plain.count, plain.n, plain.polynomial,
      0, 0, padded_n, 0};
  const auto columns_of = [](const Matrices& all, int first) {
    return Matrices{all.data + first, all.stride, all.pitch};
  };
  launch(invert_begin, chosen(grid, ceil_div(plain.count * padded_n, 8)), 256, 0, a);
  for (int first = 0; first < plain.n; first += block) {
    const int columns = std::min(block, padded_n - first);
    a.first_of_block = first;
    a.end_of_block = first + columns;
    for (a.first_column = first; a.first_column < first + columns; a.first_column += 32) {
      launch(invert_panel, chosen(grid, plain.count), 256, 0, a);
      update.run(
          {columns_of(a.work, a.first_column), columns_of(a.pivot_rows, first),
           columns_of(a.work, first), plain.tables, plain.count, plain.n, 32, columns,
           plain.polynomial, 1, 0},
          tiles.data);
    }
    if (columns < padded_n) {
      a.first_column = first;
      launch(invert_copy, chosen(grid, ceil_div(plain.count * columns, 8)), 256, 0, a);
      update.run(
          {columns_of(a.work, first), a.pivot_rows, a.work, plain.tables, plain.count, plain.n,
           columns, padded_n, plain.polynomial, 1, 0},
          tiles.data);
    }
  }
  const int64_t sets_of_rows = plain.count * ceil_div(plain.n, 8);
  launch(invert_end, chosen(grid, ceil_div(sets_of_rows, 8)), 256, 0, a);
}

const Inversion kInvert128 = {"invert_128", 128, [](const InversionArguments& a, int64_t grid) {
                                launch(invert_128, chosen(grid, a.count), 256, 0, a);
                              }};
const Inversion kInvert256 = {"invert_256", 256, [](const InversionArguments& a, int64_t grid) {
                                launch(invert_256, chosen(grid, a.count), 512, 0, a);
                              }};
/** Inversions by panels; a block is all columns where there are no more. */
Inversion by_panels(int block, const Update& update) {
  return {"invert_panel, " + std::to_string(block) + ", " + update.name, 100000,
          [=](const InversionArguments& a, int64_t grid) {
            invert_by_panels(a, grid, block, update);
          }};
}

const Inversion kInvertPanels[] = {
    by_panels(128, kByTiles),
    by_panels(256, kByTiles),
    by_panels(64, by_rows(kFourRussians)),
    by_panels(256, by_rows(kLoopTile)),
};

/** Some random, some of short rank, some with zeros where pivots are looked for first. */
void fill_for_inversion(const Field& field, TestMatrices& matrices, std::mt19937& random) {
  matrices.randomize(random);
  const int n = static_cast<int>(matrices.rows);
  for (int64_t g = 0; g < matrices.count; g++) {
    const int kind = static_cast<int>(g % 4);
    if (kind == 1) {
      // A sum of two rows, or a zero.
      const int row = static_cast<int>(random() % n);
      for (int j = 0; j < n; j++) {
        const int first = (row + 1) % n;
        const int second = (row + n - 1) % n;
        matrices.at(g, row, j) =
            n < 3 ? 0 : matrices.at(g, first, j) ^ field.products[77][matrices.at(g, second, j)];
      }
    } else if (kind == 2) {
      // A permutation: nearly every pivot is somewhere else.
      std::vector<int> order(n);
      for (int i = 0; i < n; i++) {
        order[i] = i;
      }
      std::shuffle(order.begin(), order.end(), random);
      for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
          matrices.at(g, i, j) = j == order[i] ? static_cast<uint8_t>(1 + random() % 255) : 0;
        }
      }
    } else if (kind == 3) {
      // Zero columns at random: a rank far below n.
      for (int j = 0; j < n; j++) {
        if (random() % 3 == 0) {
          for (int i = 0; i < n; i++) {
            matrices.at(g, i, j) = 0;
          }
        }
      }
    }
  }
}

bool inversion_is_right(
    const Field& field, const Inversion& inversion, int n, bool in_place, std::mt19937& random) {
  const int count = 5;
  TestMatrices matrices(count, n, n, random() % 9, random() % 5, random() % 7);
  TestMatrices inverses(count, n, n, random() % 9, random() % 5, random() % 7);
  fill_for_inversion(field, matrices, random);
  Scratch<int32_t> ranks(count);
  const Matrices from = matrices.upload();
  const Matrices to = in_place ? from : inverses.upload();
  inversion.run(
      {from, to, field.device_tables, ranks.data, count, n, field.polynomial},
      random() % 2 == 0 ? 0 : 1 + random() % 3);
  std::vector<int32_t> found(count);
  REQUIRE(cudaMemcpy(found.data(), ranks.data, count * sizeof(int32_t), cudaMemcpyDeviceToHost));
  bool passed = in_place || matrices.download() == matrices.host;
  TestMatrices& expected = in_place ? matrices : inverses;
  for (int64_t g = 0; g < count; g++) {
    std::vector<uint8_t> matrix;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        matrix.push_back(matrices.at(g, i, j));
      }
    }
    std::vector<uint8_t> inverse;
    const int rank = invert_on_host(field, matrix, n, inverse);
    if (rank != found[g]) {
      std::printf(
          "  wrong: n %d, matrix %d, rank %d for %d\n", n, static_cast<int>(g), found[g], rank);
      passed = false;
    }
    for (int i = 0; i < n && rank == n; i++) {
      for (int j = 0; j < n; j++) {
        expected.at(g, i, j) = inverse[static_cast<size_t>(i) * n + j];
      }
    }
  }
  if (expected.download() != expected.host) {
    std::printf("  wrong: n %d, inverses\n", n);
    passed = false;
  }
  return passed;
}

void check_inversions(const std::vector<Field>& fields) {
  std::vector<Inversion> inversions = {kInvert128, kInvert256};
  inversions.insert(inversions.end(), std::begin(kInvertPanels), std::end(kInvertPanels));
  for (const Inversion& inversion : inversions) {
    for (const Field& field : fields) {
      std::mt19937 random(17);
      bool passed = true;
      int sizes = 0;
      for (const int n : {1,   2,   3,   5,   8,   31,  32,  33,  63,   64,
                          97,  127, 128, 129, 200, 255, 256, 301, 520, 1100}) {
        // The largest take the host long.
        const bool is_checked =
            n <= 301 || (&field == &fields[0] &&
                         (n <= 520 || inversion.name == kInvertPanels[0].name));
        if (n <= inversion.max_n && is_checked) {
          passed = inversion_is_right(field, inversion, n, sizes % 3 == 2, random) && passed;
          sizes++;
        }
      }
      char line[120];
      std::snprintf(
          line, sizeof(line), "%s, polynomial 0x%X, %d sizes", inversion.name.c_str(),
          field.polynomial, sizes);
      report(line, passed);
    }
  }
}

// --- Times -------------------------------------------------------------------------------------

/** The median of five runs after one more, in seconds. */
double seconds(const std::function<void()>& run) {
  run();
  REQUIRE(cudaDeviceSynchronize());
  std::vector<double> times;
  for (int i = 0; i < 5; i++) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    REQUIRE(cudaDeviceSynchronize());
    times.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  return times[2];
}

uint8_t* random_on_device(int64_t bytes, uint64_t seed) {
  uint8_t* data = nullptr;
  REQUIRE(cudaMalloc(&data, bytes));
  const int64_t columns = 1 << 16;
  const DrawArguments arguments = {
      {data, columns, bytes}, seed, 0, 0, 1, static_cast<int32_t>(bytes / columns), columns, 0, 0};
  launch(draw_uniform, ceil_div(bytes / 16, 256), 256, 0, arguments);
  return data;
}

std::vector<uint8_t> download(const uint8_t* data, int64_t bytes) {
  std::vector<uint8_t> result(bytes);
  REQUIRE(cudaMemcpy(result.data(), data, bytes, cudaMemcpyDeviceToHost));
  return result;
}

void time_products(const Field& field, Shape shape) {
  const int64_t coefficient_bytes = static_cast<int64_t>(shape.m) * shape.n;
  const int64_t source_bytes = static_cast<int64_t>(shape.n) * shape.k;
  const int64_t product_bytes = static_cast<int64_t>(shape.m) * shape.k;
  uint8_t* coefficients = random_on_device(shape.count * coefficient_bytes, 1);
  uint8_t* sources = random_on_device(shape.count * source_bytes, 2);
  uint8_t* products = random_on_device(shape.count * product_bytes, 3);
  ProductArguments plain = {
      {coefficients, shape.n, coefficient_bytes}, {sources, shape.k, source_bytes},
      {products, shape.k, product_bytes}, field.device_tables,
      shape.count, shape.m, shape.n, shape.k, field.polynomial, 0, 0};
  std::printf("%d products, m %d, n %d, k %d\n", shape.count, shape.m, shape.n, shape.k);
  Scratch<uint8_t> log_coefficients(
      static_cast<int64_t>(shape.count) * shape.m * 2 * round_up(shape.n, 4));
  Scratch<uint8_t> log_sources(shape.count * source_bytes);
  std::vector<uint8_t> expected;
  for (const Product& product : kProducts) {
    std::function<void()> run = [&] { product.run(plain, 0); };
    for (const LogProduct* log : {&kTableLog, &kTableLogPlain}) {
      if (product.name != log->name) {
        continue;
      }
      // Sources are resident, that is, in the log domain already; coefficients are not.
      const int64_t row_bytes = log->log_bytes * round_up(shape.n, 4);
      ProductArguments logs = plain;
      logs.coefficients = {log_coefficients.data, row_bytes, shape.m * row_bytes};
      logs.sources = {log_sources.data, shape.k, source_bytes};
      launch<LogArguments>(
          sources_to_log, ceil_div(shape.count * source_bytes / 4, 256), 256, 0,
          {plain.sources, logs.sources, plain.tables, plain.count, plain.n, plain.k});
      run = [=] {
        launch<LogArguments>(
            log->coefficients_to_log,
            ceil_div(plain.count * plain.m * ceil_div(plain.n, 4), 256), 256, 0,
            {plain.coefficients, logs.coefficients, plain.tables, plain.count, plain.m, plain.n});
        log->run(logs, 0);
      };
    }
    REQUIRE(cudaMemset(products, kPoison, shape.count * product_bytes));
    const double time = seconds(run);
    const std::vector<uint8_t> found = download(products, shape.count * product_bytes);
    if (expected.empty()) {
      expected = found;
    }
    const double coded = static_cast<double>(shape.count) * product_bytes / time;
    std::printf(
        "  %-24s %9.3f ms %8.3f T GF-MAC/s %8.2f GB/s coded\n", product.name.c_str(), time * 1e3,
        coded * shape.n / 1e12, coded / 1e9);
    if (found != expected) {
      report("  " + product.name + " agrees with " + kProducts[0].name, false);
    }
  }
  cudaFree(coefficients);
  cudaFree(sources);
  cudaFree(products);
}

void time_inversion(const Field& field, const Inversion& inversion, int count, int n) {
  const int64_t bytes = static_cast<int64_t>(n) * n;
  uint8_t* matrices = random_on_device(count * bytes, 4);
  uint8_t* inverses = random_on_device(count * bytes, 5);
  uint8_t* identities = random_on_device(count * bytes, 6);
  Scratch<int32_t> ranks(count);
  const InversionArguments arguments = {
      {matrices, n, bytes}, {inverses, n, bytes}, field.device_tables, ranks.data,
      count, n, field.polynomial};
  const double time = seconds([&] { inversion.run(arguments, 0); });
  kLoopTile.run(
      {arguments.matrices, arguments.inverses, {identities, n, bytes}, field.device_tables, count, n,
       n, n, field.polynomial, 0, 0},
      0);
  std::vector<int32_t> found(count);
  REQUIRE(cudaMemcpy(found.data(), ranks.data, count * sizeof(int32_t), cudaMemcpyDeviceToHost));
  const std::vector<uint8_t> products = download(identities, count * bytes);
  int singular = 0;
  bool passed = true;
  for (int64_t g = 0; g < count; g++) {
    if (found[g] < n) {
      singular++;
      continue;
    }
    for (int64_t i = 0; i < bytes && passed; i++) {
      passed = products[g * bytes + i] == (i / n == i % n ? 1 : 0);
    }
  }
  passed = passed && singular <= 1 + count / 50;
  std::printf(
      "  %-40s %5d of %4d×%-4d %9.3f ms %8.3f T GF-MAC/s, %d singular\n", inversion.name.c_str(),
      count, n, n, time * 1e3, static_cast<double>(count) * n * n * n / time / 1e12, singular);
  if (!passed) {
    report("  inverses times matrices are identities", false);
  }
  cudaFree(matrices);
  cudaFree(inverses);
  cudaFree(identities);
}

void time_draws() {
  const int64_t bytes = static_cast<int64_t>(1) << 30;
  uint8_t* data = nullptr;
  REQUIRE(cudaMalloc(&data, bytes));
  const DrawArguments arguments = {
      {data, 128, 128 * 128}, 1, 0, 0, bytes / (128 * 128), 128, 128, 0, 0};
  int device = 0, multiprocessors = 0, of_each = 0;
  REQUIRE(cudaGetDevice(&device));
  REQUIRE(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_each, draw_uniform, 256, 0));
  const int blocks = multiprocessors * of_each;
  const double time = seconds([&] { launch(draw_uniform, blocks, 256, 0, arguments); });
  std::printf("draw_uniform, rows of 128: %.1f GB/s\n", bytes / time / 1e9);
  cudaFree(data);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Field> fields(std::begin(kPolynomials), std::end(kPolynomials));
  const std::string what = argc < 2 ? "" : argv[1];
  if (what != "inversions") {
    check_products(fields);
    check_log_round_trip(fields[0]);
    check_draws();
  }
  check_inversions(fields);
  if (what.empty()) {
    time_products(fields[0], {264, 128, 128, 4096});
    time_products(fields[0], {8, 1024, 1024, 2048});
    time_draws();
  }
  if (what != "check") {
    std::printf("inversions\n");
    time_inversion(fields[0], kInvert128, 4096, 128);
    time_inversion(fields[0], kInvert256, 1024, 256);
    for (const Inversion& panels : kInvertPanels) {
      time_inversion(fields[0], panels, 64, 512);
      time_inversion(fields[0], panels, 128, 1024);
      time_inversion(fields[0], panels, 1, 1024);
      time_inversion(fields[0], panels, 1, 2048);
    }
  }
  return verdict();
}
