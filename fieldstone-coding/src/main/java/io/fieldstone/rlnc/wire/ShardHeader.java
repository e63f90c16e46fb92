package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * The header of a shard file (docs/format.md, "Shard file"): the object of its records and their
 * layout. Immutable and thread-safe.
 */
public final class ShardHeader {

  /** The version of the format that is written and read. */
  public static final int VERSION = 2;

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
  private static final int FLAGS_AT = 12;
  private static final int MANIFEST_LENGTH_AT = 14;
  private static final int RECORD_ID_AT = 16;
  private static final int HASHES_AT = 24;
  private static final int NAME_LENGTH_AT = 32;
  private static final int SECTIONS_LENGTH_AT = 34;
  private static final int RESERVED_AT = 36;
  private static final int MANIFEST_AT = 40;
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
   * Creates a header.
   *
   * @param recordId the number that all records of the shard carry
   * @param vectors true if every record has room for n coefficients
   * @param hashesAt the offset of the hashes of the generations; 0 if the shard has none
   * @throws IllegalArgumentException if the hashes begin inside the header
   */
  public ShardHeader(CodedObject object, long recordId, boolean vectors, long hashesAt) {
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
   * @param newRecordId the number that its records carry
   */
  public ShardHeader of(long newRecordId, boolean hasVectors) {
    return new ShardHeader(descriptor, newRecordId, hasVectors, 0, sections.known());
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
   * @throws IllegalArgumentException if the header would have more than {@value #MAX_BYTES} bytes,
   *     or extend over the hashes of the generations
   */
  public ShardHeader withPublisherRecord(byte[] record) {
    ShardHeader header =
        new ShardHeader(
            descriptor, recordId, vectors, hashesAt, HeaderSections.ofPublisherRecord(record));
    if (header.byteSize() > MAX_BYTES) {
      throw new IllegalArgumentException(
          "no room for a publisher record of %d bytes in a header".formatted(record.length));
    }
    header.requireBehindHeader(hashesAt);
    return header;
  }

  /**
   * Returns the bytes of a header without unknown sections.
   *
   * @param isEncrypted whether the manifest has the parameters of a cipher
   * @param publisherRecordBytes the bytes of the publisher record; 0 if there is none
   */
  public static int byteSize(String name, boolean isEncrypted, int publisherRecordBytes) {
    int sectionBytes =
        publisherRecordBytes == 0 ? 0 : HeaderSections.PREFIX_BYTES + publisherRecordBytes;
    return aligned(
        MANIFEST_AT
            + ObjectManifest.byteSize(isEncrypted)
            + Names.utf8(name).length
            + sectionBytes);
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
    return MANIFEST_AT + descriptor.manifest().byteSize() + Names.utf8(descriptor.name()).length;
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
    byte[] name = Names.utf8(descriptor.name());
    byte[] manifest = descriptor.manifest().toBytes();
    bytes
        .putLong(MAGIC)
        .putShort((short) VERSION)
        .putShort((short) bytes.capacity())
        .putShort((short) (vectors ? VECTORS_FLAG : 0))
        .putShort((short) manifest.length)
        .putLong(recordId)
        .putLong(hashesAt)
        .putShort((short) name.length)
        .putShort((short) sections.byteSize())
        .putInt(0)
        .put(manifest)
        .put(name);
    sections.writeTo(bytes);
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
    requireVersion(Short.toUnsignedInt(header.getShort(VERSION_AT)));
    return parse(header);
  }

  private static void requireVersion(int version) throws MalformedDataException {
    require(version != 1, VERSION_AT, "a shard of format version 1, which is not read any more");
    require(version == VERSION, VERSION_AT, "format version %d is not 2".formatted(version));
  }

  private static ShardHeader parse(ByteBuffer header) throws MalformedDataException {
    require(header.capacity() >= MANIFEST_AT, header.capacity(), "the file ends inside the header");
    int nameLength = nameLength(header);
    int manifestLength = Short.toUnsignedInt(header.getShort(MANIFEST_LENGTH_AT));
    require(
        manifestLength <= ObjectManifest.MAX_BYTES,
        MANIFEST_LENGTH_AT,
        "a manifest of " + manifestLength + " bytes");
    int sectionsLength = Short.toUnsignedInt(header.getShort(SECTIONS_LENGTH_AT));
    int nameAt = MANIFEST_AT + manifestLength;
    int sectionsAt = nameAt + nameLength;
    int length = requireIntact(header, aligned(sectionsAt + sectionsLength));
    boolean vectors = vectors(header);
    requireZeros(header, RESERVED_AT, MANIFEST_AT);
    requireZeros(header, sectionsAt + sectionsLength, length - CRC_BYTES);
    byte[] manifest = new byte[manifestLength];
    header.get(MANIFEST_AT, manifest);
    byte[] sections = new byte[sectionsLength];
    header.get(sectionsAt, sections);
    CodedObject object = object(name(header, nameAt, nameLength), manifest);
    long hashesAt = header.getLong(HASHES_AT);
    require(hashesAt == 0 || hashesAt >= length, HASHES_AT, "hashes at offset " + hashesAt);
    return new ShardHeader(
        object,
        header.getLong(RECORD_ID_AT),
        vectors,
        hashesAt,
        HeaderSections.parse(sections, sectionsAt));
  }

  private static CodedObject object(String name, byte[] manifest) throws MalformedDataException {
    try {
      return new CodedObject(name, ObjectManifest.parse(manifest));
    } catch (MalformedDataException e) {
      throw new MalformedDataException(MANIFEST_AT + e.offset(), e.problem());
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(
          MANIFEST_AT + manifest.length, String.valueOf(e.getMessage()));
    }
  }

  private static int nameLength(ByteBuffer header) throws MalformedDataException {
    int length = Short.toUnsignedInt(header.getShort(NAME_LENGTH_AT));
    require(
        length >= 1 && length <= Names.MAX_BYTES,
        NAME_LENGTH_AT,
        "file name of %d bytes, not 1…%d".formatted(length, Names.MAX_BYTES));
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

  private static boolean vectors(ByteBuffer header) throws MalformedDataException {
    int flags = Short.toUnsignedInt(header.getShort(FLAGS_AT));
    require((flags & ~VECTORS_FLAG) == 0, FLAGS_AT, "unknown flags 0x%04x".formatted(flags));
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
