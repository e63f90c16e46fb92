// Checks product_tensor.cu against plain loops on the host, then times it.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a -o tensor_check
//   fieldstone-cuda/src/check/cuda/tensor_check.cu
//   ./tensor_check
//
// Exits 1 if anything is wrong.

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "../../main/cuda/product_tensor.cu"
#define CK(x)                                                               \
  do {                                                                      \
    cudaError_t e_ = (x);                                                   \
    if (e_) {                                                               \
      printf("ERR %s line %d: %s\n", #x, __LINE__, cudaGetErrorString(e_)); \
      exit(1);                                                              \
    }                                                                       \
  } while (0)
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
  CK(cudaMalloc(&d, sizeof t));
  CK(cudaMemcpy(d, &t, sizeof t, cudaMemcpyHostToDevice));
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
struct Plan {
  int steps, chunks, chunkSteps, atOnce, parts, partTiles;
  int64_t items;
};
static Plan plan(int64_t count, int m, int n, int k, int sms) {
  Plan p;
  p.steps = (n + 31) / 32;
  p.chunks = (p.steps + 7) / 8;
  p.chunkSteps = (p.steps + p.chunks - 1) / p.chunks;
  int g = (m + 31) / 32;
  int most = 8 / p.chunkSteps;
  int passes = (g + most - 1) / most;
  p.atOnce = (g + passes - 1) / passes;
  passes = (g + p.atOnce - 1) / p.atOnce;
  int tiles = (k + 127) / 128;
  int64_t base = count * passes;
  p.parts = 1;
  if (base < 4 * sms) {
    p.parts = (int)std::min<int64_t>((tiles + 1) / 2, (4 * sms + base - 1) / base);
  }
  p.partTiles = (tiles + p.parts - 1) / p.parts;
  p.parts = (tiles + p.partTiles - 1) / p.partTiles;
  p.items = base * p.parts;
  return p;
}
static int SMS;
static void multiply(Matrices C, FieldTables* t, const uint8_t* T, int64_t pitch, Matrices out,
                     int64_t count, int m, int n, int k, int tileSteps, const Plan& p) {
  TensorMultiplyArguments a{C, T,         pitch,    out,      t,       count,       m, n,
                            k, tileSteps, p.chunks, p.atOnce, p.parts, p.partTiles, 0};
  K f = kernels[p.chunkSteps];
  CK(cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, tensor::kSharedBytes));
  f<<<(int)std::min<int64_t>(SMS, p.items), tensor::kThreads, tensor::kSharedBytes>>>(a);
  CK(cudaGetLastError());
}
static void layout(Matrices rows, uint8_t* T, int64_t pitch, int64_t count, int first, int rc,
                   int k, int steps) {
  if (!rc || !k || !count) return;
  TensorLayOutArguments a{rows, T, pitch, count, first, rc, k, steps};
  int halves = (first + rc - 1) / 16 - first / 16 + 1;
  int64_t units = count * ((k + 3) / 4) * halves;
  tensor_lay_out<<<(int)std::min<int64_t>((units + 255) / 256, SMS * 64), 256>>>(a);
  CK(cudaGetLastError());
}
static bool check(int count, int m, int n, int k, unsigned poly, int offset, int pad,
                  bool piecewise) {
  FieldTables* t = tables(poly);
  int sx = k + pad, sc = n + pad, so = k + pad;
  size_t px = (size_t)n * sx + pad, pc = (size_t)m * sc + pad, po = (size_t)m * so + pad;
  std::vector<uint8_t> x(offset + count * px), c(offset + count * pc), o(offset + count * po),
      got(o.size()), back(x.size());
  for (auto& v : x) v = rnd();
  for (auto& v : c) v = rnd();
  for (auto& v : o) v = rnd();
  uint8_t *dx, *dc, *dout, *T, *db;
  int steps = (n + 31) / 32;
  int64_t pitch = (int64_t)((k + 127) / 128) * steps * 4096;
  Plan p = plan(count, m, n, k, SMS);
  CK(cudaMalloc(&dx, x.size() + 1));
  CK(cudaMalloc(&dc, c.size() + 1));
  CK(cudaMalloc(&dout, o.size() + 1));
  CK(cudaMalloc(&db, x.size() + 1));
  CK(cudaMalloc(&T, pitch * count + 16));
  CK(cudaMemcpy(dx, x.data(), x.size(), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dc, c.data(), c.size(), cudaMemcpyHostToDevice));
  CK(cudaMemcpy(dout, o.data(), o.size(), cudaMemcpyHostToDevice));
  CK(cudaMemset(T, 0, pitch * count));
  CK(cudaMemset(db, 0, x.size()));
  Matrices X{dx + offset, sx, (int64_t)px}, C{dc + offset, sc, (int64_t)pc},
      O{dout + offset, so, (int64_t)po}, B{db + offset, sx, (int64_t)px};
  if (piecewise) {
    int r = 0;
    while (r < n) {
      int rc = std::min<int>(n - r, 1 + rnd() % 20);
      Matrices Y = X;
      Y.data += (size_t)r * sx;
      layout(Y, T, pitch, count, r, rc, k, steps);
      r += rc;
    }
  } else
    layout(X, T, pitch, count, 0, n, k, steps);
  if (m && k) multiply(C, t, T, pitch, O, count, m, n, k, steps, p);
  {
    TensorLayOutArguments a{B, T, pitch, count, 0, n, k, steps};
    tensor_read<<<64, 256>>>(a);
  }
  CK(cudaDeviceSynchronize());
  CK(cudaMemcpy(got.data(), dout, o.size(), cudaMemcpyDeviceToHost));
  CK(cudaMemcpy(back.data(), db, x.size(), cudaMemcpyDeviceToHost));
  for (int g = 0; g < count; g++)
    for (int i = 0; i < m; i++)
      for (int j = 0; j < k; j++) {
        unsigned r = 0;
        for (int l = 0; l < n; l++)
          r ^= MT[c[offset + g * pc + (size_t)i * sc + l]][x[offset + g * px + (size_t)l * sx + j]];
        o[offset + g * po + (size_t)i * so + j] = r;
      }
  long bad = 0;
  size_t first = 0;
  for (size_t i = 0; i < o.size(); i++)
    if (o[i] != got[i]) {
      if (!bad) first = i;
      bad++;
    }
  long badr = 0;
  for (int g = 0; g < count; g++)
    for (int l = 0; l < n; l++)
      for (int j = 0; j < k; j++) {
        size_t at = offset + g * px + (size_t)l * sx + j;
        badr += x[at] != back[at];
      }
  printf(
      "%s count %d m %d n %d k %d poly %x offset %d pad %d: %ld wrong, first %zu of %zu; read back "
      "%ld wrong\n",
      bad || badr ? "FAIL" : "ok  ", count, m, n, k, poly, offset, pad, bad, first, o.size(), badr);
  fflush(stdout);
  cudaFree(dx);
  cudaFree(dc);
  cudaFree(dout);
  cudaFree(T);
  cudaFree(db);
  cudaFree(t);
  return !bad && !badr;
}
static float timeit(std::function<void()> f, int rep = 7) {
  cudaEvent_t a, b;
  cudaEventCreate(&a);
  cudaEventCreate(&b);
  f();
  CK(cudaDeviceSynchronize());
  std::vector<float> t;
  for (int i = 0; i < rep; i++) {
    cudaEventRecord(a);
    f();
    cudaEventRecord(b);
    CK(cudaEventSynchronize(b));
    float ms;
    cudaEventElapsedTime(&ms, a, b);
    t.push_back(ms);
  }
  CK(cudaGetLastError());
  std::sort(t.begin(), t.end());
  return t[t.size() / 2];
}
static void speed(int64_t count, int m, int n, int k) {
  FieldTables* t = tables(0x11D);
  Plan p = plan(count, m, n, k, SMS);
  int steps = p.steps;
  int64_t pitch = (int64_t)((k + 127) / 128) * steps * 4096;
  uint8_t *x, *c, *o, *T;
  size_t bx = (size_t)count * n * k, bc = (size_t)count * m * n, bo = (size_t)count * m * k;
  CK(cudaMalloc(&x, bx));
  CK(cudaMalloc(&c, bc));
  CK(cudaMalloc(&o, bo));
  CK(cudaMalloc(&T, pitch * count));
  std::vector<uint8_t> h(1 << 22);
  for (auto& v : h) v = rnd();
  for (size_t i = 0; i < bx; i += h.size())
    CK(cudaMemcpy(x + i, h.data(), std::min(h.size(), bx - i), cudaMemcpyHostToDevice));
  for (size_t i = 0; i < bc; i += h.size())
    CK(cudaMemcpy(c + i, h.data() + 77, std::min(h.size() - 77, bc - i), cudaMemcpyHostToDevice));
  CK(cudaMemset(T, 0, pitch * count));
  Matrices X{x, k, (int64_t)n * k}, C{c, n, (int64_t)m * n}, O{o, k, (int64_t)m * k};
  float tl = timeit([&] { layout(X, T, pitch, count, 0, n, k, steps); }),
        tm = timeit([&] { multiply(C, t, T, pitch, O, count, m, n, k, steps, p); });
  printf(
      "count %ld m %d n %d k %d (chunks %d×%d, %d at once, %d parts): lay out %.3f ms (%.0f GB/s "
      "r+w), multiply %.3f ms: %.1f GB/s coded, %.1f T GF-MAC/s\n",
      (long)count, m, n, k, p.chunks, p.chunkSteps, p.atOnce, p.parts, tl, 2 * bx / tl * 1e-6, tm,
      bo / tm * 1e-6, (double)bo * n / tm * 1e-9);
  fflush(stdout);
  cudaFree(x);
  cudaFree(c);
  cudaFree(o);
  cudaFree(T);
  cudaFree(t);
}
// ceilings
int main(int argc, char** argv) {
  cudaDeviceProp pr;
  CK(cudaGetDeviceProperties(&pr, 0));
  SMS = pr.multiProcessorCount;
  printf("%s %d SMs\n", pr.name, SMS);
  bool ok = true;
  ok &= check(1, 32, 32, 128, 0x11D, 0, 0, false);
  ok &= check(1, 32, 128, 128, 0x11D, 0, 0, false);
  ok &= check(2, 128, 128, 1024, 0x11D, 0, 0, false);
  ok &= check(3, 128, 256, 1024, 0x11B, 0, 16, false);
  ok &= check(2, 70, 300, 500, 0x11D, 3, 5, false);
  ok &= check(1, 65, 1024, 640, 0x11D, 16, 0, false);
  ok &= check(300, 5, 7, 33, 0x11D, 1, 3, true);
  ok &= check(2, 1, 1, 1, 0x11B, 0, 0, false);
  for (int i = 0; i < 30; i++)
    ok &= check(1 + rnd() % 6, 1 + rnd() % 200, 1 + rnd() % 300, 1 + rnd() % 700,
                rnd() % 2 ? 0x11D : 0x11B, rnd() % 20, rnd() % 40, rnd() % 2);
  printf(ok ? "ALL OK\n" : "SOME FAILED\n");
  speed(132 * 20, 128, 128, 4096);
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
