package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The receiver's record of one sender. */
final class SenderState {

  /** The packets behind the newest whose repetition is noticed. */
  private static final int HISTORY = 4096;

  private static final long MAX_SEQUENCE = 1L << 60;

  /** The part of {@link #lateness} that stays from report to report if no packet is as late. */
  private static final double LATENESS_DECAY = 31.0 / 32;

  /** The reports, three round trips, after which a packet is lost and not late. */
  private static final int MAX_LATENESS = 12;

  /** The generation of a packet that has not arrived. */
  static final int NONE = -1;

  final int number;
  final int slot;
  final long seed;
  final SenderKind kind;
  final int alias;
  private final long[] seen = new long[HISTORY / Long.SIZE];

  /** The generations that it has; null for all. */
  @Nullable BitSet available;

  /** Whether none of its generations has been verified. */
  boolean isOnProbation = true;

  /** The open generations that it serves alone while on probation. */
  int tests;

  /** Whether it delivered nothing for several reports while others did. */
  boolean isStalled;

  /** Reports since it was found to be silent, while it was asked for nothing. */
  int idleReports;

  /** How often {@link #isStalled} was set; halved with each {@link #deliveredSinceStall}. */
  int stalls;

  /** The innovative blocks since {@link #stalls} changed, fewer than a generation has. */
  int deliveredSinceStall;

  /** The strikes of an immediate relay, also those from before it came again. */
  int strikes;

  /** The verified generations that it sent blocks of. */
  long verified;

  /** The sum of its shares. */
  int outstanding;

  /** The innovative blocks delivered lately; older ones count less. */
  int recent;

  int deliveredSinceReport;

  /** The innovative blocks delivered between the last two reports. */
  int delivered;

  /** The most innovative blocks delivered between two reports of the last ones. */
  double pace;

  long reports;
  long arrived;

  /** The highest sequence number that arrived, plus 1. */
  long end;

  /** {@link #end} at the last report. */
  long cut;

  /** The reports for which packets lately were late; older ones count less. */
  private double lateness;

  /** {@link #end} at the last reports. */
  private final long[] ends = new long[MAX_LATENESS + 2];

  private int endsCount;

  /** The generations of the last packets that arrived, once one was late; empty before. */
  private int[] generations = new int[0];

  /** The first packet whose generation is known. */
  private long generationsFrom;

  /** Reports since an innovative block arrived, or since it was asked for nothing. */
  int quietReports;

  /** Reports in a row for which the others waited for it. */
  int silentReports;

  /** The innovative blocks from all senders when the last one arrived from this. */
  long innovativeFromAll;

  SenderState(int number, int slot, long seed, SenderKind kind, int alias) {
    this.number = number;
    this.slot = slot;
    this.seed = seed;
    this.kind = kind;
    this.alias = alias;
  }

  boolean has(int generation) {
    return available == null || available.get(generation);
  }

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

  /**
   * Returns the cut of the next report: packets before it count as lost if they have not arrived.
   * Where packets overtake each other, it is the end at an earlier report, by their lateness.
   */
  long nextCut() {
    ends[endsCount % ends.length] = end;
    int late = Math.min((int) Math.ceil(lateness), endsCount);
    long old = ends[(endsCount++ - late) % ends.length];
    lateness = lateness < 0.5 ? 0 : lateness * LATENESS_DECAY;
    return late == 0 ? end : Math.max(Math.max(cut, old), Math.max(generationsFrom, end - HISTORY));
  }

  /**
   * Returns the generation of a packet from {@link #nextCut} on; {@link #NONE} if it is missing.
   */
  int generationOf(long sequence) {
    return generations[(int) (sequence % HISTORY)];
  }

  /** Notes the generation of a packet that arrived, which {@link #note} has noted. */
  void noteGeneration(long sequence, int generation) {
    if (generations.length > 0) {
      generations[(int) (sequence % HISTORY)] = generation;
    }
  }

  /** A packet that arrives before the second next report is not late: none counted it as lost. */
  private void noteLate(long sequence) {
    int reportsPast = 0;
    while (reportsPast < Math.min(endsCount, ends.length)
        && ends[(endsCount - 1 - reportsPast) % ends.length] > sequence) {
      reportsPast++;
    }
    lateness = Math.max(lateness, Math.min(reportsPast - 1, MAX_LATENESS));
    if (lateness > 0 && generations.length == 0) {
      generations = new int[HISTORY];
      Arrays.fill(generations, NONE);
      generationsFrom = end;
    }
  }

  private void forgetGenerations(long from, long to) {
    for (long s = Math.max(from, to - HISTORY); s < to && generations.length > 0; s++) {
      generations[(int) (s % HISTORY)] = NONE;
    }
  }

  /** Notes a packet; returns false if it is a repetition. */
  boolean note(long sequence) {
    if (sequence >= end) {
      forgetGenerations(end, sequence + 1);
      if (sequence - end >= HISTORY) {
        Arrays.fill(seen, 0);
      } else {
        for (long s = end; s < sequence; s++) {
          seen[word(s)] &= ~(1L << s);
        }
      }
      end = sequence + 1;
    } else if (sequence < end - HISTORY || (seen[word(sequence)] & 1L << sequence) != 0) {
      return false;
    } else {
      noteLate(sequence);
    }
    seen[word(sequence)] |= 1L << sequence;
    return true;
  }

  private static int word(long sequence) {
    return (int) (sequence % HISTORY) / Long.SIZE;
  }
}
