// Times the kernels of products, draws and inversions.
//
// In the repository's root; on other GPUs than Hopper -arch=native instead of the options after -std:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -DFIELDSTONE_WARPGROUPS
//       -I fieldstone-cuda/src/main/cuda -o products_timer fieldstone-cuda/src/check/cuda/products_timer.cu
//   ./products_timer [loops] [tensor] [drawn] [bilinear] [draws] [inversions]

#include <array>

#include "check.cuh"
#include "launch_products.cuh"

namespace {

using namespace products;

/** Operands of a product of random matrices. */
struct Operands {
  RandomMatrices coefficients, sources, products;
  ProductArguments arguments;

  Operands(const Field& field, int64_t count, int m, int n, int k)
      : coefficients(count, m, n), sources(count, n, k), products(count, m, k) {
    arguments = {coefficients.view, sources.view, products.view, field.tables.data, count, m, n, k,
                 field.polynomial, 0, 0};
  }

  double bytes() const { return static_cast<double>(arguments.count) * arguments.m * arguments.k; }

  void print(const char* name, float ms) const {
    printf("  %-26s %9.3f ms %8.3f T GF-MAC/s %8.1f GB/s coded\n", name, ms,
           bytes() * arguments.n / ms * 1e-9, bytes() / ms * 1e-6);
    fflush(stdout);
  }
};

void print_shape(const ProductArguments& a) {
  printf("%lld products, m %d, n %d, k %d\n", static_cast<long long>(a.count), a.m, a.n, a.k);
}

void time_loops(const Field& field, int64_t count, int m, int n, int k) {
  const Operands operands(field, count, m, n, k);
  print_shape(operands.arguments);
  for (const Product& product : kProducts) {
    if (product.to_log != nullptr) {
      const Logs logs(product, operands.arguments);
      operands.print(product.name, times_of(5, [&] { logs.multiply(); }).median);
    } else {
      const auto run = [&] { multiply(product, operands.arguments); };
      operands.print(product.name, times_of(5, run).median);
    }
  }
}

/** The kernels that run here; tensor_sync_multiply as planned here, and for 100 KiB. */
std::vector<Tensor> tensors() {
  int shared;
  REQUIRE(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0));
  std::vector<Tensor> all;
  if (has_warpgroups()) {
    all.push_back(kWarpgroups);
  }
  if (has_binary_tensor_cores()) {
    all.push_back(sync_tensor("sync", shared));
    all.push_back(sync_tensor("sync, 100 KiB", 100 << 10));
  }
  return all;
}

void time_tensor(const Field& field, int64_t count, int m, int n, int k) {
  const Operands operands(field, count, m, n, k);
  const ProductArguments& a = operands.arguments;
  DeviceArray<uint8_t> tiles(count * tiles_pitch(n, k));
  tiles.clear();
  print_shape(a);
  const int steps = static_cast<int>(ceil_div(n, 32));
  const float ms =
      times_of(7, [&] { lay_out(a.sources, tiles.data, count, 0, n, k, steps); }).median;
  printf("  lay out %.3f ms, %.0f GB/s read and written\n", ms, 2e-6 * count * n * k / ms);
  for (const Tensor& kernel : tensors()) {
    const TensorPlan plan(kernel, count, m, n, k);
    char name[80];
    snprintf(name, sizeof name, "%s, %dx%d, %d at once", kernel.name.c_str(), plan.chunks,
             plan.chunk_steps, plan.at_once);
    operands.print(name, times_of(7, [&] { multiply(kernel, a, tiles.data); }).median);
  }
}

/**
 * What an engine launches to multiply resident segments by coefficients that it draws: for numbers
 * of segments that blocks share without a rest, and for those next to them. The best of many runs,
 * in turn, because clocks change.
 */
void time_drawn(const Field& field, int m, int n, int k) {
  const int64_t processors = multiprocessors();
  const int64_t counts[] = {15 * processors, 2048, 16 * processors, 31 * processors, 4096,
                            32 * processors};
  const Operands operands(field, std::max<int64_t>(4096, 32 * processors), m, n, 1);
  ProductArguments a = operands.arguments;
  a.k = k;
  DeviceArray<uint8_t> products(a.count * m * k);
  a.products = {products.data, k, int64_t{m} * k};
  // Random bytes, as tiles are: the power that products take depends on them.
  const RandomMatrices tiles(a.count, 1, tiles_pitch(n, k));
  float best[6][3];
  for (auto& times : best) std::fill(times, times + 3, 1e9f);
  for (int round = 0; round < 15; round++) {
    for (int i = 0; i < 6; i++) {
      a.count = counts[i];
      const auto coefficients = [&] { draw(a.coefficients, a.count, m, n, 0x5EED); };
      const auto product = [&] { multiply(tensors()[0], a, tiles.bytes.data); };
      const auto both = [&] { coefficients(), product(); };
      best[i][0] = std::min(best[i][0], times_of(3, coefficients).median);
      best[i][1] = std::min(best[i][1], times_of(3, product).median);
      best[i][2] = std::min(best[i][2], times_of(3, both).median);
    }
  }
  for (int i = 0; i < 6; i++) {
    const double bytes = static_cast<double>(counts[i]) * m * k;
    printf("(%d, %d) %5lld segments, %6.3f a block: drawn in %.1f us (%.0f GB/s), product %.3f ms "
           "%.1f GB/s, both %.3f ms %.1f GB/s\n",
           n, k, static_cast<long long>(counts[i]), static_cast<double>(counts[i]) / processors,
           best[i][0] * 1e3, static_cast<double>(counts[i]) * m * n / best[i][0] * 1e-6, best[i][1],
           bytes / best[i][1] * 1e-6, best[i][2], bytes / best[i][2] * 1e-6);
  }
}

