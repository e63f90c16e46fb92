package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;

/**
 * A report from a receiver to a sender, parsed item by item. It is absolute, so the next one
 * replaces a lost one.
 *
 * <p>Form: kind, alias, then the numbers {@code number, cut, lost, arrived, end, delayMicros}, then
 * items of {@code gap, attempt, deficit, sourceCount} and, if sources are wanted, {@code
 * sourceFirst}. The gap is the generation for the first item, and else the generations left out
 * before it.
 */
final class Report {

  /** The maximum bytes of the numbers before the items. */
  static final int MAX_HEADER_BYTES = 1 + 2 + 6 * 8;

  /** The maximum bytes of one item. */
  static final int MAX_ITEM_BYTES = 4 + 1 + 2 + 2 + 2;

  /** The exclusive bound of {@code attempt}, which counts modulo it. */
  static final int MAX_ATTEMPTS = 1 << 6;

  /** The exclusive bound of deficits and positions. */
  static final int MAX_DEFICIT = 1 << 14;

  private final VarintReader reader = new VarintReader();

  /** Counts the reports to this sender. */
  long number;

  /** Packets with a smaller sequence number have arrived or count as lost. */
  long cut;

  /**
   * The packets that are missing and not expected any more: all before {@link #end}, or those
   * before the cut if packets overtake each other.
   */
  long lost;

  /** The packets that have arrived. */
  long arrived;

  /** The highest sequence number that has arrived, plus 1. */
  long end;

  /** The time since the packet with the highest sequence number arrived. */
  long delayMicros;

  int generation;
  int attempt;
  int deficit;
  int sourceFirst;
  int sourceCount;

  /** Starts to read a report. */
  void start(MemorySegment report) throws MalformedDataException {
    reader.start(report);
    if (Packet.readKind(reader) != Packet.REPORT) {
      throw new MalformedDataException(0, "a data packet where a report is expected");
    }
    reader.readVarint("alias", Packet.MAX_ALIASES);
    number = reader.readVarint();
    cut = reader.readVarint();
    lost = reader.readVarint();
    arrived = reader.readVarint();
    end = reader.readVarint();
    delayMicros = reader.readVarint();
    if (cut > end) {
      throw new MalformedDataException(reader.position(), "cut %d after %d".formatted(cut, end));
    }
    generation = -1;
  }

  /** Reads the next item; returns false at the end. */
  boolean next(int generations) throws MalformedDataException {
    if (reader.remaining() == 0) {
      return false;
    }
    generation += 1 + reader.readVarint("gap", generations - generation - 1);
    attempt = reader.readVarint("attempt", MAX_ATTEMPTS);
    deficit = reader.readVarint("deficit", MAX_DEFICIT);
    if (deficit == 0) {
      throw new MalformedDataException(
          reader.position(), "generation %d with a deficit of 0".formatted(generation));
    }
    sourceCount = reader.readVarint("source count", MAX_DEFICIT);
    sourceFirst = sourceCount == 0 ? 0 : reader.readVarint("source position", MAX_DEFICIT);
    return true;
  }

  /** Returns the offset of the next byte. */
  long position() {
    return reader.position();
  }
}
