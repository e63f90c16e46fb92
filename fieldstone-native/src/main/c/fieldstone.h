// The kernels of libfieldstone.so, which Java calls. A kernel is exported once for each level of instruction sets that
// it is written for, as fs_NAME_LEVEL. All addresses and sizes have been checked by the caller; a kernel reads and
// writes no other byte. It calls no function of the C library.
#ifndef FIELDSTONE_H
#define FIELDSTONE_H

#include <stdint.h>

// The version of these declarations, in NativeLibrary.java too: a change of a kernel's arguments increases it.
#define FS_ABI 4

#define FS_EXPORT __attribute__((visibility("default")))
#define FS_INLINE static inline __attribute__((always_inline))
#define FS_NOINLINE __attribute__((noinline))

#define FS_NAME_OF(name, LEVEL) name##_##LEVEL
#define FS_NAME(name, LEVEL) FS_NAME_OF(name, LEVEL)

// Levels of instruction sets, in NativeLevel.java too. A processor of a level runs the kernels of those below it.
enum {
  FS_NONE = 0,
  FS_AVX2 = 1,         // AVX2, BMI2, PCLMULQDQ
  FS_AVX2_GFNI = 2,    // and GFNI, VPCLMULQDQ
  FS_AVX512_GFNI = 3,  // and AVX-512 F, BW, DQ, VL, VPOPCNTDQ
  FS_NEON = 1,         // the vectors of each aarch64 processor
  FS_NEON_PMULL = 2,   // and PMULL
};

#if defined(__x86_64__)
#define FS_TARGET_AVX2 __attribute__((target("avx2,bmi2,pclmul")))
#define FS_TARGET_AVX2_GFNI __attribute__((target("avx2,bmi2,pclmul,gfni,vpclmulqdq")))
#define FS_TARGET_AVX512_GFNI \
  __attribute__((target("avx2,bmi2,pclmul,gfni,vpclmulqdq,avx512f,avx512bw,avx512dq,avx512vl")))
#elif defined(__aarch64__)
#define FS_TARGET_NEON_PMULL __attribute__((target("+crypto")))
#endif

// FS_ABI, as a symbol that is read before any function is called.
extern FS_EXPORT const int32_t fs_abi;

// Returns the highest level that the processor and the system support.
FS_EXPORT int32_t fs_level(void);

// products = factors * sources over GF(2^8), or products += if accumulate is not 0: m x n by n x columns bytes; row r
// of a matrix begins r strides after its address. The products overlap no input. The tables hold, for each of 256
// factors, 8 bytes with GFNI (the affine matrix of the multiplication), else 32 bytes (products of the low, and of the
// high 4 bits).
#define FS_PRODUCTS(LEVEL)                                                                                         \
  FS_EXPORT void fs_products_##LEVEL(const uint8_t *tables, int64_t m, int64_t n, int64_t columns,                 \
                                     const uint8_t *factors, int64_t factor_stride, const uint8_t *sources,        \
                                     int64_t source_stride, uint8_t *products, int64_t product_stride,             \
                                     int32_t accumulate)
// Runs steps of the instructions of products on registers: FS_CEILING_SUMS sums, to each of which the affine products of
// two vectors are added. Returns a byte that depends on all of them.
#define FS_CEILING_SUMS 12
#define FS_AFFINE_CEILING(LEVEL) FS_EXPORT int32_t fs_affine_ceiling_##LEVEL(int64_t steps)


// Inverts an n x n matrix over GF(2^8) and returns 1, or returns 0 if it is singular. Behind the tables of products are
// the reciprocals of the 256 elements. The scratch memory is aligned to 64 bytes and has FS_INVERT_BYTES(n).
#define FS_INVERT(LEVEL)                                                                                          \
  FS_EXPORT int32_t FS_NAME(fs_invert, LEVEL)(const uint8_t *tables, int64_t n, const uint8_t *matrix,            \
                                              int64_t matrix_stride, uint8_t *inverse, int64_t inverse_stride,    \
                                              uint8_t *scratch)
