// Compares the Walsh–Hadamard transforms and the sums of products of each level of this machine with plain loops, with guard
// pages on both sides of all numbers; with the argument `bench`, times them instead.
#include "check.h"

#include "../../main/c/fieldstone.h"

typedef struct {
  const char *name;
  int32_t level;
  void (*shorts)(int16_t *, int64_t, int64_t);
  void (*widened)(const int16_t *, int32_t *, int64_t, int64_t);
  void (*ints)(int32_t *, int64_t, int64_t, int64_t);
  void (*sum)(const int32_t *, int64_t, int64_t, int64_t, int64_t, int64_t, uint8_t *, int64_t *);
} kernels;

#define KERNELS_OF(NAME, LEVEL)                                                                                      \
  {#NAME, LEVEL, fs_transform_shorts_##NAME, fs_transform_widened_##NAME, fs_transform_ints_##NAME, fs_sum_triples_##NAME}

static const kernels KERNELS[] = {
#if defined(__x86_64__)
    KERNELS_OF(avx512_gfni, FS_AVX512_GFNI),
    KERNELS_OF(avx2, FS_AVX2),
#elif defined(__aarch64__)
    KERNELS_OF(neon, FS_NEON),
#endif
    {"", FS_NONE, NULL, NULL, NULL, NULL},
};

static void transform(int64_t *x, int64_t rows, int64_t columns) {
  for (int64_t half = 1; half < rows; half *= 2) {
    for (int64_t i = 0; i < rows * columns; i++) {
      if ((i / columns & half) == 0) {
        int64_t sum = x[i] + x[i + half * columns];
        x[i + half * columns] = x[i] - x[i + half * columns];
        x[i] = sum;
      }
    }
  }
}

// A random number of at most some bits, and a sign.
static int64_t number(int bits) {
  int64_t magnitude = (int64_t)(random_word() >> (63 - bits) >> 1);
  return random_below(2) ? magnitude : -magnitude;
}

static void check_transforms(const kernels *k) {
  int64_t rows = (int64_t)1 << random_below(8), columns = random_below(70), gap = random_below(2) * random_below(20);
  int64_t count = rows * columns, stride = columns + gap, spread = count > 0 ? (rows - 1) * stride + columns : 0;
  int ends = random_below(8);
  guarded shorts = guard(count * 2, ends & 1), wide = guard(count * 4, ends & 2), ints = guard(spread * 4, ends & 4);
  int64_t *expected = malloc(count * 8 + 8);
  int16_t *short_numbers = (int16_t *)shorts.data;
  int32_t *wide_numbers = (int32_t *)wide.data, *int_numbers = (int32_t *)ints.data;
  for (int64_t i = 0; i < count; i++) expected[i] = short_numbers[i] = (int16_t)number(7);
  for (int64_t i = 0; i < spread; i++) int_numbers[i] = 12345;
  for (int64_t i = 0; i < count; i++) int_numbers[i / columns * stride + i % columns] = (int32_t)expected[i];
  transform(expected, rows, columns);
  k->widened(short_numbers, wide_numbers, rows, columns);
  k->shorts(short_numbers, rows, columns);
  k->ints(int_numbers, rows, stride, columns);
  for (int64_t i = 0; i < count; i++) {
    if (short_numbers[i] != expected[i]) fail("a transform of 16 bits differs from that of a plain loop");
    if (wide_numbers[i] != expected[i]) fail("a widened transform differs from that of a plain loop");
    if (int_numbers[i / columns * stride + i % columns] != expected[i]) {
      fail("a transform of 32 bits differs from that of a plain loop");
    }
  }
  for (int64_t i = 0; i < spread; i++) {
    if (i % stride >= columns && int_numbers[i] != 12345) fail("a transform wrote between its rows");
  }
  release(shorts);
  release(wide);
  release(ints);
  free(expected);
}

static void check_sums(const kernels *k) {
  int64_t rows = (int64_t)1 << random_below(7), neighbours = 1 + random_below(random_below(2) ? 9 : 300);
  int64_t order = random_below(12), strips = random_below(4), points = rows * neighbours;
  int64_t stride = strips * neighbours * order + random_below(5), ends = random_below(8);
  int64_t spread = order * strips > 0 ? (rows - 1) * stride + strips * neighbours * order : 0;
  int64_t triples = FS_TRIPLES(order);
  int bits = 1 + random_below(31);
  guarded ints = guard(spread * 4, ends & 1), sums = guard(triples * 16, ends & 2);
  // Aligned to 64 bytes at either end.
  guarded scratch = guard((FS_TRIPLES_BYTES(order, points) + 63) / 64 * 64, ends & 4);
  int32_t *numbers = (int32_t *)ints.data;
  for (int64_t i = 0; i < spread; i++) numbers[i] = (int32_t)number(random_below(30) == 0 ? 31 : bits);
  __int128 *expected = calloc(triples + 1, sizeof(__int128));
  int64_t *strip = malloc(points * order * 8 + 8);
  memset(sums.data, 0, triples * 16);
  if (triples > 0) ((int64_t *)sums.data)[2 * triples - 2] = expected[triples - 1] = 5;
  for (int64_t s = 0; s < strips; s++) {
    for (int64_t i = 0; i < points * order; i++) {
      int64_t row = i / (neighbours * order);
      strip[i] = numbers[row * stride + s * neighbours * order + i % (neighbours * order)];
    }
    transform(strip, rows, neighbours * order);
    for (int64_t point = 0; point < points; point++) {
      int64_t *x = strip + point * order, index = 0;
      for (int64_t a = 0; a < order; a++) {
        for (int64_t b = a; b < order; b++) {
          for (int64_t c = b; c < order; c++) expected[index++] += (__int128)x[a] * x[b] * x[c];
        }
      }
    }
  }
  k->sum(numbers, stride, rows, neighbours, order, strips, scratch.data, (int64_t *)sums.data);
  if (memcmp(expected, sums.data, triples * 16) != 0) fail("sums of products differ from those of a plain loop");
  release(ints);
  release(sums);
  release(scratch);
  free(expected);
  free(strip);
}

// Many strips of the largest numbers of a kind: sums of 64 bits must not overflow.
static void check_many(const kernels *k, int32_t magnitude) {
  enum { STRIPS = 1500, POINTS = FS_TRIPLES_STRIP, ORDER = 2 };
  int32_t *numbers = malloc(STRIPS * POINTS * ORDER * 4);
  uint8_t *scratch = aligned_alloc(64, (FS_TRIPLES_BYTES(ORDER, POINTS) + 63) / 64 * 64);
  __int128 sums[FS_TRIPLES(ORDER)] = {0}, cube = (__int128)magnitude * magnitude * magnitude * STRIPS * POINTS;
  for (int64_t i = 0; i < STRIPS * POINTS * ORDER; i++) numbers[i] = -magnitude;
  k->sum(numbers, 0, 1, POINTS, ORDER, STRIPS, scratch, (int64_t *)sums);
  for (int i = 0; i < FS_TRIPLES(ORDER); i++) {
    if (sums[i] != -cube) fail("sums of many products are wrong");
  }
  free(numbers);
  free(scratch);
}

#define TIMED(text, amount, call)                                     \
  do {                                                                \
    double best = 1e9;                                                \
    for (int round = 0; round < 50; round++) {                        \
      double begin = seconds();                                       \
      call;                                                           \
      double time = seconds() - begin;                                \
      best = time < best ? time : best;                               \
    }                                                                 \
    printf("%-12s %s: %.3f ns\n", k->name, text, 1e9 * best / (amount)); \
  } while (0)

static void bench(const kernels *k) {
  enum { ORDER = 17, ROWS = 1 << 14, STRIPS = 64, LAST = 32, NEIGHBOURS = 8 };
  int16_t *shorts = aligned_alloc(64, ROWS * ORDER * 2);
  int32_t *ints = aligned_alloc(64, ROWS * ORDER * 4);
  uint8_t *scratch = aligned_alloc(64, (FS_TRIPLES_BYTES(ORDER, 4096) + 63) / 64 * 64);
  int64_t sums[2 * FS_TRIPLES(ORDER)] = {0};
  memset(shorts, 0, ROWS * ORDER * 2);
  TIMED("2^14 x 17 numbers of 16 bits, a number and level", 14.0 * ROWS * ORDER, k->shorts(shorts, ROWS, ORDER));
  TIMED("2^8 x 17 widened numbers, a number and level", 8.0 * 256 * ORDER, k->widened(shorts, ints, 256, ORDER));
  TIMED("2^8 x 64 numbers far apart, a number and level", 8.0 * 256 * 64, k->ints(ints, 256, ORDER * 64, 64));
  for (int bits = 8; bits <= 16; bits += 8) {
    for (int64_t i = 0; i < ROWS * ORDER; i++) ints[i] = (int32_t)number(bits);
    TIMED(bits == 8 ? "products, a triple" : "products of larger numbers, a triple",
          (double)STRIPS * LAST * NEIGHBOURS * FS_TRIPLES(ORDER),
          k->sum(ints, STRIPS * NEIGHBOURS * ORDER, LAST, NEIGHBOURS, ORDER, STRIPS, scratch, sums));
  }
  free(shorts);
  free(ints);
  free(scratch);
}

int main(int count, char **arguments) {
  for (const kernels *k = KERNELS; k->sum != NULL; k++) {
    if (k->level > fs_level()) continue;
    if (count > 1 && strcmp(arguments[1], "bench") == 0) {
      bench(k);
      continue;
    }
    for (int i = 0; i < 1000; i++) check_transforms(k);
    for (int i = 0; i < 1000; i++) check_sums(k);
    check_many(k, 41285);
    check_many(k, 65535);
    check_many(k, 1 << 22);
    check_many(k, (1 << 22) + 1);
    printf("%-12s transforms and sums of products equal those of plain loops\n", k->name);
  }
  return 0;
}
