// Hashes messages at once, one in each 32-bit lane of one vector or two; with two, one computes while the other waits.
// sha256.c defines the operations of a level: VECTOR, LANES, VECTORS, ADD, XOR3, CHOOSE, MAJORITY, ROTATE, SHIFT, REPEAT,
// and LOAD_WORDS, which loads word i of all blocks into vector i.

#define SUM_0(a) XOR3(ROTATE(a, 2), ROTATE(a, 13), ROTATE(a, 22))
#define SUM_1(e) XOR3(ROTATE(e, 6), ROTATE(e, 11), ROTATE(e, 25))
#define MIX_0(w) XOR3(ROTATE(w, 7), ROTATE(w, 18), SHIFT(w, 3))
#define MIX_1(w) XOR3(ROTATE(w, 17), ROTATE(w, 19), SHIFT(w, 10))

// Adds `late`, which the next round waits for, last.
#define ROUND(a, b, c, d, e, f, g, h, word, t)                       \
  do {                                                               \
    VECTOR early = ADD(h, ADD(word, REPEAT(SHA256_CONSTANTS[t])));   \
    VECTOR late = ADD(SUM_1(e), CHOOSE(e, f, g));                    \
    d = ADD(ADD(d, early), late);                                    \
    h = ADD(ADD(early, late), ADD(SUM_0(a), MAJORITY(a, b, c)));     \
  } while (0)

#define NEXT_WORD(w, i) \
  w[i] = ADD(ADD(w[i], MIX_0(w[((i) + 1) & 15])), ADD(w[((i) + 9) & 15], MIX_1(w[((i) + 14) & 15])))

// Round t + i of all vectors; the state turns by one word a round.
FS_INLINE TARGET void FS_NAME(rounds, LEVEL)(const int vectors, const int i, VECTOR s[][8], VECTOR w[][16], int t) {
#pragma GCC unroll 2
  for (int v = 0; v < vectors; v++) {
    if (t > 0) NEXT_WORD(w[v], i);
    VECTOR *r = s[v];
    ROUND(r[-i & 7], r[(1 - i) & 7], r[(2 - i) & 7], r[(3 - i) & 7], r[(4 - i) & 7], r[(5 - i) & 7], r[(6 - i) & 7],
          r[(7 - i) & 7], w[v][i], t + i);
  }
}

FS_INLINE TARGET void FS_NAME(rounds_16, LEVEL)(const int vectors, VECTOR s[][8], VECTOR w[][16], int t) {
#pragma GCC unroll 16
  for (int i = 0; i < 16; i++) FS_NAME(rounds, LEVEL)(vectors, i, s, w, t);
}

// Adds a block of each message to its state.
FS_INLINE TARGET void FS_NAME(compress, LEVEL)(const int vectors, VECTOR state[][8], const uint8_t *const *blocks) {
  VECTOR w[VECTORS][16], s[VECTORS][8];
#pragma GCC unroll 2
  for (int v = 0; v < vectors; v++) {
    LOAD_WORDS(blocks + v * LANES, w[v]);
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) s[v][i] = state[v][i];
  }
  FS_NAME(rounds_16, LEVEL)(vectors, s, w, 0);
#pragma GCC unroll 1
  for (int t = 16; t < 64; t += 16) FS_NAME(rounds_16, LEVEL)(vectors, s, w, t);
#pragma GCC unroll 2
  for (int v = 0; v < vectors; v++) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) state[v][i] = ADD(state[v][i], s[v][i]);
  }
}

// Hashes 1 to vectors * LANES messages; lanes without a message repeat the first.
FS_INLINE TARGET void FS_NAME(hash_vectors, LEVEL)(const int vectors, const message_shape *shape,
                                                   const uint8_t *messages, int64_t pitch, int64_t number,
                                                   uint8_t *hashes) {
  made_blocks made[VECTORS * LANES];
  const uint8_t *message[VECTORS * LANES], *blocks[VECTORS * LANES];
  for (int lane = 0; lane < vectors * LANES; lane++) {
    message[lane] = messages + (lane < number ? lane : 0) * pitch;
    make_blocks(shape, message[lane], &made[lane]);
  }
  VECTOR state[VECTORS][8];
  for (int v = 0; v < vectors; v++) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) state[v][i] = REPEAT(SHA256_START[i]);
  }
  for (int64_t block = 0; block < shape->blocks; block++) {
    for (int lane = 0; lane < vectors * LANES; lane++) {
      blocks[lane] = block_of(shape, message[lane], &made[lane], block);
    }
    FS_NAME(compress, LEVEL)(vectors, state, blocks);
  }
  uint32_t words[VECTORS][8][LANES];
  __builtin_memcpy(words, state, sizeof words);
  for (int lane = 0; lane < number; lane++) {
    for (int i = 0; i < 8; i++) {
      uint32_t word = __builtin_bswap32(words[lane / LANES][i][lane % LANES]);
      __builtin_memcpy(hashes + lane * FS_SHA256_BYTES + 4 * i, &word, 4);
    }
  }
}

static TARGET void FS_NAME(hash_lanes, LEVEL)(const message_shape *shape, const uint8_t *messages, int64_t pitch,
                                              int64_t number, uint8_t *hashes) {
  if (VECTORS > 1 && number > LANES) {
    FS_NAME(hash_vectors, LEVEL)(VECTORS, shape, messages, pitch, number, hashes);
  } else {
    FS_NAME(hash_vectors, LEVEL)(1, shape, messages, pitch, number, hashes);
  }
}

#undef SUM_0
#undef SUM_1
#undef MIX_0
#undef MIX_1
#undef ROUND
#undef NEXT_WORD
#undef LEVEL
#undef TARGET
#undef VECTOR
#undef LANES
#undef VECTORS
#undef ADD
#undef XOR3
#undef CHOOSE
#undef MAJORITY
#undef ROTATE
#undef SHIFT
#undef REPEAT
#undef LOAD_WORDS
