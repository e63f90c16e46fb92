// Compares the reduction of vectors by each level of this machine with plain loops, for random bases with guard pages on
// both sides of every part.
#include "check.h"

#include "../../main/c/fieldstone.h"
#include "field.h"

typedef int32_t kernel(const uint8_t *, fs_basis *, int64_t, int32_t);

static const struct {
  const char *name;
  kernel *reduce;
  int32_t level;
  int affine;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_reduce_avx512_gfni, FS_AVX512_GFNI, 1},
    {"avx2_gfni", fs_reduce_avx2_gfni, FS_AVX2_GFNI, 1},
    {"avx2", fs_reduce_avx2, FS_AVX2, 0},
#elif defined(__aarch64__)
    {"neon", fs_reduce_neon, FS_NEON, 0},
#endif
};

enum { STRIP = FS_STRIP_COLUMNS };

static void add_multiple(uint8_t *row, uint8_t factor, const uint8_t *other, int64_t bytes) {
  for (int64_t c = 0; c < bytes; c++) row[c] ^= field[factor][other[c]];
}

// Allocates whole lines of random bytes.
static guarded part(int64_t bytes, int at_end) { return guard((bytes + 63) / 64 * 64, at_end); }

static int check(int k) {
  int64_t width = (1 + random_below(5)) * STRIP, stride = width + random_below(2) * STRIP, rows = random_below(width + 1);
  int64_t pending = random_below(STRIP), start = random_below(width / STRIP) * STRIP;
  int32_t keep = random_below(2);
  int ends = random_below(128);
  guarded vector = part(width, ends & 1), settled = part(width, ends & 2), received = part(STRIP * stride, ends & 4);
  guarded factors = part(STRIP * stride, ends & 8), strip = part(rows * STRIP, ends & 16);
  guarded reduced = part(STRIP * 2 * STRIP, ends & 32);
  guarded memory = part(sizeof(fs_basis), ends & 64);
  fs_basis *basis = (fs_basis *)memory.data;
  *basis = (fs_basis){width, stride, vector.data, settled.data, received.data, factors.data, strip.data, reduced.data,
                      start, rows, 0, {0}};
  // Few entries, so that some vectors have none in the strip.
  int sparse = random_below(3) == 0;
  for (int64_t c = 0; c < width; c++) {
    settled.data[c] = c < rows && random_below(3) > 0 ? 255 : 0;
    if (sparse && random_below(8) > 0) vector.data[c] = 0;
  }
  // The pivots of pending vectors differ, and no other pending vector has an entry there.
  uint8_t order[STRIP];
  for (int c = 0; c < STRIP; c++) order[c] = c;
  for (int q = 0; q < pending; q++) {
    int64_t other = q + random_below(STRIP - q);
    uint8_t column = order[other];
    order[other] = order[q];
    order[q] = column;
    basis->pivots[q] = start + column;
    settled.data[start + column] = 0;
  }
  for (int64_t row = 0; row < pending; row++) {
    for (int64_t q = 0; q < pending; q++) reduced.data[row * 2 * STRIP + order[q]] = row == q;
    for (int64_t q = pending; q < STRIP; q++) reduced.data[row * 2 * STRIP + STRIP + q] = 0;
  }
  uint8_t expected[STRIP * 2 * STRIP], row[2 * STRIP] = {0};
  memcpy(expected, reduced.data, sizeof expected);
  memcpy(row, vector.data + start, STRIP);
  for (int c = 0; c < STRIP; c++) row[c] &= ~settled.data[start + c];
  row[STRIP + pending] = 1;
  int any = 0;
  for (int64_t r = 0; r < width; r++) {
    uint8_t factor = vector.data[r] & settled.data[r];
    any |= factor != 0;
    if (r < rows) add_multiple(row, factor, strip.data + r * STRIP, STRIP);
  }
  for (int64_t q = 0; q < pending; q++) add_multiple(row, row[order[q]], expected + q * 2 * STRIP, 2 * STRIP);
  int64_t pivot = 0;
  while (pivot < STRIP && (row[pivot] == 0 || settled.data[start + pivot] != 0)) pivot++;
  if (pivot < STRIP && keep) {
    uint8_t *newest = expected + pending * 2 * STRIP;
    memset(newest, 0, 2 * STRIP);
    add_multiple(newest, reciprocals[row[pivot]], row, 2 * STRIP);
    for (int64_t q = 0; q < pending; q++) {
      add_multiple(expected + q * 2 * STRIP, expected[q * 2 * STRIP + pivot], newest, 2 * STRIP);
    }
  }
  int32_t found = KERNELS[k].reduce(KERNELS[k].affine ? affine : nibbles, basis, pending, keep);
  if (found != (pivot < STRIP ? start + pivot : -1)) fail("the pivot differs from that of plain loops");
  if (basis->any_factors != any) fail("entries at settled pivots were not noticed");
  if (memcmp(expected, reduced.data, sizeof expected) != 0) fail("pending vectors differ from those of plain loops");
  for (int64_t c = 0; c < width; c++) {
    if (received.data[pending * stride + c] != (vector.data[c] & ~settled.data[c]) ||
        factors.data[pending * stride + c] != (vector.data[c] & settled.data[c])) {
      fail("a vector was not split at settled pivots");
    }
  }
  release(vector);
  release(settled);
  release(received);
  release(factors);
  release(strip);
  release(reduced);
  release(memory);
  return pivot < STRIP;
}

int main(void) {
  make_tables(0x11D);
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (KERNELS[k].level > fs_level()) continue;
    int vectors = 3000, innovative = 0;
    for (int i = 0; i < vectors; i++) innovative += check(k);
    printf("%-12s %d vectors, of which %d have an entry in the strip\n", KERNELS[k].name, vectors, innovative);
  }
  return 0;
}
