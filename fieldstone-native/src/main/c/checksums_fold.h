// The loop of fs_divide_LEVEL, included once for each level by checksums.c, which defines LEVEL, TARGET, VECTOR,
// VECTOR_BYTES and the operations on vectors for the level, and those on lanes for the architecture.
//
// A lane of 16 bytes is a polynomial A = H x^64 + L. Modulo G it is congruent to H (x^(d+64) mod G) + L (x^d mod G) in
// the lane that begins d bits later: two carry-less products and two sums. So SUMS vectors step through the message,
// are folded into one vector, and that into one lane. The powers of x come from the caller.
//
// The last bits of a message have the lowest powers of x. If the low bit of a byte is read first, a lane is a polynomial
// with its bits in reverse; a product of two such is x times too small, for which the powers make up. Else the bytes of
// each lane are reversed after loading.

#define CONCAT_(a, b) a##_##b
#define CONCAT(a, b) CONCAT_(a, b)
#define OF(name) CONCAT(name, LEVEL)
#define STEP_BYTES (SUMS * VECTOR_BYTES)

FS_INLINE TARGET VECTOR OF(load)(const uint8_t *address, int high_first) {
  VECTOR a = LOAD(address);
  return high_first ? REVERSE(a) : a;
}

// Returns the overlay of the register after the lane `a`: A x^64 modulo D = G x^(64 - degree), by Barrett's reduction.
FS_INLINE TARGET uint64_t OF(remainder)(LANE a, const uint64_t *last, int high_first) {
  LANE powers = LANE_LOAD(last);       // x^128 mod D, twice
  LANE divisor = LANE_LOAD(last + 2);  // D and x^128 / D, without their terms x^64
  if (high_first) {
    LANE b = LANE_XOR(LANE_MULTIPLY_HIGH(a, powers), LANE_OF(0, LANE_LOW(a)));
    uint64_t quotient = LANE_HIGH(b) ^ LANE_HIGH(LANE_MULTIPLY_HIGH(b, divisor));
    return __builtin_bswap64(LANE_LOW(b) ^ LANE_LOW(LANE_MULTIPLY_LOW(LANE_OF(quotient, 0), divisor)));
  }
  LANE b = LANE_XOR(LANE_MULTIPLY_LOW(a, powers), LANE_OF(LANE_HIGH(a), 0));
  uint64_t quotient = LANE_LOW(b) ^ LANE_LOW(LANE_MULTIPLY_LOW(b, LANE_OF(LANE_HIGH(divisor), 0))) << 1;
  LANE product = LANE_MULTIPLY_LOW(LANE_OF(quotient, 0), divisor);
  return LANE_HIGH(b) ^ (LANE_HIGH(product) << 1 | LANE_LOW(product) >> 63);
}

FS_INLINE TARGET uint64_t OF(divide)(const uint64_t *powers, uint64_t overlay, const uint8_t *message,
                                       int64_t bytes, int high_first) {
  // Zeros before a message change no remainder. They complete its head, after which it is whole steps.
  int64_t head = bytes & (STEP_BYTES - 1);
  uint8_t first[STEP_BYTES + VECTOR_BYTES] __attribute__((aligned(64)));
  for (int i = 0; i <= SUMS; i++) STORE(first + i * VECTOR_BYTES, ZERO());
  uint8_t *begin = first + STEP_BYTES - head;
  int64_t done = 0;
  for (; done < (head & 7); done++) begin[done] = message[done];
  for (; done < (head & (VECTOR_BYTES - 1)); done += 8) *(any_word *)(begin + done) = *(const any_word *)(message + done);
  for (; done < head; done += VECTOR_BYTES) STORE(begin + done, LOAD(message + done));
  *(any_word *)begin ^= overlay;

  VECTOR sums[SUMS];
  for (int i = 0; i < SUMS; i++) sums[i] = OF(load)(first + i * VECTOR_BYTES, high_first);
  // The part of the register beyond the head.
  VECTOR late = OF(load)(first + STEP_BYTES, high_first);
  VECTOR step = REPEAT(LANE_LOAD(POWERS_AT(STEP_BYTES)));
  for (const uint8_t *at = message + head; at < message + bytes; at += STEP_BYTES) {
    for (int i = 0; i < SUMS; i++) sums[i] = FOLD(sums[i], step, OF(load)(at + i * VECTOR_BYTES, high_first));
    sums[0] = XOR(sums[0], late);
    late = ZERO();
  }

  for (int half = SUMS / 2; half > 0; half /= 2) {
    VECTOR distance = REPEAT(LANE_LOAD(POWERS_AT(half * VECTOR_BYTES)));
    for (int i = 0; i < half; i++) sums[i] = FOLD(sums[i], distance, sums[i + half]);
  }
  STORE(first, sums[0]);
  LANE lanes[VECTOR_BYTES / LANE_BYTES];
  for (int i = 0; i < VECTOR_BYTES / LANE_BYTES; i++) lanes[i] = LANE_LOAD(first + i * LANE_BYTES);
  for (int half = VECTOR_BYTES / LANE_BYTES / 2; half > 0; half /= 2) {
    LANE distance = LANE_LOAD(POWERS_AT(half * LANE_BYTES));
    for (int i = 0; i < half; i++) lanes[i] = LANE_FOLD(lanes[i], distance, lanes[i + half]);
  }
  return OF(remainder)(lanes[0], POWERS_AT(MAX_DISTANCE) + 2, high_first);
}

TARGET uint64_t OF(fs_divide)(const uint64_t *powers, uint64_t overlay, const uint8_t *message, int64_t bytes,
                                int32_t high_first) {
  return high_first ? OF(divide)(powers, overlay, message, bytes, 1)
                    : OF(divide)(powers, overlay, message, bytes, 0);
}

#undef LEVEL
#undef TARGET
#undef VECTOR
#undef VECTOR_BYTES
#undef ZERO
#undef LOAD
#undef STORE
#undef REPEAT
#undef REVERSE
#undef XOR
#undef FOLD