// The matrix with padded rows, two panels of 64 columns and of 64 rows, and a number for each row.
#define FS_INVERT_BYTES(n) (((n) + 64) * ((n) + 128) + 68 * (n))

#define FS_STRIP_COLUMNS 64

// A basis of vectors, in NativeReduction.java too; BlockedBasis.java says what its parts are. All rows are aligned to 64
// bytes, and have zeros behind their columns.
typedef struct {
  int64_t width;              // bytes of the vector, of the mask, and of rows: a multiple of FS_STRIP_COLUMNS
  int64_t stride;             // from a row received, or one of factors, to the next
  const uint8_t *vector;
  const uint8_t *settled;     // 255 at pivots in the state
  uint8_t *received;
  uint8_t *factors;
  const uint8_t *strip;       // FS_STRIP_COLUMNS of each row of the state
  uint8_t *reduced;           // rows of 2 FS_STRIP_COLUMNS
  int64_t start;              // first column of the strip
  int64_t pivots_end;         // rows of the state
  int64_t any_factors;        // becomes 1 if a vector has entries at settled pivots
  int64_t pivots[FS_STRIP_COLUMNS];  // of the pending vectors
} fs_basis;

// Reduces a vector in the strip. Returns the column of its first entry there, or -1. If there is one and keep is not 0,
// adds the vector to the pending ones, except for its pivot. Tables are those of inversions.
#define FS_REDUCE(LEVEL)                                                                                 \
  FS_EXPORT int32_t FS_NAME(fs_reduce, LEVEL)(const uint8_t *tables, fs_basis *basis, int64_t pending,   \
                                              int32_t keep)

#if defined(__x86_64__)
FS_AFFINE_CEILING(avx512_gfni);
FS_AFFINE_CEILING(avx2_gfni);
FS_PRODUCTS(avx512_gfni);
FS_PRODUCTS(avx2_gfni);
FS_PRODUCTS(avx2);
FS_INVERT(avx512_gfni);
FS_REDUCE(avx512_gfni);
FS_INVERT(avx2_gfni);
FS_REDUCE(avx2_gfni);
FS_INVERT(avx2);
FS_REDUCE(avx2);
#elif defined(__aarch64__)
FS_PRODUCTS(neon);
FS_INVERT(neon);
FS_REDUCE(neon);
#endif

// Returns the register after a message of 8 bytes or more, modulo a polynomial over GF(2) of degree 1 to 64. Registers
// are overlays, see Divisor.java; powers are 16 words, see CarrylessPowers.java. high_first is 0 if the low bit of each
// byte is read first.
#define FS_DIVIDE(LEVEL)                                                                                             \
  FS_EXPORT uint64_t fs_divide_##LEVEL(const uint64_t *powers, uint64_t overlay, const uint8_t *message, int64_t bytes, \
                                       int32_t high_first)
#if defined(__x86_64__)
FS_DIVIDE(avx512_gfni);
FS_DIVIDE(avx2_gfni);
FS_DIVIDE(avx2);
#elif defined(__aarch64__)
FS_DIVIDE(neon_pmull);
#endif

#if defined(__x86_64__)
// Copies memory that does not overlap, past the caches. Other threads see the copy after fs_fence.
#define FS_COPY(LEVEL) FS_EXPORT void fs_copy_##LEVEL(uint8_t *to, const uint8_t *from, int64_t bytes)
FS_COPY(avx512_gfni);
FS_COPY(avx2);

// Orders the stores of this thread past the caches before its later stores.
FS_EXPORT void fs_fence_avx2(void);

