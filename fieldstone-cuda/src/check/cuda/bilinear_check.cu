// Checks product_bilinear.cu against plain loops on the host, then times it.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o bilinear_check
//   fieldstone-cuda/src/check/cuda/bilinear_check.cu
//   ./bilinear_check
//
// Exits 1 if anything is wrong. With the argument "check" it times nothing.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "../../main/cuda/product_bilinear.cu"
#include "check.cuh"

namespace {

uint32_t host_times(uint32_t a, uint32_t b, uint32_t polynomial) {
  uint32_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if (a & 0x100) a ^= polynomial;
  }
  return product;
}

/** Device memory filled with one byte, behind `offset` other bytes. */
struct Buffer {
  uint8_t* all = nullptr;
  uint8_t* data = nullptr;
  size_t bytes;

  Buffer(size_t bytes, int filling, size_t offset = 0) : bytes(bytes) {
    REQUIRE(cudaMalloc(&all, offset + bytes + 1));
    data = all + offset;
    REQUIRE(cudaMemset(all, filling, offset + bytes + 1));
  }
  Buffer(const Buffer&) = delete;
  ~Buffer() { cudaFree(all); }

  void write(const std::vector<uint8_t>& from) {
    REQUIRE(cudaMemcpy(data, from.data(), from.size(), cudaMemcpyHostToDevice));
  }
  std::vector<uint8_t> read() const {
    std::vector<uint8_t> to(bytes);
    REQUIRE(cudaMemcpy(to.data(), data, bytes, cudaMemcpyDeviceToHost));
    return to;
  }
};

int multiprocessors;

struct Shape {
  int64_t count;
  int m, n, k;

  int steps() const { return bilinear::divide_up(n, bilinear::kStepSources); }
  int64_t planes_pitch(int rows) const {
    return static_cast<int64_t>(bilinear::divide_up(rows, bilinear::kTileRows)) *
           bilinear::kPlanes * steps() * bilinear::kStepBytes;
  }
  int64_t coefficients_pitch() const { return planes_pitch(m); }
  int64_t sources_pitch() const { return planes_pitch(k); }
};

int blocks(int64_t warps) {
  return static_cast<int>(std::min<int64_t>((warps + 7) / 8, multiprocessors * 16));
}

void formula(Buffer& to, uint32_t polynomial) {
  BilinearFormulaArguments a{reinterpret_cast<BilinearFormula*>(to.data),
                             static_cast<int32_t>(polynomial), 0};
  bilinear_formula<<<1, 32>>>(a);
  REQUIRE(cudaGetLastError());
}

void coefficient_planes(const Shape& s, Matrices bytes, Buffer& planes, const Buffer& formula) {
  BilinearPlanesArguments a{bytes,   planes.data, s.coefficients_pitch(),
                            reinterpret_cast<const BilinearFormula*>(formula.data),
                            s.count, s.m,         s.n};
  const int grid = blocks(s.count * bilinear::divide_up(s.m, 8) * 2 * s.steps());
  bilinear_coefficient_planes<<<grid, 256>>>(a);
  REQUIRE(cudaGetLastError());
}

void source_planes(const Shape& s, Matrices bytes, Buffer& planes, const Buffer& formula) {
  BilinearPlanesArguments a{bytes,   planes.data, s.sources_pitch(),
                            reinterpret_cast<const BilinearFormula*>(formula.data),
                            s.count, s.n,         s.k};
  const int grid = blocks(s.count * bilinear::divide_up(s.k, bilinear::kRun) * 2 * s.steps());
  bilinear_source_planes<<<grid, 256>>>(a);
  REQUIRE(cudaGetLastError());
}

