// Compares the loops of sorting with plain ones, for random items with guard pages on both sides of every buffer, at any
// alignment, also with places that are too few for the items; with the argument `bench`, times them instead.
//
//   gcc -O3 -o sorting_check sorting_check.c ../../main/c/sorting.c && ./sorting_check
//   gcc -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -o ...      the same under sanitizers
//   aarch64-linux-gnu-gcc -O3 -static -o ... && qemu-aarch64 ./sorting_check      on another machine
#include "check.h"

#include "../../main/c/fieldstone.h"

#if defined(__x86_64__)
#define LOOP(name) FS_NAME(fs_sort_##name, avx2)
#else
#define LOOP(name) FS_NAME(fs_sort_##name, neon)
#endif

static const char *const NAMES[] = {"32", "32+32", "64", "64+64"};
static const int SIZES[] = {4, 8, 8, 16};
static const int KEY_BYTES[] = {4, 4, 8, 8};

static uint64_t key_at(int kind, const uint8_t *items, int64_t i) {
  uint64_t key = 0;
  memcpy(&key, items + i * SIZES[kind], KEY_BYTES[kind]);
  return key;
}

static uint64_t signs(int kind) { return 1ULL << (8 * KEY_BYTES[kind] - 1); }
static uint64_t ones(int kind) { return signs(kind) * 2 - 1; }

// Random keys that agree in some bits; some are infinite if they are floating-point numbers. Payloads count.
static void fill_items(int kind, uint8_t *items, int64_t number, int floating) {
  static const int alike[] = {0, 0, 8, 20, 28, 45, 60};
  int high = alike[random_below(7)], low = alike[random_below(7)];
  uint64_t mask = random_below(6) == 0 ? 0x0101010101010101 : (~0ULL >> high) & (~0ULL << low), common = random_word();
  uint64_t infinity = KEY_BYTES[kind] == 4 ? 0x7F800000 : 0x7FF0000000000000;
  for (int64_t i = 0; i < number; i++) {
    uint64_t key = (random_word() & mask) ^ (common & ~mask);
    if (floating && (key & ~signs(kind) & ones(kind)) > infinity) key = infinity | (key & signs(kind));
    memcpy(items + i * SIZES[kind], &key, KEY_BYTES[kind]);
    if (SIZES[kind] > KEY_BYTES[kind]) memcpy(items + i * SIZES[kind] + KEY_BYTES[kind], &i, KEY_BYTES[kind]);
  }
}

static uint64_t ordered(int kind, uint64_t key, uint64_t flips, int floating) {
  if (floating && (key & signs(kind))) key ^= signs(kind) - 1;
  return (key ^ flips) & ones(kind);
}

static void require(int holds, const char *what, int kind, int64_t number) {
  if (!holds) {
    fprintf(stderr, "%s, %ld items of %s\n", what, (long)number, NAMES[kind]);
    fail("differs from the plain loop");
  }
}

static uint64_t random_flips(int kind) {
  uint64_t flips[] = {0, signs(kind), signs(kind) - 1, ones(kind)};
  return flips[random_below(4)];
}

static void check_conversion(int kind, int64_t number) {
  int64_t bytes = number * SIZES[kind];
  int floating = random_below(2), in_place = random_below(2);
  guarded from = guard(bytes, random_below(2)), to = guard(bytes, random_below(2));
  uint64_t flips = random_flips(kind);
  fill_items(kind, from.data, number, floating);
  uint8_t *old = malloc(bytes + 1);
  memcpy(old, from.data, bytes);
  int with_nan = floating && number > 0 && random_below(2);
  if (with_nan) {
    uint64_t nan = ones(kind) ^ (random_below(2) ? signs(kind) : 0);
    memcpy(old + random_below(number) * SIZES[kind], &nan, KEY_BYTES[kind]);
    memcpy(from.data, old, bytes);
  }
  uint8_t *result = in_place ? from.data : to.data;
  int nans = LOOP(read)(from.data, number, kind, (int64_t)flips, floating, result);
  require(nans == with_nan, "NaN", kind, number);
  for (int64_t i = 0; i < number; i++) {
    require(key_at(kind, result, i) == ordered(kind, key_at(kind, old, i), flips, floating), "read", kind, number);
  }
  LOOP(write)(result, number, kind, (int64_t)flips, floating, result);
  require(memcmp(result, old, bytes) == 0, "write in place", kind, number);
  LOOP(read)(result, number, kind, (int64_t)flips, floating, result);
  LOOP(write)(result, number, kind, (int64_t)flips, floating, in_place ? to.data : from.data);
  require(memcmp(in_place ? to.data : from.data, old, bytes) == 0, "write", kind, number);
  free(old);
  release(from);
  release(to);
}

