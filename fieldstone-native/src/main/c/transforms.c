// Walsh–Hadamard transforms of the columns of a matrix, three levels in each pass over memory, and sums of products of three
// numbers over many points. transforms_level.h has the loops; this file has, for each level, its vectors and how it
// loads and stores a part of one.
//
// Products of three are summed in floating point, which is exact here: all sums are integers of less than 2^53. A
// multiplication of integers of 64 bits takes two to three times as long, where there is an instruction for it at all.
#include "fieldstone.h"

// Points whose products are summed before the sums are converted to integers.
#define STRIP FS_TRIPLES_STRIP

// Strips after which sums of 64 bits are added to those of 128: each strip adds less than 2^53 to a sum.
#define STRIPS_OF_LONGS 512

// Numbers up to which a product of two is split into a multiple of SPLIT and the rest: products of each part and a third
// number, STRIP / 2 of them, sum up to less than 2^53, and to less than 2^53 SPLIT.
#define MAX_SPLIT 0x1p22
#define SPLIT 0x1p23

// A number plus this, minus this, is the nearest multiple of SPLIT.
#define ROUND_TO_SPLIT (0x1.8p52 * SPLIT)

#if defined(__x86_64__)

#include <immintrin.h>

#define LEVEL avx512_gfni
#define TARGET FS_TARGET_AVX512_GFNI
#define VECTOR_BYTES 64
// Numbers up to which STRIP / 8 products of three sum up to less than 2^53.
#define MAX_PLAIN 65535.0
#define HAS_PARTS 1
#include "transforms_level.h"

#define LEVEL avx2
#define TARGET FS_TARGET_AVX2
#define VECTOR_BYTES 32
#define MAX_PLAIN 52015.0
#define HAS_PARTS 0
#include "transforms_level.h"

#elif defined(__aarch64__)

#define LEVEL neon
#define TARGET
#define VECTOR_BYTES 16
#define MAX_PLAIN 41285.0
#define HAS_PARTS 0
#include "transforms_level.h"

#endif