void tile_planes(const Shape& s, const Buffer& tiles, int64_t tiles_pitch, int tile_steps,
                 Buffer& planes, const Buffer& formula) {
  BilinearTilePlanesArguments a{tiles.data,
                                tiles_pitch,
                                planes.data,
                                s.sources_pitch(),
                                reinterpret_cast<const BilinearFormula*>(formula.data),
                                s.count,
                                s.n,
                                s.k,
                                tile_steps,
                                0};
  const int grid = blocks(s.count * bilinear::divide_up(s.k, bilinear::kRun) * 2 * s.steps());
  bilinear_tile_planes<<<grid, 256>>>(a);
  REQUIRE(cudaGetLastError());
}

void multiply(const Shape& s, const Buffer& coefficients, const Buffer& sources, Matrices products,
              const Buffer& formula, bool accumulate) {
  BilinearMultiplyArguments a{coefficients.data,
                              s.coefficients_pitch(),
                              sources.data,
                              s.sources_pitch(),
                              products,
                              reinterpret_cast<const BilinearFormula*>(formula.data),
                              s.count,
                              s.m,
                              s.n,
                              s.k,
                              accumulate};
  const int64_t items = s.count * bilinear::divide_up(s.m, bilinear::kTileRows) *
                        bilinear::divide_up(s.k, bilinear::kTileRows);
  const int grid = static_cast<int>(std::min<int64_t>(items, multiprocessors));
  bilinear_multiply<<<grid, bilinear::kThreads, bilinear::kSharedBytes>>>(a);
  REQUIRE(cudaGetLastError());
}

/** That the formula multiplies all pairs of elements. */
bool check_formula(uint32_t polynomial) {
  Buffer buffer(sizeof(BilinearFormula), 0);
  formula(buffer, polynomial);
  const std::vector<uint8_t> read = buffer.read();
  BilinearFormula f;
  memcpy(&f, read.data(), sizeof f);
  int wrong = 0;
  for (int c = 0; c < 256; c++) {
    for (int x = 0; x < 256; x++) {
      uint32_t product = 0;
      for (int l = 0; l < bilinear::kPlanes; l++) {
        const uint32_t functional = f.functionals[l];
        const int one = __builtin_parity(functional & c) & __builtin_parity(functional & x);
        if (one) product ^= f.constants[l];
      }
      wrong += product != host_times(c, x, polynomial);
    }
  }
  printf("%s formula for %x: %d of 65536 wrong\n", wrong ? "FAIL" : "ok  ", polynomial, wrong);
  return wrong == 0;
}

/** Where a source of a column lies in resident tiles of `tile_steps` steps (product_tensor.cu). */
size_t tile_place(int column, int source, int tile_steps) {
  const int c = column % 128, core = (c >> 6) * 8 + (c >> 1 & 7), row = (c >> 4 & 3) * 2 + (c & 1);
  return (static_cast<size_t>(column / 128) * tile_steps + source / 32) * 4096 + core * 256 +
         source % 32 / 16 * 128 + row * 16 + source % 16;
}

