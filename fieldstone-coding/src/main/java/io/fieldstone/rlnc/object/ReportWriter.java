package io.fieldstone.rlnc.object;

import java.lang.foreign.MemorySegment;

/** Writes the reports of a receiver: what it wants of each open generation from one sender. */
final class ReportWriter {

  /** The missing blocks of the whole object from which on more blocks are asked for than needed. */
  private static final int ENDGAME_BLOCKS = 64;

  /** The generations for which one more block is asked for in the end. */
  private static final int ENDGAME_GENERATIONS = 2;

  private final GenerationWindow window;
  private final VarintWriter writer = new VarintWriter();

  ReportWriter(GenerationWindow window) {
    this.window = window;
  }

  /**
   * Writes a report.
   *
   * @param delayMicros the time since the newest packet of the sender arrived, in microseconds
   * @param isAllOpen whether all missing generations are open
   * @return the bytes written
   */
  int write(SenderState to, long delayMicros, boolean isAllOpen, MemorySegment report) {
    writer.start(report);
    writer.writeByte(Packet.REPORT);
    writer.writeVarint(to.alias());
    ArrivalLog log = to.log();
    writer.writeVarint(log.reports());
    writer.writeVarint(log.cut());
    writer.writeVarint(log.lost());
    writer.writeVarint(log.arrived());
    writer.writeVarint(log.end());
    writer.writeVarint(Math.max(0, delayMicros));
    writeItems(to, isAllOpen ? surplusGenerations() : 0);
    moveCut(to);
    return (int) writer.position();
  }

  /** Moves the cut of the next report, and counts what has arrived after it already. */
  private void moveCut(SenderState to) {
    ArrivalLog log = to.log();
    log.moveCut();
    for (long sequence = log.cut(); sequence < log.end(); sequence++) {
      OpenGeneration generation = window.get(log.generationOf(sequence));
      if (generation != null) {
        generation.division().countAfterCut(to);
      }
    }
  }

  private void writeItems(SenderState to, int surplusGenerations) {
    int previous = -1;
    boolean isMissingAny = to.log().arrived() < to.log().end();
    int surplus = surplusGenerations;
    for (OpenGeneration generation : window.open()) {
      Division division = generation.division();
      int arrived = division.takeAfterCut(to);
      int share = division.of(to);
      if (share > 0 && surplus > 0 && isMissingAny && division.isLargest(to)) {
        share++;
      }
      surplus--;
      if (share == 0 || writer.remaining() < Report.MAX_ITEM_BYTES) {
        continue;
      }
      writer.writeVarint(generation.number() - previous - 1L);
      writer.writeVarint(generation.attempt());
      writer.writeVarint(Math.min(share + arrived, Report.MAX_DEFICIT - 1));
      int count = division.sourceCount(to);
      writer.writeVarint(count);
      if (count > 0) {
        writer.writeVarint(division.sourceFirst(to));
      }
      previous = generation.number();
    }
  }

  /** Returns the number of open generations for which one more block is asked for. */
  private int surplusGenerations() {
    int missing = 0;
    for (OpenGeneration generation : window.open()) {
      missing += generation.isCollecting() ? generation.missing() : 0;
    }
    return missing <= ENDGAME_BLOCKS ? ENDGAME_GENERATIONS : 0;
  }
}