void time_bilinear(const Field& field, int64_t count, int m, int n, int k) {
  const Operands operands(field, count, m, n, k);
  const Bilinear product(operands.arguments);
  const RandomMatrices tiles(count, 1, tiles_pitch(n, k));
  print_shape(operands.arguments);
  const auto planes = [](const char* of, double bytes, float ms) {
    printf("  planes of %-16s %9.3f ms %8.0f GB/s read and written\n", of, ms, 4e-6 * bytes / ms);
  };
  const double source_bytes = static_cast<double>(count) * n * k;
  const int tile_steps = static_cast<int>(ceil_div(n, 32));
  planes("coefficients", static_cast<double>(count) * m * n,
         times_of(7, [&] { product.coefficient_planes(); }).median);
  planes("tiles", source_bytes,
         times_of(7, [&] { product.tile_planes(tiles.bytes.data, tile_steps); }).median);
  planes("sources", source_bytes, times_of(7, [&] { product.source_planes(); }).median);
  operands.print("product", times_of(7, [&] { product.multiply(); }).median);
  operands.print("all", times_of(7, [&] {
                          product.coefficient_planes();
                          product.source_planes();
                          product.multiply();
                        }).median);
}

void time_draws() {
  constexpr int64_t kBytes = int64_t{1} << 30;
  DeviceArray<uint8_t> drawn(kBytes);
  const Matrices to = {drawn.data, 128, 128 * 128};
  const float ms = times_of(5, [&] { draw(to, kBytes / (128 * 128), 128, 128, 1); }).median;
  printf("draw_uniform, rows of 128: %.1f GB/s\n", kBytes / ms * 1e-6);
}

/** Matrices to invert, and their inverses. */
struct Inversions {
  RandomMatrices matrices, inverses;
  DeviceArray<int32_t> ranks;
  InversionArguments arguments;

  Inversions(const Field& field, int64_t count, int n)
      : matrices(count, n, n), inverses(count, n, n), ranks(count) {
    arguments = {matrices.view, inverses.view, field.tables.data, ranks.data, count, n,
                 field.polynomial};
  }

  void print(const std::string& name, float ms) const {
    const double n = arguments.n, count = static_cast<double>(arguments.count);
    printf("  %-26s %5.0f of %4.0fx%-4.0f %9.3f ms %8.3f T GF-MAC/s\n", name.c_str(), count, n, n,
           ms, count * n * n * n / ms * 1e-9);
    fflush(stdout);
  }
};

void time_inversions(const Field& field) {
  const Inversions small(field, 4096, 128), middle(field, 1024, 256);
  small.print("invert_128", times_of(5, [&] { invert_by_128(small.arguments); }).median);
  middle.print("invert_256", times_of(5, [&] { invert_by_256(middle.arguments); }).median);
  const std::vector<Tensor> kernels = tensors();
  std::vector<std::pair<int, Update>> ways = {
      {64, {"four-russians", &product_named("product_four_russians"), nullptr}},
      {256, {"loop-tile", &product_named("product_loop_tile"), nullptr}}};
  if (!kernels.empty()) {
    ways.push_back({128, {"tensor", nullptr, &kernels[0]}});
    ways.push_back({256, {"tensor", nullptr, &kernels[0]}});
  }
  for (const auto& [block, update] : ways) {
    for (const auto& [count, n] : {std::pair{64, 512}, {128, 1024}, {1, 1024}, {1, 2048}}) {
      const Inversions inversions(field, count, n);
      const Panels panels(inversions.arguments, block);
      const Update& by = update;
      inversions.print("panels, " + std::to_string(block) + ", " + by.name,
                       times_of(5, [&] { panels.invert(by); }).median);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const Sections sections(count, arguments);
  const Field field;
  if (sections.has("loops")) {
    time_loops(field, 264, 128, 128, 4096);
    time_loops(field, 8, 1024, 1024, 2048);
  }
  if (sections.has("tensor") && has_binary_tensor_cores()) {
    for (const auto& [products, m, n, k] :
         {std::array{132 * 20, 128, 128, 4096}, {132 * 8, 32, 128, 4096}, {132 * 8, 128, 128, 1024},
          {64, 1024, 1024, 2048}, {1, 7168, 1024, 2048}, {1, 1024, 1024, 2048},
          {128, 512, 512, 4096}, {132 * 10, 256, 256, 4096}, {1, 128, 128, 4096},
          {132 * 20, 64, 64, 4096}, {132 * 20, 16, 16, 4096}}) {
      time_tensor(field, products, m, n, k);
    }
  }
  if (sections.has("drawn") && has_binary_tensor_cores()) {
    time_drawn(field, 128, 128, 4096);
  }
  if (sections.has("bilinear") && has_warpgroups()) {
    for (const auto& [products, m, n, k] :
         {std::array{64, 1024, 1024, 2048}, {1, 7168, 1024, 2048}, {16, 2048, 2048, 4096},
          {64, 512, 512, 4096}}) {
      time_bilinear(field, products, m, n, k);
    }
  }
  if (sections.has("draws")) {
    time_draws();
  }
  if (sections.has("inversions")) {
    time_inversions(field);
  }
  return 0;
}
