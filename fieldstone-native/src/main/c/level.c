// Finds the level of instruction sets of this machine.
#include "fieldstone.h"

const int32_t fs_abi = FS_ABI;

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

// Bits of XCR0: the registers that the system saves.
#define YMM_STATE 0x06
#define ZMM_STATE 0xE6

static int has(uint32_t bits, uint32_t wanted) { return (bits & wanted) == wanted; }

__attribute__((target("xsave"))) static uint64_t saved_state(void) { return _xgetbv(0); }

int32_t fs_level(void) {
  uint32_t a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, bit_OSXSAVE | bit_AVX | bit_PCLMUL)) return FS_NONE;
  uint64_t state = saved_state();
  if (!has(state, YMM_STATE) || !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, bit_AVX2 | bit_BMI2)) {
    return FS_NONE;
  }
  if (!has(c, bit_GFNI | bit_VPCLMULQDQ)) return FS_AVX2;
  int wide = has(state, ZMM_STATE) && has(b, bit_AVX512F | bit_AVX512BW | bit_AVX512DQ | bit_AVX512VL) &&
             has(c, bit_AVX512VPOPCNTDQ);
  return wide ? FS_AVX512_GFNI : FS_AVX2_GFNI;
}

#elif defined(__aarch64__)

// The bits of ID_AA64ISAR0_EL1 that tell of AES and PMULL. Linux has let programs read it since 4.11.
#define AES_SHIFT 4
#define AES_MASK 15
#define AES_WITH_PMULL 2

int32_t fs_level(void) {
  uint64_t features;
  __asm__("mrs %0, ID_AA64ISAR0_EL1" : "=r"(features));
  return (features >> AES_SHIFT & AES_MASK) >= AES_WITH_PMULL ? FS_NEON_PMULL : FS_NEON;
}

#endif