// Some places are missing if places < number: as if keys had changed after they were counted.
static void check_move(int kind, int64_t number, int64_t places) {
  int size = SIZES[kind], bits = random_below(random_below(8) == 0 ? 16 : 10), floating = random_below(2);
  int shift = random_below(8 * KEY_BYTES[kind] - bits + 1);
  shift = shift == 8 * KEY_BYTES[kind] ? 0 : shift;
  uint64_t flips = random_flips(kind);
  int64_t digits = 1 << bits;
  int64_t skew = random_below(3) == 0 ? random_below(16) : 0;
  guarded from = guard(number * size, random_below(2)), to = guard(places * size + skew, random_below(2));
  uint8_t *first = to.data + skew;
  guarded counts = guard(digits * 8, random_below(2)), heads = guard(digits * 8, random_below(2));
  int64_t *counted = (int64_t *)counts.data, *next = (int64_t *)heads.data;
  fill_items(kind, from.data, number, floating);
  memset(counted, 0, digits * 8);
  int nans = LOOP(count)(from.data, number, kind, (int64_t)flips, floating, shift, bits, counted);
  require(!nans, "NaN", kind, number);
  int64_t end = (int64_t)first, sum = 0;
  uint8_t *expected = malloc(number * size + 1);
  int64_t *index = malloc(digits * 8);
  for (int64_t d = 0; d < digits; d++) {
    next[d] = end;
    index[d] = sum;
    end += counted[d] * size;
    sum += counted[d];
  }
  require(sum == number, "counts", kind, number);
  for (int64_t i = 0; i < number; i++) {
    uint64_t key = ordered(kind, key_at(kind, from.data, i), flips, floating);
    uint8_t *place = expected + index[key >> shift & (digits - 1)]++ * size;
    memcpy(place, from.data + i * size, size);
    memcpy(place, &key, KEY_BYTES[kind]);
  }
  int beyond = LOOP(move)(from.data, number, kind, (int64_t)flips, floating, shift, bits, next,
                          (int64_t)first + (places - 1) * size);
  require(beyond == (places < number), "end", kind, number);
  if (places >= number) {
    require(memcmp(first, expected, number * size) == 0, "move", kind, number);
    for (int64_t d = 0; d < digits; d++) {
      require(next[d] == (int64_t)first + index[d] * size, "heads", kind, number);
    }
  }
  free(expected);
  free(index);
  release(from);
  release(to);
  release(counts);
  release(heads);
}

enum { TALLY_BITS = 5, TALLY_SLOTS = 1 << TALLY_BITS, TALLY_BYTES = (5 * TALLY_SLOTS + 1) * 8, MAX_TALLIED = 20 };

// Makes a table without keys; only the counts of 0 and the number of keys need to be 0.
static void clear_tally(int64_t *table) {
  memset(table, 0x5A, TALLY_BYTES);
  memset(table, 0, (TALLY_SLOTS + 4) * 8);
  table[5 * TALLY_SLOTS] = 0;
}

// Returns the count of a key, and 0 if it is in no slot.
static int64_t tallied(const int64_t *table, uint64_t key) {
  for (int slot = 0; slot < TALLY_SLOTS; slot++) {
    const int64_t *own = table + TALLY_SLOTS + 4 * slot;
    if (slot == 0 ? key == 0 : key != 0 && (uint64_t)table[slot] == key) return own[0] + own[1] + own[2] + own[3];
  }
  return 0;
}

