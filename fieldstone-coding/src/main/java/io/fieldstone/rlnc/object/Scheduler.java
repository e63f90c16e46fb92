package io.fieldstone.rlnc.object;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which sender is asked for which blocks. The missing blocks of open generations are
 * divided in proportion to what each sender delivered lately, so that all would finish together. A
 * share stays until its sender is removed, is silent while others deliver, or another sender has
 * almost nothing more to do.
 *
 * <p>Four policies help: {@link Speeds}, {@link Probation} of new senders, the {@link
 * SilenceDetector} and {@link ImmediateRelays}.
 */
final class Scheduler {

  /** The reports for which a sender needs blocks outstanding: a round trip and a half. */
  static final int REPORTS_AHEAD = 6;

  /** The number of new generations of which a silent sender is asked for a block of one. */
  private static final int RETRY_INTERVAL = 16;

  /** The minimum blocks that a sender takes over from another. */
  private static final int MIN_TAKEN = 2;

  /** The reports for which blocks of open generations are asked for: six round trips. */
  private static final int REPORTS_OPEN = 24;

  /** The blocks that any sender is asked for before no more generations are opened. */
  private static final int MIN_OPEN_BLOCKS = 256;

  private final Senders senders;
  private final List<OpenGeneration> open;
  private final Speeds speeds;
  private final Probation probation;
  private final SilenceDetector silences;
  private ImmediateRelays relays;

  /** Counts the generations of which blocks were assigned. */
  private int assignments;

  Scheduler(Senders senders, List<OpenGeneration> open) {
    this.senders = senders;
    this.open = open;
    this.speeds = new Speeds(senders);
    this.probation = new Probation(senders, open);
    this.silences = new SilenceDetector(senders, open);
    this.relays = new ImmediateRelays.Mixed(senders, speeds);
  }

  // Blocks that arrive

  /** Returns true if a sender may add blocks to a generation. */
  boolean accepts(OpenGeneration generation, SenderState from) {
    if (generation.exclusive() != null) {
      return generation.exclusive() == from;
    }
    return !from.isOnProbation()
        && !generation.isQuarantined()
        && (!from.isImmediate() || relays.accepts(generation, from));
  }

  /**
   * Counts an innovative block.
   *
   * @param innovative the innovative blocks that have arrived from all senders, with this one
   */
  void delivered(OpenGeneration generation, SenderState from, long innovative) {
    from.silence().end(innovative);
    from.readmit();
    from.delivered(generation.blocks());
    speeds.delivered();
    generation.division().delivered(from, senders);
  }

  /** Notes that a generation with blocks of a sender was verified. */
  void praise(SenderState sender) {
    boolean wasOnProbation = sender.isOnProbation();
    sender.praise();
    if (wasOnProbation) {
      probation.pass(sender);
    }
  }

  /** Ends the probe that a generation was, whether it passed or not. */
  void endProbe(OpenGeneration generation) {
    probation.end(generation);
  }

  // Shares that are taken away

  /** Takes all shares of a sender away. */
  void takeAll(SenderState sender) {
    open.forEach(generation -> generation.division().take(sender));
  }

  /** Takes all shares of a generation away. */
  void takeAll(OpenGeneration generation) {
    generation.division().takeAll(senders);
  }

  /** Takes all shares away and counts the missing blocks again, after blocks were removed. */
  void restart(OpenGeneration generation) {
    generation.division().restart(senders, generation.missing());
  }

  /** Ends the mixing of immediate relays, because a block of one of them may be wrong. */
  void separateRelays() {
    if (relays instanceof ImmediateRelays.Separate) {
      return;
    }
    relays = new ImmediateRelays.Separate(senders, speeds);
    for (SenderState sender : senders) {
      if (sender.isImmediate()) {
        for (OpenGeneration generation : open) {
          if (generation.exclusive() != sender) {
            generation.division().take(sender);
          }
        }
      }
    }
  }

  // Generations to open

  /**
   * Returns true if a new generation has a sender to ask that will soon have delivered what it was
   * asked for. A few round trips are enough; what is divided later is divided by newer speeds.
   */
  boolean canOpen(int generation) {
    if (open.isEmpty()) {
      return true;
    }
    for (SenderState sender : senders) {
      if (!sender.isSilent()
          && sender.has(generation)
          && (sender.isOnProbation() ? sender.probes() == 0 : isSoonIdle(sender))) {
        return true;
      }
    }
    SenderState only = senders.only(generation);
    return only != null && isSoonIdle(only);
  }

