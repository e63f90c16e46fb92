// The loops of fs_products_LEVEL, included once for each level by products.c, which defines LEVEL, TARGET,
// VECTOR_BYTES, TILE_ROWS, TILE_VECTORS, TABLE_BYTES, SOURCE_PAIRS (1 to add the products of two sources at once), and
// these for the level:
//
//   vector, source, factor    a vector; a vector prepared for multiplications; a factor prepared for them
//   zero load store load_part store_part add to_source to_factor add_product (add_products of two sources)
//
// A tile of TILE_ROWS rows by TILE_VECTORS vectors of products stays in registers during the loop over all sources. A
// strip has the width of a tile and all rows. Sources that lie badly, and those narrower than a strip, are first copied
// to an aligned strip in the first cache.

#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define OF(name) CONCAT(name, LEVEL)
#define STRIP_BYTES (TILE_VECTORS * VECTOR_BYTES)

// Multiplies a tile. The first `width` bytes of each row of products are written; sources are read to full vectors.
FS_INLINE TARGET void OF(tile)(const int rows, const int vectors, const uint8_t *tables, int64_t n,
                               const uint8_t *factors, int64_t factor_stride, const uint8_t *sources,
                               int64_t source_stride, uint8_t *products, int64_t product_stride, int64_t width,
                               int accumulate) {
  OF(vector) sums[TILE_ROWS][TILE_VECTORS];
#pragma GCC unroll 16
  for (int r = 0; r < rows; r++) {
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++) sums[r][v] = OF(zero)();
  }
  int64_t j = 0;
#if SOURCE_PAIRS
  for (; j + 2 <= n; j += 2, sources += 2 * source_stride) {
    OF(source) x[TILE_VECTORS], y[TILE_VECTORS];
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
    OF(source) x[TILE_VECTORS];
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
    for (int v = 0; v < vectors; v++) {
      uint8_t *to = products + r * product_stride + v * VECTOR_BYTES;
      int64_t left = width - v * VECTOR_BYTES;
      if (left >= VECTOR_BYTES) {
        OF(store)(to, accumulate ? OF(add)(sums[r][v], OF(load)(to)) : sums[r][v]);
      } else {
        OF(store_part)(to, accumulate ? OF(add)(sums[r][v], OF(load_part)(to, left)) : sums[r][v], left);
      }
    }
  }
}

// Multiplies a strip of `width` bytes, tile by tile.
static TARGET void OF(strip)(const uint8_t *tables, int64_t m, int64_t n, int64_t width, const uint8_t *factors,
                             int64_t factor_stride, const uint8_t *sources, int64_t source_stride, uint8_t *products,
                             int64_t product_stride, int accumulate) {
#define TILE(rows)                                                                                                   \
  OF(tile)(rows, TILE_VECTORS, tables, n, factors, factor_stride, sources, source_stride, products, product_stride, \
           width, accumulate)
  for (; m >= TILE_ROWS; m -= TILE_ROWS) {
    TILE(TILE_ROWS);
    factors += TILE_ROWS * factor_stride;
    products += TILE_ROWS * product_stride;
  }
  switch (m) {
#if TILE_ROWS > 6
    case 7: TILE(7); break;
    case 6: TILE(6); break;
#endif
#if TILE_ROWS > 4
    case 5: TILE(5); break;
    case 4: TILE(4); break;
#endif
    case 3: TILE(3); break;
    case 2: TILE(2); break;
    case 1: TILE(1); break;
    default: break;
  }
#undef TILE
}

// Copies the first `width` bytes of n sources to rows of STRIP_BYTES, filled up with zeros.
static TARGET void OF(pack)(int64_t n, int64_t width, const uint8_t *sources, int64_t stride, uint8_t *strip) {
  for (int64_t j = 0; j < n; j++, sources += stride, strip += STRIP_BYTES) {
#pragma GCC unroll 16
    for (int v = 0; v < TILE_VECTORS; v++) {
      const uint8_t *from = sources + v * VECTOR_BYTES;
      int64_t left = width - v * VECTOR_BYTES;
      OF(vector) x = left >= VECTOR_BYTES ? OF(load)(from) : left > 0 ? OF(load_part)(from, left) : OF(zero)();
      OF(store)(strip + v * VECTOR_BYTES, x);
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
    for (int64_t column = 0; column < columns; column += STRIP_BYTES) {
      int64_t width = columns - column < STRIP_BYTES ? columns - column : STRIP_BYTES;
      const uint8_t *from = sources + pass * source_stride + column;
      int64_t stride = source_stride;
      if (width < STRIP_BYTES || (badly && m >= MIN_PACKED_ROWS)) {
        OF(pack)(count, width, from, stride, packed);
        from = packed;
        stride = STRIP_BYTES;
      }
      OF(strip)(tables, m, count, width, factors + pass, factor_stride, from, stride, products + column,
                product_stride, accumulate || pass > 0);
    }
    pass += count;
  } while (pass < n);
}

#undef STRIP_BYTES
#undef OF
#undef CONCAT
#undef CONCAT_
#undef LEVEL
#undef TARGET
#undef VECTOR_BYTES
#undef TILE_ROWS
#undef TILE_VECTORS
#undef TABLE_BYTES
#undef SOURCE_PAIRS
