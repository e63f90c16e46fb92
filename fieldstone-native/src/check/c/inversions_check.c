// Compares the inverses of each level of this machine with elimination by rows, for matrices of all kinds with guard
// pages on both sides; with the argument `bench`, times them instead.
#include "check.h"

#include "../../main/c/fieldstone.h"
#include "field.h"

typedef int32_t kernel(const uint8_t *, int64_t, const uint8_t *, int64_t, uint8_t *, int64_t, uint8_t *);

static const struct {
  const char *name;
  kernel *invert;
  int32_t level;
  int affine;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_invert_avx512_gfni, FS_AVX512_GFNI, 1},
    {"avx2_gfni", fs_invert_avx2_gfni, FS_AVX2_GFNI, 1},
    {"avx2", fs_invert_avx2, FS_AVX2, 0},
#elif defined(__aarch64__)
    {"neon", fs_invert_neon, FS_NEON, 0},
#endif
};

static const uint8_t *tables(int k) { return KERNELS[k].affine ? affine : nibbles; }

// Inverts by elimination of [matrix | identity], row by row. Returns 0 if the matrix is singular.
static int invert(int64_t n, const uint8_t *matrix, int64_t stride, uint8_t *inverse) {
  int64_t width = 2 * n;
  uint8_t *rows = calloc(n * width + 1, 1);
  int regular = 1;
  for (int64_t r = 0; r < n; r++) {
    memcpy(rows + r * width, matrix + r * stride, n);
    rows[r * width + n + r] = 1;
  }
  for (int64_t c = 0; c < n && regular; c++) {
    int64_t pivot = c;
    while (pivot < n && rows[pivot * width + c] == 0) pivot++;
    regular = pivot < n;
    for (int64_t j = 0; j < width && regular; j++) {
      uint8_t other = rows[c * width + j];
      rows[c * width + j] = rows[pivot * width + j];
      rows[pivot * width + j] = other;
    }
    uint8_t reciprocal = regular ? reciprocals[rows[c * width + c]] : 0;
    for (int64_t j = 0; j < width && regular; j++) rows[c * width + j] = field[reciprocal][rows[c * width + j]];
    for (int64_t r = 0; r < n && regular; r++) {
      uint8_t factor = r == c ? 0 : rows[r * width + c];
      for (int64_t j = 0; j < width && factor != 0; j++) rows[r * width + j] ^= field[factor][rows[c * width + j]];
    }
  }
  for (int64_t r = 0; r < n; r++) memcpy(inverse + r * n, rows + r * width + n, n);
  free(rows);
  return regular;
}

// Fills a matrix: random, sparse, triangular, a permutation of rows, or dependent rows.
static void fill_matrix(int kind, int64_t n, uint8_t *matrix, int64_t stride) {
  for (int64_t r = 0; r < n; r++) {
    for (int64_t c = 0; c < n; c++) {
      uint8_t x = (uint8_t)random_word();
      if (kind == 1 && random_below(8) > 0) x = 0;
      if (kind == 2) x = c < r ? x : c == r ? x | 1 : 0;
      if (kind == 3) x = c == (r * 7 + 3) % n;
      matrix[r * stride + c] = x;
    }
  }
  if (kind == 4 && n > 1) {
    int64_t from = random_below(n), to = (from + 1 + random_below(n - 1)) % n;
    for (int64_t c = 0; c < n; c++) matrix[to * stride + c] = field[3][matrix[from * stride + c]];
  }
}

static int check(int k, int kind, int64_t n) {
  int64_t stride = n + random_below(3) * random_below(70), inverse_stride = n + random_below(3) * random_below(70);
  int ends = random_below(4);
  guarded matrix = guard((n - 1) * stride + n, ends & 1), inverse = guard((n - 1) * inverse_stride + n, ends & 2);
  guarded scratch = guard((FS_INVERT_BYTES(n) + 63) / 64 * 64, 1);
  uint8_t *expected = malloc(n * n);
  fill_matrix(kind, n, matrix.data, stride);
  int regular = invert(n, matrix.data, stride, expected);
  if (KERNELS[k].invert(tables(k), n, matrix.data, stride, inverse.data, inverse_stride, scratch.data) != regular) {
    fprintf(stderr, "%s: n=%ld kind=%d regular=%d\n", KERNELS[k].name, (long)n, kind, regular);
    fail("a matrix is singular for one only");
  }
  for (int64_t r = 0; r < n && regular; r++) {
    if (memcmp(expected + r * n, inverse.data + r * inverse_stride, n) != 0) {
      fprintf(stderr, "%s: n=%ld kind=%d row %ld\n", KERNELS[k].name, (long)n, kind, (long)r);
      fail("inverses differ from elimination by rows");
    }
  }
  free(expected);
  release(matrix);
  release(inverse);
  release(scratch);
  return regular;
}

static void check_all(int k) {
  static const int polynomials[] = {0x11D, 0x11B};
  int matrices = 0, regular = 0;
  for (int p = 0; p < 2; p++) {
    make_tables(polynomials[p]);
    for (int kind = 0; kind < 5; kind++) {
      for (int64_t n = 1; n < 150; n += 1 + n / 20, matrices++) regular += check(k, kind, n);
      for (int i = 0; i < 3; i++, matrices++) regular += check(k, kind, 150 + random_below(150));
    }
  }
  printf("%-12s %d matrices, of which %d have inverses\n", KERNELS[k].name, matrices, regular);
}

static void bench(int k) {
  static const int64_t sizes[] = {8, 32, 64, 100, 128, 256, 1024};
  printf("%s, us:", KERNELS[k].name);
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    int64_t n = sizes[s], repeats = 1 + 20000000 / (n * n * n);
    uint8_t *matrix = aligned_alloc(64, n * n), *inverse = aligned_alloc(64, n * n);
    uint8_t *scratch = aligned_alloc(64, (FS_INVERT_BYTES(n) + 63) / 64 * 64);
    double best = 1e9;
    fill_random(matrix, n * n);
    for (int round = 0; round < 9; round++) {
      double begin = seconds();
      for (int64_t i = 0; i < repeats; i++) KERNELS[k].invert(tables(k), n, matrix, n, inverse, n, scratch);
      double time = (seconds() - begin) / repeats;
      best = time < best ? time : best;
    }
    printf("  n=%d %.1f", (int)n, best * 1e6);
    free(matrix);
    free(inverse);
    free(scratch);
  }
  printf("\n");
}

int main(int count, char **arguments) {
  make_tables(0x11D);
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (KERNELS[k].level > fs_level()) continue;
    if (count > 1 && strcmp(arguments[1], "bench") == 0) {
      bench(k);
    } else {
      check_all(k);
    }
  }
  return 0;
}
