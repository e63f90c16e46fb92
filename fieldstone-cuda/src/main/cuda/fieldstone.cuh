// What all kernels speak of: matrices of bytes in device memory and the tables of a field GF(2^8).
//
// A kernel takes one structure by value, made of fixed-size types at their natural alignment, so that
// the host can write it as a flat record.
#pragma once

#include <cstdint>

/** Row r of matrix g is at data + g·pitch + r·stride; the bytes between rows are nobody's. */
struct Matrices {
  uint8_t* data;
  int64_t stride;
  int64_t pitch;
};

/** The tables of one field, in device memory. */
struct FieldTables {
  uint16_t log[256];    // log[0] = 511, so that a sum of logarithms with a zero's in it is ≥ 511
  uint8_t exp[1024];    // exp[i] = g^(i mod 255) for i ≤ 508, and 0 above
  uint64_t masks[256];  // byte r of masks[c] has bit b set if and only if bit r of c·x^b is set
};

static_assert(sizeof(Matrices) == 24, "the host writes 24 bytes");
static_assert(sizeof(FieldTables) == 3584, "the host writes 3584 bytes");
