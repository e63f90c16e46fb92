package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.wire.ShardRecords;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.file.PositionedInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Scans a range of a shard for undamaged records. A record is expected where the previous one ends;
 * after damage, the next is found by its magic and CRC.
 *
 * <p>Time is proportional to the range for any content: the bytes spent on wrong CRCs are limited
 * by the bytes scanned, and candidates beyond that are skipped. The scan ends after too many bytes
 * without a record, because a sparse file can have huge holes.
 */
final class RecordScanner {

  /**
   * The maximum bytes under wrong CRCs per byte scanned; damage alone needs one, for either layout.
   */
  private static final int MAX_WASTE = 4;

  /** The number of records under wrong CRCs that is allowed at the start. */
  private static final int FIRST_WASTE = 16;

  private final PositionedInput file;
  private final ShardRecords records;
  private final int blockSize;

  /** The vector sizes of records: one, or both possible ones until a record is found. */
  private int[] layouts;

  private final long from;
  private final long end;
  private final long maxDamage;
  private final MemorySegment window;
  private long windowAt;
  private long windowBytes;

  private long at;
  private long checkedUntil;
  private long recordAt;
  private long recordId;
  private Optional<CodedBlock> block = Optional.empty();
  private long found;
  private long damaged;

  /** Whether the range begins with a record, and all records are whole records behind its start. */
  private boolean areInPlace = true;

  /** The end of the last record. */
  private long foundUntil;

  private long credit;
  private long wasted;

  /** The bytes scanned that are not in a record. */
  private long passed;

  /**
   * Starts before the first record.
   *
   * @param layouts the possible vector sizes of records
   * @param from the first byte of the range, where a record is expected
   * @param end the byte after the range
   * @param maxDamage the total bytes outside records after which the scan ends
   * @param window a read buffer for at least one record of the largest layout
   */
  RecordScanner(
      PositionedInput file,
      ShardRecords records,
      int blockSize,
      int[] layouts,
      long from,
      long end,
      long maxDamage,
      MemorySegment window) {
    this.file = file;
    this.records = records;
    this.blockSize = blockSize;
    this.layouts = layouts;
    this.from = from;
    this.end = end;
    this.maxDamage = maxDamage;
    this.window = window;
    this.windowAt = from;
    this.at = from;
    this.checkedUntil = from;
    this.credit = (long) FIRST_WASTE * recordBytes(layouts[layouts.length - 1]);
  }

  private int recordBytes(int vectorBytes) {
    return WireBlock.HEADER_BYTES + vectorBytes + blockSize;
  }

  /** Advances to the next undamaged record; returns false if there is none. */
  boolean next() throws IOException {
    block = Optional.empty();
    while (passed <= maxDamage && load(at, WireBlock.HEADER_BYTES)) {
      if (records.matches(window, at - windowAt) && read()) {
        return true;
      }
      search(at + 1);
    }
    count(end);
    return false;
  }

  /** Reads a record candidate; returns true if it is an undamaged record. */
  private boolean read() throws IOException {
    for (int vectorBytes : layouts) {
      int bytes = recordBytes(vectorBytes);
      if (credit < bytes || !load(at, bytes)) {
        continue;
      }
      block = records.read(window.asSlice(at - windowAt, bytes), vectorBytes);
      if (block.isPresent()) {
        layouts = new int[] {vectorBytes};
        count(at);
        areInPlace &= (at - from) % bytes == 0 && (found > 0 || at == from);
        found++;
        recordAt = at;
        recordId = ShardRecords.recordId(window, at - windowAt);
        at += bytes;
        checkedUntil = at;
        foundUntil = at;
        return true;
      }
      credit -= bytes;
      wasted += bytes;
    }
    return false;
  }

  /** Advances to the next magic from {@code from} on, or to the end of the scan. */
  private void search(long from) throws IOException {
    long before = at;
    at = from;
    while (passed + at - before <= maxDamage && load(at, Integer.BYTES)) {
      long next = ShardRecords.find(window.asSlice(0, windowBytes), at - windowAt);
      if (next >= 0) {
        at = windowAt + next;
        break;
      }
      at = windowAt + windowBytes - Integer.BYTES + 1;
    }
    passed += at - before;
    credit += MAX_WASTE * (at - before);
  }

  /**
   * Loads {@code bytes} from {@code position} on into the window; returns false if the range is
   * shorter.
   */
  private boolean load(long position, int bytes) throws IOException {
    if (end - position < bytes) {
      return false;
    }
    if (position >= windowAt && position + bytes <= windowAt + windowBytes) {
      return true;
    }
    windowAt = position;
    windowBytes =
        file.read(window.asSlice(0, Math.min(window.byteSize(), end - position)), position);
    return windowBytes >= bytes;
  }

  /** Counts the bytes from the last record to {@code position} as damaged records, at least one. */
  private void count(long position) {
    long bytes = position - checkedUntil;
    if (bytes > 0) {
      long record = recordBytes(layouts[0]);
      damaged += Math.max(1, (bytes + record / 2) / record);
    }
    checkedUntil = position;
  }

  /** Returns the block of the record, in memory that is valid until {@link #next}. */
  CodedBlock block() {
    return block.orElseThrow();
  }

  /** Returns the offset of the record in the file. */
  long recordAt() {
    return recordAt;
  }

  /** Returns the number that the record carries. */
  long recordId() {
    return recordId;
  }

  /** Returns the vector size of the records found. */
  int vectorBytes() {
    return layouts[0];
  }

  /** Returns the number of undamaged records so far. */
  long found() {
    return found;
  }

  /** Returns the damage so far in records; each damaged place counts as at least one. */
  long damaged() {
    return damaged;
  }

  /**
   * Returns whether an undamaged record may lie across an end of the range, so that this scan did
   * not find it: the record at that end is damaged, or one is out of its place. Called after the
   * last record.
   */
  boolean mayLackRecords() {
    return damaged > 0 && !(areInPlace && foundUntil == end);
  }

  /** Returns the bytes under wrong CRCs so far. */
  long wasted() {
    return wasted;
  }
}
