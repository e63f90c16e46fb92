package io.fieldstone.rlnc.object;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The receiver's record of one sender. */
final class SenderState {

  /** Each report without deliveries multiplies the pace of a sender by this factor. */
  private static final double PACE_DECAY = 0.9;

  /** How far a receiver relies on a sender. */
  enum Standing {
    /** None of its generations has been verified. */
    PROBATION,
    /** On probation, and silent when it was asked. */
    SILENT_ON_PROBATION,
    /** One of its generations has been verified. */
    TRUSTED,
    /** Trusted, and silent for several reports while others waited for it. */
    SILENT;

    private Standing verified() {
      return isSilent() ? SILENT : TRUSTED;
    }

    private Standing silent() {
      return isOnProbation() ? SILENT_ON_PROBATION : SILENT;
    }

    private Standing heard() {
      return isOnProbation() ? PROBATION : TRUSTED;
    }

    boolean isOnProbation() {
      return this == PROBATION || this == SILENT_ON_PROBATION;
    }

    boolean isSilent() {
      return this == SILENT_ON_PROBATION || this == SILENT;
    }
  }

  private final int number;
  private final int slot;
  private final long seed;
  private final SenderKind kind;
  private final int alias;
  private final ArrivalLog log = new ArrivalLog();
  private final SilenceDetector.Silence silence;

  /** The generations that it has; null for all. */
  private @Nullable BitSet available;

  private Standing standing = Standing.PROBATION;

  /** The open generations that it serves alone while on probation. */
  private int probes;

  /** The strikes of an immediate relay, also those from before it came again. */
  private int strikes;

  /** The verified generations that it sent blocks of. */
  private long verified;

  /** The sum of its shares. */
  private int outstanding;

  /** The innovative blocks delivered lately; older ones count less. */
  private int recent;

  private int deliveredSinceReport;

  /** The innovative blocks delivered between the last two reports. */
  private int delivered;

  /** The most innovative blocks delivered between two reports of the last ones. */
  private double pace;

  SenderState(int number, int slot, long seed, SenderKind kind, int alias) {
    this.number = number;
    this.slot = slot;
    this.seed = seed;
    this.kind = kind;
    this.alias = alias;
    this.silence = new SilenceDetector.Silence(kind);
  }

  /** Returns its number, which is never used again. */
  int number() {
    return number;
  }

  /** Returns the index of its counts, which is used again once it has left. */
  int slot() {
    return slot;
  }

  /** Returns the seed of its coded blocks. */
  long seed() {
    return seed;
  }

  boolean isImmediate() {
    return kind == SenderKind.IMMEDIATE;
  }

  /** Returns the number of the object on its connection. */
  int alias() {
    return alias;
  }

  /** Returns its packets that arrived. */
  ArrivalLog log() {
    return log;
  }

  /** Returns for how long it has delivered nothing. */
  SilenceDetector.Silence silence() {
    return silence;
  }

  // Generations

  boolean has(int generation) {
    return available == null || available.get(generation);
  }

  /** Returns the next generation from one on that it has; −1 if there is none. */
  int nextAvailable(int generation) {
    return available == null ? generation : available.nextSetBit(generation);
  }

  /** Names the generations that it has; copied. */
  void setAvailable(BitSet generations) {
    available = (BitSet) generations.clone();
  }

  void addAvailable(int generation) {
    if (available != null) {
      available.set(generation);
    }
  }

  // Standing

  boolean isOnProbation() {
    return standing.isOnProbation();
  }

  boolean isSilent() {
    return standing.isSilent();
  }

  /** Notes that a generation with blocks of it was verified. */
  void praise() {
    verified++;
    standing = standing.verified();
  }

  /** Notes that it is silent, so that it is not asked for a while. */
  void silenced() {
    silence.begin();
    standing = standing.silent();
  }

  /** Lets it be asked again after a silence. */
  void readmit() {
    standing = standing.heard();
  }

  /** Returns the open generations that it serves alone while on probation. */
  int probes() {
    return probes;
  }

  void beginProbe() {
    probes++;
  }

  void endProbe() {
    probes--;
  }

  void setStrikes(int count) {
    strikes = count;
  }

  /** Returns true if it is trusted more than another: tested, an origin, long without fault. */
  boolean isPreferredTo(SenderState other) {
    if (isOnProbation() != other.isOnProbation()) {
      return other.isOnProbation();
    }
    if (kind != other.kind) {
      return kind.compareTo(other.kind) < 0;
    }
    if (strikes != other.strikes) {
      return strikes < other.strikes;
    }
    return verified > other.verified;
  }

  // Deliveries

  /** Returns the sum of its shares. */
  int outstanding() {
    return outstanding;
  }

  /** Adds blocks to the sum of its shares. */
  void addOutstanding(int blocks) {
    outstanding += blocks;
  }

  /**
   * Notes an innovative block.
   *
   * @param blocks the blocks of a generation
   */
  void delivered(int blocks) {
    recent++;
    deliveredSinceReport++;
    silence.delivered(blocks);
  }

  /** Returns the innovative blocks delivered lately; older ones count less. */
  int recent() {
    return recent;
  }

  void halveRecent() {
    recent /= 2;
  }

  /** Ends the interval before a report. */
  void endInterval() {
    delivered = deliveredSinceReport;
    pace = Math.max(delivered, PACE_DECAY * pace);
    deliveredSinceReport = 0;
  }

  /** Returns the innovative blocks delivered between the last two reports. */
  int delivered() {
    return delivered;
  }

  /** Returns the larger one of the blocks delivered before the last report and since. */
  int deliveredLately() {
    return Math.max(delivered, deliveredSinceReport);
  }

  /** Returns the most innovative blocks delivered between two reports of the last ones. */
  double pace() {
    return pace;
  }

  @Override
  public String toString() {
    return "sender %d slot %d: %s, probes %d, outstanding %d, %s"
        .formatted(number, slot, standing, probes, outstanding, silence);
  }
}