/** extra: sources that are resident beside those multiplied, or −1 for row-major sources. */
bool check(const Shape& s, uint32_t polynomial, int offset, int pad, bool accumulate, int extra) {
  static uint8_t table[256][256];
  for (int c = 0; c < 256; c++) {
    for (int x = 0; x < 256; x++) table[c][x] = host_times(c, x, polynomial);
  }
  const int64_t cs = s.n + pad, xs = s.k + pad, ps = s.k + pad;
  const int64_t cp = s.m * cs + pad, xp = s.n * xs + pad, pp = s.m * ps + pad;
  std::vector<uint8_t> c(s.count * cp), x(s.count * xp), expected(s.count * pp);
  for (auto* all : {&c, &x, &expected}) {
    for (uint8_t& byte : *all) byte = random_word();
  }
  Buffer dc(c.size(), 0, offset), dx(x.size(), 0, offset), dp(expected.size(), 0, offset);
  dc.write(c), dx.write(x), dp.write(expected);
  Buffer f(sizeof(BilinearFormula), 0);
  formula(f, polynomial);
  Buffer coefficients(s.count * s.coefficients_pitch(), 0xA5);
  Buffer sources(s.count * s.sources_pitch(), 0x5A);
  coefficient_planes(s, {dc.data, cs, cp}, coefficients, f);
  if (extra < 0) {
    source_planes(s, {dx.data, xs, xp}, sources, f);
  } else {
    const int tile_steps = (s.n + extra + 31) / 32;
    const int64_t pitch = static_cast<int64_t>((s.k + 127) / 128) * tile_steps * 4096;
    std::vector<uint8_t> tiles(s.count * pitch);
    for (uint8_t& byte : tiles) byte = random_word();
    for (int64_t g = 0; g < s.count; g++) {
      for (int l = 0; l < s.n; l++) {
        for (int j = 0; j < s.k; j++) {
          tiles[g * pitch + tile_place(j, l, tile_steps)] = x[g * xp + l * xs + j];
        }
      }
    }
    Buffer resident(tiles.size(), 0);
    resident.write(tiles);
    tile_planes(s, resident, pitch, tile_steps, sources, f);
    REQUIRE(cudaDeviceSynchronize());
  }
  multiply(s, coefficients, sources, {dp.data, ps, pp}, f, accumulate);
  REQUIRE(cudaDeviceSynchronize());
  const std::vector<uint8_t> got = dp.read();
  std::vector<uint8_t> sums(s.k);
  for (int64_t g = 0; g < s.count; g++) {
    for (int i = 0; i < s.m; i++) {
      uint8_t* row = &expected[g * pp + i * ps];
      if (!accumulate) memset(row, 0, s.k);
      for (int l = 0; l < s.n; l++) {
        const uint8_t* products = table[c[g * cp + i * cs + l]];
        const uint8_t* source = &x[g * xp + l * xs];
        for (int j = 0; j < s.k; j++) row[j] ^= products[source[j]];
      }
    }
  }
  int64_t wrong = 0, first = -1;
  for (size_t i = 0; i < expected.size(); i++) {
    if (expected[i] != got[i]) {
      if (wrong++ == 0) first = i;
    }
  }
  printf("%s count %ld m %d n %d k %d polynomial %x offset %d pad %d%s%s: %ld of %zu wrong",
         wrong ? "FAIL" : "ok  ", static_cast<long>(s.count), s.m, s.n, s.k, polynomial, offset,
         pad, accumulate ? " added" : "", extra < 0 ? "" : " resident", static_cast<long>(wrong),
         expected.size());
  if (wrong) printf(", first matrix %ld row %ld column %ld", static_cast<long>(first / pp),
                    static_cast<long>(first % pp / ps), static_cast<long>(first % pp % ps));
  printf("\n");
  fflush(stdout);
  return wrong == 0;
}

