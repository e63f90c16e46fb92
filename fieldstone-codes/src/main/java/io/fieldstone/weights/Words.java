package io.fieldstone.weights;

import io.fieldstone.engine.weights.BinaryWords;
import java.lang.foreign.Arena;
import java.util.List;

/** Allocates and computes words in native memory. */
final class Words {

  private static final int ALIGNMENT = 64;

  private Words() {}

  /** Allocates zero words. */
  static BinaryWords allocate(Arena arena, long count, int length) {
    long bytes = count * BinaryWords.longsFor(length) * Long.BYTES;
    return new BinaryWords(arena.allocate(bytes, ALIGNMENT), count, length);
  }

  static BinaryWords of(Arena arena, List<long[]> words, int length) {
    BinaryWords copies = allocate(arena, words.size(), length);
    for (int word = 0; word < words.size(); word++) {
      set(copies, word, words.get(word));
    }
    return copies;
  }

  static void set(BinaryWords words, long word, long[] bits) {
    for (int part = 0; part < bits.length; part++) {
      words.set(word, part, bits[part]);
    }
  }

  /** Returns the sum of the basis words selected by the bits of a message. */
  static long[] word(List<long[]> basis, int firstBit, long message, int length) {
    long[] word = new long[Math.ceilDiv(length, Long.SIZE)];
    for (long rest = message; rest != 0; rest &= rest - 1) {
      long[] row = basis.get(firstBit + Long.numberOfTrailingZeros(rest));
      for (int part = 0; part < word.length; part++) {
        word[part] ^= row[part];
      }
    }
    return word;
  }

  static int weight(long[] word) {
    int ones = 0;
    for (long part : word) {
      ones += Long.bitCount(part);
    }
    return ones;
  }
}
