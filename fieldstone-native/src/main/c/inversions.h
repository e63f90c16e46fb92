// fs_invert_LEVEL, included once for each level by products_level.h.
//
// Gauss-Jordan elimination in place, PANEL columns at a time, by row pivoting. A panel is first reduced alone, GROUP
// pivots at a time, and then holds the factors of the rows of its pivots: all other columns take one product. Padding
// columns are zero and stay so.

#define PANEL 64
#define GROUP 8
#define PANEL_VECTORS (PANEL / VECTOR_BYTES)

// A one among zeros: read from before it, a unit row.
static const uint8_t OF(units)[2 * PANEL] = {[PANEL] = 1};

// Adds multiples of rows of a panel to a row of it: by the factors at one address, of rows at another.
FS_INLINE TARGET void OF(add_rows)(OF(vector) *sums, const uint8_t *tables, int64_t rows, const uint8_t *factors,
                                   const uint8_t *from) {
  for (int64_t j = 0; j < rows; j++) {
    OF(factor) f = OF(to_factor)(tables + (uint64_t)factors[j] * TABLE_BYTES);
#pragma GCC unroll 16
    for (int v = 0; v < PANEL_VECTORS; v++) {
      sums[v] = OF(add_product)(sums[v], OF(to_source)(OF(load)(from + j * PANEL + v * VECTOR_BYTES)), f);
    }
  }
}

FS_INLINE TARGET void OF(load_row)(OF(vector) *row, const uint8_t *from) {
#pragma GCC unroll 16
  for (int v = 0; v < PANEL_VECTORS; v++) row[v] = OF(load)(from + v * VECTOR_BYTES);
}

FS_INLINE TARGET void OF(store_row)(uint8_t *to, const OF(vector) *row) {
#pragma GCC unroll 16
  for (int v = 0; v < PANEL_VECTORS; v++) OF(store)(to + v * VECTOR_BYTES, row[v]);
}

FS_INLINE TARGET void OF(swap_rows)(uint8_t *a, uint8_t *b, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += VECTOR_BYTES) {
    OF(vector) x = OF(load)(a + at), y = OF(load)(b + at);
    OF(store)(a + at, y);
    OF(store)(b + at, x);
  }
}

// Finds `count` pivot rows of a panel, whose first columns are at `column` and whose first row is `row`, and swaps them
// there. Reduces all rows of the panel by them. Returns 0 if there are fewer, else 1.
static FS_NOINLINE TARGET int OF(reduce_group)(const uint8_t *tables, int64_t n, int64_t row, int64_t column,
                                               int64_t count, uint8_t *panel, uint8_t *matrix, int64_t stride,
                                               int32_t *swaps) {
  // The pivot rows, reduced by each other, without the ones that they have in place of their pivots.
  _Alignas(64) uint8_t group[GROUP * PANEL];
  for (int64_t i = 0; i < count; i++) {
    int64_t pivot_row = row + i;
    uint8_t *reduced = group + i * PANEL;
    OF(vector) sums[PANEL_VECTORS];
    for (;; pivot_row++) {
      if (pivot_row == n) return 0;
      const uint8_t *candidate = panel + pivot_row * PANEL;
      OF(load_row)(sums, candidate);
      OF(add_rows)(sums, tables, i, candidate + column, group);
      OF(store_row)(reduced, sums);
      if (reduced[column + i] != 0) break;
    }
    swaps[row + i] = (int32_t)pivot_row;
    if (pivot_row != row + i) {
      OF(swap_rows)(panel + pivot_row * PANEL, panel + (row + i) * PANEL, PANEL);
      OF(swap_rows)(matrix + pivot_row * stride, matrix + (row + i) * stride, stride);
    }
    // The pivot becomes a one by its reciprocal, and that takes its place.
    uint8_t reciprocal = tables[256 * TABLE_BYTES + reduced[column + i]];
    OF(factor) f = OF(to_factor)(tables + (uint64_t)reciprocal * TABLE_BYTES);
    const uint8_t *unit = OF(units) + PANEL - column - i;
#pragma GCC unroll 16
    for (int v = 0; v < PANEL_VECTORS; v++) {
      sums[v] = OF(add_product)(OF(zero)(), OF(to_source)(sums[v]), f);
      sums[v] = OF(add_product)(sums[v], OF(to_source)(OF(load)(unit + v * VECTOR_BYTES)), f);
    }
    OF(store_row)(reduced, sums);
    for (int64_t j = 0; j < i; j++) {
      uint8_t *other = group + j * PANEL;
      OF(load_row)(sums, other);
      OF(add_rows)(sums, tables, 1, other + column + i, reduced);
      OF(store_row)(other, sums);
    }
  }
  _Alignas(64) uint8_t factors[64 * GROUP];
  for (int64_t from = 0; from < n; from += 64) {
    int64_t rows = n - from < 64 ? n - from : 64;
    for (int64_t r = 0; r < rows; r++) {
      *(uint64_t *)(factors + r * GROUP) = *(const uint64_t *)(panel + (from + r) * PANEL + column);
    }
    OF(fs_products)(tables, rows, count, PANEL, factors, GROUP, group, PANEL, panel + from * PANEL, PANEL, 1);
  }
  for (int64_t i = 0; i < count; i++) {
    OF(vector) pivot[PANEL_VECTORS];
    OF(load_row)(pivot, group + i * PANEL);
    OF(store_row)(panel + (row + i) * PANEL, pivot);
    panel[(row + i) * PANEL + column + i] ^= 1;
  }
  return 1;
}

