package io.fieldstone.rlnc.object;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides the missing blocks of open generations among senders, in proportion to what each
 * delivered lately, so that all would finish together. Deliveries are counted against those of all
 * senders, so no clock is needed. A share stays until its sender is removed, is silent while others
 * deliver, or another sender has almost nothing left to do.
 *
 * <p>The shares of a generation and its unassigned blocks always add up to its missing blocks.
 *
 * <p>Immediate relays are mixed until a generation had a wrong hash. From then on each generation
 * takes blocks of one of them.
 */
final class Shares {

  /** The reports after which a sender counts as silent: two to three round trips. */
  private static final int MAX_SILENT_REPORTS = 12;

  /** The same for a relay, which may have to ask others first, who may be relays, too. */
  private static final int MAX_SILENT_REPORTS_OF_RELAY = 48;

  /** The silences after which the pause of a silent sender doubles no more. */
  private static final int MAX_PAUSE_DOUBLINGS = 6;

  /** A silent sender is asked for one block of one in so many new generations. */
  private static final int PROBE_INTERVAL = 16;

  /** The minimum blocks that a sender takes from another. */
  private static final int MIN_TAKEN = 2;

  /** The reports for which a sender needs blocks outstanding: a round trip and a half. */
  private static final int REPORTS_AHEAD = 6;

  /** The reports for which blocks of open generations are asked for: six round trips. */
  private static final int REPORTS_OPEN = 24;

  /** The blocks that any sender is asked for before no more generations are opened. */
  private static final int MIN_OPEN_BLOCKS = 256;

  /** Each report without deliveries multiplies the pace of a sender by this factor. */
  private static final double PACE_DECAY = 0.9;

  /** The speed of a sender that delivered nothing yet, so that it is asked at all. */
  private static final int MIN_WEIGHT = 8;

  /** The number of deliveries after which older ones count half. */
  private static final int MAX_RECENT = 512;

  private final Senders senders;
  private final List<OpenGeneration> open;
  private int opened;
  private boolean isMixing = true;

  /** The sum of {@link SenderState#recent}. */
  private int recent;

  Shares(Senders senders, List<OpenGeneration> open) {
    this.senders = senders;
    this.open = open;
  }

  /** Returns true if a sender may add blocks to a generation. */
  boolean accepts(OpenGeneration generation, SenderState from) {
    if (generation.solo != OpenGeneration.NOBODY) {
      return generation.solo == from.slot;
    }
    if (from.isOnProbation || generation.evidence != null) {
      return false;
    }
    if (from.kind != SenderKind.IMMEDIATE || isMixing) {
      return true;
    }
    if (generation.immediate == OpenGeneration.NOBODY) {
      generation.immediate = from.slot;
    }
    return generation.immediate == from.slot;
  }

  /** Counts an innovative block. */
  void delivered(OpenGeneration generation, SenderState from) {
    from.recent++;
    from.deliveredSinceReport++;
    if (++from.deliveredSinceStall >= generation.shape.blocks()) {
      // It works again, so its next pause is short.
      from.deliveredSinceStall = 0;
      from.stalls = Math.min(from.stalls, MAX_PAUSE_DOUBLINGS) / 2;
    }
    recent++;
    if (recent >= MAX_RECENT) {
      halveRecent();
    }
    int slot = from.slot;
    if (generation.share[slot] == 0) {
      if (generation.unassigned > 0) {
        generation.unassigned--;
        return;
      }
      slot = largest(generation);
      if (generation.share[slot] == 0) {
        return; // more than was wanted of a part
      }
    }
    generation.share[slot]--;
    SenderState relieved = senders.at(slot);
    if (relieved != null) {
      relieved.outstanding--;
    }
  }

