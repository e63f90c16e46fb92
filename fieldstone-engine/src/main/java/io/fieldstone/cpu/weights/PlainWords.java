package io.fieldstone.cpu.weights;

import io.fieldstone.engine.weights.BinaryWords;

/**
 * Binary words in one heap array.
 *
 * @param longs number of longs of each word
 */
@SuppressWarnings("ArrayRecordComponent") // Package-private and not modified.
record PlainWords(long[] bits, int longs) {

  static PlainWords of(BinaryWords words) {
    int longs = words.longs();
    long[] bits = new long[Math.toIntExact(words.count() * longs)];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = words.get(i / longs, i % longs);
    }
    return new PlainWords(bits, longs);
  }

  int count() {
    return bits.length / longs;
  }

  long get(int word, int part) {
    return bits[word * longs + part];
  }

  long[] copy(int word) {
    long[] copy = new long[longs];
    System.arraycopy(bits, word * longs, copy, 0, longs);
    return copy;
  }

  /** {@code sum ^= word}. */
  void addTo(long[] sum, int word) {
    for (int part = 0; part < longs; part++) {
      sum[part] ^= bits[word * longs + part];
    }
  }

  static int weight(long[] word) {
    int ones = 0;
    for (long part : word) {
      ones += Long.bitCount(part);
    }
    return ones;
  }
}
