package io.fieldstone.rlnc.repair;

/**
 * Counts which sources of a sender arrived at a receiver and which the path lost. A source that
 * others overtake is late and not lost: it counts as lost only after the time by which sources were
 * late before. What a decoder recovers is not counted here, so it stays lost. Allocates nothing.
 */
public final class LossCounter {
  private static final int SLOTS = 1 << 14;
  private static final int MARKS = 1 << 10;

  /** Sources come this much later than those late before, at the most. */
  private static final double LATENESS_MARGIN = 1.25;

  /** The time in which the lateness that is waited for falls by half, if none is late. */
  private static final long HALF_LIFE_NANOS = 10_000_000_000L;

  /** More lateness than this is loss. */
  private static final long MAX_LATENESS_NANOS = 250_000_000;

  private final boolean[] arrived = new boolean[SLOTS];
  private final long[] arrivalNanos = new long[SLOTS];

  /** The ends of what had been sent at least, at times: a ring. */
  private final long[] markNanos = new long[MARKS];

  private final long[] markEnds = new long[MARKS];
  private long firstMark;
  private long nextMark;

  /** The sources below this number have been sent. */
  private long knownEnd;

  private long highest = -1;
  private long highestNanos;
  private long highestRepair = -1;
  private long decidedEnd;
  private long lost;
  private long lossRuns;
  private long beforeLoss = -1;
  private long beforeLossNanos;
  private boolean isLastLost;
  private double latenessNanos;
  private long latenessSetNanos;

  /** Creates a counter that has seen nothing. */
  public LossCounter() {}

  /**
   * Counts a source that arrived.
   *
   * @param number its number, at least 0
   * @return false if it had arrived before, or is older than the last {@value #SLOTS} and was
   *     counted as lost
   */
  public boolean onSource(long number, long nowNanos) {
    if (number < 0) {
      throw new IllegalArgumentException("number " + number + ": want at least 0");
    }
    boolean isNew = number >= knownEnd;
    if (isNew) {
      know(number + 1, nowNanos);
    } else if (number < knownEnd - SLOTS || arrived[slot(number)]) {
      return false;
    }
    arrived[slot(number)] = true;
    arrivalNanos[slot(number)] = nowNanos;
    if (!isNew) {
      observeLate(number, nowNanos);
    }
    if (number > highest) {
      highest = number;
      highestNanos = nowNanos;
    }
    return true;
  }

  /** Takes note that the sources below a number have been sent. */
  private void know(long end, long nowNanos) {
    if (end - decidedEnd > SLOTS) {
      decide(end - SLOTS);
    }
    for (long next = Math.max(knownEnd, end - SLOTS); next < end; next++) {
      arrived[slot(next)] = false;
    }
    knownEnd = end;
    mark(end, nowNanos);
  }

  /**
   * Counts a repair that arrived.
   *
   * @param number its number, at least 0
   * @param end the number after the last source that it covers: those below have been sent
   */
  public void onRepair(long number, long end, long nowNanos) {
    highestRepair = Math.max(highestRepair, number);
    if (end > knownEnd) {
      know(end, nowNanos);
    }
  }

  /** A source that was overtaken is late by the time since the first one beyond it arrived. */
  private void observeLate(long number, long nowNanos) {
    long overtakenNanos = nowNanos;
    for (long next = number + 1; next < knownEnd; next++) {
      if (arrived[slot(next)]) {
        overtakenNanos = Math.min(overtakenNanos, arrivalNanos[slot(next)]);
        break;
      }
    }
    double late = Math.min(LATENESS_MARGIN * (nowNanos - overtakenNanos), MAX_LATENESS_NANOS);
    if (late >= lateness(nowNanos)) {
      latenessNanos = late;
      latenessSetNanos = nowNanos;
    }
  }

  private double lateness(long nowNanos) {
    return latenessNanos * Math.pow(0.5, (double) (nowNanos - latenessSetNanos) / HALF_LIFE_NANOS);
  }

  private void mark(long end, long nowNanos) {
    if (nextMark - firstMark == MARKS) {
      decide(markEnds[(int) (firstMark++ % MARKS)]);
    }
    markNanos[(int) (nextMark % MARKS)] = nowNanos;
    markEnds[(int) (nextMark % MARKS)] = end;
    nextMark++;
  }

  /** Decides on the sources that were overtaken long enough ago. */
  private void update(long nowNanos) {
    double limit = nowNanos - lateness(nowNanos);
    while (firstMark < nextMark && markNanos[(int) (firstMark % MARKS)] <= limit) {
      decide(markEnds[(int) (firstMark++ % MARKS)]);
    }
  }

  private void decide(long end) {
    for (; decidedEnd < Math.min(end, knownEnd); decidedEnd++) {
      boolean isLost = !arrived[slot(decidedEnd)];
      if (isLost && !isLastLost && decidedEnd > 0) {
        beforeLoss = decidedEnd - 1;
        beforeLossNanos = arrivalNanos[slot(beforeLoss)];
      }
      count(isLost, 1);
    }
    if (decidedEnd < end) {
      count(true, end - decidedEnd);
      decidedEnd = end;
    }
  }

  private void count(boolean isLost, long sources) {
    if (isLost) {
      lost += sources;
      lossRuns += isLastLost ? 0 : 1;
    }
    isLastLost = isLost;
  }

  /**
   * Makes a report.
   *
   * @param firstMissing the least number of a source that is neither known nor given up
   * @param deficit the independent repairs that the sources known to be sent lack
   */
  public ReceiverReport report(long firstMissing, int deficit, long nowNanos) {
    update(nowNanos);
    int late = 0;
    for (long next = decidedEnd; next < knownEnd; next++) {
      late += arrived[slot(next)] ? 0 : 1;
    }
    return new ReceiverReport(
        highest,
        highestNanos,
        Math.max(nowNanos - highestNanos, 0),
        decidedEnd,
        lost,
        lossRuns,
        beforeLoss,
        beforeLossNanos,
        firstMissing,
        Math.max(deficit - late, 0),
        highestRepair);
  }

  private static int slot(long number) {
    return (int) (number & (SLOTS - 1));
  }
}
