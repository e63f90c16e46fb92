package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.CompositeKey.Part;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Records whose keys have at most eight bytes together, and whose other bytes are at most eight, as
 * items that an engine moves itself: a number, and a payload of the same length. So engines sort
 * them as fast as numbers, while they are read and written.
 *
 * <p>Integers and strings of bytes become unsigned numbers of the same order; a floating-point key,
 * only alone, has its bytes moved. Every byte of a record is in one field of an item. Immutable and
 * thread-safe.
 */
final class RecordPacking implements RecordCodec {

  /**
   * Consecutive bytes of a record.
   *
   * @param offset the first of them
   * @param bytes their number, at most eight
   * @param isBigEndian whether the first byte is the most significant
   * @param flips bits that are flipped, in the low bits
   * @param isKey whether they belong to the key of an item, or to its payload
   * @param shift the less significant bits in the key or the payload
   */
  private record Field(
      int offset, int bytes, boolean isBigEndian, long flips, boolean isKey, int shift) {

    private static long ones(int bytes) {
      return -1L >>> (Long.SIZE - bytes * Byte.SIZE);
    }

    long get(MemorySegment records, long at) {
      long word = records.get(JAVA_LONG_UNALIGNED, at + offset);
      long value =
          isBigEndian
              ? Long.reverseBytes(word) >>> (Long.SIZE - bytes * Byte.SIZE)
              : word & ones(bytes);
      return (value ^ flips) << shift;
    }

    /** Also overwrites the bytes after the field, up to eight. */
    void set(MemorySegment records, long at, long word) {
      long value = word >>> shift ^ flips;
      records.set(
          JAVA_LONG_UNALIGNED,
          at + offset,
          isBigEndian ? Long.reverseBytes(value << (Long.SIZE - bytes * Byte.SIZE)) : value);
    }
  }

  private final int recordBytes;
  private final RecordFormat format;

  /** All fields by their offsets. */
  private final Field[] fields;

  /** Whether items are records whose keys have another order of bytes. */
  private final boolean areSwapped;

  private RecordPacking(int recordBytes, RecordFormat format, List<Field> fields) {
    this.recordBytes = recordBytes;
    this.format = format;
    this.fields =
        fields.stream().sorted(Comparator.comparingInt(Field::offset)).toArray(Field[]::new);
    Field first = this.fields[0];
    this.areSwapped =
        recordBytes == format.bytes()
            && first.isKey
            && first.bytes == format.key().bytes()
            && first.isBigEndian
            && first.flips == 0
            && fields.size() == (format.payloadBytes() == 0 ? 1 : 2);
  }

