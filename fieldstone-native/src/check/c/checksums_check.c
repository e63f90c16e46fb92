// Compares the division of each level of this machine with division bit by bit: every degree, both orders of bits,
// random polynomials, lengths and registers, with guard pages around the messages. With the argument `bench`, times it.
//
//   gcc -O3 -o checksums_check checksums_check.c ../../main/c/checksums.c ../../main/c/level.c && ./checksums_check
//   gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o ...      the same under sanitizers
//   aarch64-linux-gnu-gcc -O3 -static -o ... && qemu-aarch64 ./checksums_check    PMULL on another machine
#include "check.h"

#include "../../main/c/fieldstone.h"

typedef uint64_t kernel(const uint64_t *, uint64_t, const uint8_t *, int64_t, int32_t);

static const struct {
  const char *name;
  kernel *divide;
  int32_t level;
} KERNELS[] = {
#if defined(__x86_64__)
    {"avx512_gfni", fs_divide_avx512_gfni, FS_AVX512_GFNI},
    {"avx2_gfni", fs_divide_avx2_gfni, FS_AVX2_GFNI},
    {"avx2", fs_divide_avx2, FS_AVX2},
#elif defined(__aarch64__)
    {"neon_pmull", fs_divide_neon_pmull, FS_NEON_PMULL},
#endif
};

// Polynomials modulo x^degree + terms.
typedef struct {
  int degree;
  uint64_t terms;
} modulus;

static uint64_t mask(int degree) { return ~(uint64_t)0 >> (64 - degree); }

static uint64_t times_x(modulus g, uint64_t a) {
  return (a << 1 & mask(g.degree)) ^ (a >> (g.degree - 1) & 1 ? g.terms : 0);
}

static uint64_t x_to_the(modulus g, int exponent) {
  uint64_t power = g.degree == 1 ? 1 : 2;
  if (exponent == 0) return 1;
  if (g.degree == 1) return g.terms;
  for (int i = 1; i < exponent; i++) power = times_x(g, power);
  return power;
}

static uint64_t reversed(uint64_t a) {
  uint64_t result = 0;
  for (int bit = 0; bit < 64; bit++) result |= (a >> bit & 1) << (63 - bit);
  return result;
}

static void make_powers(modulus g, int high_first, uint64_t *powers) {
  for (int i = 0; i < 6; i++) {
    int distance = 128 << i;
    powers[2 * i] = high_first ? x_to_the(g, distance) : reversed(x_to_the(g, distance + 63));
    powers[2 * i + 1] = high_first ? x_to_the(g, distance + 64) : reversed(x_to_the(g, distance - 1));
  }
  modulus divisor = {64, g.terms << (64 - g.degree)};
  uint64_t quotient = 0, rest = divisor.terms;
  for (int bit = 0; bit < 64; bit++) {
    quotient = quotient << 1 | rest >> 63;
    rest = times_x(divisor, rest);
  }
  powers[12] = powers[13] = high_first ? x_to_the(divisor, 128) : reversed(x_to_the(divisor, 127));
  powers[14] = high_first ? divisor.terms : reversed(divisor.terms);
  powers[15] = high_first ? quotient : reversed(quotient);
}

static uint64_t overlay(modulus g, int high_first, uint64_t value) {
  return high_first ? __builtin_bswap64(value << (64 - g.degree)) : reversed(value) >> (64 - g.degree);
}

static uint64_t divide_bits(modulus g, int high_first, uint64_t value, const uint8_t *message, int64_t bytes) {
  for (int64_t i = 0; i < 8 * bytes; i++) {
    int bit = message[i / 8] >> (high_first ? 7 - i % 8 : i % 8) & 1;
    value ^= (uint64_t)bit << (g.degree - 1);
    value = times_x(g, value);
  }
  return value;
}

static void check(int k, modulus g, int high_first, const uint64_t *powers, int64_t bytes) {
  guarded message = guard(bytes, random_below(2));
  uint64_t start = random_word() & mask(g.degree);
  uint64_t expected = overlay(g, high_first, divide_bits(g, high_first, start, message.data, bytes));
  uint64_t found = KERNELS[k].divide(powers, overlay(g, high_first, start), message.data, bytes, high_first);
  if (found != expected) {
    fprintf(stderr, "%s: degree=%d high_first=%d bytes=%ld\n", KERNELS[k].name, g.degree, high_first, (long)bytes);
    fail("the remainder differs from that of division bit by bit");
  }
  release(message);
}

static void check_all(int k) {
  static const int64_t lengths[] = {8, 15, 16, 17, 63, 64, 65, 127, 128, 256, 511, 512, 513, 519, 520, 1024, 1031, 4096};
  int messages = 0;
  for (int degree = 1; degree <= 64; degree++) {
    for (int high_first = 0; high_first < 2; high_first++) {
      modulus g = {degree, (random_word() & mask(degree)) | 1};
      uint64_t powers[16];
      make_powers(g, high_first, powers);
      for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++, messages++) {
        check(k, g, high_first, powers, lengths[i]);
      }
      for (int i = 0; i < 20; i++, messages++) check(k, g, high_first, powers, 8 + random_below(i < 10 ? 600 : 5000));
    }
  }
  printf("%-12s %d remainders equal those of division bit by bit\n", KERNELS[k].name, messages);
}

// Bytes a nanosecond.
static double rate(int k, int high_first, const uint8_t *message, int64_t bytes) {
  uint64_t powers[16], value = 0;
  make_powers((modulus){32, 0x04C11DB7}, high_first, powers);
  int64_t repeats = 1 + (bytes < 4096 ? 20000000 : 400000000) / bytes;
  double best = 1e9;
  for (int round = 0; round < 9; round++) {
    double begin = seconds();
    for (int64_t i = 0; i < repeats; i++) value = KERNELS[k].divide(powers, value, message, bytes, high_first);
    double time = (seconds() - begin) / repeats;
    best = time < best ? time : best;
  }
  volatile uint64_t sink = value;
  (void)sink;
  return bytes / best * 1e-9;
}

int main(int count, char **arguments) {
  int bench = count > 1 && strcmp(arguments[1], "bench") == 0;
  static const int64_t sizes[] = {64, 128, 256, 512, 1500, 4096, 1 << 16, 1 << 20, 1 << 26};
  uint8_t *message = malloc(1 << 26);
  memset(message, 7, 1 << 26);
  for (unsigned k = 0; k < sizeof KERNELS / sizeof *KERNELS; k++) {
    if (KERNELS[k].level > fs_level()) continue;
    if (!bench) {
      check_all(k);
      continue;
    }
    for (int high_first = 0; high_first < 2; high_first++) {
      printf("%s, %s bit first, GB/s:", KERNELS[k].name, high_first ? "high" : "low");
      for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        printf("  %ld B %.1f", (long)sizes[s], rate(k, high_first, message, sizes[s]));
      }
      printf("\n");
    }
  }
  free(message);
  return 0;
}
