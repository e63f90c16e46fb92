// The loops over items of one KIND, with a WORD for the key. Included by sorting.c.

#define NAME(name) FS_NAME(name, KIND)
#define WORD_BITS (8 * (int)sizeof(WORD))
#define SIZE ((int)sizeof(ITEM))
#define SIGN ((WORD)1 << (WORD_BITS - 1))

// All bits but the sign if the key is negative, else 0.
FS_INLINE WORD NAME(magnitude)(WORD key) { return (key & SIGN) - (key >> (WORD_BITS - 1)); }

FS_INLINE WORD NAME(ordered)(WORD key, WORD flips, int floating) {
  return floating ? key ^ NAME(magnitude)(key) ^ flips : key ^ flips;
}

// Returns the key as it was before ordered.
FS_INLINE WORD NAME(restored)(WORD key, WORD flips, int floating) {
  WORD flipped = key ^ flips;
  return floating ? flipped ^ NAME(magnitude)(flipped) : flipped;
}

// Returns a number whose sign is set if the key is NaN.
FS_INLINE WORD NAME(nan)(WORD key) {
  WORD infinity = WORD_BITS == 32 ? (WORD)0x7F800000 : (WORD)0x7FF0000000000000;
  return (key & ~SIGN) + (SIGN - 1 - infinity);
}

// Reads an item once.
FS_INLINE ITEM NAME(item)(const uint8_t *items, int64_t i) { return *(const ITEM_AT *)(items + i * SIZE); }

FS_INLINE TARGET int32_t NAME(count_coded)(const uint8_t *items, int64_t number, WORD flips, int floating, int shift,
                                           int bits, int64_t *counts) {
  // Two counts of each digit, as one that was just increased is not ready again at once.
  uint32_t even[1 << MAX_BITS], odd[1 << MAX_BITS];
  uint32_t mask = (1u << bits) - 1;
  for (uint32_t digit = 0; digit <= mask; digit++) even[digit] = odd[digit] = 0;
  WORD nans = 0;
  int64_t i = 0;
  for (; i + 1 < number; i += 2) {
    WORD one = KEY(NAME(item)(items, i)), next = KEY(NAME(item)(items, i + 1));
    if (floating) nans |= NAME(nan)(one) | NAME(nan)(next);
    even[NAME(ordered)(one, flips, floating) >> shift & mask]++;
    odd[NAME(ordered)(next, flips, floating) >> shift & mask]++;
  }
  if (i < number) {
    WORD last = KEY(NAME(item)(items, i));
    if (floating) nans |= NAME(nan)(last);
    even[NAME(ordered)(last, flips, floating) >> shift & mask]++;
  }
  for (uint32_t digit = 0; digit <= mask; digit++) counts[digit] += (int64_t)even[digit] + odd[digit];
  return (nans & SIGN) != 0;
}

// Counts items by a digit of any length.
FS_INLINE TARGET int32_t NAME(count_long)(const uint8_t *items, int64_t number, WORD flips, int floating, int shift,
                                          int bits, int64_t *counts) {
  WORD mask = ((WORD)1 << bits) - 1;
  WORD nans = 0;
  for (int64_t i = 0; i < number; i++) {
    WORD key = KEY(NAME(item)(items, i));
    if (floating) nans |= NAME(nan)(key);
    counts[NAME(ordered)(key, flips, floating) >> shift & mask]++;
  }
  return (nans & SIGN) != 0;
}

static TARGET int32_t NAME(count)(const uint8_t *items, int64_t number, int64_t flips, int32_t floating, int32_t shift,
                                  int32_t bits, int64_t *counts) {
  if (bits > MAX_BITS) return NAME(count_long)(items, number, (WORD)flips, floating, shift, bits, counts);
  return floating ? NAME(count_coded)(items, number, (WORD)flips, 1, shift, bits, counts)
                  : NAME(count_coded)(items, number, (WORD)flips, 0, shift, bits, counts);
}

// Counts items by their keys in a table of slots, most of which are free: so few keys share a slot that the branch is
// foreseen. Items take the four counts of a key in turns: a count that was just increased is not ready again at once.
FS_INLINE TARGET int32_t NAME(tally_coded)(const uint8_t *items, int64_t number, WORD flips, int floating, int most,
                                           int bits, int64_t *table) {
  int64_t *counts = table + ((int64_t)1 << bits);
#pragma GCC unroll 4
  for (int64_t i = 0; i < number; i++) {
    WORD word = KEY(NAME(item)(items, i));
    uint64_t key = NAME(ordered)(word, flips, floating);
    int64_t slot = (int64_t)(key * FS_TALLY_FACTOR >> (64 - bits));
    if (__builtin_expect((uint64_t)table[slot] != key, 0)) {
      int is_nan = floating && (NAME(nan)(word) & SIGN) != 0;
      slot = slot_from(slot, key, is_nan ? 0 : most, bits, table);
      if (slot < 0) return 1;
    }
    counts[4 * slot + (i & 3)]++;
  }
  // The key 0, which no branch was taken for, may be a NaN too.
  int is_nan = floating && (NAME(nan)(NAME(restored)(0, flips, 1)) & SIGN) != 0;
  return is_nan && (counts[0] | counts[1] | counts[2] | counts[3]) != 0;
}