// Copies rows of whole vectors.
FS_INLINE TARGET void OF(copy_rows)(int64_t rows, int64_t bytes, const uint8_t *from, int64_t from_stride, uint8_t *to,
                                    int64_t to_stride) {
  OF(move)(rows, bytes, from, from_stride, to, to_stride, 0);
}

// Adds to columns of the matrix, outside the panel, the products of the panel and the former rows of its pivots.
FS_INLINE TARGET void OF(reduce_columns)(const uint8_t *tables, int64_t n, int64_t count, int64_t begin, int64_t end,
                                         const uint8_t *panel, const uint8_t *pivots, uint8_t *matrix, int64_t stride) {
  if (begin < end) {
    OF(fs_products)(tables, n, count, end - begin, panel, PANEL, pivots + begin, stride, matrix + begin, stride, 1);
  }
}

TARGET FS_INVERT(LEVEL) {
  int64_t width = (n + PANEL - 1) / PANEL * PANEL;
  int64_t stride = width % ALIASING_STRIDE == 0 ? width + PANEL : width;
  uint8_t *work = scratch, *panel = work + n * stride, *pivots = panel + n * PANEL;
  int32_t *swaps = (int32_t *)(pivots + PANEL * stride);
  OF(copy_rows)(n, n, matrix, matrix_stride, work, stride);
  for (int64_t r = 0; r < n; r++) {
    for (int64_t c = n; c < width; c++) work[r * stride + c] = 0;
  }
  for (int64_t first = 0; first < n; first += PANEL) {
    int64_t count = n - first < PANEL ? n - first : PANEL;
    OF(copy_rows)(n, PANEL, work + first, stride, panel, PANEL);
    for (int64_t done = 0; done < count; done += GROUP) {
      int64_t rows = count - done < GROUP ? count - done : GROUP;
      if (!OF(reduce_group)(tables, n, first + done, done, rows, panel, work, stride, swaps)) return 0;
    }
    OF(copy_rows)(count, width, work + first * stride, stride, pivots, stride);
    for (int64_t r = first; r < first + count; r++) {
      for (int64_t c = 0; c < width; c++) work[r * stride + c] = 0;
    }
    OF(reduce_columns)(tables, n, count, 0, first, panel, pivots, work, stride);
    OF(reduce_columns)(tables, n, count, first + PANEL, width, panel, pivots, work, stride);
    OF(copy_rows)(n, PANEL, panel, PANEL, work + first, stride);
  }
  // A swap of rows of a matrix is one of columns of its inverse.
  for (int64_t c = n - 1; c >= 0; c--) {
    for (int64_t r = 0; r < n && swaps[c] != c; r++) {
      uint8_t *row = work + r * stride, entry = row[c];
      row[c] = row[swaps[c]];
      row[swaps[c]] = entry;
    }
  }
  OF(copy_rows)(n, n, work, stride, inverse, inverse_stride);
  return 1;
}

#undef PANEL
#undef GROUP
#undef PANEL_VECTORS
