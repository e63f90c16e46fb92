// Binary products by a warp's tensor instruction, of compute capability 8.0 and later.

#pragma once

#include <cstdint>

#include "fieldstone.cuh"

/**
 * Counts common bits: d = c + the counts of 16 rows and 8 columns, 256 bits each. d may be c. Lane
 * 4g + t has words t and t + 4 of its rows and columns: of row g in rows.x and rows.z, of row g + 8
 * in rows.y and rows.w, of column g in columns. Its counts are of row g and columns 2t and 2t + 1,
 * then of row g + 8. Before 8.0, d is unspecified.
 */
__device__ __forceinline__ void and_popc(
    int32_t* d, const int32_t* c, const uint4& rows, const uint2& columns) {
#if __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc "
      "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
      : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
      : "r"(rows.x), "r"(rows.y), "r"(rows.z), "r"(rows.w), "r"(columns.x), "r"(columns.y),
        "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3]));
#endif
}
