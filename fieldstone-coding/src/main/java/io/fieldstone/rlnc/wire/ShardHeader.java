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
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The header of a shard file (docs/format.md, "Shard file"): the object of its records and their
 * layout. Immutable and thread-safe.
 *
 * <p>Version 2 has the manifest of the object, version 1 its {@link ObjectDescriptor}.
 */
public final class ShardHeader {

  /** The alignment of headers, and so of the first record, in bytes. */
  public static final int ALIGNMENT = 64;

  /**
   * The maximum bytes of a header, {@value}; reading this many from the start of a file suffices.
   */
  public static final int MAX_BYTES = 4096;

  /** "FSTSHARD". */
  static final long MAGIC = 0x4653545348415244L;

  private static final int MAGIC_AT = 0;
  private static final int VERSION_AT = 8;
  private static final int LENGTH_AT = 10;
  private static final int PREFIX_BYTES = 12;
  private static final int CRC_BYTES = 4;
  private static final int VECTORS_FLAG = 1;

  private final CodedObject descriptor;
  private final long recordId;
  private final boolean vectors;
  private final long hashesAt;
  private final HeaderSections sections;

  private ShardHeader(
      CodedObject descriptor,
      long recordId,
      boolean vectors,
      long hashesAt,
      HeaderSections sections) {
    this.descriptor = descriptor;
    this.recordId = recordId;
    this.vectors = vectors;
    this.hashesAt = hashesAt;
    this.sections = sections;
  }

  /**
   * Creates a header of version 1.
   *
   * @param vectors true if every record has room for n coefficients
   */
  public ShardHeader(ObjectDescriptor descriptor, boolean vectors) {
    this(descriptor, descriptor.objectId(), vectors, 0, HeaderSections.NONE);
  }

  /**
   * Creates a header of version 2.
   *
   * @param recordId the number that all records of the shard carry
   * @param vectors true if every record has room for n coefficients
   * @param hashesAt the offset of the hashes of the generations; 0 if the shard has none
   * @throws IllegalArgumentException if the hashes begin inside the header
   */
  public ShardHeader(NamedObject object, long recordId, boolean vectors, long hashesAt) {
    this(object, recordId, vectors, hashesAt, HeaderSections.NONE);
    requireBehindHeader(hashesAt);
  }

  private void requireBehindHeader(long at) {
    if (at != 0 && at < byteSize()) {
      throw new IllegalArgumentException(
          "hashes at %d, inside a header of %d bytes".formatted(at, byteSize()));
    }
  }

  /**
   * Returns the header of a shard of the same object without hashes. It keeps the publisher record.
   *
   * @param newRecordId the number that its records carry; not used in version 1
   */
  public ShardHeader of(long newRecordId, boolean hasVectors) {
    return switch (descriptor) {
      case ObjectDescriptor object -> new ShardHeader(object, hasVectors);
      case NamedObject object ->
          new ShardHeader(object, newRecordId, hasVectors, 0, sections.known());
    };
  }

  /**
   * Returns this header with hashes of the generations at an offset of the shard.
   *
   * @throws IllegalArgumentException if the offset is inside the header
   */
  public ShardHeader withHashesAt(long offset) {
    ShardHeader header = new ShardHeader(descriptor, recordId, vectors, offset, sections);
    header.requireBehindHeader(offset);
    return header;
  }

