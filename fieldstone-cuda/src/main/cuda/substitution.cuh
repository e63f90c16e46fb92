// One frame of a pipeline code by forward substitution: what its kernels are given.
#pragma once

#include "fieldstone.cuh"

/** One frame of a generation whose earlier frames are decoded. */
struct SubstitutionFrameArguments {
  const FieldTables* tables;
  int32_t polynomial;
  /** s: the number of decoded frames. */
  int32_t frame;
  /** Bytes of a frame. */
  int64_t k;
  /** e_s0 … e_ss: s + 1 bytes, the last not 0. */
  const uint8_t* coefficients;
  /** c_s: k bytes. */
  const uint8_t* received;
  /** Rows 0 … s - 1 are p_0 … p_{s-1}; row s, which may be `received`, gets p_s. */
  uint8_t* solved;
  /** Distance between rows of `solved` in bytes. */
  int64_t stride;
  /** For HPDS only: ⌈s/32⌉ rows of 4·⌈k/4⌉ bytes, 4-byte aligned. */
  uint8_t* partials;
  /** For substitution_frame only: 16-byte columns of a thread block, a power of two up to 32. */
  int32_t vectors;
  int32_t unused;
};

static_assert(sizeof(SubstitutionFrameArguments) == 72, "the host writes 72 bytes");
