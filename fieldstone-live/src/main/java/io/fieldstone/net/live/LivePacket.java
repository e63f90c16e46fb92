package io.fieldstone.net.live;

import io.fieldstone.rlnc.repair.ReceiverReport;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The datagrams of a flow (docs/live.md, "Packets"). Numbers are the lower 24 bits of counters;
 * {@link #extend} restores them. A source is one byte of flags and a part of a packet of the
 * application.
 *
 * <pre>
 * source   1 | time | id                                  | source
 * repair   2 | time | number | first id | count (2 bytes) | symbol without zeros at its end
 * recoded  3 | time | number | first id | count (2 bytes) | count coefficients | symbol, as above
 * report   4 | report
 * skip     5 | time | 0      | first id | count (2 bytes): sources that are not sent
 * late     6 | time | id                                  | source that was not known in its turn
 * </pre>
 */
final class LivePacket {

  static final int SOURCE = 1;
  static final int REPAIR = 2;
  static final int RECODED = 3;
  static final int REPORT = 4;
  static final int SKIP = 5;
  static final int LATE = 6;

  static final int SOURCE_HEADER_BYTES = 1 + 3 + 3;
  static final int REPAIR_HEADER_BYTES = 1 + 3 + 3 + 3 + 2;

  /** The bytes that a source grows by in a repair: its length is a part of the symbol. */
  static final int FRAMING_BYTES = 2;

  /** The flags of a source: it is the first, the last part of a packet. */
  static final int FIRST_PART = 1;

  static final int LAST_PART = 2;

  /** The unit of times. */
  static final long TICK_NANOS = 100_000;

  private static final int NUMBER_BITS = 24;
  private static final long NUMBERS = 1L << NUMBER_BITS;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
  private static final ValueLayout.OfShort SHORT =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
  private static final ValueLayout.OfLong LONG =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private static final int TIME_AT = 1;
  private static final int NUMBER_AT = 4;
  private static final int FIRST_AT = 7;
  private static final int COUNT_AT = 10;

  /** The longs of a report. */
  private static final int REPORT_LONGS = 13;

  static final int REPORT_BYTES = 1 + REPORT_LONGS * Long.BYTES;

  /**
   * A report with what the rate of a sender needs.
   *
   * @param report the report
   * @param arrived the sources and repairs that have arrived
   * @param arrivedBytes their bytes
   */
  record Report(ReceiverReport report, long arrived, long arrivedBytes) {}

  private LivePacket() {}

  /** Returns the kind of a datagram. */
  static int kind(MemorySegment packet) throws MalformedDataException {
    if (packet.byteSize() == 0) {
      throw new MalformedDataException(0, "an empty datagram");
    }
    int kind = packet.get(BYTE, 0);
    int least =
        switch (kind) {
          case SOURCE, LATE -> SOURCE_HEADER_BYTES + 2;
          case REPAIR, RECODED -> REPAIR_HEADER_BYTES + 1;
          case REPORT -> REPORT_BYTES;
          case SKIP -> REPAIR_HEADER_BYTES;
          default -> throw new MalformedDataException(0, "unknown kind of datagram " + kind);
        };
    if (packet.byteSize() < least) {
      throw new MalformedDataException(
          packet.byteSize(), "a datagram of kind %d ends early".formatted(kind));
    }
    return kind;
  }

  /** Restores a counter from its lower bits: the value that is nearest to another. */
  static long extend(long low, long near) {
    long distance = low - near & NUMBERS - 1;
    return near + (distance < NUMBERS / 2 ? distance : distance - NUMBERS);
  }

  private static void putNumber(MemorySegment packet, int at, long value) {
    packet.set(SHORT, at, (short) (value >> 8));
    packet.set(BYTE, at + 2, (byte) value);
  }

  private static long number(MemorySegment packet, int at) {
    return (packet.get(SHORT, at) & 0xFFFFL) << 8 | packet.get(BYTE, at + 2) & 0xFFL;
  }

  /** Returns the lower bits of the time at which the last source of a packet was added. */
  static long ticks(MemorySegment packet) {
    return number(packet, TIME_AT);
  }

  /** Returns the lower bits of the id of a source, or of the number of a repair. */
  static long number(MemorySegment packet) {
    return number(packet, NUMBER_AT);
  }

  /** Returns the lower bits of the first id of a repair. */
  static long first(MemorySegment repair) {
    return number(repair, FIRST_AT);
  }

  /** Returns the number of sources that a repair covers. */
  static int count(MemorySegment repair) throws MalformedDataException {
    int count = repair.get(SHORT, COUNT_AT) & 0xFFFF;
    if (count == 0) {
      throw new MalformedDataException(COUNT_AT, "a repair of no source");
    }
    return count;
  }

  /** Returns a source, with its flags. */
  static MemorySegment source(MemorySegment packet) {
    return packet.asSlice(SOURCE_HEADER_BYTES);
  }

  /** Tests whether a source is the last part of a packet, or all of it. */
  static boolean isLastPart(MemorySegment source) {
    return (source.get(BYTE, 0) & LAST_PART) != 0;
  }

  /**
   * Writes a source and returns the bytes of the packet.
   *
   * @param kind {@link #SOURCE} or {@link #LATE}
   */
  static int writeSource(
      MemorySegment packet, int kind, long nanos, long id, MemorySegment source) {
    packet.set(BYTE, 0, (byte) kind);
    putNumber(packet, TIME_AT, nanos / TICK_NANOS);
    putNumber(packet, NUMBER_AT, id);
    MemorySegment.copy(source, 0, packet, SOURCE_HEADER_BYTES, source.byteSize());
    return SOURCE_HEADER_BYTES + (int) source.byteSize();
  }

  /** Writes the header of a repair or a skip. */
  static void writeRepairHeader(
      MemorySegment packet, int kind, long nanos, long number, long first, int count) {
    packet.set(BYTE, 0, (byte) kind);
    putNumber(packet, TIME_AT, nanos / TICK_NANOS);
    putNumber(packet, NUMBER_AT, number);
    putNumber(packet, FIRST_AT, first);
    packet.set(SHORT, COUNT_AT, (short) count);
  }

  /**
   * Writes a repair with its vector, and its symbol without the zeros at its end.
   *
   * @param vector the coefficients of a recoded symbol; no bytes for another
   * @return the bytes of the packet; 0 if it does not fit
   */
  static int writeRepair(
      MemorySegment packet,
      long nanos,
      long number,
      long first,
      int count,
      MemorySegment vector,
      MemorySegment symbol) {
    long symbolBytes = trimmedBytes(symbol);
    long at = REPAIR_HEADER_BYTES + vector.byteSize();
    if (at + symbolBytes > packet.byteSize()) {
      return 0;
    }
    int kind = vector.byteSize() == 0 ? REPAIR : RECODED;
    writeRepairHeader(packet, kind, nanos, number, first, count);
    MemorySegment.copy(vector, 0, packet, REPAIR_HEADER_BYTES, vector.byteSize());
    MemorySegment.copy(symbol, 0, packet, at, symbolBytes);
    return (int) (at + symbolBytes);
  }

  private static long trimmedBytes(MemorySegment symbol) {
    long end = symbol.byteSize();
    while (end > 1 && symbol.get(BYTE, end - 1) == 0) {
      end--;
    }
    return end;
  }

  /** Writes a report and returns the bytes of the packet. */
  static int writeReport(MemorySegment packet, Report report) {
    ReceiverReport of = report.report;
    packet.set(BYTE, 0, (byte) REPORT);
    long[] values = {
      of.highest(),
      of.arrivalNanos(),
      of.heldNanos(),
      of.decidedEnd(),
      of.lost(),
      of.lossRuns(),
      of.beforeLoss(),
      of.beforeLossNanos(),
      of.firstMissing(),
      of.deficit(),
      of.highestRepair(),
      report.arrived,
      report.arrivedBytes
    };
    for (int i = 0; i < REPORT_LONGS; i++) {
      packet.set(LONG, 1 + (long) i * Long.BYTES, values[i]);
    }
    return REPORT_BYTES;
  }

  /** Reads a report. */
  static Report report(MemorySegment packet) throws MalformedDataException {
    long[] values = new long[REPORT_LONGS];
    for (int i = 0; i < REPORT_LONGS; i++) {
      values[i] = packet.get(LONG, 1 + (long) i * Long.BYTES);
    }
    long deficit = values[9];
    if (deficit > Integer.MAX_VALUE || values[11] < 0 || values[12] < 0) {
      throw new MalformedDataException(0, "a report with counts out of range");
    }
    try {
      return new Report(
          new ReceiverReport(
              values[0],
              values[1],
              values[2],
              values[3],
              values[4],
              values[5],
              values[6],
              values[7],
              values[8],
              (int) deficit,
              values[10]),
          values[11],
          values[12]);
    } catch (IllegalArgumentException e) {
      throw new MalformedDataException(0, "report: " + e.getMessage());
    }
  }
}
