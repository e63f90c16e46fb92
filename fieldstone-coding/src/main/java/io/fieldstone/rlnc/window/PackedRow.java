package io.fieldstone.rlnc.window;

import io.fieldstone.field.Gf256;
import java.util.Arrays;

/**
 * A row of elements of {@link Gf256#DEFAULT}, eight in a word, the first in the low byte. Methods
 * on two rows read and write the first {@code words} words of both. For one thread at a time.
 */
final class PackedRow {

  /** The lowest bit of each of the eight bytes of a word. */
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;

  private long[] words = new long[2];

  /** Returns the number of words of {@code length} elements. */
  static int words(int length) {
    return (length + Long.BYTES - 1) / Long.BYTES;
  }

  /** Extends the row with zeros to at least {@code count} words. */
  void reserve(int count) {
    if (count > words.length) {
      words = Arrays.copyOf(words, Math.max(count, 2 * words.length));
    }
  }

  int get(int at) {
    return (int) (words[at / Long.BYTES] >>> (at % Long.BYTES * Byte.SIZE)) & 0xFF;
  }

  void set(int at, int element) {
    int shift = at % Long.BYTES * Byte.SIZE;
    int word = at / Long.BYTES;
    words[word] = words[word] & ~(0xFFL << shift) | (long) element << shift;
  }

  long word(int at) {
    return words[at];
  }

  void clear() {
    Arrays.fill(words, 0);
  }

  /** Keeps the elements where {@code mask} has all bits set, and clears those where it has none. */
  void keep(PackedRow mask, int words) {
    for (int i = 0; i < words; i++) {
      this.words[i] &= mask.words[i];
    }
  }

  /** Adds {@code factor} · {@code other}. */
  void add(int factor, PackedRow other, int words) {
    long[] to = this.words;
    long[] from = other.words;
    if (factor == 1) {
      for (int i = 0; i < words; i++) {
        to[i] ^= from[i];
      }
      return;
    }
    // A product is the sum, over the bits b of an element, of bit b · (factor · x^b).
    int f0 = factor;
    int f1 = doubled(f0);
    int f2 = doubled(f1);
    int f3 = doubled(f2);
    int f4 = doubled(f3);
    int f5 = doubled(f4);
    int f6 = doubled(f5);
    int f7 = doubled(f6);
    for (int i = 0; i < words; i++) {
      long word = from[i];
      to[i] ^=
          (word & LOW_BITS) * f0
              ^ (word >>> 1 & LOW_BITS) * f1
              ^ (word >>> 2 & LOW_BITS) * f2
              ^ (word >>> 3 & LOW_BITS) * f3
              ^ (word >>> 4 & LOW_BITS) * f4
              ^ (word >>> 5 & LOW_BITS) * f5
              ^ (word >>> 6 & LOW_BITS) * f6
              ^ (word >>> 7 & LOW_BITS) * f7;
    }
  }

  private static int doubled(int element) {
    return Gf256.DEFAULT.multiply(element, 2);
  }

  /** Multiplies by a nonzero factor. */
  void scale(int factor, int words) {
    if (factor != 1) {
      add(factor ^ 1, this, words);
    }
  }
}
