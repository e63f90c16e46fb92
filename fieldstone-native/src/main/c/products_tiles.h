// The loops of fs_products_LEVEL, included once for each level by products_level.h. products.c defines LEVEL, TARGET,
// VECTOR_BYTES, TILE_ROWS, TILE_VECTORS, TABLE_BYTES, SOURCE_PAIRS (1 to add the products of two sources at once), and
// these for the level:
//
//   vector, source, factor    a vector; a vector prepared for multiplications; a factor prepared for them
//   zero load store load_part store_part add to_source to_factor add_product (add_products of two sources)
//
// A tile of TILE_ROWS rows by TILE_VECTORS vectors of products stays in registers during the loop over all sources; of
// fewer rows, tiles are wider. A strip has the width of a tile and all rows. Sources that lie badly, and those that end
// within a strip, are first copied to an aligned strip in the first cache.

#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define OF(name) CONCAT(name, LEVEL)
#define STRIP_BYTES (TILE_VECTORS * VECTOR_BYTES)

typedef void OF(tile_function)(const uint8_t *tables, int64_t n, const uint8_t *factors, int64_t factor_stride,
                               const uint8_t *sources, int64_t source_stride, uint8_t *products,
                               int64_t product_stride, int accumulate);

// Multiplies a tile of some rows and vectors, all of which are read and written to their full width.
FS_INLINE TARGET void OF(tile)(const int rows, const int vectors, const uint8_t *tables, int64_t n,
                               const uint8_t *factors, int64_t factor_stride, const uint8_t *sources,
                               int64_t source_stride, uint8_t *products, int64_t product_stride, int accumulate) {
  OF(vector) sums[8][4];
#pragma GCC unroll 16
  for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) sums[r][v] = OF(zero)();
  }
  if (accumulate) {
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
      for (int v = 0; v < vectors; v++) sums[r][v] = OF(load)(products + r * product_stride + v * VECTOR_BYTES);
    }
  }
  int64_t j = 0;
#if SOURCE_PAIRS
  for (; j + 2 <= n; j += 2, sources += 2 * source_stride) {
    OF(source) x[4], y[4];
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) {
      x[v] = OF(to_source)(OF(load)(sources + v * VECTOR_BYTES));
      y[v] = OF(to_source)(OF(load)(sources + source_stride + v * VECTOR_BYTES));
    }
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
      const uint8_t *pair = factors + r * factor_stride + j;
      OF(factor) f = OF(to_factor)(tables + (uint64_t)pair[0] * TABLE_BYTES);
      OF(factor) g = OF(to_factor)(tables + (uint64_t)pair[1] * TABLE_BYTES);
#pragma GCC unroll 16
      for (int v = 0; v < vectors; v++) sums[r][v] = OF(add_products)(sums[r][v], x[v], f, y[v], g);
    }
  }
#endif
  for (; j < n; j++, sources += source_stride) {
    OF(source) x[4];
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) x[v] = OF(to_source)(OF(load)(sources + v * VECTOR_BYTES));
#pragma GCC unroll 16
    for (int r = 0; r < rows; r++) {
      OF(factor) f = OF(to_factor)(tables + (uint64_t)factors[r * factor_stride + j] * TABLE_BYTES);
#pragma GCC unroll 16
      for (int v = 0; v < vectors; v++) sums[r][v] = OF(add_product)(sums[r][v], x[v], f);
    }
  }
#pragma GCC unroll 16
  for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) OF(store)(products + r * product_stride + v * VECTOR_BYTES, sums[r][v]);
  }
}

// Each tile is a function, so that the compiler keeps its sums in registers.
#define TILE(rows, vectors)                                                                                           \
  static FS_NOINLINE TARGET void CONCAT(tile_##rows##x##vectors, LEVEL)(                                              \
      const uint8_t *tables, int64_t n, const uint8_t *factors, int64_t factor_stride, const uint8_t *sources,        \
      int64_t source_stride, uint8_t *products, int64_t product_stride, int accumulate) {                             \
    OF(tile)(rows, vectors, tables, n, factors, factor_stride, sources, source_stride, products, product_stride,      \
             accumulate);                                                                                             \
  }
#if TILE_ROWS == 8
TILE(8, 1)
TILE(8, 2)
#endif
TILE(4, 1)
TILE(4, 2)
#if TILE_ROWS == 8 || TILE_VECTORS == 4
TILE(4, 4)
#endif
TILE(2, 1)
TILE(2, 2)
TILE(2, 4)
TILE(1, 1)
TILE(1, 2)
TILE(1, 4)
#undef TILE