// Decodes a block of compressed keys of 32 bits, or of 64, past the caches: 64 rows of 64 bytes. The keys are aligned to
// 64 bytes. Reads a row of keys, then 64 differences of `width` bits for each column, and at most two rows more. A key
// is made of a bit-ordered key as KeyCode in DeltaKernel.java says.
#define FS_DECODE(NAME, LEVEL)                                                                                    \
  FS_EXPORT void fs_decode_##NAME##_##LEVEL(uint8_t *keys, const uint8_t *rows, int32_t width, int64_t direction, \
                                            int64_t floating, int64_t sign)
FS_DECODE(ints, avx512_gfni);
FS_DECODE(ints, avx2);
FS_DECODE(longs, avx512_gfni);
FS_DECODE(longs, avx2);
#endif

#if defined(__x86_64__)
// Adds the number of pairs of left and right words that have x ones in common to counts[x], x < 256. A word has 2 or 4
// parts of 64 bits. Those of a left word are adjacent; each part of the right words has an array of its own, part_bytes
// after that of the part before.
#define FS_COUNT_PAIRS(LEVEL)                                                                                   \
  FS_EXPORT void FS_NAME(fs_count_pairs, LEVEL)(const uint8_t *parts, int64_t part_bytes, int64_t longs,        \
                                                int64_t words, const uint64_t *left, int64_t left_words,        \
                                                int64_t *counts)
FS_COUNT_PAIRS(avx512_gfni);
#endif

// Walsh–Hadamard transforms of the columns of a matrix, in place: for each power of two h below the number of rows, itself a
// power of two, rows i and i + h become their sum and their difference. Numbers do not overflow.
#define FS_TRANSFORM_SHORTS(LEVEL) \
  FS_EXPORT void FS_NAME(fs_transform_shorts, LEVEL)(int16_t *numbers, int64_t rows, int64_t columns)

// The same of 32-bit numbers, which are widened from others first.
#define FS_TRANSFORM_WIDENED(LEVEL)                                                                                 \
  FS_EXPORT void FS_NAME(fs_transform_widened, LEVEL)(const int16_t *from, int32_t *numbers, int64_t rows, int64_t columns)

// The same, of rows that begin a stride of numbers apart.
#define FS_TRANSFORM_INTS(LEVEL)                                                                                     \
  FS_EXPORT void FS_NAME(fs_transform_ints, LEVEL)(int32_t *numbers, int64_t rows, int64_t stride, int64_t columns)

// Transforms some strips and adds the products of three numbers of each point, a <= b <= c < order, to sums of 128 bits,
// in the order of TripleSums.java. A point has `order` numbers. A strip has rows, a power of two, that begin a stride of
// numbers apart, of some neighbouring points each; the next strip is behind these. Numbers stay below 2^43 in magnitude, sums
// below 2^127. The scratch memory is aligned to 64 bytes and has FS_TRIPLES_BYTES(order, rows * neighbours).
#define FS_SUM_TRIPLES(LEVEL)                                                                                       \
  FS_EXPORT void FS_NAME(fs_sum_triples, LEVEL)(const int32_t *numbers, int64_t stride, int64_t rows,               \
                                                int64_t neighbours, int64_t order, int64_t strips, uint8_t *scratch, \
                                                int64_t *sums)
#define FS_TRIPLES(order) ((order) * ((order) + 1) * ((order) + 2) / 6)
#define FS_TRIPLES_STRIP 256
#define FS_TRIPLES_BYTES(order, points) \
  (8 * ((order) * ((points) + 7) + 2 * FS_TRIPLES_STRIP + 16 * FS_TRIPLES(order)))

#define FS_TRANSFORMS(LEVEL)   \
  FS_TRANSFORM_SHORTS(LEVEL);  \
  FS_TRANSFORM_WIDENED(LEVEL); \
  FS_TRANSFORM_INTS(LEVEL);    \
  FS_SUM_TRIPLES(LEVEL)
#if defined(__x86_64__)
FS_TRANSFORMS(avx512_gfni);
FS_TRANSFORMS(avx2);
#elif defined(__aarch64__)
FS_TRANSFORMS(neon);
#endif