  private static boolean isSoonIdle(SenderState sender) {
    return sender.outstanding() <= maxUnderWay(sender);
  }

  private static double maxUnderWay(SenderState sender) {
    return Math.max(MIN_OPEN_BLOCKS, (REPORTS_OPEN + sender.log().lateReports()) * sender.pace());
  }

  /**
   * Returns the blocks that senders that are not silent are asked for before no more generations
   * are opened.
   */
  int maxUnderWay() {
    double sum = 0;
    for (SenderState sender : senders) {
      sum += sender.isSilent() ? 0 : maxUnderWay(sender);
    }
    return (int) sum;
  }

  /**
   * Returns the blocks to collect of a generation so that a receiver of this relay, which wants
   * some, gets those that are innovative for it. It may have all that one immediate relay can send.
   * So each of them is asked for as many as the receiver wants, and all other senders together for
   * as many once more.
   */
  int partOf(OpenGeneration generation, int blocks) {
    int groups = 0;
    boolean hasOther = false;
    for (SenderState sender : senders) {
      if (sender.has(generation.number())) {
        groups += sender.isImmediate() ? 1 : 0;
        hasOther |= !sender.isImmediate();
      }
    }
    groups += hasOther ? 1 : 0;
    return Math.min(generation.blocks(), blocks * Math.max(1, groups));
  }

  // Blocks that are assigned

  /** Assigns the blocks of open generations that nobody is asked for. */
  void assignAll() {
    for (OpenGeneration generation : open) {
      if (generation.division().unassigned() > 0 && generation.isCollecting()) {
        if (generation.isQuarantined() && generation.exclusive() == null) {
          assignToMostTrusted(generation);
        } else {
          assign(generation);
        }
      }
    }
  }

  /** Assigns the blocks of a generation that nobody is asked for, if a sender has it. */
  void assign(OpenGeneration generation) {
    assignments++;
    Division division = generation.division();
    if (generation.exclusive() == null
        && division.unassigned() == generation.missing()
        && (generation.rows().rank() == 0 || !hasCandidate(generation))) {
      beginProbe(generation);
    }
    SenderState exclusive = generation.exclusive();
    if (exclusive == null) {
      divide(generation);
    } else {
      division.give(exclusive, division.unassigned());
    }
    if (generation.rows().rank() == 0 && !generation.isPartial()) {
      // Of a part, another receiver may get the same source blocks.
      division.assignSources();
    }
  }

  /**
   * Makes a generation a probe if a sender is on probation. One that was silent in its probe comes
   * again if there is no other sender, or once in a while.
   */
  private void beginProbe(OpenGeneration generation) {
    boolean isSilentProbed =
        assignments % RETRY_INTERVAL == RETRY_INTERVAL - 1 || !hasCandidate(generation);
    SenderState probed = probation.next(generation, isSilentProbed);
    if (probed != null) {
      probation.begin(generation, probed);
    }
  }

  /** Returns true if a generation has a sender that is neither on probation nor silent. */
  private boolean hasCandidate(OpenGeneration generation) {
    for (SenderState sender : senders) {
      if (!sender.isOnProbation() && !sender.isSilent() && sender.has(generation.number())) {
        return true;
      }
    }
    return false;
  }

  /** Gives each block to the sender with the smallest backlog. */
  private void divide(OpenGeneration generation) {
    boolean areAllSilent = areAllSilent(generation);
    relays.prepare(generation);
    while (generation.division().unassigned() > 0) {
      SenderState least = null;
      for (SenderState sender : senders) {
        if (isCandidate(generation, sender)
            && (areAllSilent || !sender.isSilent() || isRetried(generation, sender))
            && (least == null || backlog(sender) < backlog(least))) {
          least = sender;
        }
      }
      if (least == null) {
        return;
      }
      generation.division().give(least, 1);
    }
  }

  private boolean areAllSilent(OpenGeneration generation) {
    for (SenderState sender : senders) {
      if (!sender.isSilent() && isCandidate(generation, sender)) {
        return false;
      }
    }
    return true;
  }

