package io.fieldstone.sort;

import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Several keys of a record, each with a direction of its own. Records are compared by the first
 * key, those in which it is equal by the second, and so on.
 *
 * {@snippet :
 * CompositeKey key =
 *     CompositeKey.of(
 *         new CompositeKey.Part(0, little(KeyType.I32), Direction.ASCENDING),
 *         new CompositeKey.Part(4, little(KeyType.U32), Direction.DESCENDING));
 * RecordLayout layout = new RecordLayout(8, 0, key, Direction.ASCENDING);
 * }
 *
 * <p>Keys of at most 64 bits together share a rank, and are sorted at once. Immutable and
 * thread-safe.
 */
public final class CompositeKey implements RecordLayout.Key {

  /**
   * One of the keys.
   *
   * @param offset its first byte, counted from {@link RecordLayout#keyOffset}
   * @param key a number or a string of bytes
   * @param direction its order
   */
  public record Part(int offset, RecordLayout.Key key, Direction direction) {

    /**
     * Checks the place and the kind.
     *
     * @throws IllegalArgumentException if the offset is negative, the key empty, or itself composed
     */
    public Part {
      if (offset < 0 || key.bytes() < 1) {
        throw new IllegalArgumentException(
            "a key of %d bytes at byte %d is not in a record".formatted(key.bytes(), offset));
      }
      if (key instanceof CompositeKey) {
        throw new IllegalArgumentException("a part is a number or a string of bytes, not several");
      }
    }

    private int end() {
      return Math.addExact(offset, key.bytes());
    }

    /** Returns kind, place and direction, such as {@code u32 at byte 4, descending}. */
    @Override
    public String toString() {
      return "%s at byte %d%s"
          .formatted(key, offset, direction == Direction.ASCENDING ? "" : " descending");
    }
  }

  /**
   * At most eight bytes of a key, as a number of so many bits.
   *
   * @param index the number of ranks before it in the part
   */
  private record Field(Part part, int index, int bits) {

    long rank(MemorySegment records, long at) {
      long rank =
          switch (part.key) {
            case RecordLayout.Numeric number -> number.rank(records, at + part.offset);
            case RecordLayout.ByteString string -> string.rank(records, at + part.offset, index);
            case CompositeKey _ -> throw new IllegalStateException("a part is not composed");
          };
      return part.direction == Direction.ASCENDING ? rank : ~rank & -1L >>> (Long.SIZE - bits);
    }
  }

  private final List<Part> parts;

  /** The fields of each rank. */
  private final Field[][] words;

  private CompositeKey(List<Part> parts) {
    this.parts = List.copyOf(parts);
    this.words = words(this.parts);
  }

  /**
   * Creates a key of parts, the most significant first.
   *
   * @throws IllegalArgumentException if there is none, or two of them overlap
   */
  public static CompositeKey of(Part... parts) {
    return of(List.of(parts));
  }

  /**
   * Creates a key of parts, the most significant first.
   *
   * @throws IllegalArgumentException if there is none, or two of them overlap
   */
  public static CompositeKey of(List<Part> parts) {
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("0 keys are fewer than 1");
    }
    List<Part> byPlace = parts.stream().sorted(Comparator.comparingInt(Part::offset)).toList();
    for (int i = 1; i < byPlace.size(); i++) {
      Part before = byPlace.get(i - 1);
      Part part = byPlace.get(i);
      if (part.offset < before.end()) {
        throw new IllegalArgumentException(
            "the keys '%s' and '%s' overlap in byte %d".formatted(before, part, part.offset));
      }
    }
    return new CompositeKey(parts);
  }

  private static Field[][] words(List<Part> parts) {
    List<Field[]> words = new ArrayList<>();
    List<Field> word = new ArrayList<>();
    int bits = 0;
    for (Part part : parts) {
      int bytes = part.key.bytes();
      for (int done = 0; done < bytes; done += Long.BYTES) {
        int own = Math.min(Long.BYTES, bytes - done) * Byte.SIZE;
        if (bits + own > Long.SIZE) {
          words.add(word.toArray(Field[]::new));
          word.clear();
          bits = 0;
        }
        word.add(new Field(part, done / Long.BYTES, own));
        bits += own;
      }
    }
    words.add(word.toArray(Field[]::new));
    return words.toArray(Field[][]::new);
  }

  /** Returns the keys, the most significant first. */
  public List<Part> parts() {
    return parts;
  }

  /** Returns the bytes up to the end of the last key in the record. */
  @Override
  public int bytes() {
    return parts.stream().mapToInt(Part::end).max().orElseThrow();
  }

  int ranks() {
    return words.length;
  }

  long rank(MemorySegment records, long at, int index) {
    long rank = 0;
    for (Field field : words[index]) {
      // A field of 64 bits is alone.
      rank = rank << field.bits | field.rank(records, at);
    }
    return rank;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CompositeKey that && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  /** Returns the keys in words. */
  @Override
  public String toString() {
    return parts.stream().map(Part::toString).collect(Collectors.joining(", "));
  }
}