// The kinds of items that are sorted, in NativeItems.java too: a key of 32 or 64 bits, alone or with a payload of as many
// bits after it.
enum { FS_KEY32 = 0, FS_PAIR32 = 1, FS_KEY64 = 2, FS_PAIR64 = 3 };

// Below, callers' keys are converted to unsigned numbers of the same order: the bits of flips are flipped; before, if
// floating is not 0, all bits but the sign of a negative key.

// Adds the number of items whose digit, of some bits (below 32) above the lowest shift bits, has each value. Returns 1 if
// a floating-point key is NaN, else 0.
#define FS_SORT_COUNT(LEVEL)                                                                                      \
  FS_EXPORT int32_t FS_NAME(fs_sort_count, LEVEL)(const uint8_t *items, int64_t number, int32_t kind, int64_t flips, \
                                                  int32_t floating, int32_t shift, int32_t bits, int64_t *counts)

// Adds the number of items of each key to a table of 2^bits slots: the keys of all slots, four counts of each, whose sum is
// the number, and the number of keys besides 0. A key is in slot key * FS_TALLY_FACTOR >> (64 - bits) or, where that has
// another, in the next free one; the key of a free slot is 0. The key 0 is in slot 0, and no other is. New keys are added,
// with counts. Returns 1 if a key is NaN, or there are more than `most` besides 0; then the counts are not right. `most` is
// less than 2^bits - 1.
#define FS_TALLY_FACTOR 0x9E3779B97F4A7C15
#define FS_SORT_TALLY(LEVEL)                                                                                      \
  FS_EXPORT int32_t FS_NAME(fs_sort_tally, LEVEL)(const uint8_t *items, int64_t number, int32_t kind, int64_t flips, \
                                                  int32_t floating, int32_t most, int32_t bits, int64_t *table)

// Moves each item to the head of its digit, an address that advances. Returns 1 if an item would lie after the last
// place, else 0.
#define FS_SORT_MOVE(LEVEL)                                                                                      \
  FS_EXPORT int32_t FS_NAME(fs_sort_move, LEVEL)(const uint8_t *items, int64_t number, int32_t kind, int64_t flips, \
                                                 int32_t floating, int32_t shift, int32_t bits, int64_t *heads,   \
                                                 int64_t last)

// Copies items and converts their keys. Returns 1 if a floating-point key is NaN, else 0. May work in place.
#define FS_SORT_READ(LEVEL)                                                                                      \
  FS_EXPORT int32_t FS_NAME(fs_sort_read, LEVEL)(const uint8_t *items, int64_t number, int32_t kind, int64_t flips, \
                                                 int32_t floating, uint8_t *to)

// Copies items and converts their keys back. May work in place.
#define FS_SORT_WRITE(LEVEL)                                                                                     \
  FS_EXPORT void FS_NAME(fs_sort_write, LEVEL)(const uint8_t *items, int64_t number, int32_t kind, int64_t flips, \
                                                  int32_t floating, uint8_t *to)

// Sorts a run of items that fits into the cache, with another buffer of its size, by digits of at most max_bits bits or
// one more. Returns 1 if the sorted items are in the other buffer, else 0.
#define FS_SORT_RUN(LEVEL)                                                                                   \
  FS_EXPORT int32_t FS_NAME(fs_sort_run, LEVEL)(uint8_t *run, uint8_t *other, int64_t number, int32_t kind, \
                                                int32_t max_bits)

#define FS_SORT(LEVEL)   \
  FS_SORT_COUNT(LEVEL);  \
  FS_SORT_TALLY(LEVEL);  \
  FS_SORT_MOVE(LEVEL);   \
  FS_SORT_READ(LEVEL);   \
  FS_SORT_WRITE(LEVEL);  \
  FS_SORT_RUN(LEVEL)
#if defined(__x86_64__)
FS_SORT(avx2);
#elif defined(__aarch64__)
FS_SORT(neon);
#endif

#endif
