package io.fieldstone.rlnc.wire;

import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * Finds and reads the records of one object in bytes that may be damaged. Invalid data cause no
 * exception, and a payload is read only after a matching header. Immutable and thread-safe.
 */
public final class ShardRecords {

  private static final int MAGIC_BYTES = Integer.BYTES;

  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final ValueLayout.OfInt INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  /** The lowest and the highest bit of each of the eight bytes of a word. */
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;

  private static final long TOP_BITS = LOW_BITS << 7;

  /** The first byte of a record in each byte of a word. */
  private static final long FIRST_BYTES = (WireBlock.MAGIC >>> 24) * LOW_BITS;

  private static final MemorySegment ZEROS = MemorySegment.ofArray(new byte[1 << 16]).asReadOnly();

  private final CodedObject descriptor;
  private final WireBlock.SharedFields shared;
  private final long[] recordIds;

  /**
   * Creates a reader for the records of an object.
   *
   * @param recordIds the numbers that its records may carry
   */
  public ShardRecords(CodedObject descriptor, long... recordIds) {
    this.descriptor = descriptor;
    this.shared = WireBlock.SharedFields.of(descriptor.shape());
    this.recordIds = recordIds.clone();
  }

  /** Returns the number that a record carries, whose header starts at {@code offset}. */
  public static long recordId(MemorySegment bytes, long offset) {
    return WireBlock.objectId(bytes, offset);
  }

  /** Returns the generation of a record whose header starts at {@code offset}. */
  public static long generation(MemorySegment bytes, long offset) {
    return WireBlock.generation(bytes, offset);
  }

  private boolean isOwn(long recordId) {
    for (long own : recordIds) {
      if (own == recordId) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the offset of the first record magic in {@code bytes} from {@code from} on, at memory
   * speed.
   *
   * @return the offset, or −1 if there is none
   */
  public static long find(MemorySegment bytes, long from) {
    long end = bytes.byteSize() - MAGIC_BYTES + 1;
    long at = from;
    while (at < end) {
      if (at + Long.BYTES <= bytes.byteSize()) {
        long word = bytes.get(WORD, at);
        if (word == 0) {
          at = skipZeros(bytes, at);
          continue;
        }
        if (!hasZeroByte(word ^ FIRST_BYTES)) {
          at += Long.BYTES;
          continue;
        }
      }
      if (bytes.get(INT, at) == WireBlock.MAGIC) {
        return at;
      }
      at++;
    }
    return -1;
  }

  private static boolean hasZeroByte(long word) {
    return ((word - LOW_BITS) & ~word & TOP_BITS) != 0;
  }

  /** Returns the offset of the first nonzero byte from {@code at} on; files may have long holes. */
  private static long skipZeros(MemorySegment bytes, long at) {
    long from = at;
    while (from < bytes.byteSize()) {
      long length = Math.min(ZEROS.byteSize(), bytes.byteSize() - from);
      long mismatch = MemorySegment.mismatch(bytes, from, from + length, ZEROS, 0, length);
      if (mismatch >= 0) {
        return from + mismatch;
      }
      from += length;
    }
    return from;
  }

  /**
   * Returns true if the bytes at {@code offset} can be the header of a record of this object. Bytes
   * after the header are ignored.
   *
   * @param bytes at least {@link WireBlock#HEADER_BYTES} bytes from {@code offset} on
   */
  public boolean matches(MemorySegment bytes, long offset) {
    if (!shared.matches(bytes, offset) || !isOwn(WireBlock.objectId(bytes, offset))) {
      return false;
    }
    long generation = WireBlock.generation(bytes, offset);
    return generation < descriptor.generations()
        && WireBlock.blocks(bytes, offset) == descriptor.blocksOf(generation);
  }

  /**
   * Returns the block of an undamaged record whose header {@link #matches}; empty if it is no such
   * record.
   *
   * @param record exactly one record; the block's vector and payload are slices of it
   * @param vectorBytes the room for the vector in each record of the shard
   */
  public Optional<CodedBlock> read(MemorySegment record, int vectorBytes) {
    if (!matches(record, 0) || !WireBlock.isIntact(record)) {
      return Optional.empty();
    }
    try {
      GenerationShape shape = descriptor.shape().withBlocks(WireBlock.blocks(record, 0));
      return Optional.of(WireBlock.block(record, shape, vectorBytes));
    } catch (MalformedDataException e) {
      return Optional.empty();
    }
  }
}
