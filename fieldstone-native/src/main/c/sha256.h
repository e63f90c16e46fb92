// The kernels of sha256.c; see fieldstone.h.
#ifndef FIELDSTONE_SHA256_H
#define FIELDSTONE_SHA256_H

#include "fieldstone.h"

#define FS_SHA256_BYTES 32

// Returns 1 if the processor has the SHA extensions, else 0. They belong to no level of x86-64.
FS_EXPORT int32_t fs_sha256_extensions(void);

// Writes the SHA-256 of messages of equal length, FS_SHA256_BYTES each: of the byte `prefix`, unless it is negative, and
// `bytes` bytes. Message i begins i pitches after the first. Hashes may begin where messages begin, or before them, if the
// pitch is FS_SHA256_BYTES or more and a message fits into two blocks with its padding. `extensions` is what fs_sha256_extensions returns, or 0.
#define FS_SHA256(LEVEL)                                                                                            \
  FS_EXPORT void FS_NAME(fs_sha256, LEVEL)(const uint8_t *messages, int64_t pitch, int64_t number, int64_t bytes,   \
                                           int32_t prefix, uint8_t *hashes, int32_t extensions)
#if defined(__x86_64__)
FS_SHA256(avx512_gfni);
FS_SHA256(avx2);
#elif defined(__aarch64__)
FS_SHA256(neon_pmull);
#endif

#endif
