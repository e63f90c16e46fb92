package io.fieldstone.sort;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.stream.file.NumpyArray;
import io.fieldstone.stream.file.NumpyFormatException;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The header of a {@code .npy} file of NumPy, which has an array of one dimension: its type of
 * elements, and their number. Versions 1.0 to 3.0 of the <a
 * href="https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html">format</a> are
 * read, and 1.0 is written.
 *
 * <p>Types are integers and floating-point numbers of 32 and 64 bits in either order of bytes,
 * strings of bytes ({@code S}), and {@code u1}. Immutable and thread-safe.
 *
 * @param key the type of the elements
 * @param count the number of elements, ≥ 0
 * @param headerBytes the bytes before the first element
 */
public record NpyHeader(RecordLayout.Key key, long count, int headerBytes) {

  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  /** The bytes of the magic number and of the version. */
  private static final int PREFIX_BYTES = MAGIC.length + 2;

  /** The place of the dictionary in version 1.0. */
  private static final int TEXT_AT = PREFIX_BYTES + Short.BYTES;

  /** Headers end at a multiple of it. */
  private static final int ALIGNMENT = 64;

  private static final String TYPES =
      "sorted are u4, i4, u8, i8, f4 and f8 in either order of bytes, S and u1";

  /**
   * Reads the header of a file.
   *
   * @throws MalformedNpyException if it is no such file, of another type or shape, or its length is
   *     not that of the array
   * @throws IOException if reading fails
   */
  public static NpyHeader read(Path file) throws IOException {
    try (OpenFile open = OpenFile.read(file)) {
      return read(open, file);
    }
  }

  static NpyHeader read(PositionedInput file, Path name) throws IOException {
    long size = file.size();
    byte[] start = new byte[(int) Math.min(size, NumpyArray.MAX_HEADER_BYTES)];
    file.readFully(MemorySegment.ofArray(start), 0);
    return parse(name, start, size);
  }

  /**
   * Parses a header.
   *
   * @param file the name in messages
   * @param start the first bytes of the file, 64 KiB or all of them
   * @param size the bytes of the file
   * @throws MalformedNpyException as {@link #read(Path)}
   */
  public static NpyHeader parse(Path file, byte[] start, long size) throws MalformedNpyException {
    NumpyArray fields;
    try {
      fields = NumpyArray.parse(start);
    } catch (NumpyFormatException e) {
      MalformedNpyException failure =
          new MalformedNpyException(file, e.offset(), String.valueOf(e.getMessage()));
      failure.initCause(e);
      throw failure;
    }
    int end = fields.headerBytes();
    RecordLayout.Key key =
        key(fields.type())
            .orElseThrow(() ->
                new MalformedNpyException(
                    file, TEXT_AT, "elements of type '%s'; %s".formatted(fields.type(), TYPES)));
    if (fields.shape().size() != 1) {
      throw new MalformedNpyException(
          file,
          TEXT_AT,
          "an array of shape %s; sorted are arrays of one dimension"
              .formatted(fields.shape().toString().replace('[', '(').replace(']', ')')));
    }
    NpyHeader header = new NpyHeader(key, fields.shape().getFirst(), end);
    long elements = (size - end) / key.bytes();
    if (elements != header.count || (size - end) % key.bytes() != 0) {
      throw new MalformedNpyException(
          file,
          end,
          "%d bytes of elements, not %d × %d as its header says: %s"
              .formatted(
                  size - end,
                  header.count,
                  key.bytes(),
                  elements < header.count ? "it was truncated" : "it has more"));
    }
    return header;
  }

  private static Optional<RecordLayout.Key> key(String type) {
    if (!type.matches("[<>=|]?[a-zA-Z][0-9]{1,8}")) {
      return Optional.empty();
    }
    boolean hasOrder = !Character.isLetter(type.charAt(0));
    ByteOrder order =
        type.charAt(0) == '>'
            ? ByteOrder.BIG_ENDIAN
            : type.charAt(0) == '<' ? ByteOrder.LITTLE_ENDIAN : ByteOrder.nativeOrder();
    String name = hasOrder ? type.substring(1) : type;
    int bytes = Integer.parseInt(name.substring(1));
    return switch (name) {
      case "u4" -> Optional.of(new RecordLayout.Numeric(KeyType.U32, order));
      case "i4" -> Optional.of(new RecordLayout.Numeric(KeyType.I32, order));
      case "f4" -> Optional.of(new RecordLayout.Numeric(KeyType.F32, order));
      case "u8" -> Optional.of(new RecordLayout.Numeric(KeyType.U64, order));
      case "i8" -> Optional.of(new RecordLayout.Numeric(KeyType.I64, order));
      case "f8" -> Optional.of(new RecordLayout.Numeric(KeyType.F64, order));
      case "u1" -> Optional.of(new RecordLayout.ByteString(1));
      default ->
          name.charAt(0) == 'S' && bytes >= 1 && bytes <= RecordLayout.MAX_RECORD_BYTES
              ? Optional.of(new RecordLayout.ByteString(bytes))
              : Optional.empty();
    };
  }

  /**
   * Returns the header of a new file.
   *
   * @param layout records without other bytes than one key
   * @param count the number of elements
   * @throws IllegalArgumentException if the records have payloads, or several keys
   */
  public static NpyHeader of(RecordLayout layout, long count) {
    boolean isElement =
        !(layout.key() instanceof CompositeKey) && layout.key().bytes() == layout.recordBytes();
    if (!isElement) {
      throw new IllegalArgumentException(
          "records of %s are no elements of an array: a .npy file has keys only".formatted(layout));
    }
    return new NpyHeader(layout.key(), count, bytes(layout.key(), count));
  }

  private static int bytes(RecordLayout.Key key, long count) {
    int least = TEXT_AT + dictionary(key, count).length() + 1;
    return Math.ceilDiv(least, ALIGNMENT) * ALIGNMENT;
  }

  private static String dictionary(RecordLayout.Key key, long count) {
    return "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }".formatted(type(key), count);
  }

  private static String type(RecordLayout.Key key) {
    return switch (key) {
      case RecordLayout.Numeric(KeyType type, ByteOrder order) ->
          "%s%c%d"
              .formatted(
                  order == ByteOrder.BIG_ENDIAN ? ">" : "<",
                  type.toString().charAt(0),
                  type.bytes());
      case RecordLayout.ByteString(int bytes) -> "|S" + bytes;
      case CompositeKey _ -> throw new IllegalArgumentException("several keys have no type");
    };
  }

  /** Returns the same header with fewer elements, which has as many bytes. */
  NpyHeader withCount(long elements) {
    return new NpyHeader(key, elements, headerBytes);
  }

  /** Returns the records of the file. */
  public RecordLayout layout(Direction direction) {
    return new RecordLayout(key.bytes(), 0, key, direction);
  }

  /** Returns the bytes of this header in version 1.0, which {@code of} has made. */
  public byte[] toBytes() {
    byte[] bytes = new byte[headerBytes];
    Arrays.fill(bytes, (byte) ' ');
    System.arraycopy(MAGIC, 0, bytes, 0, MAGIC.length);
    bytes[MAGIC.length] = 1;
    bytes[MAGIC.length + 1] = 0;
    int length = headerBytes - TEXT_AT;
    bytes[PREFIX_BYTES] = (byte) length;
    bytes[PREFIX_BYTES + 1] = (byte) (length >>> Byte.SIZE);
    byte[] text = dictionary(key, count).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(text, 0, bytes, TEXT_AT, text.length);
    bytes[headerBytes - 1] = '\n';
    return bytes;
  }
}
