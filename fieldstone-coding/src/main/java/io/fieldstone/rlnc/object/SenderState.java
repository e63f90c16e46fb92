package io.fieldstone.rlnc.object;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The receiver's record of one sender. */
final class SenderState {

  final int number;
  final int slot;
  final long seed;
  final SenderKind kind;
  final int alias;

  /** Its packets that arrived. */
  final ArrivalLog log = new ArrivalLog();

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
}
