// The loops of transforms.c for one level: LEVEL, TARGET, VECTOR_BYTES, MAX_PLAIN, and HAS_PARTS, which says whether parts
// of vectors are loaded and stored by AVX-512.

#define SHORTS FS_NAME(shorts, LEVEL)
#define INTS FS_NAME(ints, LEVEL)
#define DOUBLES FS_NAME(doubles, LEVEL)
#define LONGS FS_NAME(longs, LEVEL)
#define LANES (VECTOR_BYTES / 8)

typedef int16_t SHORTS __attribute__((vector_size(VECTOR_BYTES), aligned(2), may_alias));
typedef int32_t INTS __attribute__((vector_size(VECTOR_BYTES), aligned(4), may_alias));
typedef double DOUBLES __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));
typedef int64_t LONGS __attribute__((vector_size(VECTOR_BYTES), aligned(8), may_alias));

// Transforms `size` elements, a power of two.
#define TRANSFORM(x)                                \
  _Pragma("GCC unroll 3")                           \
  for (int half = 1; half < size; half *= 2) {      \
    _Pragma("GCC unroll 8")                         \
    for (int i = 0; i < size; i++) {                \
      if ((i & half) == 0) {                        \
        __typeof__(x[0]) sum = x[i] + x[i + half];  \
        x[i + half] = x[i] - x[i + half];           \
        x[i] = sum;                                 \
      }                                             \
    }                                               \
  }

#define EACH(i) _Pragma("GCC unroll 8") for (int i = 0; i < size; i++)

// Transforms the columns of `size` rows that are a distance apart, of some numbers each.
FS_INLINE TARGET void FS_NAME(pass_shorts, LEVEL)(const int size, int16_t *rows, int64_t distance, int64_t count) {
  int64_t at = 0;
  for (; at + VECTOR_BYTES / 2 <= count; at += VECTOR_BYTES / 2) {
    SHORTS x[8];
    EACH(i) x[i] = *(const SHORTS *)(rows + i * distance + at);
    TRANSFORM(x)
    EACH(i) *(SHORTS *)(rows + i * distance + at) = x[i];
  }
#if HAS_PARTS
  if (at < count) {
    __mmask32 part = (__mmask32)((1ULL << (count - at)) - 1);
    SHORTS x[8];
    EACH(i) x[i] = (SHORTS)_mm512_maskz_loadu_epi16(part, rows + i * distance + at);
    TRANSFORM(x)
    EACH(i) _mm512_mask_storeu_epi16(rows + i * distance + at, part, (__m512i)x[i]);
  }
#else
  for (; at < count; at++) {
    int16_t x[8];
    EACH(i) x[i] = rows[i * distance + at];
    TRANSFORM(x)
    EACH(i) rows[i * distance + at] = x[i];
  }
#endif
}

FS_INLINE TARGET void FS_NAME(pass_ints, LEVEL)(const int size, int32_t *rows, int64_t distance, int64_t count) {
  int64_t at = 0;
  for (; at + VECTOR_BYTES / 4 <= count; at += VECTOR_BYTES / 4) {
    INTS x[8];
    EACH(i) x[i] = *(const INTS *)(rows + i * distance + at);
    TRANSFORM(x)
    EACH(i) *(INTS *)(rows + i * distance + at) = x[i];
  }
#if HAS_PARTS
  if (at < count) {
    __mmask16 part = (__mmask16)((1U << (count - at)) - 1);
    INTS x[8];
    EACH(i) x[i] = (INTS)_mm512_maskz_loadu_epi32(part, rows + i * distance + at);
    TRANSFORM(x)
    EACH(i) _mm512_mask_storeu_epi32(rows + i * distance + at, part, (__m512i)x[i]);
  }
#else
  for (; at < count; at++) {
    int32_t x[8];
    EACH(i) x[i] = rows[i * distance + at];
    TRANSFORM(x)
    EACH(i) rows[i * distance + at] = x[i];
  }
#endif
}