static TARGET int32_t NAME(tally)(const uint8_t *items, int64_t number, int64_t flips, int32_t floating, int32_t most,
                                  int32_t bits, int64_t *table) {
  return floating ? NAME(tally_coded)(items, number, (WORD)flips, 1, most, bits, table)
                  : NAME(tally_coded)(items, number, (WORD)flips, 0, most, bits, table);
}

FS_INLINE TARGET int32_t NAME(move_coded)(const uint8_t *items, int64_t number, WORD flips, int floating, int shift,
                                          int bits, int64_t *heads, int64_t last) {
  uint32_t mask = (1u << bits) - 1;
  for (int64_t i = 0; i < number; i++) {
    ITEM item = NAME(item)(items, i);
    WORD key = NAME(ordered)(KEY(item), flips, floating);
    uint32_t digit = (uint32_t)(key >> shift) & mask;
    int64_t head = heads[digit];
    if (head > last) return 1;
    heads[digit] = head + SIZE;
    *(ITEM_AT *)head = WITH_KEY(item, key);
    fetch_for_stores(head + LINE_BYTES);
  }
  return 0;
}

static TARGET int32_t NAME(move_items)(const uint8_t *items, int64_t number, int64_t flips, int32_t floating,
                                       int32_t shift, int32_t bits, int64_t *heads, int64_t last) {
  return floating ? NAME(move_coded)(items, number, (WORD)flips, 1, shift, bits, heads, last)
                  : NAME(move_coded)(items, number, (WORD)flips, 0, shift, bits, heads, last);
}

FS_INLINE TARGET int32_t NAME(read_coded)(const uint8_t *items, int64_t number, WORD flips, int floating, uint8_t *to) {
  WORD nans = 0;
  for (int64_t i = 0; i < number; i++) {
    ITEM item = NAME(item)(items, i);
    if (floating) nans |= NAME(nan)(KEY(item));
    *(ITEM_AT *)(to + i * SIZE) = WITH_KEY(item, NAME(ordered)(KEY(item), flips, floating));
  }
  return (nans & SIGN) != 0;
}

// Work in place has loops of its own: with two addresses, the compiler uses vectors only if they are far apart.
static TARGET int32_t NAME(read_items)(const uint8_t *items, int64_t number, int64_t flips, int32_t floating,
                                       uint8_t *to) {
  if (floating) {
    return to == items ? NAME(read_coded)(to, number, (WORD)flips, 1, to)
                       : NAME(read_coded)(items, number, (WORD)flips, 1, to);
  }
  return to == items ? NAME(read_coded)(to, number, (WORD)flips, 0, to)
                     : NAME(read_coded)(items, number, (WORD)flips, 0, to);
}

FS_INLINE TARGET void NAME(write_coded)(const uint8_t *items, int64_t number, WORD flips, int floating, uint8_t *to) {
  for (int64_t i = 0; i < number; i++) {
    ITEM item = NAME(item)(items, i);
    *(ITEM_AT *)(to + i * SIZE) = WITH_KEY(item, NAME(restored)(KEY(item), flips, floating));
  }
}

static TARGET void NAME(write_items)(const uint8_t *items, int64_t number, int64_t flips, int32_t floating,
                                     uint8_t *to) {
  if (floating && to == items) {
    NAME(write_coded)(to, number, (WORD)flips, 1, to);
  } else if (floating) {
    NAME(write_coded)(items, number, (WORD)flips, 1, to);
  } else if (to == items) {
    NAME(write_coded)(to, number, (WORD)flips, 0, to);
  } else {
    NAME(write_coded)(items, number, (WORD)flips, 0, to);
  }
}

// Returns the bits in which keys differ.
static TARGET WORD NAME(differing)(const uint8_t *items, int64_t number) {
  WORD first = KEY(NAME(item)(items, 0));
  WORD differing = 0;
  for (int64_t i = 0; i < number; i++) differing |= KEY(NAME(item)(items, i)) ^ first;
  return differing;
}

FS_INLINE uint32_t NAME(digit)(ITEM item, int shift, uint32_t mask) { return (uint32_t)(KEY(item) >> shift) & mask; }

