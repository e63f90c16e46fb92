package io.fieldstone.engine.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Words of {@code length} bits, one after another in one memory segment: 16 bytes each where they
 * have up to 128 bits, else 32. Bit i of a word is bit i mod 64 (bit 0 the least significant) of
 * its i/64-th {@code long}, in the machine's byte order, which is how {@link
 * io.fieldstone.field.Gf2Matrix} packs rows. Bits past the length must be zero. The view owns
 * nothing: the segment must stay alive while an engine works on it.
 *
 * @param data the memory, native or on the heap
 * @param count how many words, ≥ 0
 * @param length bits of each word, 1 … {@value #MAX_BITS}
 */
public record BinaryWords(MemorySegment data, long count, int length) {

  /** The longest words that engines count. */
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
      throw new IllegalArgumentException("words of %d bits, not 1…%d".formatted(length, MAX_BITS));
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

  /** How many {@code long}s a word of so many bits takes: 2 or 4. */
  public static int longsFor(int length) {
    return (length <= FEW_BITS ? FEW_BITS : MAX_BITS) / Long.SIZE;
  }

  /** {@code long}s of each word, 2 or 4. */
  public int longs() {
    return longsFor(length);
  }

  /** Bytes of each word, 16 or 32. */
  public int bytes() {
    return longs() * Long.BYTES;
  }

  /** One {@code long} of a word: bits 64·part … 64·part + 63. */
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

  /** Words {@code first} … {@code first + count − 1}, in the same memory. */
  public BinaryWords words(long first, long count) {
    Objects.checkFromIndexSize(first, count, this.count);
    return new BinaryWords(data.asSlice(first * bytes(), count * bytes()), count, length);
  }
}