FS_INLINE TARGET void FS_NAME(pass_doubles, LEVEL)(const int size, double *rows, int64_t distance, int64_t count) {
  int64_t at = 0;
  for (; at + LANES <= count; at += LANES) {
    DOUBLES x[8];
    EACH(i) x[i] = *(const DOUBLES *)(rows + i * distance + at);
    TRANSFORM(x)
    EACH(i) *(DOUBLES *)(rows + i * distance + at) = x[i];
  }
  for (; at < count; at++) {
    double x[8];
    EACH(i) x[i] = rows[i * distance + at];
    TRANSFORM(x)
    EACH(i) rows[i * distance + at] = x[i];
  }
}

// Makes a transform of the columns of a matrix. Rows that follow each other without gaps are one run of numbers.
#define TRANSFORM_ROWS(NAME, T)                                                                                         \
  FS_INLINE TARGET void FS_NAME(blocks_##NAME, LEVEL)(const int size, T *numbers, int64_t rows, int64_t stride,         \
                                                      int64_t columns, int64_t half) {                                  \
    int64_t runs = stride == columns ? 1 : half, count = stride == columns ? half * columns : columns;                  \
    for (int64_t row = 0; row < rows; row += half * size) {                                                             \
      for (int64_t run = 0; run < runs; run++) {                                                                        \
        FS_NAME(pass_##NAME, LEVEL)(size, numbers + (row + run) * stride, half * stride, count);                        \
      }                                                                                                                 \
    }                                                                                                                   \
  }                                                                                                                     \
  static TARGET void FS_NAME(transform_##NAME, LEVEL)(T *numbers, int64_t rows, int64_t stride, int64_t columns) {      \
    int64_t half = 1;                                                                                                   \
    for (; rows / half >= 8; half *= 8) FS_NAME(blocks_##NAME, LEVEL)(8, numbers, rows, stride, columns, half);         \
    if (rows / half == 4) FS_NAME(blocks_##NAME, LEVEL)(4, numbers, rows, stride, columns, half);                       \
    if (rows / half == 2) FS_NAME(blocks_##NAME, LEVEL)(2, numbers, rows, stride, columns, half);                       \
  }

TRANSFORM_ROWS(shorts, int16_t)
TRANSFORM_ROWS(ints, int32_t)
TRANSFORM_ROWS(doubles, double)

TARGET FS_TRANSFORM_SHORTS(LEVEL) { FS_NAME(transform_shorts, LEVEL)(numbers, rows, columns, columns); }

TARGET FS_TRANSFORM_WIDENED(LEVEL) {
  for (int64_t i = 0; i < rows * columns; i++) numbers[i] = from[i];
  FS_NAME(transform_ints, LEVEL)(numbers, rows, columns, columns);
}

TARGET FS_TRANSFORM_INTS(LEVEL) { FS_NAME(transform_ints, LEVEL)(numbers, rows, stride, columns); }

// The memory of sums. Numbers are by index, and then by point; sums have a vector for each triple.
typedef struct {
  int64_t order;
  int64_t points;   // a multiple of LANES
  double *numbers;
  double *pairs;    // the products of two numbers, and behind them their multiples of SPLIT
  LONGS *sums;
  LONGS *splits;    // sums of multiples of SPLIT, divided by it
  int64_t *results;
} FS_NAME(triples, LEVEL);

static TARGET void FS_NAME(drain, LEVEL)(const FS_NAME(triples, LEVEL) *triples) {
  for (int64_t i = 0; i < FS_TRIPLES(triples->order); i++) {
    __int128 sum = (unsigned __int128)(uint64_t)triples->results[2 * i + 1] << 64 | (uint64_t)triples->results[2 * i];
    for (int lane = 0; lane < LANES; lane++) sum += triples->sums[i][lane] + (__int128)triples->splits[i][lane] * (int64_t)SPLIT;
    triples->results[2 * i] = (int64_t)sum;
    triples->results[2 * i + 1] = (int64_t)(sum >> 64);
    triples->sums[i] = triples->splits[i] = (LONGS){0};
  }
}

// Loads the numbers of a strip by index, with zeros behind the last point, and transforms them over its rows.
static TARGET void FS_NAME(load_points, LEVEL)(const FS_NAME(triples, LEVEL) *triples, const int32_t *numbers,
                                               int64_t stride, int64_t rows, int64_t neighbours) {
  int64_t order = triples->order, points = triples->points;
  for (int64_t a = 0; a < order; a++) {
    double *to = triples->numbers + a * points;
    for (int64_t row = 0; row < rows; row++) {
      const int32_t *from = numbers + row * stride + a;
      for (int64_t i = 0; i < neighbours; i++) to[row * neighbours + i] = from[i * order];
    }
    for (int64_t i = rows * neighbours; i < points; i++) to[i] = 0;
    FS_NAME(transform_doubles, LEVEL)(to, rows, neighbours, neighbours);
  }
}

// Returns the largest magnitude of the numbers of some points. Those of floating point have the order of their bits.
static TARGET double FS_NAME(largest, LEVEL)(const FS_NAME(triples, LEVEL) *triples, int64_t first, int64_t points) {
  LONGS largest = {0};
  for (int64_t a = 0; a < triples->order; a++) {
    const double *row = triples->numbers + a * triples->points + first;
    for (int64_t i = 0; i < points; i += LANES) {
      LONGS size = *(const LONGS *)(row + i) & INT64_MAX, larger = size > largest;
      largest = (size & larger) | (largest & ~larger);
    }
  }
  double result = 0;
  for (int lane = 0; lane < LANES; lane++) {
    double size = ((DOUBLES)largest)[lane];
    result = size > result ? size : result;
  }
  return result;
}

// Adds the products at points of numbers larger than MAX_SPLIT to the results, and makes these numbers zero.
static TARGET FS_NOINLINE void FS_NAME(sum_large, LEVEL)(const FS_NAME(triples, LEVEL) *triples, int64_t first, int64_t points) {
  int64_t order = triples->order;
  for (int64_t point = first; point < first + points; point++) {
    int is_large = 0;
    for (int64_t a = 0; a < order; a++) {
      double x = triples->numbers[a * triples->points + point];
      is_large |= x > MAX_SPLIT || x < -MAX_SPLIT;
    }
    if (!is_large) continue;
    int64_t *result = triples->results;
    for (int64_t a = 0; a < order; a++) {
      for (int64_t b = a; b < order; b++) {
        __int128 pair = (__int128)(int64_t)triples->numbers[a * triples->points + point] *
                        (int64_t)triples->numbers[b * triples->points + point];
        for (int64_t c = b; c < order; c++, result += 2) {
          unsigned __int128 sum = (unsigned __int128)(uint64_t)result[1] << 64 | (uint64_t)result[0];
          sum += (unsigned __int128)(pair * (int64_t)triples->numbers[c * triples->points + point]);
          result[0] = (int64_t)sum;
          result[1] = (int64_t)(sum >> 64);
        }
      }
    }
    for (int64_t a = 0; a < order; a++) triples->numbers[a * triples->points + point] = 0;
  }
}

// Adds the products of pairs and of `count` numbers of the same points to their sums.
FS_INLINE TARGET void FS_NAME(sum_plain, LEVEL)(const int count, const double *pairs, const double *c, int64_t stride,
                                                int64_t points, LONGS *sums) {
  DOUBLES sum[8];
#pragma GCC unroll 8
  for (int i = 0; i < count; i++) sum[i] = (DOUBLES){0};
  for (int64_t at = 0; at < points; at += LANES) {
    DOUBLES pair = *(const DOUBLES *)(pairs + at);
#pragma GCC unroll 8
    for (int i = 0; i < count; i++) sum[i] += pair * *(const DOUBLES *)(c + i * stride + at);
  }
#pragma GCC unroll 8
  for (int i = 0; i < count; i++) sums[i] += __builtin_convertvector(sum[i], LONGS);
}

// The same, of pairs that are split.
FS_INLINE TARGET void FS_NAME(sum_split, LEVEL)(const int count, const double *pairs, const double *c, int64_t stride,
                                                int64_t points, LONGS *sums, LONGS *splits) {
  DOUBLES sum[4], split[4];
#pragma GCC unroll 4
  for (int i = 0; i < count; i++) sum[i] = split[i] = (DOUBLES){0};
  for (int64_t at = 0; at < points; at += LANES) {
    DOUBLES rest = *(const DOUBLES *)(pairs + at), multiple = *(const DOUBLES *)(pairs + STRIP + at);
#pragma GCC unroll 4
    for (int i = 0; i < count; i++) {
      DOUBLES x = *(const DOUBLES *)(c + i * stride + at);
      sum[i] += rest * x;
      split[i] += multiple * x;
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < count; i++) {
    sums[i] += __builtin_convertvector(sum[i], LONGS);
    splits[i] += __builtin_convertvector(split[i] * (1 / SPLIT), LONGS);
  }
}

static TARGET void FS_NAME(sum_strip, LEVEL)(const FS_NAME(triples, LEVEL) *triples, int64_t first, int64_t points) {
  double largest = FS_NAME(largest, LEVEL)(triples, first, points);
  if (largest > MAX_SPLIT) FS_NAME(sum_large, LEVEL)(triples, first, points);
  int64_t order = triples->order, stride = triples->points, index = 0;
  double *pairs = triples->pairs;
  for (int64_t a = 0; a < order; a++) {
    for (int64_t b = a; b < order; b++) {
      const double *x = triples->numbers + a * stride + first, *y = triples->numbers + b * stride + first, *c = y;
      LONGS *sums = triples->sums + index, *splits = triples->splits + index;
      int64_t left = order - b;
      index += left;
      if (largest <= MAX_PLAIN) {
        for (int64_t at = 0; at < points; at += LANES) {
          *(DOUBLES *)(pairs + at) = *(const DOUBLES *)(x + at) * *(const DOUBLES *)(y + at);
        }
        for (; left > 0; left -= 8, c += 8 * stride, sums += 8) {
          switch (left) {
#define CASE(n) case n: FS_NAME(sum_plain, LEVEL)(n, pairs, c, stride, points, sums); break;
            CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7)
            default: FS_NAME(sum_plain, LEVEL)(8, pairs, c, stride, points, sums);
#undef CASE
          }
        }
      } else {
        for (int64_t at = 0; at < points; at += LANES) {
          DOUBLES pair = *(const DOUBLES *)(x + at) * *(const DOUBLES *)(y + at);
          DOUBLES multiple = (pair + ROUND_TO_SPLIT) - ROUND_TO_SPLIT;
          *(DOUBLES *)(pairs + at) = pair - multiple;
          *(DOUBLES *)(pairs + STRIP + at) = multiple;
        }
        for (; left > 0; left -= 4, c += 4 * stride, sums += 4, splits += 4) {
          switch (left) {
#define CASE(n) case n: FS_NAME(sum_split, LEVEL)(n, pairs, c, stride, points, sums, splits); break;
            CASE(1) CASE(2) CASE(3)
            default: FS_NAME(sum_split, LEVEL)(4, pairs, c, stride, points, sums, splits);
#undef CASE
          }
        }
      }
    }
  }
}

TARGET FS_SUM_TRIPLES(LEVEL) {
  FS_NAME(triples, LEVEL) triples = {.order = order, .results = sums};
  triples.points = (rows * neighbours + LANES - 1) / LANES * LANES;
  triples.numbers = (double *)scratch;
  triples.pairs = triples.numbers + order * triples.points;
  triples.sums = (LONGS *)(triples.pairs + 2 * STRIP);
  triples.splits = triples.sums + FS_TRIPLES(order);
  for (int64_t i = 0; i < FS_TRIPLES(order); i++) triples.sums[i] = triples.splits[i] = (LONGS){0};
  int64_t pending = 0;
  for (int64_t strip = 0; strip < strips; strip++) {
    FS_NAME(load_points, LEVEL)(&triples, numbers + strip * neighbours * order, stride, rows, neighbours);
    for (int64_t first = 0; first < triples.points; first += STRIP) {
      int64_t points = triples.points - first < STRIP ? triples.points - first : STRIP;
      FS_NAME(sum_strip, LEVEL)(&triples, first, points);
      if (++pending == STRIPS_OF_LONGS) {
        FS_NAME(drain, LEVEL)(&triples);
        pending = 0;
      }
    }
  }
  FS_NAME(drain, LEVEL)(&triples);
}

#undef SHORTS
#undef INTS
#undef DOUBLES
#undef LONGS
#undef LANES
#undef TRANSFORM
#undef EACH
#undef TRANSFORM_ROWS
#undef LEVEL
#undef TARGET
#undef VECTOR_BYTES
#undef MAX_PLAIN
#undef HAS_PARTS