/** Milliseconds, the median of seven. */
float time_of(const std::function<void()>& work) {
  cudaEvent_t begin, end;
  REQUIRE(cudaEventCreate(&begin));
  REQUIRE(cudaEventCreate(&end));
  work();
  REQUIRE(cudaDeviceSynchronize());
  std::vector<float> times;
  for (int i = 0; i < 7; i++) {
    REQUIRE(cudaEventRecord(begin));
    work();
    REQUIRE(cudaEventRecord(end));
    REQUIRE(cudaEventSynchronize(end));
    float ms;
    REQUIRE(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms);
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void fill(Buffer& buffer) {
  std::vector<uint8_t> bytes(1 << 22);
  for (uint8_t& byte : bytes) byte = random_word();
  for (size_t i = 0; i < buffer.bytes; i += bytes.size() - 77) {
    REQUIRE(cudaMemcpy(buffer.data + i, bytes.data(), std::min(bytes.size(), buffer.bytes - i),
                       cudaMemcpyHostToDevice));
  }
}

void speed(const Shape& s) {
  const int tile_steps = (s.n + 31) / 32;
  const int64_t tiles_pitch = static_cast<int64_t>((s.k + 127) / 128) * tile_steps * 4096;
  Buffer c(s.count * s.m * s.n, 0), x(s.count * s.n * s.k, 0), p(s.count * s.m * s.k, 0);
  Buffer tiles(s.count * tiles_pitch, 0), f(sizeof(BilinearFormula), 0);
  Buffer coefficients(s.count * s.coefficients_pitch(), 0);
  Buffer sources(s.count * s.sources_pitch(), 0);
  fill(c), fill(x), fill(tiles);
  formula(f, 0x11D);
  const Matrices cm{c.data, s.n, static_cast<int64_t>(s.m) * s.n};
  const Matrices xm{x.data, s.k, static_cast<int64_t>(s.n) * s.k};
  const Matrices pm{p.data, s.k, static_cast<int64_t>(s.m) * s.k};
  const float of_coefficients = time_of([&] { coefficient_planes(s, cm, coefficients, f); });
  const float of_tiles =
      time_of([&] { tile_planes(s, tiles, tiles_pitch, tile_steps, sources, f); });
  const float of_sources = time_of([&] { source_planes(s, xm, sources, f); });
  const float of_product = time_of([&] { multiply(s, coefficients, sources, pm, f, false); });
  const float of_all = time_of([&] {
    coefficient_planes(s, cm, coefficients, f);
    source_planes(s, xm, sources, f);
    multiply(s, coefficients, sources, pm, f, false);
  });
  const double products = 1e-9 * s.count * s.m * s.n * s.k;  // per ms: T/s
  printf(
      "count %ld m %d n %d k %d: planes of coefficients %.3f ms (%.0f GB/s r+w), of sources %.3f "
      "ms (%.0f GB/s), of tiles %.3f ms (%.0f GB/s); product %.3f ms, %.1f T GF-MAC/s; all %.3f "
      "ms, %.1f T GF-MAC/s\n",
      static_cast<long>(s.count), s.m, s.n, s.k, of_coefficients, 4e-6 * c.bytes / of_coefficients,
      of_sources, 4e-6 * x.bytes / of_sources, of_tiles, 4e-6 * x.bytes / of_tiles, of_product,
      products / of_product, of_all, products / of_all);
  fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  cudaDeviceProp properties;
  REQUIRE(cudaGetDeviceProperties(&properties, 0));
  multiprocessors = properties.multiProcessorCount;
  printf("%s, %d multiprocessors\n", properties.name, multiprocessors);
  REQUIRE(cudaFuncSetAttribute(bilinear_multiply, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               bilinear::kSharedBytes));
  constexpr uint32_t kPolynomials[3] = {0x11D, 0x11B, 0x1F5};
  bool ok = true;
  for (uint32_t polynomial : kPolynomials) ok &= check_formula(polynomial);
  ok &= check({1, 1, 1, 1}, 0x11B, 0, 0, false, -1);
  ok &= check({1, 256, 256, 256}, 0x11D, 0, 0, false, -1);
  ok &= check({1, 256, 1024, 256}, 0x11D, 0, 0, false, -1);
  ok &= check({2, 300, 1300, 500}, 0x11B, 3, 5, true, -1);
  ok &= check({2, 128, 600, 320}, 0x1F5, 16, 16, false, 40);
  ok &= check({3, 700, 300, 300}, 0x11D, 0, 4, false, -1);
  for (int i = 0; i < 10; i++) {
    const Shape s{static_cast<int64_t>(1 + random_word() % 3), static_cast<int>(1 + random_word() % 600),
                  static_cast<int>(1 + random_word() % 2300),
                  static_cast<int>(1 + random_word() % 700)};
    ok &= check(s, kPolynomials[random_word() % 3], random_word() % 20, random_word() % 40,
                random_word() % 2, static_cast<int>(random_word() % 100) - 50);
  }
  if (argc == 1) {
    speed({64, 1024, 1024, 2048});
    speed({1, 7168, 1024, 2048});
    speed({16, 2048, 2048, 4096});
    speed({64, 512, 512, 4096});
  }
  printf(ok ? "ALL OK\n" : "SOME FAILED\n");
  return ok ? 0 : 1;
}