  /**
   * Returns this header with a publisher record, which is not verified, in place of its optional
   * sections.
   *
   * @throws IllegalArgumentException if the header is of version 1, would have more than {@value
   *     #MAX_BYTES} bytes, or extend over the hashes of the generations
   */
  public ShardHeader withPublisherRecord(byte[] record) {
    ShardHeader header =
        new ShardHeader(
            descriptor, recordId, vectors, hashesAt, HeaderSections.ofPublisherRecord(record));
    if (descriptor.version() == 1 || header.byteSize() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "no room for a publisher record of %d bytes in a header of version %d"
              .formatted(record.length, descriptor.version()));
    }
    header.requireBehindHeader(hashesAt);
    return header;
  }

  /**
   * Returns the bytes of a header without unknown sections.
   *
   * @param version 1 or 2
   * @param isEncrypted whether the manifest has the parameters of a cipher
   * @param publisherRecordBytes the bytes of the publisher record; 0 if there is none
   */
  public static int byteSize(
      int version, String name, boolean isEncrypted, int publisherRecordBytes) {
    int nameBytes = CodedObject.nameBytes(name).length;
    int sectionBytes =
        publisherRecordBytes == 0 ? 0 : HeaderSections.PREFIX_BYTES + publisherRecordBytes;
    return version == 1
        ? aligned(Version1.NAME_AT + nameBytes)
        : aligned(
            Version2.MANIFEST_AT + ObjectManifest.byteSize(isEncrypted) + nameBytes + sectionBytes);
  }

  /**
   * Returns a number for the records of an encoder, known before the end of its input. It depends
   * on the shape, the seed and the first generation; a reader takes any number.
   *
   * @param first the hash of the first generation
   */
  public static long recordId(GenerationShape shape, long seed, Sha256 first) {
    ByteBuffer bytes = ByteBuffer.allocate(34 + Sha256.BYTES);
    bytes
        .put("FSTRECID".getBytes(StandardCharsets.US_ASCII))
        .put(Registry.fieldId(shape.field()))
        .put(Registry.codeId(shape.code()))
        .putLong(Registry.codeParameter(shape.code()))
        .putInt(shape.blocks())
        .putInt(shape.blockSize())
        .putLong(seed);
    first.writeTo(bytes);
    return Sha256.hash(bytes.flip()).word0();
  }

  /** Returns the object. */
  public CodedObject descriptor() {
    return descriptor;
  }

  /** Returns the number that all records of the shard carry. */
  public long recordId() {
    return recordId;
  }

  /** Returns true if every record has room for n coefficients. */
  public boolean vectors() {
    return vectors;
  }

  /** Returns the offset of the hashes of the generations; 0 if the shard has none. */
  public long hashesAt() {
    return hashesAt;
  }

  /**
   * Returns a copy of the publisher record, which is neither parsed nor verified; empty if there is
   * none.
   */
  public Optional<byte[]> publisherRecord() {
    OptionalInt at = sections.publisherRecordAt();
    return at.isPresent() ? Optional.of(sections.content(at.getAsInt())) : Optional.empty();
  }

  /** Returns the offset of the publisher record in the shard; empty if there is none. */
  public OptionalInt publisherRecordAt() {
    OptionalInt at = sections.publisherRecordAt();
    return at.isPresent() ? OptionalInt.of(sectionsAt() + at.getAsInt()) : at;
  }

  /** Returns the bytes of this header, which is the offset of the first record. */
  public int byteSize() {
    return aligned(sectionsAt() + sections.byteSize());
  }

  /** Returns the offset of the byte after the name. */
  private int sectionsAt() {
    int name = CodedObject.nameBytes(descriptor.name()).length;
    return switch (descriptor) {
      case ObjectDescriptor _ -> Version1.NAME_AT + name;
      case NamedObject object -> Version2.MANIFEST_AT + object.manifest().byteSize() + name;
    };
  }

  private static int aligned(int bytes) {
    return (bytes + CRC_BYTES + ALIGNMENT - 1) & -ALIGNMENT;
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
    ByteBuffer bytes = ByteBuffer.allocate(byteSize());
    bytes.putLong(MAGIC).putShort((short) descriptor.version()).putShort((short) bytes.capacity());
    switch (descriptor) {
      case ObjectDescriptor object -> Version1.write(this, object, bytes);
      case NamedObject object -> Version2.write(this, object, bytes);
    }
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
    require(available >= PREFIX_BYTES, available, "the file ends inside the header");
    require(
        header.getLong(MAGIC_AT) == MAGIC,
        MAGIC_AT,
        "not a shard: it does not start with \"FSTSHARD\"");
    int version = Short.toUnsignedInt(header.getShort(VERSION_AT));
    return switch (version) {
      case 1 -> Version1.parse(header);
      case 2 -> Version2.parse(header);
      default ->
          throw new MalformedDataException(
              VERSION_AT, "format version " + version + " is neither 1 nor 2");
    };
  }

  /** The fields of version 1. */
  private static final class Version1 {
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

    private static final Registry.Offsets SHAPE_AT =
        new Registry.Offsets(FIELD_AT, CODE_AT, PARAMETER_AT, BLOCKS_AT, BLOCK_SIZE_AT);

    private Version1() {}

    static void write(ShardHeader header, ObjectDescriptor object, ByteBuffer bytes) {
      byte[] name = CodedObject.nameBytes(object.name());
      GenerationShape shape = object.shape();
      bytes
          .put(Registry.fieldId(shape.field()))
          .put(Registry.codeId(shape.code()))
          .putShort((short) (header.vectors ? VECTORS_FLAG : 0))
          .putLong(object.objectId())
          .putLong(Registry.codeParameter(shape.code()))
          .putLong(object.seed())
          .putLong(object.length())
          .putInt(shape.blocks())
          .putInt(shape.blockSize())
          .put(HexFormat.of().parseHex(object.sha256()))
          .putShort((short) name.length)
          .put(name);
    }

    static ShardHeader parse(ByteBuffer header) throws MalformedDataException {
      require(header.capacity() >= NAME_AT, header.capacity(), "the file ends inside the header");
      int nameLength = nameLength(header, NAME_LENGTH_AT);
      int length = requireIntact(header, aligned(NAME_AT + nameLength));
      GenerationShape shape =
          Registry.shape(
              header.get(FIELD_AT),
              header.get(CODE_AT),
              header.getLong(PARAMETER_AT),
              header.getInt(BLOCKS_AT),
              header.getInt(BLOCK_SIZE_AT),
              SHAPE_AT);
      boolean vectors = vectors(header, FLAGS_AT);
      requireZeros(header, NAME_AT + nameLength, length - CRC_BYTES);
      byte[] sha256 = new byte[Sha256.BYTES];
      header.get(SHA256_AT, sha256);
      ObjectDescriptor descriptor;
      try {
        descriptor =
            new ObjectDescriptor(
                name(header, NAME_AT, nameLength),
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
      return new ShardHeader(descriptor, vectors);
    }
  }

  /** The fields of version 2. */
  private static final class Version2 {
    private static final int FLAGS_AT = 12;
    private static final int MANIFEST_LENGTH_AT = 14;
    private static final int RECORD_ID_AT = 16;
    private static final int HASHES_AT = 24;
    private static final int NAME_LENGTH_AT = 32;
    private static final int SECTIONS_LENGTH_AT = 34;
    private static final int RESERVED_AT = 36;
    private static final int MANIFEST_AT = 40;

    private Version2() {}

    static void write(ShardHeader header, NamedObject object, ByteBuffer bytes) {
      byte[] name = CodedObject.nameBytes(object.name());
      byte[] manifest = object.manifest().toBytes();
      bytes
          .putShort((short) (header.vectors ? VECTORS_FLAG : 0))
          .putShort((short) manifest.length)
          .putLong(header.recordId)
          .putLong(header.hashesAt)
          .putShort((short) name.length)
          .putShort((short) header.sections.byteSize())
          .putInt(0)
          .put(manifest)
          .put(name);
      header.sections.writeTo(bytes);
    }

    static ShardHeader parse(ByteBuffer header) throws MalformedDataException {
      require(
          header.capacity() >= MANIFEST_AT, header.capacity(), "the file ends inside the header");
      int nameLength = nameLength(header, NAME_LENGTH_AT);
      int manifestLength = Short.toUnsignedInt(header.getShort(MANIFEST_LENGTH_AT));
      require(
          manifestLength <= ObjectManifest.MAX_BYTES,
          MANIFEST_LENGTH_AT,
          "a manifest of " + manifestLength + " bytes");
      int sectionsLength = Short.toUnsignedInt(header.getShort(SECTIONS_LENGTH_AT));
      int nameAt = MANIFEST_AT + manifestLength;
      int sectionsAt = nameAt + nameLength;
      int length = requireIntact(header, aligned(sectionsAt + sectionsLength));
      boolean vectors = vectors(header, FLAGS_AT);
      requireZeros(header, RESERVED_AT, MANIFEST_AT);
      requireZeros(header, sectionsAt + sectionsLength, length - CRC_BYTES);
      byte[] manifest = new byte[manifestLength];
      header.get(MANIFEST_AT, manifest);
      byte[] sections = new byte[sectionsLength];
      header.get(sectionsAt, sections);
      NamedObject object = object(name(header, nameAt, nameLength), manifest);
      long hashesAt = header.getLong(HASHES_AT);
      require(hashesAt == 0 || hashesAt >= length, HASHES_AT, "hashes at offset " + hashesAt);
      return new ShardHeader(
          object,
          header.getLong(RECORD_ID_AT),
          vectors,
          hashesAt,
          HeaderSections.parse(sections, sectionsAt));
    }

    private static NamedObject object(String name, byte[] manifest) throws MalformedDataException {
      try {
        return new NamedObject(name, ObjectManifest.parse(manifest));
      } catch (MalformedDataException e) {
        throw new MalformedDataException(MANIFEST_AT + e.offset(), e.problem());
      } catch (IllegalArgumentException e) {
        throw new MalformedDataException(
            MANIFEST_AT + manifest.length, String.valueOf(e.getMessage()));
      }
    }
  }

  private static int nameLength(ByteBuffer header, int at) throws MalformedDataException {
    int length = Short.toUnsignedInt(header.getShort(at));
    require(
        length >= 1 && length <= CodedObject.MAX_NAME_BYTES,
        at,
        "file name of %d bytes, not 1…%d".formatted(length, CodedObject.MAX_NAME_BYTES));
    return length;
  }

  /** Checks that the header has the expected length and a correct CRC. */
  private static int requireIntact(ByteBuffer header, int expected) throws MalformedDataException {
    int length = Short.toUnsignedInt(header.getShort(LENGTH_AT));
    require(
        length == expected && length <= MAX_BYTES,
        LENGTH_AT,
        "header length %d is not %d".formatted(length, Math.min(expected, MAX_BYTES)));
    require(length <= header.capacity(), header.capacity(), "the file ends inside the header");
    int crc = crc(header, length);
    int crcAt = length - CRC_BYTES;
    require(
        crc == header.getInt(crcAt),
        crcAt,
        "CRC-32C of the header is %08x, the header says %08x".formatted(crc, header.getInt(crcAt)));
    return length;
  }

  private static boolean vectors(ByteBuffer header, int at) throws MalformedDataException {
    int flags = Short.toUnsignedInt(header.getShort(at));
    require((flags & ~VECTORS_FLAG) == 0, at, "unknown flags 0x%04x".formatted(flags));
    return (flags & VECTORS_FLAG) != 0;
  }

  private static void requireZeros(ByteBuffer header, int from, int to)
      throws MalformedDataException {
    for (int at = from; at < to; at++) {
      require(header.get(at) == 0, at, "a reserved byte is not zero");
    }
  }

  private static String name(ByteBuffer header, int at, int length) throws MalformedDataException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(header.slice(at, length)).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedDataException(at, "the file name is not UTF-8");
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

  @Override
  public boolean equals(Object other) {
    return other instanceof ShardHeader that
        && descriptor.equals(that.descriptor)
        && recordId == that.recordId
        && vectors == that.vectors
        && hashesAt == that.hashesAt
        && sections.equals(that.sections);
  }

  @Override
  public int hashCode() {
    return Objects.hash(descriptor, recordId, vectors, hashesAt, sections);
  }

  @Override
  public String toString() {
    return "header of a shard of %s, records %016x, %s, hashes at %d, %s"
        .formatted(descriptor, recordId, vectors ? "vectors" : "seeds", hashesAt, sections);
  }
}
