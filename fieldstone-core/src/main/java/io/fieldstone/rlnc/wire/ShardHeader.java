package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The header of a shard file (docs/format.md, "Shard file"): the object of its records and their
 * layout. Immutable and thread-safe.
 *
 * @param descriptor the object
 * @param vectors true if every record has room for n coefficients
 */
public record ShardHeader(ObjectDescriptor descriptor, boolean vectors) {

  /** The alignment of headers, and so of the first record, in bytes. */
  public static final int ALIGNMENT = 64;

  /** "FSTSHARD". */
  static final long MAGIC = 0x4653545348415244L;

  static final short VERSION = 1;

  private static final int MAGIC_AT = 0;
  private static final int VERSION_AT = 8;
  private static final int LENGTH_AT = 10;
  private static final int FIELD_AT = 12;
  private static final int CODE_AT = 13;
  private static final int FLAGS_AT = 14;
  private static final int OBJECT_AT = 16;
  private static final int PARAMETER_AT = 24;
  private static final int SEED_AT = 32;
  private static final int FILE_LENGTH_AT = 40;
  private static final int BLOCKS_AT = 48;
  private static final int BLOCK_SIZE_AT = 52;
  private static final int SHA256_AT = 56;
  private static final int NAME_LENGTH_AT = 88;
  private static final int NAME_AT = 90;
  private static final int SHA256_BYTES = 32;
  private static final int CRC_BYTES = 4;
  private static final int VECTORS_FLAG = 1;

  /**
   * The maximum bytes of a header, {@value}; reading this many from the start of a file suffices.
   */
  public static final int MAX_BYTES =
      (NAME_AT + ObjectDescriptor.MAX_NAME_BYTES + CRC_BYTES + ALIGNMENT - 1) & -ALIGNMENT;

  private static final Registry.Offsets SHAPE_AT =
      new Registry.Offsets(FIELD_AT, CODE_AT, PARAMETER_AT, BLOCKS_AT, BLOCK_SIZE_AT);

  public ShardHeader {
    Objects.requireNonNull(descriptor, "descriptor");
  }

  /** Returns the bytes of this header, which is the offset of the first record. */
  public int byteSize() {
    return byteSize(ObjectDescriptor.nameBytes(descriptor.name()).length);
  }

  /** Returns the bytes of the header of an object with this name. */
  public static int byteSize(String name) {
    return byteSize(ObjectDescriptor.nameBytes(name).length);
  }

