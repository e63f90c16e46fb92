package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.wire.ShardRecords;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Goes through a part of a shard from one undamaged record to the next, wherever they lie: a record
 * is expected where the last one ends, and after damage the next is found by its magic and its CRC.
 *
 * <p>Time is proportional to the bytes, whatever they are: a CRC that turns out wrong is paid for
 * by bytes passed, and what looks like a record beyond that is passed over. After too many bytes
 * that are no record it gives up: a hole of a file costs no disk, and would cost hours.
 */
final class RecordScanner {

  /** Bytes under a wrong CRC for each byte passed; damage alone needs one, for either layout. */
  private static final int MAX_WASTE = 4;

  /** Records under a wrong CRC before any byte has been passed. */
  private static final int FIRST_WASTE = 16;

  private final OpenFile file;
  private final ShardRecords records;
  private final int blockSize;

  /**
   * Room for a vector in a record: one number, or both that may be as long as no record is known.
   */
  private int[] layouts;

  private final long end;
  private final long maxDamage;
  private final MemorySegment window;
  private long windowAt;
  private long windowBytes;

  private long at;
  private long checkedUntil;
  private long recordAt;
  private Optional<CodedBlock> block = Optional.empty();
  private long found;
  private long damaged;
  private long credit;
  private long wasted;

  /** Bytes passed so far that are no record. */
  private long passed;

  /**
   * Starts before the first record.
   *
   * @param layouts room for a vector in each record, or the numbers that are possible
   * @param from the first byte looked at, where a record is expected
   * @param end the first byte not looked at
   * @param maxDamage bytes that are no record, all together, after which no more is looked at
   * @param window memory for at least one record of the largest layout; read at a time
   */
  RecordScanner(
      OpenFile file,
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

  /** Goes to the next undamaged record; false if there is none. */
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

  /** Reads what begins like a record; true if it is one. */
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
        found++;
        recordAt = at;
        at += bytes;
        checkedUntil = at;
        return true;
      }
      credit -= bytes;
      wasted += bytes;
    }
    return false;
  }

  /** Goes to the next magic from {@code from} on, or to where nothing more is looked at. */
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

  /** Has {@code bytes} from {@code position} on in the window; false if there are not so many. */
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

  /** Counts what lies between the last record and {@code position} in records, at least one. */
  private void count(long position) {
    long bytes = position - checkedUntil;
    if (bytes > 0) {
      long record = recordBytes(layouts[0]);
      damaged += Math.max(1, (bytes + record / 2) / record);
    }
    checkedUntil = position;
  }

  /** The record's block, in memory that is valid until {@link #next}. */
  CodedBlock block() {
    return block.orElseThrow();
  }

  /** Where in the file the record begins. */
  long recordAt() {
    return recordAt;
  }

  /** Where the record ends. */
  long recordEnd() {
    return at;
  }

  /** Room for a vector in the records found. */
  int vectorBytes() {
    return layouts[0];
  }

  /** Undamaged records so far. */
  long found() {
    return found;
  }

  /** Damage so far, in records: each place where bytes are none counts as one at least. */
  long damaged() {
    return damaged;
  }

  /** Bytes under wrong CRCs so far. */
  long wasted() {
    return wasted;
  }
}