  private boolean isRetried(OpenGeneration generation, SenderState silent) {
    return assignments % RETRY_INTERVAL == 0
        && silent.outstanding() == 0
        && generation.division().of(silent) == 0;
  }

  private boolean isCandidate(OpenGeneration generation, SenderState sender) {
    return !sender.isOnProbation()
        && sender.has(generation.number())
        && (!sender.isImmediate() || relays.isCandidate(generation, sender));
  }

  private double speed(SenderState sender) {
    return sender.isImmediate() ? relays.speed(sender) : speeds.of(sender);
  }

  /** Returns the time to deliver what is outstanding, and one block more, relative to others. */
  private double backlog(SenderState sender) {
    return (sender.outstanding() + 1) / speed(sender);
  }

  /** Chooses the sender from which a generation in quarantine is fetched alone. */
  void assignToMostTrusted(OpenGeneration generation) {
    SenderState best = mostTrusted(generation);
    if (best == null && generation.forgetTried()) {
      best = mostTrusted(generation);
    }
    if (best != null) {
      generation.assignTo(best);
      assign(generation);
    }
  }

  private @Nullable SenderState mostTrusted(OpenGeneration generation) {
    SenderState best = null;
    for (SenderState sender : senders) {
      if (sender.has(generation.number())
          && !generation.isTried(sender)
          && (best == null || sender.isPreferredTo(best))) {
        best = sender;
      }
    }
    return best;
  }

  /** Gives generations as probes to senders that came when the window was full. */
  void moveProbes() {
    for (SenderState sender : senders) {
      if (sender.isOnProbation() && sender.probes() == 0 && !sender.isSilent()) {
        OpenGeneration generation = probation.movable(sender);
        if (generation != null) {
          takeAll(generation);
          probation.end(generation);
          probation.begin(generation, sender);
          assign(generation);
        }
      }
    }
  }

  // Blocks that are assigned again

  /**
   * Checks whether a sender delivers, before a report to it, and asks others for its blocks if not.
   *
   * @param innovative the innovative blocks that have arrived from all senders
   * @return the generations that it was to deliver alone and did not, of which others must be asked
   */
  List<OpenGeneration> watch(SenderState sender, long innovative) {
    sender.endInterval();
    if (sender.outstanding() <= sender.delivered() * REPORTS_AHEAD) {
      takeFromBusiest(sender);
    }
    if (!silences.isFoundSilent(sender, innovative)) {
      return List.of();
    }
    List<OpenGeneration> abandoned =
        open.stream().filter(generation -> generation.exclusive() == sender).toList();
    if (silences.canOthersDeliver(sender, innovative)) {
      takeAll(sender);
      assignAll();
    }
    return abandoned;
  }

  /** Takes blocks from the sender with the largest backlog, so that both finish together. */
  private void takeFromBusiest(SenderState idle) {
    if (idle.isOnProbation() || idle.isSilent()) {
      return;
    }
    SenderState busiest = busiest();
    if (busiest == null || backlog(busiest) < 2 * backlog(idle)) {
      return;
    }
    double sum = speed(busiest) + speed(idle);
    int rest =
        (int) ((busiest.outstanding() * speed(idle) - idle.outstanding() * speed(busiest)) / sum);
    if (rest < MIN_TAKEN) {
      return;
    }
    for (int i = open.size() - 1; i >= 0 && rest > 0; i--) {
      OpenGeneration generation = open.get(i);
      if (generation.exclusive() == null
          && !generation.isQuarantined()
          && idle.has(generation.number())
          && (!idle.isImmediate() || relays.canTakeOver(generation, idle))) {
        rest -= takeOver(generation, busiest, idle, rest);
      }
    }
  }

  private @Nullable SenderState busiest() {
    SenderState busiest = null;
    for (SenderState sender : senders) {
      if (busiest == null || backlog(sender) > backlog(busiest)) {
        busiest = sender;
      }
    }
    return busiest;
  }

  private int takeOver(OpenGeneration generation, SenderState from, SenderState to, int most) {
    int moved = generation.division().move(from, to, most, generation.rows());
    if (moved > 0 && to.isImmediate()) {
      relays.tookOver(generation, to);
    }
    return moved;
  }
}