  private static int byteSize(int nameBytes) {
    return (NAME_AT + nameBytes + CRC_BYTES + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Returns the room for a vector in each record: n or 0 bytes. */
  public int vectorBytes() {
    return vectors ? descriptor.shape().blocks() : 0;
  }

  /** Returns the bytes of a record. */
  public int recordBytes() {
    return WireBlock.HEADER_BYTES + vectorBytes() + descriptor.shape().blockSize();
  }

  /** Returns the bytes of this header. */
  public byte[] toBytes() {
    byte[] name = ObjectDescriptor.nameBytes(descriptor.name());
    GenerationShape shape = descriptor.shape();
    ByteBuffer bytes = ByteBuffer.allocate(byteSize(name.length));
    bytes
        .putLong(MAGIC)
        .putShort(VERSION)
        .putShort((short) bytes.capacity())
        .put(Registry.fieldId(shape.field()))
        .put(Registry.codeId(shape.code()))
        .putShort((short) (vectors ? VECTORS_FLAG : 0))
        .putLong(descriptor.objectId())
        .putLong(Registry.codeParameter(shape.code()))
        .putLong(descriptor.seed())
        .putLong(descriptor.length())
        .putInt(shape.blocks())
        .putInt(shape.blockSize())
        .put(HexFormat.of().parseHex(descriptor.sha256()))
        .putShort((short) name.length)
        .put(name);
    bytes.putInt(bytes.capacity() - CRC_BYTES, crc(bytes, bytes.capacity()));
    return bytes.array();
  }

  /**
   * Parses the header at the start of {@code bytes}; bytes after it are ignored.
   *
   * @param bytes the first {@link #MAX_BYTES} bytes of a shard, or all of a shorter one
   * @throws MalformedDataException if the header is not valid
   */
  public static ShardHeader parse(MemorySegment bytes) throws MalformedDataException {
    int available = (int) Math.min(bytes.byteSize(), MAX_BYTES);
    ByteBuffer header =
        ByteBuffer.wrap(bytes.asSlice(0, available).toArray(ValueLayout.JAVA_BYTE))
            .order(ByteOrder.BIG_ENDIAN);
    require(available >= NAME_AT, available, "the file ends inside the header");
    require(
        header.getLong(MAGIC_AT) == MAGIC,
        MAGIC_AT,
        "not a shard: it does not start with \"FSTSHARD\"");
    int version = Short.toUnsignedInt(header.getShort(VERSION_AT));
    require(version == VERSION, VERSION_AT, "format version " + version + " is not " + VERSION);
    int nameLength = Short.toUnsignedInt(header.getShort(NAME_LENGTH_AT));
    require(
        nameLength >= 1 && nameLength <= ObjectDescriptor.MAX_NAME_BYTES,
        NAME_LENGTH_AT,
        "file name of %d bytes, not 1…%d".formatted(nameLength, ObjectDescriptor.MAX_NAME_BYTES));
    int length = Short.toUnsignedInt(header.getShort(LENGTH_AT));
    require(
        length == byteSize(nameLength),
        LENGTH_AT,
        "header length %d is not %d".formatted(length, byteSize(nameLength)));
    require(length <= available, available, "the file ends inside the header");
    int crc = crc(header, length);
    int crcAt = length - CRC_BYTES;
    require(
        crc == header.getInt(crcAt),
        crcAt,
        "CRC-32C of the header is %08x, the header says %08x".formatted(crc, header.getInt(crcAt)));
    return checked(header, length, nameLength);
  }

  private static ShardHeader checked(ByteBuffer header, int length, int nameLength)
      throws MalformedDataException {
    GenerationShape shape =
        Registry.shape(
            header.get(FIELD_AT),
            header.get(CODE_AT),
            header.getLong(PARAMETER_AT),
            header.getInt(BLOCKS_AT),
            header.getInt(BLOCK_SIZE_AT),
            SHAPE_AT);
    int flags = Short.toUnsignedInt(header.getShort(FLAGS_AT));
    require((flags & ~VECTORS_FLAG) == 0, FLAGS_AT, "unknown flags 0x%04x".formatted(flags));
    for (int at = NAME_AT + nameLength; at < length - CRC_BYTES; at++) {
      require(header.get(at) == 0, at, "a reserved byte is not zero");
    }
    byte[] sha256 = new byte[SHA256_BYTES];
    header.get(SHA256_AT, sha256);
    ObjectDescriptor descriptor;
    try {
      descriptor =
          new ObjectDescriptor(
              name(header.slice(NAME_AT, nameLength)),
              shape,
              header.getLong(SEED_AT),
              header.getLong(FILE_LENGTH_AT),
              HexFormat.of().formatHex(sha256));
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(FILE_LENGTH_AT, String.valueOf(e.getMessage()));
    }
    long id = header.getLong(OBJECT_AT);
    require(
        id == descriptor.objectId(),
        OBJECT_AT,
        "object id %016x does not match the name, shape and seed".formatted(id));
    return new ShardHeader(descriptor, (flags & VECTORS_FLAG) != 0);
  }

  private static String name(ByteBuffer utf8) throws MalformedDataException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedDataException(NAME_AT, "the file name is not UTF-8");
    }
  }

  private static void require(boolean condition, long offset, String problem)
      throws MalformedDataException {
    if (!condition) {
      throw new MalformedDataException(offset, problem);
    }
  }

  private static int crc(ByteBuffer header, int length) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, length - CRC_BYTES));
    return (int) crc.getValue();
  }
}
