// fs_reduce_LEVEL, included once for each level by products_level.h.

#define STRIP FS_STRIP_COLUMNS
#define STRIP_VECTORS (STRIP / VECTOR_BYTES)
#define ROW_VECTORS (2 * STRIP_VECTORS)

// Adds a multiple of a row of some vectors to sums.
FS_INLINE TARGET void OF(add_multiple)(const int vectors, OF(vector) *sums, const uint8_t *tables, uint8_t factor,
                                       const uint8_t *row) {
  OF(factor) f = OF(to_factor)(tables + (uint64_t)factor * TABLE_BYTES);
#pragma GCC unroll 16
  for (int v = 0; v < vectors; v++) {
    sums[v] = OF(add_product)(sums[v], OF(to_source)(OF(load)(row + v * VECTOR_BYTES)), f);
  }
}

FS_INLINE TARGET void OF(store_all)(const int vectors, uint8_t *to, const OF(vector) *row) {
#pragma GCC unroll 16
  for (int v = 0; v < vectors; v++) OF(store)(to + v * VECTOR_BYTES, row[v]);
}

// Moves the entries of the vector at settled pivots to its factors, the others to its row; returns whether there are any.
FS_INLINE TARGET int OF(split)(const fs_basis *basis, int64_t pending) {
  const uint64_t *vector = (const uint64_t *)basis->vector, *settled = (const uint64_t *)basis->settled;
  uint64_t *received = (uint64_t *)(basis->received + pending * basis->stride);
  uint64_t *factors = (uint64_t *)(basis->factors + pending * basis->stride), any = 0;
  for (int64_t i = 0; i < basis->width / 8; i++) {
    received[i] = vector[i] & ~settled[i];
    factors[i] = vector[i] & settled[i];
    any |= factors[i];
  }
  return any != 0;
}

// Returns the first column of the strip, below the number of columns, with an entry that is not at a settled pivot.
FS_INLINE TARGET int64_t OF(first_entry)(const fs_basis *basis, const uint8_t *row) {
  for (int64_t i = 0; i < STRIP / 8; i++) {
    uint64_t entries = ((const uint64_t *)row)[i] & ~((const uint64_t *)(basis->settled + basis->start))[i];
    if (entries != 0) return basis->start + 8 * i + __builtin_ctzll(entries) / 8;
  }
  return -1;
}

TARGET FS_REDUCE(LEVEL) {
  _Alignas(64) uint8_t reduced[2 * STRIP];
  OF(vector) sums[ROW_VECTORS];
  int any = OF(split)(basis, pending);
  basis->any_factors |= any;
  const uint8_t *received = basis->received + pending * basis->stride + basis->start;
#pragma GCC unroll 16
  for (int v = 0; v < ROW_VECTORS; v++) {
    sums[v] = v < STRIP_VECTORS ? OF(load)(received + v * VECTOR_BYTES) : OF(zero)();
  }
  const uint8_t *factors = basis->factors + pending * basis->stride;
  for (int64_t row = 0; any && row < basis->pivots_end; row++) {
    OF(add_multiple)(STRIP_VECTORS, sums, tables, factors[row], basis->strip + row * STRIP);
  }
  OF(store_all)(ROW_VECTORS, reduced, sums);
  reduced[STRIP + pending] = 1;
  _Alignas(64) uint8_t entries[STRIP];
  OF(store_all)(STRIP_VECTORS, entries, sums);
  for (int v = STRIP_VECTORS; v < ROW_VECTORS; v++) sums[v] = OF(load)(reduced + v * VECTOR_BYTES);
  for (int64_t q = 0; q < pending; q++) {
    OF(add_multiple)(ROW_VECTORS, sums, tables, entries[basis->pivots[q] - basis->start], basis->reduced + q * 2 * STRIP);
  }
  OF(store_all)(ROW_VECTORS, reduced, sums);
  int64_t pivot = OF(first_entry)(basis, reduced);
  if (pivot < 0 || !keep) return (int32_t)pivot;
  int64_t column = pivot - basis->start;
  OF(vector) newest[ROW_VECTORS];
  for (int v = 0; v < ROW_VECTORS; v++) newest[v] = OF(zero)();
  OF(add_multiple)(ROW_VECTORS, newest, tables, tables[256 * TABLE_BYTES + reduced[column]], reduced);
  OF(store_all)(ROW_VECTORS, basis->reduced + pending * 2 * STRIP, newest);
  for (int64_t q = 0; q < pending; q++) {
    uint8_t *row = basis->reduced + q * 2 * STRIP;
    OF(factor) f = OF(to_factor)(tables + (uint64_t)row[column] * TABLE_BYTES);
#pragma GCC unroll 16
    for (int v = 0; v < ROW_VECTORS; v++) {
      uint8_t *at = row + v * VECTOR_BYTES;
      OF(store)(at, OF(add_product)(OF(load)(at), OF(to_source)(newest[v]), f));
    }
  }
  return (int32_t)pivot;
}

#undef STRIP
#undef STRIP_VECTORS
#undef ROW_VECTORS
