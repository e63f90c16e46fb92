// Checks both products of product_tensor.cu against plain loops on the host, then times them.
// tensor_sync_multiply runs twice: planned for this GPU's shared memory and for 100 KiB.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o tensor_check
//   fieldstone-cuda/src/check/cuda/tensor_check.cu
//   ./tensor_check          checks and times
//   ./tensor_check drawn    times products of coefficients drawn before, as an engine has them
//
// Exits 1 if anything is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "../../main/cuda/draws.cu"
#include "../../main/cuda/product_tensor.cu"
#include "check.cuh"

static unsigned mul(unsigned a, unsigned b, unsigned poly) {
  unsigned r = 0;
  for (int i = 0; i < 8; i++) {
    if (b & 1) r ^= a;
    b >>= 1;
    a <<= 1;
    if (a & 0x100) a ^= poly;
  }
  return r;
}
static uint64_t rs = 88172645463325252ull;
static uint32_t rnd() {
  rs ^= rs << 13;
  rs ^= rs >> 7;
  rs ^= rs << 17;
  return (uint32_t)(rs >> 16);
}
static unsigned char MT[256][256];
static FieldTables* tables(unsigned poly) {
  static FieldTables t;
  memset(&t, 0, sizeof t);
  for (int c = 0; c < 256; c++) {
    uint64_t m = 0;
    for (int b = 0; b < 8; b++) {
      unsigned p = mul(c, 1u << b, poly);
      for (int r = 0; r < 8; r++)
        if (p >> r & 1) m |= 1ull << (8 * r + b);
    }
    t.masks[c] = m;
    for (int x = 0; x < 256; x++) MT[c][x] = mul(c, x, poly);
  }
  FieldTables* d;
  REQUIRE(cudaMalloc(&d, sizeof t));
  REQUIRE(cudaMemcpy(d, &t, sizeof t, cudaMemcpyHostToDevice));
  return d;
}
typedef void (*K)(const TensorMultiplyArguments);
static K kernels[9] = {0,
                       tensor_multiply_1,
                       tensor_multiply_2,
                       tensor_multiply_3,
                       tensor_multiply_4,
                       tensor_multiply_5,
                       tensor_multiply_6,
                       tensor_multiply_7,
                       tensor_multiply_8};