// Counts items by a digit and moves them. Takes an item of each half in turns, with counts of each half: a count that was
// just increased is not ready again at once, and many keys of a skewed distribution have the digit of their neighbours.
static TARGET void NAME(scatter)(const uint8_t *from, uint8_t *to, int64_t number, int shift, int bits) {
  uint32_t ends[1 << MAX_BITS], later_ends[1 << MAX_BITS];
  uint32_t mask = (1u << bits) - 1;
  int64_t half = number / 2;
  const uint8_t *later = from + half * SIZE;
  for (uint32_t digit = 0; digit <= mask; digit++) ends[digit] = later_ends[digit] = 0;
  for (int64_t i = 0; i < half; i++) {
    ends[NAME(digit)(NAME(item)(from, i), shift, mask)]++;
    later_ends[NAME(digit)(NAME(item)(later, i), shift, mask)]++;
  }
  if (number % 2 != 0) later_ends[NAME(digit)(NAME(item)(later, half), shift, mask)]++;
  uint32_t sum = 0;
  for (uint32_t digit = 0; digit <= mask; digit++) {
    uint32_t count = ends[digit], later_count = later_ends[digit];
    ends[digit] = sum;
    later_ends[digit] = sum + count;
    sum += count + later_count;
  }
  for (int64_t i = 0; i < half; i++) {
    ITEM item = NAME(item)(from, i), later_item = NAME(item)(later, i);
    *(ITEM_AT *)(to + (int64_t)ends[NAME(digit)(item, shift, mask)]++ * SIZE) = item;
    *(ITEM_AT *)(to + (int64_t)later_ends[NAME(digit)(later_item, shift, mask)]++ * SIZE) = later_item;
  }
  if (number % 2 != 0) {
    ITEM last = NAME(item)(later, half);
    *(ITEM_AT *)(to + (int64_t)later_ends[NAME(digit)(last, shift, mask)]++ * SIZE) = last;
  }
}

// Sorts by insertion, and stops after too many moves. Returns whether all items are sorted.
static TARGET int NAME(insert)(uint8_t *items, int64_t number, int64_t moves) {
  for (int64_t i = 1; i < number; i++) {
    ITEM item = NAME(item)(items, i);
    if (KEY(NAME(item)(items, i - 1)) <= KEY(item)) continue;
    int64_t hole = i;
    do {
      *(ITEM_AT *)(items + hole * SIZE) = NAME(item)(items, hole - 1);
      hole--;
    } while (hole > 0 && KEY(NAME(item)(items, hole - 1)) > KEY(item));
    *(ITEM_AT *)(items + hole * SIZE) = item;
    moves -= i - hole;
    if (moves < 0) return 0;
  }
  return 1;
}

// Sorts by the digits between two bits of the keys, the lowest first. Returns whether the result is in the other buffer.
static TARGET int NAME(sort_digits)(uint8_t *run, uint8_t *other, int64_t number, WORD differing, int low, int passes) {
  int top = bit_length(differing);
  int is_other = 0;
  for (int pass = 0, shift = low; pass < passes; pass++) {
    int bits = (top - shift + passes - pass - 1) / (passes - pass);
    uint32_t mask = (1u << bits) - 1;
    if ((differing >> shift & mask) != 0) {
      NAME(scatter)(is_other ? other : run, is_other ? run : other, number, shift, bits);
      is_other = !is_other;
    }
    shift += bits;
  }
  return is_other;
}

// Returns the number of highest digits after which few keys agree. How often keys agree in the first is estimated from
// samples, since floating-point numbers often share exponents; the other digits are assumed to be uniform. Above half a key,
// insertion often takes so many moves that all digits are sorted after it.
static TARGET int NAME(digits_before_insertion)(const uint8_t *run, int64_t number, int top, int bits) {
  WORD digits[SAMPLES];
  int shift = top > bits ? top - bits : 0;
  for (int i = 0; i < SAMPLES; i++) digits[i] = KEY(NAME(item)(run, i * number / SAMPLES)) >> shift;
  int64_t alike = 0;
  for (int i = 0; i < SAMPLES; i++) {
    for (int j = 0; j < i; j++) alike += digits[i] == digits[j];
  }
  int64_t eighths = 8 * number * alike / (SAMPLES * (SAMPLES - 1) / 2);
  int more = 1;
  for (; eighths > MAX_ALIKE_EIGHTHS; eighths >>= bits) more++;
  return more < MIN_DIGITS ? MIN_DIGITS : more;
}

static TARGET int32_t NAME(sort_run)(uint8_t *run, uint8_t *other, int64_t number, int max_bits) {
  if (number <= MAX_INSERTED) {
    NAME(insert)(run, number, INT64_MAX);
    return 0;
  }
  WORD differing = NAME(differing)(run, number);
  if (differing == 0) return 0;
  int bits = bit_length((uint64_t)number) - SPARE_BITS;
  bits = bits < MIN_DIGIT_BITS ? MIN_DIGIT_BITS : bits > max_bits ? max_bits : bits;
  int min = __builtin_ctzll(differing);
  int top = bit_length(differing);
  int digits = NAME(digits_before_insertion)(run, number, top, bits);
  // Digits of one bit more are better than insertion.
  int low = top - min <= digits * (bits + 1) ? min : top - digits * bits;
  int passes = (top - low + bits - 1) / bits;
  if (passes > digits) passes = digits;
  int is_other = NAME(sort_digits)(run, other, number, differing, low, passes);
  if (low == min) return is_other;
  uint8_t *sorted = is_other ? other : run;
  if (NAME(insert)(sorted, number, number * MOVES_PER_ITEM)) return is_other;
  return is_other ^ NAME(sort_digits)(sorted, is_other ? run : other, number, differing, min,
                                      (top - min + bits - 1) / bits);
}

#undef NAME
#undef WORD_BITS
#undef SIZE
#undef SIGN
#undef KIND
#undef WORD
#undef ITEM
#undef ITEM_AT
#undef KEY
#undef WITH_KEY
