// Compares the hashes of each level of this machine, with and without the SHA extensions, with a plain SHA-256: vectors
// of FIPS 180-4, and random lengths, numbers, pitches and prefixes, with guard pages around messages and hashes. With the
// argument `bench`, times them.
//
//   gcc -O3 -o sha256_check sha256_check.c ../../main/c/sha256.c ../../main/c/level.c && ./sha256_check bench
#include "check.h"

#include "../../main/c/sha256.h"
#include "../../main/c/sha256_constants.h"

typedef void kernel(const uint8_t *, int64_t, int64_t, int64_t, int32_t, uint8_t *, int32_t);

static const struct {
  const char *name;
  kernel *hash;
  int32_t level;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_sha256_avx512_gfni, FS_AVX512_GFNI},
    {"avx2", fs_sha256_avx2, FS_AVX2},
#elif defined(__aarch64__)
    {"neon_pmull", fs_sha256_neon_pmull, FS_NEON_PMULL},
#endif
};

static uint32_t rotate(uint32_t a, int bits) { return a >> bits | a << (32 - bits); }

// Follows FIPS 180-4, 6.2.2.
static void plain_hash(const uint8_t *message, int64_t bytes, uint8_t *hash) {
  int64_t padded = (bytes + 9 + 63) / 64 * 64;
  uint8_t *data = calloc(1, padded);
  if (bytes > 0) memcpy(data, message, bytes);
  data[bytes] = 0x80;
  for (int i = 0; i < 8; i++) data[padded - 1 - i] = (uint8_t)((uint64_t)bytes * 8 >> 8 * i);
  uint32_t h[8], w[64];
  memcpy(h, SHA256_START, sizeof h);
  for (int64_t at = 0; at < padded; at += 64) {
    for (int t = 0; t < 16; t++) {
      const uint8_t *p = data + at + 4 * t;
      w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (int t = 16; t < 64; t++) {
      uint32_t s0 = rotate(w[t - 15], 7) ^ rotate(w[t - 15], 18) ^ w[t - 15] >> 3;
      uint32_t s1 = rotate(w[t - 2], 17) ^ rotate(w[t - 2], 19) ^ w[t - 2] >> 10;
      w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
    uint32_t v[8];
    memcpy(v, h, sizeof v);
    for (int t = 0; t < 64; t++) {
      uint32_t s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
      uint32_t t1 = v[7] + s1 + ((v[4] & v[5]) ^ (~v[4] & v[6])) + SHA256_CONSTANTS[t] + w[t];
      uint32_t s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
      uint32_t t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
      for (int i = 7; i > 0; i--) v[i] = v[i - 1];
      v[4] += t1;
      v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++) h[i] += v[i];
  }
  for (int i = 0; i < 32; i++) hash[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
  free(data);
}

static void check_vector(kernel *hash, int32_t extensions, const char *message, int64_t bytes, const char *expected) {
  uint8_t hashes[2 * FS_SHA256_BYTES], plain[FS_SHA256_BYTES];
  char text[65];
  plain_hash((const uint8_t *)message, bytes, plain);
  hash((const uint8_t *)message, 0, 2, bytes, -1, hashes, extensions);
  for (int i = 0; i < 3; i++) {
    const uint8_t *each = i == 2 ? plain : hashes + FS_SHA256_BYTES * i;
    for (int b = 0; b < 32; b++) sprintf(text + 2 * b, "%02x", each[b]);
    if (strcmp(text, expected) != 0) fail("a hash differs from that of the standard");
  }
}

static void check_vectors(kernel *hash, int32_t extensions) {
  check_vector(hash, extensions, "", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  check_vector(hash, extensions, "abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  check_vector(hash, extensions, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  char *million = malloc(1000000);
  memset(million, 'a', 1000000);
  check_vector(hash, extensions, million, 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  free(million);
}

static void check(int k, int32_t extensions, int64_t number, int64_t bytes, int32_t prefix) {
  int64_t pitch = bytes + random_below(3) * random_below(80);
  guarded messages = guard(number == 0 ? 0 : (number - 1) * pitch + bytes, random_below(2));
  guarded hashes = guard(number * FS_SHA256_BYTES, random_below(2));
  uint8_t *message = malloc(bytes + 1), expected[FS_SHA256_BYTES];
  KERNELS[k].hash(messages.data, pitch, number, bytes, prefix, hashes.data, extensions);
  for (int64_t i = 0; i < number; i++) {
    int64_t prefixes = prefix >= 0;
    message[0] = (uint8_t)prefix;
    if (bytes > 0) memcpy(message + prefixes, messages.data + i * pitch, bytes);
    plain_hash(message, bytes + prefixes, expected);
    if (memcmp(expected, hashes.data + i * FS_SHA256_BYTES, FS_SHA256_BYTES) != 0) {
      fprintf(stderr, "%s, extensions %d: message %ld of %ld, %ld bytes, pitch %ld, prefix %d\n", KERNELS[k].name,
              extensions, (long)i, (long)number, (long)bytes, (long)pitch, prefix);
      fail("a hash differs from that of plain loops");
    }
  }
  free(message);
  release(messages);
  release(hashes);
}

static int check_all(int k, int32_t extensions) {
  int calls = 0;
  check_vectors(KERNELS[k].hash, extensions);
  for (int64_t bytes = 0; bytes < 200; bytes++) {
    for (int32_t prefix = -1; prefix < 2; prefix++, calls++) check(k, extensions, random_below(36), bytes, prefix);
  }
  for (int64_t number = 0; number < 50; number++, calls++) check(k, extensions, number, random_below(300), 0);
  for (int i = 0; i < 300; i++, calls++) {
    check(k, extensions, 1 + random_below(40), random_below(5000), (int32_t)random_below(257) - 1);
  }
  return calls;
}

// Bytes a nanosecond.
static double rate(kernel *hash, int32_t extensions, const uint8_t *messages, int64_t number, int64_t bytes) {
  uint8_t hashes[256 * FS_SHA256_BYTES];
  int64_t repeats = 1 + 20000000 / (number * bytes);
  double best = 1e9;
  for (int round = 0; round < 5; round++) {
    double begin = seconds();
    for (int64_t i = 0; i < repeats; i++) hash(messages, bytes, number, bytes, 0, hashes, extensions);
    double time = (seconds() - begin) / repeats;
    best = time < best ? time : best;
  }
  return number * bytes / best * 1e-9;
}

static void bench(int k, int32_t extensions) {
  static const int64_t numbers[] = {1, 2, 3, 4, 5, 6, 8, 11, 16, 32, 128, 256}, sizes[] = {64, 1400, 4096};
  uint8_t *messages = malloc(256 * 4096);
  memset(messages, 7, 256 * 4096);
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    printf("%s, extensions %d, messages of %4ld bytes, GB/s:", KERNELS[k].name, extensions, (long)sizes[s]);
    for (unsigned n = 0; n < sizeof numbers / sizeof *numbers; n++) {
      printf("  %ld: %.2f", (long)numbers[n], rate(KERNELS[k].hash, extensions, messages, numbers[n], sizes[s]));
    }
    printf("\n");
  }
  free(messages);
}

int main(int count, char **arguments) {
  int timing = count > 1 && strcmp(arguments[1], "bench") == 0;
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (KERNELS[k].level > fs_level()) continue;
    for (int32_t extensions = fs_sha256_extensions(); extensions >= 0; extensions--) {
      if (timing) {
        bench(k, extensions);
      } else {
        printf("%-12s extensions %d: the hashes of %d calls equal those of plain loops\n", KERNELS[k].name, extensions,
               check_all(k, extensions));
      }
    }
  }
  return 0;
}