static int SMS;
struct Variant {
  const char* name;
  bool sync;
  int most;  // groups_at_once · chunk_steps
  int blocks() const { return sync ? 2 * SMS : SMS; }
};
static std::vector<Variant> variants;
static int sync_most(int shared_of_multiprocessor) {
  int left = shared_of_multiprocessor / 2 - 1024 - tensor::kSyncSharedBytes;
  return std::min(8, left / tensor::kExpandedStepBytes);
}
struct Plan {
  int steps, chunks, chunkSteps, atOnce;
  int64_t tiles;  // of all passes
};
static Plan plan(const Variant& v, int64_t count, int m, int n, int k) {
  Plan p;
  p.steps = (n + 31) / 32;
  p.chunks = (p.steps + v.most - 1) / v.most;
  p.chunkSteps = (p.steps + p.chunks - 1) / p.chunks;
  int g = (m + 31) / 32;
  int most = v.most / p.chunkSteps;
  int passes = (g + most - 1) / most;
  p.atOnce = (g + passes - 1) / passes;
  passes = (g + p.atOnce - 1) / p.atOnce;
  p.tiles = count * passes * ((k + 127) / 128);
  return p;
}
static void multiply(const Variant& v, Matrices C, FieldTables* t, const uint8_t* T, int64_t pitch,
                     Matrices out, int64_t count, int m, int n, int k, int tileSteps, const Plan& p,
                     int accumulate) {
  TensorMultiplyArguments a{C, T, pitch, out,       t,        count,    m,
                            n, k, tileSteps, p.chunks, p.atOnce, accumulate};
  K f = v.sync ? tensor_sync_multiply : kernels[p.chunkSteps];
  int threads = v.sync ? tensor::kSyncThreads : tensor::kThreads;
  int shared =
      v.sync ? tensor::kSyncSharedBytes + p.atOnce * p.chunkSteps * tensor::kExpandedStepBytes
             : tensor::kSharedBytes;
  REQUIRE(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  REQUIRE(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
  f<<<(int)std::min<int64_t>(v.blocks(), p.tiles), threads, shared>>>(a);
  REQUIRE(cudaGetLastError());
}
static void layout(Matrices rows, uint8_t* T, int64_t pitch, int64_t count, int first, int rc,
                   int k, int steps) {
  if (!rc || !k || !count) return;
  TensorLayOutArguments a{rows, T, pitch, count, first, rc, k, steps};
  int halves = (first + rc - 1) / 16 - first / 16 + 1;
  int64_t units = count * ((k + 3) / 4) * halves;
  tensor_lay_out<<<(int)std::min<int64_t>((units + 255) / 256, SMS * 64), 256>>>(a);
  REQUIRE(cudaGetLastError());
}
// `piecewise` also has the resident matrices hold more rows than the product takes.
static bool check(int count, int m, int n, int k, unsigned poly, int offset, int pad,
                  bool piecewise, int accumulate) {
  FieldTables* t = tables(poly);
  int sx = k + pad, sc = n + pad, so = k + pad;
  int rows = piecewise ? n + 1 + rnd() % 70 : n;
  size_t px = (size_t)rows * sx + pad, pc = (size_t)m * sc + pad, po = (size_t)m * so + pad;
  std::vector<uint8_t> x(offset + count * px), c(offset + count * pc), o(offset + count * po),
      before, back(x.size());
  for (auto& v : x) v = rnd();
  for (auto& v : c) v = rnd();
  for (auto& v : o) v = rnd();
  before = o;
  uint8_t *dx, *dc, *dout, *T, *db;
  int steps = (rows + 31) / 32;
  int64_t pitch = (int64_t)((k + 127) / 128) * steps * 4096;
  REQUIRE(cudaMalloc(&dx, x.size() + 1));
  REQUIRE(cudaMalloc(&dc, c.size() + 1));
  REQUIRE(cudaMalloc(&dout, o.size() + 1));
  REQUIRE(cudaMalloc(&db, x.size() + 1));
  REQUIRE(cudaMalloc(&T, pitch * count + 16));
  REQUIRE(cudaMemcpy(dx, x.data(), x.size(), cudaMemcpyHostToDevice));
  REQUIRE(cudaMemcpy(dc, c.data(), c.size(), cudaMemcpyHostToDevice));
  REQUIRE(cudaMemset(T, 0, pitch * count));
  REQUIRE(cudaMemset(db, 0, x.size()));
  Matrices X{dx + offset, sx, (int64_t)px}, C{dc + offset, sc, (int64_t)pc},
      O{dout + offset, so, (int64_t)po}, B{db + offset, sx, (int64_t)px};
  if (piecewise) {
    int r = 0;
    while (r < rows) {
      int rc = std::min<int>(rows - r, 1 + rnd() % 20);
      Matrices Y = X;
      Y.data += (size_t)r * sx;
      layout(Y, T, pitch, count, r, rc, k, steps);
      r += rc;
    }
  } else
    layout(X, T, pitch, count, 0, n, k, steps);
  {
    TensorLayOutArguments a{B, T, pitch, count, 0, rows, k, steps};
    tensor_read<<<64, 256>>>(a);
  }
  REQUIRE(cudaDeviceSynchronize());
  REQUIRE(cudaMemcpy(back.data(), db, x.size(), cudaMemcpyDeviceToHost));
  for (int g = 0; g < count; g++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < k; j++) {
        uint8_t& at = o[offset + g * po + (size_t)i * so + j];
        unsigned r = accumulate ? at : 0;
        for (int l = 0; l < n; l++)
          r ^= MT[c[offset + g * pc + (size_t)i * sc + l]][x[offset + g * px + (size_t)l * sx + j]];
        at = r;
      }
  long badr = 0;
  for (int g = 0; g < count; g++)
    for (int l = 0; l < rows; l++)
      for (int j = 0; j < k; j++) {
        size_t at = offset + g * px + (size_t)l * sx + j;
        badr += x[at] != back[at];
      }
  bool ok = !badr;
  printf("count %d m %d n %d of %d k %d poly %x offset %d pad %d accumulate %d: read %ld wrong",
         count, m, n, rows, k, poly, offset, pad, accumulate, badr);
  for (const Variant& v : variants) {
    std::vector<uint8_t> got(o.size());
    REQUIRE(cudaMemcpy(dout, before.data(), o.size(), cudaMemcpyHostToDevice));
    if (m && k)
      multiply(v, C, t, T, pitch, O, count, m, n, k, steps, plan(v, count, m, n, k), accumulate);
    REQUIRE(cudaDeviceSynchronize());
    REQUIRE(cudaMemcpy(got.data(), dout, o.size(), cudaMemcpyDeviceToHost));
    long bad = 0;
    size_t first = 0;
    for (size_t i = 0; i < o.size(); i++)
      if (o[i] != got[i]) {
        if (!bad) first = i;
        bad++;
      }
    printf("; %s %ld wrong", v.name, bad);
    if (bad) printf(", first %zu of %zu", first, o.size());
    ok &= !bad;
  }
  printf(ok ? "; ok\n" : "; FAIL\n");
  fflush(stdout);
  cudaFree(dx);
  cudaFree(dc);
  cudaFree(dout);
  cudaFree(T);
  cudaFree(db);
  cudaFree(t);
  return ok;
}
static float timeit(std::function<void()> f, int rep = 7) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  f();
  REQUIRE(cudaDeviceSynchronize());
  std::vector<float> t;
  for (int i = 0; i < rep; i++) {
    cudaEventRecord(a);
    f();
    cudaEventRecord(b);
    REQUIRE(cudaEventSynchronize(b));
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    t.push_back(ms);
  }
  REQUIRE(cudaGetLastError());
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}
static void speed(int64_t count, int m, int n, int k) {
  FieldTables* t = tables(0x11D);
  int steps = (n + 31) / 32;
  int64_t pitch = (int64_t)((k + 127) / 128) * steps * 4096;
  uint8_t *x, *c, *o, *T;
  size_t bx = (size_t)count * n * k, bc = (size_t)count * m * n, bo = (size_t)count * m * k;
  REQUIRE(cudaMalloc(&x, bx));
  REQUIRE(cudaMalloc(&c, bc));
  REQUIRE(cudaMalloc(&o, bo));
  REQUIRE(cudaMalloc(&T, pitch * count));
  std::vector<uint8_t> h(1 << 22);
  for (auto& v : h) v = rnd();
  for (size_t i = 0; i < bx; i += h.size())
    REQUIRE(cudaMemcpy(x + i, h.data(), std::min(h.size(), bx - i), cudaMemcpyHostToDevice));
  for (size_t i = 0; i < bc; i += h.size())
    REQUIRE(cudaMemcpy(c + i, h.data() + 77, std::min(h.size() - 77, bc - i), cudaMemcpyHostToDevice));
  REQUIRE(cudaMemset(T, 0, pitch * count));
  Matrices X{x, k, (int64_t)n * k}, C{c, n, (int64_t)m * n}, O{o, k, (int64_t)m * k};
  float tl = timeit([&] { layout(X, T, pitch, count, 0, n, k, steps); });
  printf("count %ld m %d n %d k %d: lay out %.3f ms (%.0f GB/s r+w)\n", (long)count, m, n, k, tl,
         2 * bx / tl * 1e-6);
  for (const Variant& v : variants) {
    Plan p = plan(v, count, m, n, k);
    float tm = timeit([&] { multiply(v, C, t, T, pitch, O, count, m, n, k, steps, p, 0); });
    printf(
        "  %-8s (chunks %d×%d, %d at once) %.3f ms: %.1f GB/s coded, %.1f T GF-MAC/s\n", v.name,
        p.chunks, p.chunkSteps, p.atOnce, tm, bo / tm * 1e-6, (double)bo * n / tm * 1e-9);
  }
  fflush(stdout);
  cudaFree(x);
  cudaFree(c);
  cudaFree(o);
  cudaFree(T);
  cudaFree(t);
}
static void draw(Matrices C, int64_t count, int m, int n) {
  DrawArguments a{C, 0x5EED, 0, 0, count, m, n, 0, 0};
  int64_t units = count * m * ((n + 15) / 16);
  int blocks;
  REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, draw_uniform, 256, 0));
  draw_uniform<<<(int)std::min<int64_t>((units + 255) / 256, blocks * SMS), 256>>>(a);
  REQUIRE(cudaGetLastError());
}
// What an engine launches to multiply resident segments by coefficients that it draws: for numbers
// of segments that blocks share without a rest, and for those next to them. The best of many runs,
// in turn, because clocks move.
static void drawn(int m, int n, int k) {
  const Variant& v = variants[0];
  FieldTables* t = tables(0x11D);
  int steps = (n + 31) / 32;
  const int64_t counts[] = {15 * SMS, 2048, 16 * SMS, 31 * SMS, 4096, 32 * SMS}, most = 32 * SMS;
  int64_t pitch = (int64_t)((k + 127) / 128) * steps * 4096;
  uint8_t *c, *o, *T;
  REQUIRE(cudaMalloc(&c, most * m * n));
  REQUIRE(cudaMalloc(&o, most * m * k));
  REQUIRE(cudaMalloc(&T, most * pitch));
  // Random bytes, as tiles are: the power that products take depends on them.
  DrawArguments a{{T, pitch, pitch}, 1, 0, 0, most, 1, (int32_t)pitch, 0, 0};
  draw_uniform<<<SMS * 8, 256>>>(a);
  Matrices C{c, n, (int64_t)m * n}, O{o, k, (int64_t)m * k};
  float best[6][3];
  for (auto& times : best) std::fill(times, times + 3, 1e9f);
  for (int round = 0; round < 15; round++) {
    for (int i = 0; i < 6; i++) {
      int64_t count = counts[i];
      Plan p = plan(v, count, m, n, k);
      auto product = [&] { multiply(v, C, t, T, pitch, O, count, m, n, k, steps, p, 0); };
      best[i][0] = std::min(best[i][0], timeit([&] { draw(C, count, m, n); }, 3));
      best[i][1] = std::min(best[i][1], timeit(product, 3));
      best[i][2] = std::min(best[i][2], timeit([&] { draw(C, count, m, n), product(); }, 3));
    }
  }
  for (int i = 0; i < 6; i++) {
    double bytes = (double)counts[i] * m * k;
    printf("(%d, %d) %5ld segments, %6.3f a block: drawn in %.1f us (%.0f GB/s), product %.3f ms "
           "%.1f GB/s, both %.3f ms %.1f GB/s\n",
           n, k, (long)counts[i], (double)counts[i] / SMS, best[i][0] * 1e3,
           (double)counts[i] * m * n / best[i][0] * 1e-6, best[i][1], bytes / best[i][1] * 1e-6,
           best[i][2], bytes / best[i][2] * 1e-6);
  }
  cudaFree(c);
  cudaFree(o);
  cudaFree(T);
  cudaFree(t);
}
int main(int argc, char** argv) {
  cudaDeviceProp pr;
  REQUIRE(cudaGetDeviceProperties(&pr, 0));
  SMS = pr.multiProcessorCount;
  printf("%s %d SMs\n", pr.name, SMS);
  int most = sync_most((int)pr.sharedMemPerMultiprocessor), small = sync_most(100 << 10);
  variants = {{"wgmma", false, 8}, {"sync", true, most}, {"sync 100", true, small}};
  if (argc > 1 && !strcmp(argv[1], "drawn")) {
    drawn(128, 128, 4096);
    return 0;
  }
  for (const Variant& v : variants) {
    if (!v.sync) continue;
    int blocks, shared = tensor::kSyncSharedBytes + v.most * tensor::kExpandedStepBytes;
    K f = tensor_sync_multiply;
    REQUIRE(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    REQUIRE(cudaFuncSetAttribute(f, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    REQUIRE(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, tensor::kSyncThreads, shared));
    printf("%s: %d group steps, %d bytes of shared memory, %d blocks a multiprocessor\n", v.name,
           v.most, shared, blocks);
  }
  bool ok = true;
  ok &= check(1, 32, 32, 128, 0x11D, 0, 0, false, 0);
  ok &= check(1, 32, 128, 128, 0x11D, 0, 0, false, 0);
  ok &= check(2, 128, 128, 1024, 0x11D, 0, 0, false, 0);
  ok &= check(2, 128, 128, 1024, 0x11D, 0, 0, false, 1);
  ok &= check(3, 128, 256, 1024, 0x11B, 0, 16, false, 0);
  ok &= check(2, 70, 300, 500, 0x11D, 3, 5, false, 1);
  ok &= check(1, 65, 1024, 640, 0x11D, 16, 0, false, 0);
  ok &= check(1, 65, 1024, 640, 0x11D, 16, 0, false, 1);
  ok &= check(300, 5, 7, 33, 0x11D, 1, 3, true, 0);
  ok &= check(2, 1, 1, 1, 0x11B, 0, 0, false, 1);
  // Passes that are dealt: a tile each, some tiles, almost all; the same of sums in chunks.
  for (int left : {1, 2, 68, SMS - 1}) {
    ok &= check(SMS + left, 3, 40, 1000, 0x11D, 0, 0, false, 0);
    ok &= check(SMS + left, 3, 290, 300, 0x11D, 0, 0, false, 0);
    ok &= check(left, 7, 300, 5 * 128 + 1, 0x11D, 0, 0, false, 1);
  }
  for (int i = 0; i < 30; i++)
    ok &= check(1 + rnd() % 6, 1 + rnd() % 200, 1 + rnd() % 300, 1 + rnd() % 700,
                rnd() % 2 ? 0x11D : 0x11B, rnd() % 20, rnd() % 40, rnd() % 2, rnd() % 2);
  printf(ok ? "ALL OK\n" : "SOME FAILED\n");
  speed(132 * 20, 128, 128, 4096);
  speed(132 * 8, 32, 128, 4096);
  speed(132 * 8, 128, 128, 1024);
  speed(64, 1024, 1024, 2048);
  speed(1, 7168, 1024, 2048);
  speed(1, 1024, 1024, 2048);
  speed(128, 512, 512, 4096);
  speed(132 * 10, 256, 256, 4096);
  speed(1, 128, 128, 4096);
  speed(132 * 20, 64, 64, 4096);
  speed(132 * 20, 16, 16, 4096);
  return ok ? 0 : 1;
}
