// Launches the kernels of products, draws and inversions as their contracts say.

#pragma once

#include <set>

#include "../../../../fieldstone-papers/src/main/cuda/nuclei_loops.cu"
#include "../../../../fieldstone-papers/src/main/cuda/product_tables.cu"
#include "../../main/cuda/draws.cu"
#include "../../main/cuda/inversion.cu"
#include "../../main/cuda/product_bilinear.cu"
#include "../../main/cuda/product_four_russians.cu"
#include "../../main/cuda/product_loops.cu"
#include "../../main/cuda/product_tensor.cu"
#include "check.cuh"

namespace products {

inline int major_capability() {
  int major;
  REQUIRE(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  return major;
}

/** Whether tensor_sync_multiply runs: 8.0 to 9.0 multiply bits. */
inline bool has_binary_tensor_cores() { return major_capability() == 8 || major_capability() == 9; }

/**
 * Whether tensor_multiply_*, bilinear_multiply and tensor_ceiling run: if compiled for sm_90a, which
 * FIELDSTONE_WARPGROUPS tells the code of the host.
 */
inline bool has_warpgroups() {
#if defined(FIELDSTONE_WARPGROUPS)
  return major_capability() == 9;
#else
  return false;
#endif
}

// ---- Loops and tables ----

constexpr int kWholeRow = 1 << 30;

/** A kernel whose threads, or blocks, compute units of some rows and bytes. */
struct Product {
  const char* name;
  void (*kernel)(ProductArguments);
  int unit_rows, unit_bytes, block_units, threads, shared;
  int64_t max_blocks = 1 << 30;
  /** Of kernels whose operands are logarithms: of coefficients, and the bytes of one. */
  void (*to_log)(LogArguments) = nullptr;
  int log_bytes = 0;
};

constexpr int64_t kTableBlocks = 8 * 132;

const Product kProducts[] = {
    {"product_loop_byte", product_loop_byte, 1, 1, 256, 256, 0},
    {"product_loop_word", product_loop_word, 1, 4, 256, 256, 0},
    {"product_loop_word_branch", product_loop_word_branch, 1, 4, 256, 256, 0},
    {"product_loop_word_24", product_loop_word_24, 1, 4, 256, 256, 0},
    {"product_loop_word_bytewise", product_loop_word_bytewise, 1, 4, 256, 256, 0},
    {"product_loop_word_coarse", product_loop_word_coarse, 1, kWholeRow, 256, 256, 0},
    {"product_loop_tile", product_loop_tile, 8, 16, 256, 256, 0},
    {"product_table", product_table, 1, 4, 512, 512, 49152, kTableBlocks},
    {"product_table_plain", product_table_plain, 1, 4, 512, 512, 1536, kTableBlocks},
    {"product_table_log", product_table_log, 8, 4, 256, 256, 32768, 1 << 30, coefficients_to_log,
     2},
    {"product_table_log_plain", product_table_log_plain, 1, 4, 512, 512, 1024, 1 << 30,
     sources_to_log, 1},
    {"product_four_russians", product_four_russians, 128, 128, 1, 512, 69632},
};

inline const Product& product_named(const std::string& name) {
  return *std::find_if(std::begin(kProducts), std::end(kProducts),
                       [&](const Product& product) { return product.name == name; });
}

inline void multiply(const Product& product, const ProductArguments& a) {
  const int64_t units = a.count * ceil_div(a.m, product.unit_rows) * ceil_div(a.k, product.unit_bytes);
  launch(product.kernel, blocks_of(ceil_div(units, product.block_units), product.max_blocks),
         product.threads, product.shared, a);
}

inline void to_log(void (*kernel)(LogArguments), const Matrices& from, const Matrices& to,
                   const ProductArguments& a, int rows, int columns) {
  launch(kernel, blocks_of(ceil_div(a.count * rows * ceil_div(columns, 4), 256)), 256, 0,
         LogArguments{from, to, a.tables, a.count, rows, columns});
}

/** Operands as logarithms. Sources are resident, so they are converted once. */
struct Logs {
  const Product& product;
  const ProductArguments plain;
  DeviceArray<uint8_t> coefficients, sources;
  ProductArguments logs;

  Logs(const Product& product, const ProductArguments& plain)
      : product(product),
        plain(plain),
        coefficients(plain.count * plain.m * row_bytes()),
        sources(plain.count * plain.n * plain.k),
        logs(plain) {
    logs.coefficients = {coefficients.data, row_bytes(), plain.m * row_bytes()};
    logs.sources = {sources.data, plain.k, int64_t{plain.n} * plain.k};
    to_log(sources_to_log, plain.sources, logs.sources, plain, plain.n, plain.k);
  }

  int64_t row_bytes() const { return product.log_bytes * round_up(plain.n, 4); }

  void multiply() const {
    to_log(product.to_log, plain.coefficients, logs.coefficients, plain, plain.m, plain.n);
    products::multiply(product, logs);
  }
};

// ---- Tensor cores ----

/** A kernel of tensor cores, and how much it can do at a time. */
struct Tensor {
  std::string name;
  bool is_sync;
  /** Bound of groups_at_once · chunk_steps. */
  int max_steps;
};

/** tensor_sync_multiply with this much shared memory in a multiprocessor, for two blocks. */
inline Tensor sync_tensor(const std::string& name, int shared_of_multiprocessor) {
  const int left = shared_of_multiprocessor / 2 - 1024 - tensor::kSyncSharedBytes;
  return {name, true, std::min(8, left / tensor::kExpandedStepBytes)};
}

const Tensor kWarpgroups = {"wgmma", false, 8};

struct TensorPlan {
  int steps, chunks, chunk_steps, at_once;
  int64_t tiles;  // of all passes

  TensorPlan(const Tensor& kernel, int64_t count, int m, int n, int k) {
    steps = static_cast<int>(ceil_div(n, 32));
    chunks = static_cast<int>(ceil_div(steps, kernel.max_steps));
    chunk_steps = static_cast<int>(ceil_div(steps, chunks));
    const int64_t groups = ceil_div(m, 32);
    const int64_t passes = ceil_div(groups, kernel.max_steps / chunk_steps);
    at_once = static_cast<int>(ceil_div(groups, passes));
    tiles = count * ceil_div(groups, at_once) * ceil_div(k, 128);
  }
};

/** Bytes of the tiles of a matrix of n rows of k bytes. */
inline int64_t tiles_pitch(int64_t n, int64_t k) { return ceil_div(k, 128) * ceil_div(n, 32) * 4096; }

/** Rows [first, first + rows) to tiles of `steps` steps. */
inline void lay_out(const Matrices& from, uint8_t* tiles, int64_t count, int first, int rows, int k,
                    int steps, void (*kernel)(TensorLayOutArguments) = tensor_lay_out) {
  const int halves = (first + rows - 1) / 16 - first / 16 + 1;
  const int64_t units = count * ceil_div(k, 4) * halves;
  launch(kernel, blocks_of(ceil_div(units, 256), 64 * multiprocessors()), 256, 0,
         TensorLayOutArguments{from, tiles, tiles_pitch(32 * steps, k), count, first, rows, k, steps});
}

inline void multiply(const Tensor& kernel, const ProductArguments& a, const uint8_t* tiles) {
  const TensorPlan plan(kernel, a.count, a.m, a.n, a.k);
  auto run = tensor_sync_multiply;
  int threads = tensor::kSyncThreads, of_multiprocessor = 2;
  int shared =
      tensor::kSyncSharedBytes + plan.at_once * plan.chunk_steps * tensor::kExpandedStepBytes;
#if defined(FIELDSTONE_WARPGROUPS)
  if (!kernel.is_sync) {
    void (*const by_steps[])(TensorMultiplyArguments) = {
        tensor_multiply_1, tensor_multiply_2, tensor_multiply_3, tensor_multiply_4,
        tensor_multiply_5, tensor_multiply_6, tensor_multiply_7, tensor_multiply_8};
    run = by_steps[plan.chunk_steps - 1];
    threads = tensor::kThreads;
    of_multiprocessor = 1;
    shared = tensor::kSharedBytes;
  }
#endif
  static std::set<void (*)(TensorMultiplyArguments)> prepared;
  if (prepared.insert(run).second) {
    REQUIRE(cudaFuncSetAttribute(run, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  }
  launch(run, blocks_of(plan.tiles, of_multiprocessor * multiprocessors()), threads, shared,
         TensorMultiplyArguments{a.coefficients, tiles, tiles_pitch(a.n, a.k), a.products, a.tables,
                                 a.count, a.m, a.n, a.k, plan.steps, plan.chunks, plan.at_once,
                                 a.accumulate});
}

// ---- Bilinear ----

/** A product by bit planes, and the memory of its operands. */
struct Bilinear {
  const ProductArguments a;
  const int steps;
  const int64_t coefficients_pitch, sources_pitch;
  DeviceArray<BilinearFormula> formula{1};
  DeviceArray<uint8_t> coefficients, sources;

  explicit Bilinear(const ProductArguments& a)
      : a(a),
        steps(bilinear::divide_up(a.n, bilinear::kStepSources)),
        coefficients_pitch(planes_pitch(a.m)),
        sources_pitch(planes_pitch(a.k)),
        coefficients(a.count * coefficients_pitch),
        sources(a.count * sources_pitch) {
    launch(bilinear_formula, 1, 32, 0, BilinearFormulaArguments{formula.data, a.polynomial, 0});
  }

  int64_t planes_pitch(int rows) const {
    return int64_t{bilinear::divide_up(rows, bilinear::kTileRows)} * bilinear::kPlanes * steps *
           bilinear::kStepBytes;
  }

  unsigned blocks(int64_t warps) const {
    return blocks_of(ceil_div(a.count * warps * 2 * steps, 8), 16 * multiprocessors());
  }

  void coefficient_planes() const {
    launch(bilinear_coefficient_planes, blocks(bilinear::divide_up(a.m, 8)), 256, 0,
           BilinearPlanesArguments{a.coefficients, coefficients.data, coefficients_pitch,
                                   formula.data, a.count, a.m, a.n});
  }

  void source_planes() const {
    launch(bilinear_source_planes, blocks(bilinear::divide_up(a.k, bilinear::kRun)), 256, 0,
           BilinearPlanesArguments{a.sources, sources.data, sources_pitch, formula.data, a.count,
                                   a.n, a.k});
  }

  /** From resident tiles of `tile_steps` steps. */
  void tile_planes(const uint8_t* tiles, int tile_steps) const {
    launch(bilinear_tile_planes, blocks(bilinear::divide_up(a.k, bilinear::kRun)), 256, 0,
           BilinearTilePlanesArguments{tiles, tiles_pitch(32 * tile_steps, a.k), sources.data,
                                       sources_pitch, formula.data, a.count, a.n, a.k, tile_steps,
                                       0});
  }

  void multiply() const {
#if defined(FIELDSTONE_WARPGROUPS)
    const int64_t tiles = a.count * bilinear::divide_up(a.m, bilinear::kTileRows) *
                          bilinear::divide_up(a.k, bilinear::kTileRows);
    launch(bilinear_multiply, blocks_of(tiles, multiprocessors()), bilinear::kThreads,
           bilinear::kSharedBytes,
           BilinearMultiplyArguments{coefficients.data, coefficients_pitch, sources.data,
                                     sources_pitch, a.products, formula.data, a.count, a.m, a.n,
                                     a.k, a.accumulate});
#endif
  }
};

// ---- Draws ----

inline void draw(const Matrices& to, int64_t count, int rows, int columns, uint64_t seed) {
  const int64_t units = count * rows * ceil_div(columns, 16);
  launch(draw_uniform, blocks_of(ceil_div(units, 256), resident_blocks(draw_uniform, 256, 0)), 256,
         0, DrawArguments{to, seed, 0, 0, count, rows, columns, 0, 0});
}

// ---- Inversions ----

/** Adds products of n ≤ 256 coefficients to matrices. */
struct Update {
  std::string name;
  const Product* rows;    // or null:
  const Tensor* tensor;
};

/** Inversion by panels: blocks of columns, and what updates the others. */
struct Panels {
  const InversionArguments plain;
  const int block, padded_n;
  const int64_t matrix_bytes, block_bytes;
  DeviceArray<uint8_t> work, pivot_rows, tiles;
  DeviceArray<int32_t> pivot_of_column, column_of_pivot;

  Panels(const InversionArguments& plain, int block)
      : plain(plain),
        block(block),
        padded_n(round_up(plain.n, 32)),
        matrix_bytes(int64_t{padded_n} * padded_n),
        block_bytes(int64_t{block} * padded_n),
        work(plain.count * matrix_bytes),
        pivot_rows(plain.count * block_bytes),
        tiles(plain.count * block * round_up(padded_n, 128)),
        pivot_of_column(plain.count * padded_n),
        column_of_pivot(plain.count * padded_n) {
    tiles.clear();
  }

  static Matrices columns_of(const Matrices& all, int first) {
    return {all.data + first, all.stride, all.pitch};
  }

  void update(const Update& by, const Matrices& coefficients, const Matrices& sources,
              const Matrices& products, int n, int k) const {
    const ProductArguments a = {coefficients, sources, products, plain.tables, plain.count, plain.n,
                                n, k, plain.polynomial, 1, 0};
    if (by.rows != nullptr) {
      multiply(*by.rows, a);
    } else {
      lay_out(sources, tiles.data, plain.count, 0, n, k, static_cast<int>(ceil_div(n, 32)));
      multiply(*by.tensor, a, tiles.data);
    }
  }

  void invert(const Update& by) const {
    PanelArguments a = {plain.matrices, plain.inverses, {work.data, padded_n, matrix_bytes},
                        {pivot_rows.data, padded_n, block_bytes}, plain.tables, plain.ranks,
                        pivot_of_column.data, column_of_pivot.data, plain.count, plain.n,
                        plain.polynomial, 0, 0, padded_n, 0};
    launch(invert_begin, blocks_of(ceil_div(plain.count * padded_n, 8)), 256, 0, a);
    for (int first = 0; first < plain.n; first += block) {
      const int columns = std::min(block, padded_n - first);
      a.first_of_block = first;
      a.end_of_block = first + columns;
      for (a.first_column = first; a.first_column < first + columns; a.first_column += 32) {
        launch(invert_panel, blocks_of(plain.count), 256, 0, a);
        update(by, columns_of(a.work, a.first_column), columns_of(a.pivot_rows, first),
               columns_of(a.work, first), 32, columns);
      }
      if (columns < padded_n) {
        a.first_column = first;
        launch(invert_copy, blocks_of(ceil_div(plain.count * columns, 8)), 256, 0, a);
        update(by, columns_of(a.work, first), a.pivot_rows, a.work, columns, padded_n);
      }
    }
    launch(invert_end, blocks_of(ceil_div(plain.count * ceil_div(plain.n, 8), 8)), 256, 0, a);
  }
};

inline void invert_by_128(const InversionArguments& a) {
  launch(invert_128, blocks_of(a.count), 256, 0, a);
}

inline void invert_by_256(const InversionArguments& a) {
  launch(invert_256, blocks_of(a.count), 512, 0, a);
}

}  // namespace products
