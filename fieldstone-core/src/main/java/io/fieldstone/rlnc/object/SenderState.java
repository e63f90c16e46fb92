package io.fieldstone.rlnc.object;

import io.fieldstone.rlnc.wire.MalformedDataException;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The receiver's record of one sender. */
final class SenderState {

  /** The packets behind the newest whose repetition is noticed. */
  private static final int HISTORY = 1024;

  private static final long MAX_SEQUENCE = 1L << 60;

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

  /** Notes a packet; returns false if it is a repetition. */
  boolean note(long sequence) {
    if (sequence >= end) {
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
    }
    seen[word(sequence)] |= 1L << sequence;
    return true;
  }

  private static int word(long sequence) {
    return (int) (sequence % HISTORY) / Long.SIZE;
  }
}
