package io.fieldstone.cpu;

import java.lang.foreign.MemorySegment;

/**
 * Items dealt out by a digit without counting them first: full buffers are appended to a log as
 * they come, with a note of whose they are. Writing is one stream, whatever the digit; each value's
 * items are gathered afterwards.
 */
final class PartitionLog extends DigitBuffers {

  private final long log;
  private final long[] bytes;

  /** Which value each chunk of the log is of. */
  private final int[] owners;

  private int chunks;

  /** The chunks of the first value in order, then those of the next. */
  private int[] order = {};

  /** Where those of each value begin. */
  private final int[] starts;

  /**
   * An empty log.
   *
   * @param buffers where they are, on a multiple of their size
   * @param values of the digit
   * @param log memory, as much as {@link #room(long, int)} says
   * @param items bytes of all that will come
   */
  PartitionLog(long buffers, int values, long log, long items) {
    super(buffers, values);
    this.log = log;
    this.bytes = new long[values];
    this.owners = new int[Math.toIntExact(room(items, values) / BUFFER_BYTES)];
    this.starts = new int[values + 1];
  }

  /** Memory for the log of so many bytes of items: the last chunk of each value is rounded up. */
  static long room(long items, int values) {
    return (items / BUFFER_BYTES + values) * BUFFER_BYTES;
  }

  @Override
  long empty(int digit, long head) {
    append(digit, BUFFER_BYTES);
    return buffer(digit);
  }

  /** Appends what is left in the buffers. Nothing comes after it. */
  void finish() {
    for (int digit = 0; digit < bytes.length; digit++) {
      long rest = heads()[digit] - buffer(digit);
      if (rest > 0) {
        append(digit, rest);
      }
    }
    orderChunks();
  }

  /** Bytes of the items of a value. */
  long bytes(int digit) {
    return bytes[digit];
  }

  /**
   * Copies the items of a value, in the order in which they came.
   *
   * @return where they end
   */
  long gather(int digit, long to) {
    long at = to;
    long end = to + bytes[digit];
    for (int i = starts[digit]; at < end; i++) {
      long copied = Math.min(BUFFER_BYTES, end - at);
      MemorySegment.copy(Rows.MEMORY, chunk(order[i]), Rows.MEMORY, at, copied);
      at += copied;
    }
    return end;
  }

  private void append(int digit, long size) {
    MemorySegment.copy(Rows.MEMORY, buffer(digit), Rows.MEMORY, chunk(chunks), size);
    owners[chunks++] = digit;
    bytes[digit] += size;
  }

  private long chunk(int number) {
    return log + (long) number * BUFFER_BYTES;
  }

  private void orderChunks() {
    for (int digit = 0; digit < bytes.length; digit++) {
      starts[digit + 1] =
          starts[digit] + Math.toIntExact(Math.ceilDiv(bytes[digit], (long) BUFFER_BYTES));
    }
    int[] heads = starts.clone();
    order = new int[chunks];
    for (int chunk = 0; chunk < chunks; chunk++) {
      order[heads[owners[chunk]]++] = chunk;
    }
  }
}
