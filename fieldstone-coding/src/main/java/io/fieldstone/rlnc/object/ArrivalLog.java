package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Arrays;

/**
 * The packets of one sender that arrived, by their sequence numbers: tells repetitions, and chooses
 * the cut of each report. Where packets overtake each other, the cut is older by as many reports as
 * they were late.
 */
final class ArrivalLog {

  /** The generation of a packet that has not arrived. */
  static final int NONE = -1;

  /** The packets behind the newest that are known at first; more once a packet is older. */
  private static final int MIN_HISTORY = 1 << 12;

  private static final int MAX_HISTORY = 1 << 15;

  private static final long MAX_SEQUENCE = 1L << 60;

  /** The part of {@link #lateness} that stays from report to report if no packet is as late. */
  private static final double LATENESS_DECAY = 31.0 / 32;

  /** The reports, 16 round trips, after which a packet is lost and not late. */
  private static final int MAX_LATENESS = 64;

  /** Bit s modulo the history: whether packet s arrived. */
  private long[] seen = new long[MIN_HISTORY / Long.SIZE];

  /** The generations of the last packets that arrived, once one was late; empty before. */
  private int[] generations = new int[0];

  /** The first packet whose generation is known. */
  private long generationsFrom;

  private long arrived;
  private long end;
  private long cut;

  /** The packets from the cut on that have arrived. */
  private long arrivedAfterCut;

  /** The reports for which packets lately were late; older ones count less. */
  private double lateness;

  /** {@link #end} at the last reports. */
  private final long[] ends = new long[MAX_LATENESS + 2];

  private int reports;

  /**
   * Returns the full sequence number that ends with 32 bits.
   *
   * @throws MalformedDataException if it is out of range
   */
  long sequence(int low) throws MalformedDataException {
    long sequence = end + (low - (int) end);
    if (sequence < 0 || sequence > MAX_SEQUENCE) {
      throw new MalformedDataException(2, "sequence number %d after %d".formatted(sequence, end));
    }
    return sequence;
  }

  /** Returns the packets that arrived. */
  long arrived() {
    return arrived;
  }

  /** Returns the highest sequence number that arrived, plus 1. */
  long end() {
    return end;
  }

  /** Returns the cut of the next report: packets before it count as lost if they are missing. */
  long cut() {
    return cut;
  }

  /**
   * Returns the packets that are missing and not expected any more: those before the cut, or all
   * where packets do not overtake each other.
   */
  long lost() {
    return lateness == 0 ? end - arrived : cut - (arrived - arrivedAfterCut);
  }

  /** Returns the number of reports. */
  long reports() {
    return reports;
  }

  /** Returns the reports for which packets lately were late: blocks may be under way as long. */
  int lateReports() {
    return (int) Math.ceil(lateness);
  }

  /**
   * Notes a packet.
   *
   * @return false if it is a repetition, or too old to tell
   */
  boolean note(long sequence, int generation) {
    if (sequence >= end) {
      advance(sequence + 1);
    } else if (sequence < end - history()) {
      remember(end - sequence);
      return false;
    } else if (isSeen(sequence)) {
      return false;
    } else {
      noteLate(sequence);
    }
    seen[word(sequence)] |= 1L << sequence;
    if (generations.length > 0) {
      generations[at(sequence)] = generation;
    }
    arrived++;
    arrivedAfterCut += sequence >= cut ? 1 : 0;
    return true;
  }

  private void advance(long newEnd) {
    if (newEnd - end >= history()) {
      Arrays.fill(seen, 0);
      Arrays.fill(generations, NONE);
    } else {
      for (long s = end; s < newEnd; s++) {
        seen[word(s)] &= ~(1L << s);
        if (generations.length > 0) {
          generations[at(s)] = NONE;
        }
      }
    }
    end = newEnd;
  }

  /** Makes the history longer, so that the next packets as late are known. */
  private void remember(long packets) {
    int before = history();
    if (before == MAX_HISTORY) {
      return;
    }
    long[] shorter = seen;
    int length = before;
    while (length < Math.min(packets, MAX_HISTORY)) {
      length *= 2;
    }
    seen = new long[length / Long.SIZE];
    Arrays.fill(seen, -1); // those before the history: it is not known whether they arrived
    int[] fewer = generations;
    generations = fewer.length == 0 ? fewer : new int[length];
    Arrays.fill(generations, NONE);
    generationsFrom = Math.max(generationsFrom, end - before);
    for (long s = Math.max(0, end - before); s < end; s++) {
      int old = (int) (s % before);
      if ((shorter[old / Long.SIZE] & 1L << s) == 0) {
        seen[word(s)] &= ~(1L << s);
      }
      if (fewer.length > 0) {
        generations[at(s)] = fewer[old];
      }
    }
  }

  /** A packet that arrives before the second next report is not late: none counted it as lost. */
  private void noteLate(long sequence) {
    int reportsPast = 0;
    while (reportsPast < Math.min(reports, ends.length)
        && ends[(reports - 1 - reportsPast) % ends.length] > sequence) {
      reportsPast++;
    }
    lateness = Math.max(lateness, Math.min(reportsPast - 1, MAX_LATENESS));
    if (lateness > 0 && generations.length == 0) {
      generations = new int[history()];
      Arrays.fill(generations, NONE);
      generationsFrom = end;
    }
  }

  /**
   * Chooses the cut of the next report: where packets overtake each other, the end at an earlier
   * report, by their lateness.
   */
  void moveCut() {
    ends[reports % ends.length] = end;
    int late = Math.min(lateReports(), reports);
    long old = ends[(reports++ - late) % ends.length];
    lateness = lateness < 0.5 ? 0 : lateness * LATENESS_DECAY;
    long known = Math.max(generationsFrom, end - history());
    long before = cut;
    cut = late == 0 ? end : Math.max(Math.max(cut, old), known);
    if (cut == end) {
      arrivedAfterCut = 0;
    } else if (before >= known) {
      arrivedAfterCut -= countSeen(before, cut);
    } else {
      arrivedAfterCut = countSeen(cut, end);
    }
  }

  private long countSeen(long from, long to) {
    long count = 0;
    for (long sequence = from; sequence < to; sequence++) {
      count += isSeen(sequence) ? 1 : 0;
    }
    return count;
  }

  /** Returns the generation of a packet from {@link #cut} on; {@link #NONE} if it is missing. */
  int generationOf(long sequence) {
    return generations[at(sequence)];
  }

  private int history() {
    return seen.length * Long.SIZE;
  }

  private int at(long sequence) {
    return (int) (sequence % history());
  }

  private boolean isSeen(long sequence) {
    return (seen[word(sequence)] & 1L << sequence) != 0;
  }

  private int word(long sequence) {
    return at(sequence) / Long.SIZE;
  }
}