  /** Returns the packing of a layout; empty if its records are too long. */
  static Optional<RecordPacking> of(RecordLayout layout) {
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      return Optional.empty();
    }
    List<Part> parts =
        layout.key() instanceof CompositeKey keys
            ? keys.parts()
            : List.of(new Part(0, layout.key(), Direction.ASCENDING));
    int keyBytes = parts.stream().mapToInt(part -> part.key().bytes()).sum();
    int rest = layout.recordBytes() - keyBytes;
    if (keyBytes > Long.BYTES || rest > Long.BYTES) {
      return Optional.empty();
    }
    Optional<KeyType> floating =
        parts.stream().map(RecordPacking::floating).flatMap(Optional::stream).findFirst();
    boolean isInt = keyBytes <= Integer.BYTES && rest <= Integer.BYTES;
    if (floating.isPresent() && (parts.size() > 1 || isInt != (keyBytes == Integer.BYTES))) {
      return Optional.empty();
    }
    KeyType type = floating.orElse(isInt ? KeyType.U32 : KeyType.U64);
    RecordFormat format = new RecordFormat(type, rest == 0 ? 0 : type.bytes(), layout.direction());
    return Optional.of(
        new RecordPacking(layout.recordBytes(), format, fields(layout, parts, keyBytes)));
  }

  private static Optional<KeyType> floating(Part part) {
    return part.key() instanceof RecordLayout.Numeric(KeyType type, _) && type.isFloating()
        ? Optional.of(type)
        : Optional.empty();
  }

  private static List<Field> fields(RecordLayout layout, List<Part> parts, int keyBytes) {
    List<Field> fields = new ArrayList<>();
    int remaining = keyBytes;
    for (Part part : parts) {
      remaining -= part.key().bytes();
      int offset = layout.keyOffset() + part.offset();
      fields.add(keyField(part, offset, remaining * Byte.SIZE));
    }
    int shift = 0;
    int done = 0;
    List<Field> keys = fields.stream().sorted(Comparator.comparingInt(Field::offset)).toList();
    for (int i = 0; i <= keys.size(); i++) {
      int next = i < keys.size() ? keys.get(i).offset : layout.recordBytes();
      if (next > done) {
        fields.add(new Field(done, next - done, false, 0, false, shift));
        shift += (next - done) * Byte.SIZE;
      }
      done = i < keys.size() ? next + keys.get(i).bytes : next;
    }
    return fields;
  }

  private static Field keyField(Part part, int offset, int shift) {
    int bytes = part.key().bytes();
    long flips = part.direction() == Direction.ASCENDING ? 0 : Field.ones(bytes);
    if (!(part.key() instanceof RecordLayout.Numeric(KeyType type, ByteOrder order))) {
      return new Field(offset, bytes, true, flips, true, shift);
    }
    boolean isSigned = type == KeyType.I32 || type == KeyType.I64;
    long sign = isSigned ? 1L << (bytes * Byte.SIZE - 1) : 0;
    return new Field(offset, bytes, order == ByteOrder.BIG_ENDIAN, flips ^ sign, true, shift);
  }

  /** Returns the format of the items. */
  RecordFormat format() {
    return format;
  }

  @Override
  public int fileBytes() {
    return recordBytes;
  }

  @Override
  public int itemBytes() {
    return format.bytes();
  }

  @Override
  public void toItems(MemorySegment records, long first, MemorySegment items) {
    if (areSwapped) {
      MemorySegment.copy(records, 0, items, 0, items.byteSize());
      swapKeys(items, items.byteSize());
      return;
    }
    int bytes = format.bytes();
    long from = 0;
    for (long at = 0; at < items.byteSize(); at += bytes, from += recordBytes) {
      long key = 0;
      long payload = 0;
      for (Field field : fields) {
        long value = field.get(records, from);
        key |= field.isKey ? value : 0;
        payload |= field.isKey ? 0 : value;
      }
      if (format.key().bytes() == Integer.BYTES) {
        items.set(JAVA_INT_UNALIGNED, at, (int) key);
        if (bytes > Integer.BYTES) {
          items.set(JAVA_INT_UNALIGNED, at + Integer.BYTES, (int) payload);
        }
      } else {
        items.set(JAVA_LONG_UNALIGNED, at, key);
        if (bytes > Long.BYTES) {
          items.set(JAVA_LONG_UNALIGNED, at + Long.BYTES, payload);
        }
      }
    }
  }

  @Override
  public void toRecords(MemorySegment items, MemorySegment records) {
    if (areSwapped) {
      MemorySegment.copy(items, 0, records, 0, items.byteSize());
      swapKeys(records, items.byteSize());
      return;
    }
    int bytes = format.bytes();
    long to = 0;
    for (long at = 0; at < items.byteSize(); at += bytes, to += recordBytes) {
      long key;
      long payload;
      if (format.key().bytes() == Integer.BYTES) {
        key = items.get(JAVA_INT_UNALIGNED, at);
        payload = bytes > Integer.BYTES ? items.get(JAVA_INT_UNALIGNED, at + Integer.BYTES) : 0;
      } else {
        key = items.get(JAVA_LONG_UNALIGNED, at);
        payload = bytes > Long.BYTES ? items.get(JAVA_LONG_UNALIGNED, at + Long.BYTES) : 0;
      }
      // By offset, so that each field overwrites what the one before it wrote too far.
      for (Field field : fields) {
        field.set(records, to, field.isKey ? key : payload);
      }
    }
  }

  /** Reverses the bytes of each key. */
  private void swapKeys(MemorySegment items, long size) {
    int bytes = format.bytes();
    if (format.key().bytes() == Integer.BYTES) {
      for (long at = 0; at < size; at += bytes) {
        int key = items.get(JAVA_INT_UNALIGNED, at);
        items.set(JAVA_INT_UNALIGNED, at, Integer.reverseBytes(key));
      }
    } else {
      for (long at = 0; at < size; at += bytes) {
        long key = items.get(JAVA_LONG_UNALIGNED, at);
        items.set(JAVA_LONG_UNALIGNED, at, Long.reverseBytes(key));
      }
    }
  }
}
