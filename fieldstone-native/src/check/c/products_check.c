// Compares the products of each level of this machine with a plain loop, for random shapes with guard pages on both
// sides of every matrix; with the argument `bench`, times them and the ceiling of their instructions instead.
//
//   ./check.sh          runs all checks, also under sanitizers and for aarch64
//   gcc -O3 -static -o products_check products_check.c ../../main/c/*.c && ./products_check bench
#include "check.h"

#include "../../main/c/fieldstone.h"
#include "field.h"

typedef void kernel(const uint8_t *, int64_t, int64_t, int64_t, const uint8_t *, int64_t, const uint8_t *, int64_t,
                    uint8_t *, int64_t, int32_t);

static const struct {
  const char *name;
  kernel *multiply;
  int32_t level;
  int affine;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_products_avx512_gfni, FS_AVX512_GFNI, 1},
    {"avx2_gfni", fs_products_avx2_gfni, FS_AVX2_GFNI, 1},
    {"avx2", fs_products_avx2, FS_AVX2, 0},
#elif defined(__aarch64__)
    {"neon", fs_products_neon, FS_NEON, 0},
#endif
};

static void check(int k, int64_t m, int64_t n, int64_t columns) {
  int64_t factor_stride = n + random_below(3), source_stride = columns + random_below(3) * random_below(70);
  int64_t product_stride = columns + random_below(3) * random_below(70);
  int accumulate = random_below(2);
  // The last row ends with its columns: the rest of its stride may be the guard page.
  int64_t factor_bytes = m > 0 && n > 0 ? (m - 1) * factor_stride + n : 0;
  int64_t source_bytes = n > 0 ? (n - 1) * source_stride + columns : 0;
  int64_t product_bytes = m > 0 ? (m - 1) * product_stride + columns : 0;
  int ends = random_below(8);
  guarded factors = guard(factor_bytes, ends & 1), sources = guard(source_bytes, ends & 2);
  guarded products = guard(product_bytes, ends & 4);
  uint8_t *expected = malloc(product_bytes + 1);
  memcpy(expected, products.data, product_bytes);
  for (int64_t i = 0; i < m; i++) {
    for (int64_t c = 0; c < columns; c++) {
      uint8_t sum = accumulate ? expected[i * product_stride + c] : 0;
      for (int64_t j = 0; j < n; j++) {
        sum ^= field[factors.data[i * factor_stride + j]][sources.data[j * source_stride + c]];
      }
      expected[i * product_stride + c] = sum;
    }
  }
  KERNELS[k].multiply(KERNELS[k].affine ? affine : nibbles, m, n, columns, factors.data, factor_stride, sources.data,
                      source_stride, products.data, product_stride, accumulate);
  if (memcmp(expected, products.data, product_bytes) != 0) {
    fprintf(stderr, "%s: m=%ld n=%ld columns=%ld accumulate=%d\n", KERNELS[k].name, (long)m, (long)n, (long)columns,
            accumulate);
    fail("products differ from the plain loop");
  }
  free(expected);
  release(factors);
  release(sources);
  release(products);
}

static void check_all(int k) {
  static const int polynomials[] = {0x11D, 0x11B, 0x187};
  int shapes = 0;
  for (int p = 0; p < 3; p++) {
    make_tables(polynomials[p]);
    for (int64_t m = 0; m < 20; m++) {
      for (int64_t n = 0; n < 5; n++, shapes++) check(k, m, n, random_below(300));
    }
    for (int64_t columns = 0; columns < 260; columns++, shapes++) {
      check(k, random_below(20), random_below(40), columns);
    }
    for (int i = 0; i < 60; i++, shapes++) check(k, random_below(40), random_below(700), random_below(300));
  }
  printf("%-12s %d shapes equal the plain loop\n", KERNELS[k].name, shapes);
}

// Billions of multiply-accumulates a second.
static double rate(int k, int64_t m, int64_t n, int64_t columns, int64_t pad) {
  int64_t stride = columns + pad;
  uint8_t *factors = aligned_alloc(64, m * n + 64), *sources = aligned_alloc(64, n * stride + 64);
  uint8_t *products = aligned_alloc(64, m * stride + 64);
  fill_random(factors, m * n);
  fill_random(sources, n * stride);
  double work = (double)m * n * columns, best = 1e9;
  int64_t repeats = 1 + (int64_t)(1e9 / work);
  for (int round = 0; round < 9; round++) {
    double begin = seconds();
    for (int64_t i = 0; i < repeats; i++) {
      KERNELS[k].multiply(KERNELS[k].affine ? affine : nibbles, m, n, columns, factors, n, sources, stride, products,
                          stride, 0);
    }
    double time = (seconds() - begin) / repeats;
    best = time < best ? time : best;
  }
  free(factors);
  free(sources);
  free(products);
  return work / best * 1e-9;
}

// Billions of multiply-accumulates a second on registers.
static __attribute__((unused)) double ceiling(int32_t run(int64_t), int vector_bytes) {
  int64_t steps = 1000000;
  double best = 1e9;
  for (int round = 0; round < 9; round++) {
    double begin = seconds();
    if (run(steps) > 255) fail("a byte is above 255");
    double time = seconds() - begin;
    best = time < best ? time : best;
  }
  return steps * (FS_CEILING_SUMS * 2.0) * vector_bytes / best * 1e-9;
}

int main(int count, char **arguments) {
  int bench = count > 1 && strcmp(arguments[1], "bench") == 0;
  int32_t level = fs_level();
  make_tables(0x11D);
#if defined(__x86_64__)
  if (bench && level >= FS_AVX512_GFNI) printf("ceiling, 512 bits: %.0f G/s\n", ceiling(fs_affine_ceiling_avx512_gfni, 64));
  if (bench && level >= FS_AVX2_GFNI) printf("ceiling, 256 bits: %.0f G/s\n", ceiling(fs_affine_ceiling_avx2_gfni, 32));
#endif
  static const int64_t shapes[][4] = {{128, 128, 4096, 64}, {32, 32, 4096, 64},   {64, 1024, 2048, 64}, {128, 128, 4096, 0},
                                      {128, 128, 4096, 5},  {1, 128, 4096, 64},   {2, 128, 4096, 64},   {4, 128, 4096, 64},
                                      {128, 32, 128, 64},  {32, 128, 128, 64},  {16, 16, 4096, 64},   {1, 1, 65536, 0},
                                      {1, 1024, 1024, 64}, {1024, 32, 1024, 64}, {128, 128, 100, 28}, {1, 100, 100, 28}};
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (KERNELS[k].level > level) continue;
    if (!bench) {
      check_all(k);
      continue;
    }
    printf("%s, G/s:", KERNELS[k].name);
    for (unsigned s = 0; s < sizeof shapes / sizeof *shapes; s++) {
      printf("  m=%d n=%d k=%d+%d %.0f", (int)shapes[s][0], (int)shapes[s][1], (int)shapes[s][2], (int)shapes[s][3],
             rate(k, shapes[s][0], shapes[s][1], shapes[s][2], shapes[s][3]));
    }
    printf("\n");
  }
  return 0;
}