// Items of a few different keys, of which 0 may be one: all of them, then with room for fewer keys, and with a NaN.
static void check_tally(int kind, int64_t number) {
  int size = SIZES[kind], floating = random_below(2), most = 1 + random_below(MAX_TALLIED);
  guarded items = guard(number * size, random_below(2)), table = guard(TALLY_BYTES, random_below(2));
  int64_t *slots = (int64_t *)table.data;
  uint64_t flips = random_flips(kind), keys[MAX_TALLIED + 1];
  fill_items(kind, items.data, number, floating);
  uint64_t zero = flips ^ (floating && (flips & signs(kind)) ? signs(kind) - 1 : 0);
  // With the flips of a format, the key 0 is a NaN.
  int with_zero = random_below(2) && !(floating && (zero & (signs(kind) - 1)) == signs(kind) - 1);
  for (int64_t i = 0; i < number; i++) {
    uint8_t *item = items.data + i * size;
    if (with_zero && random_below(4) == 0) {
      memcpy(item, &zero, KEY_BYTES[kind]);
    } else if (i >= most) {
      memcpy(item, items.data + random_below(most) * size, KEY_BYTES[kind]);
    }
  }
  int different = 0, others = 0;
  for (int64_t i = 0; i < number; i++) {
    uint64_t key = ordered(kind, key_at(kind, items.data, i), flips, floating);
    int known = 0;
    for (int k = 0; k < different; k++) known |= keys[k] == key;
    if (known) continue;
    keys[different++] = key;
    others += key != 0;
  }
  int64_t half = number / 2;
  clear_tally(slots);
  require(LOOP(tally)(items.data, half, kind, (int64_t)flips, floating, others, TALLY_BITS, slots) == 0 &&
              LOOP(tally)(items.data + half * size, number - half, kind, (int64_t)flips, floating, others, TALLY_BITS,
                          slots) == 0,
          "tally", kind, number);
  require(slots[5 * TALLY_SLOTS] == others, "number of keys", kind, number);
  for (int k = 0; k < different; k++) {
    int64_t same = 0;
    for (int64_t i = 0; i < number; i++) {
      same += ordered(kind, key_at(kind, items.data, i), flips, floating) == keys[k];
    }
    require(tallied(slots, keys[k]) == same, "tally of a key", kind, number);
  }
  if (others > 0) {
    clear_tally(slots);
    require(LOOP(tally)(items.data, number, kind, (int64_t)flips, floating, others - 1, TALLY_BITS, slots) == 1,
            "too many keys", kind, number);
  }
  if (floating) {
    uint64_t nan = ones(kind) ^ (random_below(2) ? signs(kind) : 0);
    memcpy(items.data + random_below(number) * size, &nan, KEY_BYTES[kind]);
    clear_tally(slots);
    require(LOOP(tally)(items.data, number, kind, (int64_t)flips, 1, MAX_TALLIED + 2, TALLY_BITS, slots) == 1, "tally of NaN",
            kind, number);
  }
  release(items);
  release(table);
}

