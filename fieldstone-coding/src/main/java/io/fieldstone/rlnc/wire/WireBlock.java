package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.CodingVector;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * A coded block in its format for packets and files (docs/format.md, "Wire block"): a header of
 * {@value #HEADER_BYTES} bytes, the coding vector if the block carries one, and k payload bytes.
 * All numbers are big-endian; a CRC-32C covers all bytes.
 *
 * {@snippet :
 * WireBlock received = WireBlock.parse(packet); // fails unless its checksum is right
 * decoder.add(received.block());
 * }
 *
 * <p>In a packet, the vector has n bytes or none. In a shard, every record has the same room for a
 * vector; unused bytes are zero.
 *
 * <p>Immutable; as thread-safe as the memory of its payload.
 *
 * @param objectId the number of the object; in a shard, the record id of its header
 * @param shape the shape, with the n of this block's own generation
 * @param block generation, vector and payload of k bytes
 */
public record WireBlock(long objectId, GenerationShape shape, CodedBlock block) {

  /**
   * The bytes before the vector. A payload of 4096 bytes makes a record of 4160, which avoids 4 KiB
   * aliasing.
   */
  public static final int HEADER_BYTES = 64;

  /** The first four bytes: "FSB" and version 1. */
  static final int MAGIC = 0x46534201;

  private static final int MAGIC_AT = 0;
  private static final int FIELD_AT = 4;
  private static final int CODE_AT = 5;
  private static final int KIND_AT = 6;
  private static final int OBJECT_AT = 8;
  private static final int PARAMETER_AT = 16;
  private static final int SEED_AT = 24;
  private static final int GENERATION_AT = 32;
  private static final int INDEX_AT = 36;
  private static final int POSITION_AT = 40;
  private static final int BLOCKS_AT = 44;
  private static final int BLOCK_SIZE_AT = 48;
  private static final int CRC_AT = 60;

  private static final int SEEDED = 1;
  private static final int SOURCE = 2;
  private static final int PIPELINED = 3;
  private static final int EXPLICIT = 4;

  private static final Registry.Offsets SHAPE_AT =
      new Registry.Offsets(FIELD_AT, CODE_AT, PARAMETER_AT, BLOCKS_AT, BLOCK_SIZE_AT);
  private static final long U32 = 0xFFFF_FFFFL;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /**
   * Checks that the parts agree.
   *
   * @throws IllegalArgumentException if the payload does not have k bytes, the generation is not in
   *     0 … 2^32 − 1, or the vector does not fit n and the code
   */
  public WireBlock {
    Objects.requireNonNull(shape, "shape");
    if (block.payload().byteSize() != shape.blockSize()) {
      throw new IllegalArgumentException(
          "payload of %d bytes, expected %d"
              .formatted(block.payload().byteSize(), shape.blockSize()));
    }
    requireU32("generation", block.generation());
    String misfit = misfit(shape, block.vector());
    if (!misfit.isEmpty()) {
      throw new IllegalArgumentException(misfit);
    }
  }

  /** Returns the bytes of this block in a packet. */
  public int byteSize() {
    return HEADER_BYTES + vectorBytes() + shape.blockSize();
  }

  /**
   * Returns the bytes of the vector in a packet: n if the block carries its coefficients, else 0.
   */
  private int vectorBytes() {
    return block.vector() instanceof CodingVector.Explicit ? shape.blocks() : 0;
  }

  /**
   * Parses a packet. The block's vector and payload are slices of {@code packet}.
   *
   * @param packet exactly one block
   * @throws MalformedDataException if the packet is not valid; lengths in it cause no allocation
   */
  public static WireBlock parse(MemorySegment packet) throws MalformedDataException {
    requireHeader(packet);
    int n = packet.get(INT, BLOCKS_AT);
    boolean explicit = packet.get(ValueLayout.JAVA_BYTE, KIND_AT) == EXPLICIT;
    if (explicit && (n < 1 || n > GenerationShape.MAX_BLOCKS)) {
      throw new MalformedDataException(
          BLOCKS_AT,
          "generation size %d is not in 1…%d".formatted(n & U32, GenerationShape.MAX_BLOCKS));
    }
    return parseRecord(packet, explicit ? n : 0);
  }

  /**
   * Parses a record of a shard. The block's vector and payload are slices of {@code record}.
   *
   * @param record exactly one record
   * @param vectorBytes the room for the vector in each record of this shard, ≥ 0
   * @throws MalformedDataException if the record is not valid; lengths in it cause no allocation
   */
  public static WireBlock parseRecord(MemorySegment record, int vectorBytes)
      throws MalformedDataException {
    requireHeader(record);
    if (!isIntact(record)) {
      throw new MalformedDataException(
          CRC_AT,
          "CRC-32C is %08x, the header says %08x".formatted(crc(record), record.get(INT, CRC_AT)));
    }
    GenerationShape shape =
        Registry.shape(
            record.get(ValueLayout.JAVA_BYTE, FIELD_AT),
            record.get(ValueLayout.JAVA_BYTE, CODE_AT),
            record.get(LONG, PARAMETER_AT),
            record.get(INT, BLOCKS_AT),
            record.get(INT, BLOCK_SIZE_AT),
            SHAPE_AT);
    return new WireBlock(record.get(LONG, OBJECT_AT), shape, block(record, shape, vectorBytes));
  }

  /** Returns true if the CRC of a record is right. */
  static boolean isIntact(MemorySegment record) {
    return record.get(INT, CRC_AT) == crc(record);
  }

  /** Parses the block of a record whose CRC has been checked, and whose header has this shape. */
  static CodedBlock block(MemorySegment record, GenerationShape shape, int vectorBytes)
      throws MalformedDataException {
    long size = (long) HEADER_BYTES + vectorBytes + shape.blockSize();
    if (record.byteSize() != size) {
      throw new MalformedDataException(
          BLOCK_SIZE_AT, "the block has %d bytes, not %d".formatted(size, record.byteSize()));
    }
    CodingVector vector = vector(record, shape, vectorBytes);
    String misfit = misfit(shape, vector);
    if (!misfit.isEmpty()) {
      throw new MalformedDataException(POSITION_AT, misfit);
    }
    requireZeros(record, shape, vector, vectorBytes);
    return new CodedBlock(
        record.get(INT, GENERATION_AT) & U32,
        vector,
        record.asSlice((long) HEADER_BYTES + vectorBytes));
  }

  /** The fields that the headers of all blocks of an object share. */
  record SharedFields(byte field, byte code, long parameter, int blockSize) {

    static SharedFields of(GenerationShape shape) {
      return new SharedFields(
          Registry.fieldId(shape.field()),
          Registry.codeId(shape.code()),
          Registry.codeParameter(shape.code()),
          shape.blockSize());
    }

    /**
     * Returns true if the header at {@code at} has the magic and these fields. The vector, the CRC
     * and later bytes are ignored.
     */
    boolean matches(MemorySegment bytes, long at) {
      return bytes.get(INT, at + MAGIC_AT) == MAGIC
          && bytes.get(INT, at + BLOCK_SIZE_AT) == blockSize
          && bytes.get(ValueLayout.JAVA_BYTE, at + FIELD_AT) == field
          && bytes.get(ValueLayout.JAVA_BYTE, at + CODE_AT) == code
          && bytes.get(LONG, at + PARAMETER_AT) == parameter;
    }
  }

  /** Returns the object id in the header at {@code at}. */
  static long objectId(MemorySegment bytes, long at) {
    return bytes.get(LONG, at + OBJECT_AT);
  }

  /** Returns the generation in the header at {@code at}. */
  static long generation(MemorySegment bytes, long at) {
    return bytes.get(INT, at + GENERATION_AT) & U32;
  }

  /** Returns the n in the header at {@code at}. */
  static int blocks(MemorySegment bytes, long at) {
    return bytes.get(INT, at + BLOCKS_AT);
  }

  private static void requireHeader(MemorySegment bytes) throws MalformedDataException {
    if (bytes.byteSize() < HEADER_BYTES) {
      throw new MalformedDataException(
          bytes.byteSize(),
          "a block of %d bytes is shorter than its header".formatted(bytes.byteSize()));
    }
    if (bytes.get(INT, MAGIC_AT) != MAGIC) {
      throw new MalformedDataException(
          MAGIC_AT,
          "a block starts with %08x, not %08x".formatted(MAGIC, bytes.get(INT, MAGIC_AT)));
    }
  }

  private static CodingVector vector(MemorySegment record, GenerationShape shape, int vectorBytes)
      throws MalformedDataException {
    long seed = record.get(LONG, SEED_AT);
    long index = record.get(INT, INDEX_AT) & U32;
    int position = record.get(INT, POSITION_AT);
    int kind = record.get(ValueLayout.JAVA_BYTE, KIND_AT);
    return switch (kind) {
      case SEEDED -> new CodingVector.Seeded(seed, index);
      case SOURCE -> new CodingVector.Source(position);
      case PIPELINED -> new CodingVector.Pipelined(position, seed, index);
      case EXPLICIT -> {
        if (vectorBytes < shape.blocks()) {
          throw new MalformedDataException(
              KIND_AT,
              "%d coefficients do not fit %d vector bytes".formatted(shape.blocks(), vectorBytes));
        }
        yield new CodingVector.Explicit(record.asSlice(HEADER_BYTES, shape.blocks()));
      }
      default -> throw new MalformedDataException(KIND_AT, "unknown kind of vector " + kind);
    };
  }

  /** Checks that unused bytes are zero, so that later versions can use them. */
  private static void requireZeros(
      MemorySegment record, GenerationShape shape, CodingVector vector, int vectorBytes)
      throws MalformedDataException {
    requireZeros(record, KIND_AT + 1, OBJECT_AT);
    requireZeros(record, BLOCK_SIZE_AT + Integer.BYTES, CRC_AT);
    int usedVector = 0;
    switch (vector) {
      case CodingVector.Seeded _ -> requireZeros(record, POSITION_AT, BLOCKS_AT);
      case CodingVector.Pipelined _ -> {}
      case CodingVector.Source _ -> {
        requireZeros(record, SEED_AT, GENERATION_AT);
        requireZeros(record, INDEX_AT, POSITION_AT);
      }
      case CodingVector.Explicit _ -> {
        requireZeros(record, SEED_AT, GENERATION_AT);
        requireZeros(record, INDEX_AT, BLOCKS_AT);
        usedVector = shape.blocks();
      }
    }
    requireZeros(record, HEADER_BYTES + usedVector, HEADER_BYTES + vectorBytes);
  }

  private static void requireZeros(MemorySegment record, int from, int to)
      throws MalformedDataException {
    int at = from;
    while (at + Long.BYTES <= to && record.get(LONG, at) == 0) {
      at += Long.BYTES;
    }
    for (; at < to; at++) {
      if (record.get(ValueLayout.JAVA_BYTE, at) != 0) {
        throw new MalformedDataException(at, "a reserved byte is not zero");
      }
    }
  }

  /**
   * Writes this block as a packet of {@link #byteSize()} bytes.
   *
   * @throws IndexOutOfBoundsException if {@code packet} is shorter
   */
  public void writeTo(MemorySegment packet) {
    writeRecord(packet.asSlice(0, byteSize()), vectorBytes());
  }

  /**
   * Writes this block as a record of a shard. A vector or payload that is already in its place in
   * the record is not copied.
   *
   * @param record {@code 64 + vectorBytes + k} bytes
   * @param vectorBytes the room for the vector in each record of this shard
   * @throws IllegalArgumentException if the record has another size or the vector does not fit
   */
  public void writeRecord(MemorySegment record, int vectorBytes) {
    long size = (long) HEADER_BYTES + vectorBytes + shape.blockSize();
    if (record.byteSize() != size || vectorBytes < vectorBytes()) {
      throw new IllegalArgumentException(
          "a block of %d bytes does not fit a record of %d bytes with %d for the vector"
              .formatted(byteSize(), record.byteSize(), vectorBytes));
    }
    record.asSlice(0, HEADER_BYTES).fill((byte) 0);
    record.set(INT, MAGIC_AT, MAGIC);
    record.set(ValueLayout.JAVA_BYTE, FIELD_AT, Registry.fieldId(shape.field()));
    record.set(ValueLayout.JAVA_BYTE, CODE_AT, Registry.codeId(shape.code()));
    record.set(LONG, OBJECT_AT, objectId);
    record.set(LONG, PARAMETER_AT, Registry.codeParameter(shape.code()));
    record.set(INT, GENERATION_AT, (int) block.generation());
    record.set(INT, BLOCKS_AT, shape.blocks());
    record.set(INT, BLOCK_SIZE_AT, shape.blockSize());
    int kind = writeVector(record);
    record.set(ValueLayout.JAVA_BYTE, KIND_AT, (byte) kind);
    int unused = vectorBytes - vectorBytes();
    record.asSlice(HEADER_BYTES + vectorBytes(), unused).fill((byte) 0);
    copyUnlessThere(block.payload(), record.asSlice((long) HEADER_BYTES + vectorBytes));
    record.set(INT, CRC_AT, crc(record));
  }

  private int writeVector(MemorySegment record) {
    return switch (block.vector()) {
      case CodingVector.Seeded(long seed, long index) -> {
        record.set(LONG, SEED_AT, seed);
        record.set(INT, INDEX_AT, (int) index);
        yield SEEDED;
      }
      case CodingVector.Source(int index) -> {
        record.set(INT, POSITION_AT, index);
        yield SOURCE;
      }
      case CodingVector.Pipelined(int sequenceNumber, long seed, long index) -> {
        record.set(LONG, SEED_AT, seed);
        record.set(INT, INDEX_AT, (int) index);
        record.set(INT, POSITION_AT, sequenceNumber);
        yield PIPELINED;
      }
      case CodingVector.Explicit(MemorySegment coefficients) -> {
        copyUnlessThere(coefficients, record.asSlice(HEADER_BYTES, shape.blocks()));
        yield EXPLICIT;
      }
    };
  }

  private static void copyUnlessThere(MemorySegment source, MemorySegment destination) {
    if (!source.equals(destination)) {
      destination.copyFrom(source);
    }
  }

  /** Returns the reason why a vector does not fit this shape; empty if it does. */
  private static String misfit(GenerationShape shape, CodingVector vector) {
    int n = shape.blocks();
    boolean pipeline = shape.code() instanceof Code.Pipeline;
    return switch (vector) {
      case CodingVector.Seeded(_, long index) when index < 0 || index > U32 ->
          "index " + index + " is not in 0…" + U32;
      case CodingVector.Seeded _ when pipeline ->
          "a seeded vector of the pipeline code has no sequence number";
      case CodingVector.Pipelined(_, _, long index) when index < 0 || index > U32 ->
          "index " + index + " is not in 0…" + U32;
      case CodingVector.Pipelined _ when !pipeline ->
          "a vector with a sequence number in a block of the " + shape.code().name() + " code";
      case CodingVector.Pipelined(int sequenceNumber, _, _)
          when sequenceNumber < 0 || sequenceNumber >= n ->
          "sequence number " + (sequenceNumber & U32) + " is not in 0…" + (n - 1);
      case CodingVector.Source(int index) when index < 0 || index >= n ->
          "source index " + (index & U32) + " is not in 0…" + (n - 1);
      case CodingVector.Explicit(MemorySegment coefficients) when coefficients.byteSize() != n ->
          "vector of " + coefficients.byteSize() + " coefficients, expected " + n;
      default -> "";
    };
  }

  private static void requireU32(String name, long value) {
    if (value < 0 || value > U32) {
      throw new IllegalArgumentException(name + " " + value + " is not in 0…" + U32);
    }
  }

  /** Returns the CRC-32C of a block except for its CRC field. */
  private static int crc(MemorySegment record) {
    CRC32C crc = new CRC32C();
    ByteBuffer bytes = record.asByteBuffer();
    crc.update(bytes.limit(CRC_AT));
    crc.update(bytes.clear().position(HEADER_BYTES));
    return (int) crc.getValue();
  }
}
