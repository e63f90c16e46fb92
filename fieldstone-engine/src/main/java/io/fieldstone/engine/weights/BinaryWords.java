package io.fieldstone.engine.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * A view of words of {@code length} bits, contiguous in one memory segment: 16 bytes each for up to
 * 128 bits, else 32. Bit i of a word is bit i mod 64 (bit 0 the least significant) of its i/64-th
 * {@code long}, in native byte order, as {@link io.fieldstone.field.Gf2Matrix} packs rows. Bits
 * past the length must be zero. The view does not own the segment, which must stay alive while an
 * engine uses it.
 *
 * @param data the memory, native or on the heap
 * @param count the number of words, ≥ 0
 * @param length the bits of each word, 1 … {@value #MAX_BITS}
 */
public record BinaryWords(MemorySegment data, long count, int length) {

  /** The maximum length of words in bits. */
  public static final int MAX_BITS = 256;

  private static final int FEW_BITS = 128;

  /**
   * Checks that every word lies inside the segment.
   *
   * @throws IllegalArgumentException if the length or the count is out of its range, or the last
   *     byte lies beyond the segment
   */
  public BinaryWords {
    Objects.requireNonNull(data, "data");
    if (length < 1 || length > MAX_BITS) {
      throw new IllegalArgumentException(
          "word length %d is not in 1…%d".formatted(length, MAX_BITS));
    }
    if (count < 0) {
      throw new IllegalArgumentException("count " + count + " is less than 0");
    }
    long bytes = Math.multiplyExact(count, (long) longsFor(length) * Long.BYTES);
    if (bytes > data.byteSize()) {
      throw new IllegalArgumentException(
          "%d words of %d bits need %d bytes, the segment has %d"
              .formatted(count, length, bytes, data.byteSize()));
    }
  }

  /** Returns the number of {@code long}s of a word of {@code length} bits: 2 or 4. */
  public static int longsFor(int length) {
    return (length <= FEW_BITS ? FEW_BITS : MAX_BITS) / Long.SIZE;
  }

  /** Returns the number of {@code long}s of each word: 2 or 4. */
  public int longs() {
    return longsFor(length);
  }

  /** Returns the bytes of each word: 16 or 32. */
  public int bytes() {
    return longs() * Long.BYTES;
  }

  /** Returns bits 64·part … 64·part + 63 of a word. */
  public long get(long word, int part) {
    Objects.checkIndex(word, count);
    Objects.checkIndex(part, longs());
    return data.get(JAVA_LONG_UNALIGNED, word * bytes() + (long) part * Long.BYTES);
  }

  /** Writes one {@code long} of a word. */
  public void set(long word, int part, long bits) {
    Objects.checkIndex(word, count);
    Objects.checkIndex(part, longs());
    data.set(JAVA_LONG_UNALIGNED, word * bytes() + (long) part * Long.BYTES, bits);
  }

  /** Returns words {@code first} … {@code first + count − 1}, in the same memory. */
  public BinaryWords words(long first, long count) {
    Objects.checkFromIndexSize(first, count, this.count);
    return new BinaryWords(data.asSlice(first * bytes(), count * bytes()), count, length);
  }
}