static void check_run(int kind, int64_t number) {
  int size = SIZES[kind];
  guarded run = guard(number * size, random_below(2)), other = guard(number * size, random_below(2));
  fill_items(kind, run.data, number, 0);
  uint64_t sum = 0, sorted_sum = 0;
  for (int64_t i = 0; i < number; i++) sum += key_at(kind, run.data, i) * 0x9E3779B97F4A7C15 >> 7;
  uint8_t *old = malloc(number * size + 1);
  memcpy(old, run.data, number * size);
  int max_bits = 5 + random_below(8);
  uint8_t *sorted = LOOP(run)(run.data, other.data, number, kind, max_bits) ? other.data : run.data;
  for (int64_t i = 0; i < number; i++) {
    uint64_t key = key_at(kind, sorted, i);
    sorted_sum += key * 0x9E3779B97F4A7C15 >> 7;
    require(i == 0 || key_at(kind, sorted, i - 1) <= key, "order", kind, number);
    if (size > KEY_BYTES[kind]) {
      uint64_t index = 0, before = 0;
      memcpy(&index, sorted + i * size + KEY_BYTES[kind], KEY_BYTES[kind]);
      require(index < (uint64_t)number && key_at(kind, old, (int64_t)index) == key, "payload", kind, number);
      if (i > 0) memcpy(&before, sorted + (i - 1) * size + KEY_BYTES[kind], KEY_BYTES[kind]);
      require(i == 0 || key_at(kind, sorted, i - 1) < key || before < index, "order of equal keys", kind, number);
    }
  }
  require(sum == sorted_sum, "keys", kind, number);
  free(old);
  release(run);
  release(other);
}

static void check_all(int kind) {
  int shapes = 0;
  for (int64_t number = 1; number < 400; number++, shapes += 4) {
    check_conversion(kind, number);
    check_tally(kind, number);
    check_move(kind, number, number);
    check_run(kind, number);
  }
  for (int i = 0; i < 200; i++, shapes += 4) {
    int64_t number = 1 + random_below(i % 20 == 0 ? 100000 : 6000);
    check_conversion(kind, number);
    check_move(kind, number, number);
    check_move(kind, number, random_below(number));
    check_run(kind, number);
  }
  printf("%-5s %d shapes equal the plain loops\n", NAMES[kind], shapes);
}

static void bench(int kind, int64_t number) {
  int size = SIZES[kind];
  int64_t bytes = number * size, run = (128 << 10) / size;
  uint8_t *from = aligned_alloc(64, bytes), *to = aligned_alloc(64, bytes);
  madvise(from, bytes, MADV_HUGEPAGE);
  madvise(to, bytes, MADV_HUGEPAGE);
  fill_random(from, bytes);
  memset(to, 0, bytes);
  printf("%-5s %9ld items, ns:", NAMES[kind], (long)number);
  for (int bits = 6; bits <= 9; bits++) {
    double best[2] = {1, 1};
    for (int round = 0; round < 5; round++) {
      int64_t counts[512] = {0}, heads[512];
      double begin = seconds();
      LOOP(count)(from, number, kind, 0, 0, 8 * KEY_BYTES[kind] - bits, bits, counts);
      double time = seconds() - begin;
      best[0] = time < best[0] ? time : best[0];
      int64_t end = (int64_t)to;
      for (int d = 0; d < 1 << bits; d++) {
        heads[d] = end;
        end += counts[d] * size;
      }
      begin = seconds();
      LOOP(move)(from, number, kind, 0, 0, 8 * KEY_BYTES[kind] - bits, bits, heads, end - size);
      time = seconds() - begin;
      best[1] = time < best[1] ? time : best[1];
    }
    printf("  %d bits: count %.2f, move %.2f;", bits, best[0] / number * 1e9, best[1] / number * 1e9);
  }
  for (int max_bits = 8; max_bits <= 11; max_bits++) {
    double best = 1;
    for (int round = 0; round < 5; round++) {
      memcpy(to, from, bytes);
      double begin = seconds();
      for (int64_t i = 0; i + 2 * run <= number; i += 2 * run) {
        LOOP(run)(to + i * size, to + (i + run) * size, run, kind, max_bits);
      }
      double time = (seconds() - begin) / (number / (2 * run) * run);
      best = time < best ? time : best;
    }
    printf("  run of 128 KiB, %d bits %.2f;", max_bits, best * 1e9);
  }
  printf("\n");
  free(from);
  free(to);
}

int main(int count, char **arguments) {
  for (int kind = 0; kind < 4; kind++) {
    if (count > 1 && strcmp(arguments[1], "bench") == 0) {
      bench(kind, 1 << 20);
      bench(kind, 10 << 20);
    } else {
      check_all(kind);
    }
  }
  return 0;
}