  private void halveRecent() {
    recent = 0;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null) {
        sender.recent /= 2;
        recent += sender.recent;
      }
    }
  }

  /** Returns true if no other sender has a larger share of a generation, nor one before it. */
  boolean isLargest(OpenGeneration generation, SenderState sender) {
    return largest(generation) == sender.slot;
  }

  private static int largest(OpenGeneration generation) {
    int largest = 0;
    for (int slot = 1; slot < generation.share.length; slot++) {
      if (generation.share[slot] > generation.share[largest]) {
        largest = slot;
      }
    }
    return largest;
  }

  /** Takes all shares of a sender away. */
  void takeAll(SenderState sender) {
    for (OpenGeneration generation : open) {
      take(generation, sender.slot);
    }
  }

  /** Takes all shares of a generation away. */
  void takeAll(OpenGeneration generation) {
    for (int slot = 0; slot < generation.share.length; slot++) {
      take(generation, slot);
    }
  }

  /** Takes the share of a sender in a generation away. */
  void take(OpenGeneration generation, int slot) {
    int share = generation.share[slot];
    generation.share[slot] = 0;
    generation.unassigned += share;
    generation.sourceFirst[slot] = 0;
    generation.sourceEnd[slot] = 0;
    SenderState sender = senders.at(slot);
    if (sender != null) {
      sender.outstanding -= share;
    }
  }

  /** Takes all shares away and counts the missing blocks again, after blocks were removed. */
  void restart(OpenGeneration generation) {
    takeAll(generation);
    generation.unassigned = generation.missing();
  }

  /** Ends the mixing of immediate relays, because a block of one of them may be wrong. */
  void endMixing() {
    if (!isMixing) {
      return;
    }
    isMixing = false;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && sender.kind == SenderKind.IMMEDIATE) {
        for (OpenGeneration generation : open) {
          if (generation.solo != slot) {
            take(generation, slot);
          }
        }
      }
    }
  }

  /**
   * Returns the blocks to collect of a generation so that a receiver of this relay gets some that
   * are innovative for it. It may have all that one immediate relay can send, so that each of them
   * is asked for as many. All other senders together are asked for as many, too.
   */
  int partOf(OpenGeneration generation, int blocks) {
    int immediate = 0;
    int others = 0;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && sender.has(generation.generation)) {
        if (sender.kind == SenderKind.IMMEDIATE) {
          immediate++;
        } else {
          others = 1;
        }
      }
    }
    return Math.min(generation.shape.blocks(), blocks * Math.max(1, immediate + others));
  }

  /** Asks a sender on probation for all of a generation alone, of which nothing is assigned. */
  private static void beginTest(OpenGeneration generation, SenderState tested) {
    generation.raise(generation.shape.blocks());
    tested.tests++;
    generation.isTest = true;
    generation.solo = tested.slot;
  }

  /** Ends the test of the sender that served a generation alone, whether it passed or not. */
  void endTest(OpenGeneration generation) {
    if (generation.isTest) {
      generation.isTest = false;
      SenderState sender = senders.at(generation.solo);
      if (sender != null) {
        sender.tests--;
      }
    }
  }

  /** Ends the probation of a sender, so that others may help with the generations of its tests. */
  void endProbation(SenderState passed) {
    if (!passed.isOnProbation) {
      return;
    }
    passed.isOnProbation = false;
    for (OpenGeneration generation : open) {
      if (generation.isTest && generation.solo == passed.slot) {
        endTest(generation);
        generation.solo = OpenGeneration.NOBODY;
      }
    }
  }

  /**
   * Returns true if a new generation has a sender to ask that will soon have delivered what it was
   * asked for. A few round trips are enough; what is divided later is divided by newer rates.
   */
  boolean canOpen(int generation) {
    if (open.isEmpty()) {
      return true;
    }
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null
          && !sender.isStalled
          && sender.has(generation)
          && (sender.isOnProbation ? sender.tests == 0 : isSoonIdle(sender))) {
        return true;
      }
    }
    SenderState only = onlySource(generation);
    return only != null && isSoonIdle(only);
  }

  private static boolean isSoonIdle(SenderState sender) {
    return sender.outstanding <= maxUnderWay(sender);
  }

  private static double maxUnderWay(SenderState sender) {
    return Math.max(MIN_OPEN_BLOCKS, (REPORTS_OPEN + sender.log.lateReports()) * sender.pace);
  }

  /**
   * Returns the blocks that senders that are not silent are asked for before no more generations
   * are opened.
   */
  int maxUnderWay() {
    double sum = 0;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      sum += sender == null || sender.isStalled ? 0 : maxUnderWay(sender);
    }
    return (int) sum;
  }

  /**
   * Returns the only sender that has a generation, or null. Such a sender is asked for any number
   * of them while on probation, because there is nobody to mix it with. An immediate relay is not:
   * it has little to send at first.
   */
  private @Nullable SenderState onlySource(int generation) {
    SenderState only = null;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && sender.has(generation)) {
        if (only != null) {
          return null;
        }
        only = sender;
      }
    }
    return only == null || only.kind == SenderKind.IMMEDIATE ? null : only;
  }

  /**
   * Tests senders that came when the window was full: each gets the last generation of which
   * nothing has arrived, and nothing can be on its way.
   */
  void moveTests() {
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && sender.isOnProbation && sender.tests == 0 && !sender.isStalled) {
        moveTest(sender);
      }
    }
  }

  private void moveTest(SenderState to) {
    for (int i = open.size() - 1; i >= 0; i--) {
      OpenGeneration generation = open.get(i);
      if (generation.isCollecting()
          && generation.evidence == null
          && generation.rows.rank() == 0
          && to.has(generation.generation)
          && canGiveAway(generation)) {
        takeAll(generation);
        endTest(generation);
        beginTest(generation, to);
        assign(generation);
        return;
      }
    }
  }

  /** Returns true if the sender that has most of a generation to deliver has enough before it. */
  private boolean canGiveAway(OpenGeneration generation) {
    SenderState from = senders.at(generation.isTest ? generation.solo : largest(generation));
    if (from == null) {
      return false;
    }
    if (generation.isTest) {
      return from.tests > 1;
    }
    int delivered = Math.max(from.delivered, from.deliveredSinceReport);
    return generation.solo == OpenGeneration.NOBODY
        && from.outstanding - generation.missing() >= REPORTS_AHEAD * delivered;
  }

  /** Assigns the blocks of open generations that nobody is asked for. */
  void assignAll() {
    for (OpenGeneration generation : open) {
      if (generation.unassigned > 0 && generation.isCollecting()) {
        if (generation.evidence != null && generation.solo == OpenGeneration.NOBODY) {
          chooseSolo(generation);
        } else {
          assign(generation);
        }
      }
    }
  }

  /** Assigns the blocks of a generation that nobody is asked for, if a sender has it. */
  void assign(OpenGeneration generation) {
    opened++;
    if (generation.solo == OpenGeneration.NOBODY
        && generation.unassigned == generation.missing()
        && (generation.rows.rank() == 0 || !hasCandidate(generation))) {
      SenderState tested = onProbation(generation);
      if (tested != null) {
        beginTest(generation, tested);
      }
    }
    if (generation.solo != OpenGeneration.NOBODY) {
      give(generation, generation.solo, generation.unassigned);
    } else {
      divide(generation);
    }
    assignSources(generation);
  }

  /** Returns true if a generation has a sender that is neither on probation nor silent. */
  private boolean hasCandidate(OpenGeneration generation) {
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null
          && !sender.isOnProbation
          && !sender.isStalled
          && sender.has(generation.generation)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the next sender to test with a generation alone. One that was silent in its test comes
   * again if there is no other sender, or once in a while.
   */
  private @Nullable SenderState onProbation(OpenGeneration generation) {
    boolean isSilentTested =
        opened % PROBE_INTERVAL == PROBE_INTERVAL - 1 || !hasCandidate(generation);
    SenderState only = onlySource(generation.generation);
    SenderState next = null;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null
          && sender.isOnProbation
          && (sender.tests == 0 || sender == only)
          && (!sender.isStalled || isSilentTested)
          && sender.has(generation.generation)
          && (next == null || sender.stalls < next.stalls)) {
        next = sender;
      }
    }
    return next;
  }

  /**
   * Returns the speed of a sender relative to others. An immediate relay is taken for as fast as
   * the mean: it sends no more than it was asked for, so its speed does not show before it is asked
   * for more.
   */
  private double weight(SenderState sender) {
    double own = sender.recent + MIN_WEIGHT;
    return sender.kind == SenderKind.IMMEDIATE && isMixing
        ? Math.max(own, MIN_WEIGHT + (double) recent / senders.count())
        : own;
  }

  /** Returns the time to deliver what is outstanding, and one block more, relative to others. */
  private double backlog(SenderState sender) {
    return (sender.outstanding + 1) / weight(sender);
  }

  /** Gives each block to the sender with the fewest outstanding. */
  private void divide(OpenGeneration generation) {
    boolean isAllStalled = true;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      isAllStalled &= sender == null || sender.isStalled || !isCandidate(generation, sender);
    }
    chooseImmediate(generation);
    if (isMixing) {
      divideByWeight(generation);
    }
    while (generation.unassigned > 0) {
      SenderState least = null;
      for (int slot = 0; slot < senders.slots(); slot++) {
        SenderState sender = senders.at(slot);
        if (sender != null
            && isCandidate(generation, sender)
            && (isAllStalled || !sender.isStalled || isProbed(generation, sender))
            && (least == null || backlog(sender) < backlog(least))) {
          least = sender;
        }
      }
      if (least == null) {
        return;
      }
      give(generation, least.slot, 1);
    }
  }

  /**
   * Gives immediate relays, and others beside them, equal parts of each generation by weight. What
   * a receiver takes from one of them should be what its other receivers take, and no more: then
   * its links carry as many generations as possible.
   */
  private void divideByWeight(OpenGeneration generation) {
    double sum = 0;
    boolean hasImmediate = false;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && !sender.isStalled && isCandidate(generation, sender)) {
        sum += weight(sender);
        hasImmediate |= sender.kind == SenderKind.IMMEDIATE;
      }
    }
    if (!hasImmediate) {
      return;
    }
    int blocks = generation.unassigned;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && !sender.isStalled && isCandidate(generation, sender)) {
        give(generation, slot, (int) (blocks * weight(sender) / sum));
      }
    }
  }

  private boolean isProbed(OpenGeneration generation, SenderState sender) {
    return opened % PROBE_INTERVAL == 0
        && sender.outstanding == 0
        && generation.share[sender.slot] == 0;
  }

  private boolean isCandidate(OpenGeneration generation, SenderState sender) {
    return !sender.isOnProbation
        && sender.has(generation.generation)
        && (sender.kind != SenderKind.IMMEDIATE || isMixing || generation.immediate == sender.slot);
  }

  private void chooseImmediate(OpenGeneration generation) {
    if (isMixing || generation.immediate != OpenGeneration.NOBODY) {
      return;
    }
    SenderState least = null;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null
          && sender.kind == SenderKind.IMMEDIATE
          && !sender.isOnProbation
          && sender.has(generation.generation)
          && (least == null || sender.outstanding < least.outstanding)) {
        least = sender;
      }
    }
    if (least != null) {
      generation.immediate = least.slot;
    }
  }

  private void give(OpenGeneration generation, int slot, int blocks) {
    SenderState sender = senders.at(slot);
    if (sender != null && blocks > 0) {
      generation.share[slot] += blocks;
      generation.unassigned -= blocks;
      sender.outstanding += blocks;
    }
  }

  /** Divides the source blocks of a generation of which nothing has arrived. */
  private static void assignSources(OpenGeneration generation) {
    if (generation.rows.rank() > 0 || generation.isPartial()) {
      return; // another receiver may get the same part of the source blocks
    }
    int first = 0;
    for (int slot = 0; slot < generation.share.length; slot++) {
      generation.sourceFirst[slot] = first;
      first += generation.share[slot];
      generation.sourceEnd[slot] = first;
    }
  }

  /** Chooses the sender from which a polluted generation is fetched alone. */
  void chooseSolo(OpenGeneration generation) {
    SenderState best = bestUntried(generation);
    if (best == null && !generation.tried.isEmpty()) {
      generation.tried.clear();
      best = bestUntried(generation);
    }
    if (best != null) {
      generation.solo = best.slot;
      assign(generation);
    }
  }

  private @Nullable SenderState bestUntried(OpenGeneration generation) {
    SenderState best = null;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null
          && sender.has(generation.generation)
          && !generation.tried.contains(sender.number)
          && (best == null || isPreferred(sender, best))) {
        best = sender;
      }
    }
    return best;
  }

  /** Compares how far senders are trusted: tested ones, origins, long without fault. */
  private static boolean isPreferred(SenderState one, SenderState other) {
    if (one.isOnProbation != other.isOnProbation) {
      return other.isOnProbation;
    }
    if (one.kind != other.kind) {
      return one.kind.compareTo(other.kind) < 0;
    }
    if (one.strikes != other.strikes) {
      return one.strikes < other.strikes;
    }
    return one.verified > other.verified;
  }

  /**
   * Looks if a sender delivers, before a report to it.
   *
   * @param innovative the innovative blocks that have arrived from all senders
   * @return the generations that it was to deliver alone and did not, of which others must be asked
   */
  List<OpenGeneration> watch(SenderState sender, long innovative) {
    List<OpenGeneration> left = new ArrayList<>();
    int delivered = sender.deliveredSinceReport;
    sender.delivered = delivered;
    sender.pace = Math.max(delivered, PACE_DECAY * sender.pace);
    sender.deliveredSinceReport = 0;
    if (sender.outstanding <= delivered * REPORTS_AHEAD) {
      takeFromBusiest(sender);
    }
    if (sender.outstanding == 0) {
      // A sender that was silent is asked again after a pause, which grows.
      if (sender.isStalled
          && ++sender.idleReports
              > MAX_SILENT_REPORTS << Math.min(sender.stalls, MAX_PAUSE_DOUBLINGS)) {
        sender.isStalled = false;
        sender.idleReports = 0;
      }
      sender.quietReports = 0;
      sender.silentReports = 0;
      sender.innovativeFromAll = innovative;
      return left;
    }
    sender.quietReports++;
    if (!isAwaited(sender)) {
      sender.silentReports = 0;
      return left;
    }
    sender.silentReports++;
    if (sender.silentReports <= maxSilentReports(sender) || senders.count() < 2) {
      return left;
    }
    sender.silentReports = 0;
    sender.isStalled = true;
    sender.stalls++;
    sender.deliveredSinceStall = 0;
    for (OpenGeneration generation : open) {
      if (generation.solo == sender.slot) {
        left.add(generation);
      }
    }
    if (innovative > sender.innovativeFromAll || isAnyIdle()) {
      takeAll(sender);
      assignAll();
    }
    return left;
  }

  private static int maxSilentReports(SenderState sender) {
    return sender.kind == SenderKind.ORIGIN ? MAX_SILENT_REPORTS : MAX_SILENT_REPORTS_OF_RELAY;
  }

  /**
   * Returns true if a sender that is not silent is asked for nothing. At the end of an object all
   * others are, so that nothing more arrives while the last blocks are those of a silent sender.
   */
  private boolean isAnyIdle() {
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && sender.outstanding == 0 && !sender.isStalled) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns true if the others have delivered their shares of a generation, or are silent, and this
   * sender has not delivered its own. A relay may have to wait until its own senders come to the
   * generations that it was asked for.
   */
  private boolean isAwaited(SenderState sender) {
    for (OpenGeneration generation : open) {
      if (generation.share[sender.slot] > 0 && isOnlyOfSilent(generation, sender)) {
        return true;
      }
    }
    return false;
  }

  /** Returns true if all blocks to come of a generation are those of one sender and silent ones. */
  private boolean isOnlyOfSilent(OpenGeneration generation, SenderState sender) {
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState other = senders.at(slot);
      if (other != null
          && other != sender
          && generation.share[slot] > 0
          && other.quietReports <= maxSilentReports(other)) {
        return false;
      }
    }
    return true;
  }

  /** Takes blocks from the sender with the largest backlog, so that both finish together. */
  private void takeFromBusiest(SenderState idle) {
    if (idle.isOnProbation || idle.isStalled) {
      return;
    }
    SenderState busiest = null;
    for (int slot = 0; slot < senders.slots(); slot++) {
      SenderState sender = senders.at(slot);
      if (sender != null && (busiest == null || backlog(sender) > backlog(busiest))) {
        busiest = sender;
      }
    }
    if (busiest == null || backlog(busiest) < 2 * backlog(idle)) {
      return;
    }
    double sum = weight(busiest) + weight(idle);
    int left =
        (int) ((busiest.outstanding * weight(idle) - idle.outstanding * weight(busiest)) / sum);
    if (left < MIN_TAKEN) {
      return;
    }
    for (int i = open.size() - 1; i >= 0 && left > 0; i--) {
      OpenGeneration generation = open.get(i);
      if (generation.solo == OpenGeneration.NOBODY
          && generation.evidence == null
          && (isCandidate(generation, idle) || canBeImmediate(generation, idle))) {
        left -= move(generation, busiest, idle, left);
      }
    }
  }

  /** Returns true if an immediate relay may begin to take part in a generation without one. */
  private static boolean canBeImmediate(OpenGeneration generation, SenderState sender) {
    return sender.kind == SenderKind.IMMEDIATE
        && generation.immediate == OpenGeneration.NOBODY
        && sender.has(generation.generation);
  }

  private int move(OpenGeneration generation, SenderState from, SenderState to, int most) {
    int moved = Math.min(most, generation.share[from.slot]);
    generation.share[from.slot] -= moved;
    from.outstanding -= moved;
    generation.unassigned += moved;
    give(generation, to.slot, moved);
    if (moved > 0 && to.kind == SenderKind.IMMEDIATE && !isMixing) {
      generation.immediate = to.slot;
    }
    int end = generation.sourceEnd[from.slot];
    int first = Math.max(generation.sourceFirst[from.slot], end - moved);
    if (isUntouched(generation, first, end) && generation.sourceEnd[to.slot] == 0) {
      generation.sourceFirst[to.slot] = first;
      generation.sourceEnd[to.slot] = end;
    }
    generation.sourceEnd[from.slot] = first;
    return moved;
  }

  private static boolean isUntouched(OpenGeneration generation, int first, int end) {
    for (int position = first; position < end; position++) {
      if (generation.rows.holdsSource(position)) {
        return false;
      }
    }
    return true;
  }
}