// Returns the tile of 8, 4, 2 or 1 rows and 1, 2 or 4 vectors.
FS_INLINE OF(tile_function) *OF(tile_of)(int rows, int vectors) {
#define TILE(rows, vectors) CONCAT(tile_##rows##x##vectors, LEVEL)
#if TILE_ROWS == 8
  if (rows == 8) return vectors == 1 ? TILE(8, 1) : TILE(8, 2);
#endif
#if TILE_ROWS == 8 || TILE_VECTORS == 4
  if (rows == 4) return vectors == 1 ? TILE(4, 1) : vectors == 2 ? TILE(4, 2) : TILE(4, 4);
#else
  if (rows == 4) return vectors == 1 ? TILE(4, 1) : TILE(4, 2);
#endif
  if (rows == 2) return vectors == 1 ? TILE(2, 1) : vectors == 2 ? TILE(2, 2) : TILE(2, 4);
  return vectors == 1 ? TILE(1, 1) : vectors == 2 ? TILE(1, 2) : TILE(1, 4);
#undef TILE
}

// Copies or adds the first `width` bytes of rows.
static FS_NOINLINE TARGET void OF(move)(int64_t rows, int64_t width, const uint8_t *from, int64_t from_stride,
                                        uint8_t *to, int64_t to_stride, int accumulate) {
  for (; rows > 0; rows--, from += from_stride, to += to_stride) {
    for (int64_t at = 0; at < width; at += VECTOR_BYTES) {
      int64_t left = width - at;
      if (left >= VECTOR_BYTES) {
        OF(vector) x = OF(load)(from + at);
        OF(store)(to + at, accumulate ? OF(add)(x, OF(load)(to + at)) : x);
      } else {
        OF(vector) x = OF(load_part)(from + at, left);
        OF(store_part)(to + at, accumulate ? OF(add)(x, OF(load_part)(to + at, left)) : x, left);
      }
    }
  }
}

// Multiplies a strip of some vectors, of which the products have `width` bytes, tile by tile.
static FS_NOINLINE TARGET void OF(strip)(const uint8_t *tables, int64_t m, int64_t n, int vectors, int64_t width,
                                         const uint8_t *factors, int64_t factor_stride, const uint8_t *sources,
                                         int64_t source_stride, uint8_t *products, int64_t product_stride,
                                         int accumulate) {
  _Alignas(64) uint8_t sums[TILE_ROWS * STRIP_BYTES];
  int most = vectors > TILE_VECTORS ? TILE_ROWS / 2 : TILE_ROWS;
  for (int rows = most; rows > 0; rows /= 2) {
    OF(tile_function) *tile = OF(tile_of)(rows, vectors);
    for (; m >= rows; m -= rows, factors += rows * factor_stride, products += rows * product_stride) {
      if (width == vectors * VECTOR_BYTES) {
        tile(tables, n, factors, factor_stride, sources, source_stride, products, product_stride, accumulate);
      } else {
        tile(tables, n, factors, factor_stride, sources, source_stride, sums, STRIP_BYTES, 0);
        OF(move)(rows, width, sums, STRIP_BYTES, products, product_stride, accumulate);
      }
    }
  }
}

TARGET void OF(fs_products)(const uint8_t *tables, int64_t m, int64_t n, int64_t columns, const uint8_t *factors,
                            int64_t factor_stride, const uint8_t *sources, int64_t source_stride, uint8_t *products,
                            int64_t product_stride, int32_t accumulate) {
  _Alignas(64) uint8_t packed[PASS_SOURCES * STRIP_BYTES];
  int badly = source_stride % ALIASING_STRIDE == 0 || (source_stride | (intptr_t)sources) % VECTOR_BYTES != 0;
  int64_t pass = 0;
  do {
    int64_t count = n - pass < PASS_SOURCES ? n - pass : PASS_SOURCES;
    int vectors;
    for (int64_t column = 0; column < columns; column += vectors * VECTOR_BYTES) {
      int64_t left = columns - column;
      vectors = left <= VECTOR_BYTES ? 1 : m >= TILE_ROWS || left < 4 * VECTOR_BYTES ? TILE_VECTORS : 4;
      int64_t width = left < vectors * VECTOR_BYTES ? left : vectors * VECTOR_BYTES;
      const uint8_t *from = sources + pass * source_stride + column;
      int64_t stride = source_stride;
      if (width < vectors * VECTOR_BYTES || (badly && m >= MIN_PACKED_ROWS)) {
        OF(move)(count, width, from, stride, packed, STRIP_BYTES, 0);
        from = packed;
        stride = STRIP_BYTES;
      }
      OF(strip)(tables, m, count, vectors, width, factors + pass, factor_stride, from, stride, products + column,
                product_stride, accumulate || pass > 0);
    }
    pass += count;
  } while (pass < n);
}
