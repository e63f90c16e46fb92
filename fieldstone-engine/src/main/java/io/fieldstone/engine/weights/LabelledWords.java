package io.fieldstone.engine.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A view of words of {@code length} bits, each followed by a label of {@code labelBits} bits,
 * contiguous in one memory segment. Words and labels are whole {@code long}s, in native byte order:
 * bit i is bit i mod 64 (bit 0 the least significant) of the i/64-th {@code long}. Bits past a
 * length must be zero. The view does not own the segment, which must stay alive while an engine
 * uses it.
 *
 * @param data the memory, native or on the heap
 * @param count the number of words, 0 … {@value #MAX_COUNT}
 * @param length the bits of each word, 1 … {@value #MAX_BITS}
 * @param labelBits the bits of each label, 0 … {@value #MAX_BITS}
 */
public record LabelledWords(MemorySegment data, int count, int length, int labelBits) {

  /** The maximum length of words and of labels in bits. */
  public static final int MAX_BITS = 2048;

  /** The maximum number of words. */
  public static final int MAX_COUNT = 2048;

  /**
   * Checks that every word lies inside the segment.
   *
   * @throws IllegalArgumentException if a number is out of its range, or the last byte lies beyond
   *     the segment
   */
  public LabelledWords {
    Objects.requireNonNull(data, "data");
    requireIn("count", count, 0, MAX_COUNT);
    requireIn("word length", length, 1, MAX_BITS);
    requireIn("label length", labelBits, 0, MAX_BITS);
    long bytes = (long) count * (longs(length) + longs(labelBits)) * Long.BYTES;
    if (bytes > data.byteSize()) {
      throw new IllegalArgumentException(
          "%d words of %d bits with labels of %d need %d bytes, the segment has %d"
              .formatted(count, length, labelBits, bytes, data.byteSize()));
    }
  }

  private static void requireIn(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }

  /** Returns words of given {@code long}s: of each word those of its bits, then of its label. */
  public static LabelledWords of(long[][] words, int length, int labelBits) {
    int longs = longs(length) + longs(labelBits);
    long[] data = new long[words.length * longs];
    for (int word = 0; word < words.length; word++) {
      System.arraycopy(words[word], 0, data, word * longs, longs);
    }
    return new LabelledWords(MemorySegment.ofArray(data), words.length, length, labelBits);
  }

  private static int longs(int bits) {
    return Math.ceilDiv(bits, Long.SIZE);
  }

  /** Returns the {@code long}s of a word without its label. */
  public int wordLongs() {
    return longs(length);
  }

  /** Returns the {@code long}s of a word and its label. */
  public int longs() {
    return longs(length) + longs(labelBits);
  }

  /** Returns the bytes of all words. */
  public long bytes() {
    return (long) count * longs() * Long.BYTES;
  }

  /** Returns a copy on the heap, which any thread may read. */
  public LabelledWords copy() {
    long[] words = new long[count * longs()];
    MemorySegment.copy(data, 0, MemorySegment.ofArray(words), 0, bytes());
    return new LabelledWords(MemorySegment.ofArray(words), count, length, labelBits);
  }

  /** Returns the parts of all words: part p of word w is at [p][w], those of labels last. */
  public long[][] parts() {
    long[][] parts = new long[longs()][count];
    for (int part = 0; part < parts.length; part++) {
      for (int word = 0; word < count; word++) {
        long at = ((long) word * parts.length + part) * Long.BYTES;
        parts[part][word] = data.get(JAVA_LONG_UNALIGNED, at);
      }
    }
    return parts;
  }
}
