// The loops of sorting over items of one kind: a key, alone or with a payload of its size after it. A key is an
// unsigned number; keys of callers are converted to such numbers of the same order where they are read. sorting_items.h
// has the loops, and is included for each kind. All sorts are stable.
//
// The loops are scalar. Sorting networks in AVX-512 registers take longer than two digits of ten bits and insertion; only
// below 2000 keys of 32 bits alone are they faster, which the JDK sorts with AVX-512. BMI2 has the shifts without flags.
//
// A caller's memory may change at any time. So an item that is moved is read once, and its place is compared with the
// end of the destination before it is stored.
#include "fieldstone.h"

// Bytes of a line of the cache.
#define LINE_BYTES 64

// Maximum bits of a digit, except that longer ones are counted too.
#define MAX_BITS 12

// Runs are sorted by their highest digits and then by insertion, as RunSort.java does: the number of items that are only
// inserted; the minimum bits of a digit, which may have one more; by how many bits a digit is shorter than the number of
// items; samples for the number of digits; its minimum; other keys, in eighths, with which a key agrees in all of them; and
// moves of insertion per item after which the items are sorted by all digits.
#define MAX_INSERTED 24
#define MIN_DIGIT_BITS 5
#define SPARE_BITS 3
#define SAMPLES 32
#define MIN_DIGITS 2
#define MAX_ALIKE_EIGHTHS 4
#define MOVES_PER_ITEM 2

typedef uint32_t u32 __attribute__((may_alias, aligned(1)));
typedef uint64_t u64 __attribute__((may_alias, aligned(1)));
typedef struct __attribute__((may_alias, packed)) {
  uint64_t key, rest;
} pair64;

// Loads the line of an address, which may be anywhere, for stores to come. On Intel, moves to 128 places and more so take
// a third of the time: the processor foresees the next lines of some 64 places only. On AMD it makes no difference.
FS_INLINE void fetch_for_stores(int64_t address) { __builtin_prefetch((const void *)address, 1, 3); }

FS_INLINE int bit_length(uint64_t word) { return word == 0 ? 0 : 64 - __builtin_clzll(word); }

// Returns the slot of a key in a table of FS_SORT_TALLY, from its first one on. Adds the key if it is new, or returns -1 if
// there are `most` keys.
static __attribute__((noinline)) int64_t slot_from(int64_t slot, uint64_t key, int64_t most, int bits, int64_t *table) {
  int64_t slots = (int64_t)1 << bits, *counts = table + slots, *keys = table + 5 * slots;
  while ((uint64_t)table[slot] != key) {
    if (slot != 0 && table[slot] == 0) {
      if (*keys >= most) return -1;
      ++*keys;
      table[slot] = (int64_t)key;
      for (int i = 0; i < 4; i++) counts[4 * slot + i] = 0;
      return slot;
    }
    slot = (slot + 1) & (slots - 1);
  }
  return slot;
}

#if defined(__x86_64__)

#define LEVEL avx2
// PREFETCHW is no operation on processors of this level without it.
#define TARGET __attribute__((target("avx2,bmi2,pclmul,prfchw")))

#elif defined(__aarch64__)

#define LEVEL neon
#define TARGET

#endif

#define KIND key32
#define WORD uint32_t
#define ITEM uint32_t
#define ITEM_AT u32
#define KEY(item) (item)
#define WITH_KEY(item, key) (key)
#include "sorting_items.h"

#define KIND pair32
#define WORD uint32_t
#define ITEM uint64_t
#define ITEM_AT u64
#define KEY(item) ((uint32_t)(item))
#define WITH_KEY(item, key) (((item) & ~(uint64_t)UINT32_MAX) | (key))
#include "sorting_items.h"

#define KIND key64
#define WORD uint64_t
#define ITEM uint64_t
#define ITEM_AT u64
#define KEY(item) (item)
#define WITH_KEY(item, key) (key)
#include "sorting_items.h"

#define KIND pair64
#define WORD uint64_t
#define ITEM pair64
#define ITEM_AT pair64
#define KEY(item) ((item).key)
#define WITH_KEY(item, new_key) ((pair64){(new_key), (item).rest})
#include "sorting_items.h"

// Calls the loop for a kind.
#define CALL(name, ...)                                \
  (kind == FS_KEY32    ? name##_key32(__VA_ARGS__)     \
   : kind == FS_PAIR32 ? name##_pair32(__VA_ARGS__)    \
   : kind == FS_KEY64  ? name##_key64(__VA_ARGS__)     \
                       : name##_pair64(__VA_ARGS__))

FS_SORT_COUNT(LEVEL) { return CALL(count, items, number, flips, floating, shift, bits, counts); }

FS_SORT_TALLY(LEVEL) { return CALL(tally, items, number, flips, floating, most, bits, table); }

FS_SORT_MOVE(LEVEL) {
  return CALL(move_items, items, number, flips, floating, shift, bits, heads, last);
}

FS_SORT_READ(LEVEL) { return CALL(read_items, items, number, flips, floating, to); }

FS_SORT_WRITE(LEVEL) { CALL(write_items, items, number, flips, floating, to); }

FS_SORT_RUN(LEVEL) {
  // A digit may have a bit more.
  if (max_bits >= MAX_BITS) max_bits = MAX_BITS - 1;
  return CALL(sort_run, run, other, number, max_bits);
}
