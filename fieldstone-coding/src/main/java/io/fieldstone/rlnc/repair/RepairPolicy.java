package io.fieldstone.rlnc.repair;

import io.fieldstone.rlnc.window.WindowCode;
import java.util.Locale;

/**
 * Decides when a sender of live packets sends a repair, and over which sources. Its only setting is
 * the deadline; it estimates loss, round trip and rate from {@link ReceiverReport}s.
 *
 * <p><b>Costs.</b> All decisions weigh the same costs. A repair costs 1. A run of lost sources that
 * a receiver does not get in time costs {@link #LOSS_PRICE}; a source that waits for a round trip
 * costs {@link #WAIT_PRICE} if the receiver would have delivered it at once.
 *
 * <p><b>In advance.</b> Repairs are spread among the sources. Their number follows from the
 * distribution of the deficit of the receiver at the deadline ({@link DeficitWalk}), or when an
 * answer comes if that is earlier. Without loss there are none. After the last source of a burst of
 * traffic, as many follow as its end needs.
 *
 * <p><b>Asked for.</b> Where the deadline leaves a round trip, a receiver gets as many repairs as
 * its reports lack. They cover only what the report did, so that later losses do not delay them.
 * Where it leaves no second one, spare repairs replace those that the path may lose. If no report
 * covers the last source in time, a repair probes for it.
 *
 * <p><b>Congestion.</b> Loss that a queue explains raises nothing and is not repaired while the
 * queue is there ({@link LossEstimate}, {@link QueueDelay}). The caller paces repairs like sources,
 * in one rate, and counts recovered sources as lost (RFC 9265).
 *
 * <p>A caller calls {@link #onSource} for each source that it has sent and {@link #onReport} for
 * each report. After each, and at {@link #nextNanos}, it sends repairs while {@link #isDue} is
 * true. For one thread; allocates only when loss changes.
 */
public final class RepairPolicy {
  /** The price of a run of lost sources, in repairs. */
  private static final double LOSS_PRICE = 300;

  /** The price of a source that waits for a round trip. */
  private static final double WAIT_PRICE = 4;

  /** At lower rates a repair costs less, in proportion, down to a least cost. */
  private static final double FULL_COST_RATE = 100;

  private static final double MIN_COST = 0.1;

  private static final double NANOS_PER_SECOND = 1e9;

  /** The sources and the repairs that are remembered. */
  private static final int SLOTS = 1 << 14;

  /** The time over which the rate of sources is averaged. */
  private static final long RATE_NANOS = 1_000_000_000L;

  private static final long MIN_RATE_NANOS = 20_000_000;

  /** Times between two decisions on the redundancy, and changes that are worth one. */
  private static final long PLAN_NANOS = 100_000_000;

  private static final double PLAN_CHANGE = 0.05;

  /** The weight of one sample of a time. */
  private static final double TIME_GAIN = 1.0 / 16;

  private static final double DEVIATIONS = 3;

  /** A repair is lost if no report shows its arrival within this many times that of an answer. */
  private static final double MAX_ANSWERS = 2;

  /** The part of the time to an answer in which its repairs are sent. */
  private static final double MIN_SLACK = 0.25;

  /** More answers in time change nothing. */
  private static final int MAX_ROUNDS = 8;

  /** The least time that hosts need to answer. */
  private static final long HOST_NANOS = 2_000_000;

  /** The assumed time to an answer before one came: none is in time. */
  private static final double UNKNOWN = Double.POSITIVE_INFINITY;

  /** The mean intervals without a source after which a burst of traffic has ended. */
  private static final double TAIL_INTERVALS = 3;

  private static final long MIN_TAIL_NANOS = 2_000_000;
  private static final long MAX_TAIL_NANOS = 10_000_000;

  /** The maximum distance of two repairs that are due. */
  private static final long MAX_SPACING_NANOS = 3_000_000;

  private static final int MAX_TAIL = 32;
  private static final int MAX_ASKED = 256;

  /** A run of this many losses is an outage, even at low rates. */
  private static final int MIN_OUTAGE = 24;

  /** Why a repair is sent. */
  private enum Kind {
    ADVANCE,
    ASKED,
    LAST_CHANCE,

    /** In case that one of the last chance is lost. */
    SPARE
  }

  private final DeliveryTime delivery;
  private final int maxSources;
  private long deadlineNanos;

  private final LossEstimate loss = new LossEstimate();
  private final QueueDelay queue = new QueueDelay();

  // What was sent

  private final long[] sentNanos = new long[SLOTS];

  /** The repairs that were sent before each source. */
  private final long[] repairsBefore = new long[SLOTS];

  private final Kind[] kinds = new Kind[SLOTS];

  /** When each repair was sent. */
  private final long[] repairNanos = new long[SLOTS];

  /** The number after the last source that each repair covers. */
  private final long[] ends = new long[SLOTS];

  private long nextSource;
  private long nextRepair;

  /** The first source that is worth a repair. */
  private long wanted;

  /** The first source of the time over which the rate is averaged. */
  private long rateFirst;

  // What is known of the receiver

  private ReceiverReport last = ReceiverReport.NONE;

  /** The repairs below this number have arrived or are lost. */
  private long decidedRepairs;

  private double answerNanos = UNKNOWN;
  private double answerDeviation;

  // What is planned

  private LossModel model = LossModel.NONE;
  private double redundancy;
  private double latePrice;
  private double plannedShare = -1;
  private int plannedHorizon;
  private long plannedNanos;
  private double plannedAnswer = UNKNOWN;

  private double credit;
  private int askedDue;
  private int lastChanceDue;
  private int spareDue;
  private long askedEnd;

  /** The losses that were known when repairs were asked for last. */
  private long askedLost;

  private long lastChanceEnd;
  private int tailDue;
  private long tailNanos = Long.MAX_VALUE;
  private long probeNanos = Long.MAX_VALUE;
  private long probedNanos = Long.MIN_VALUE / 2;
  private long spacedNanos = Long.MIN_VALUE;

  private Kind due = Kind.ADVANCE;
  private long dueEnd;

  /**
   * Creates a policy that has sent nothing.
   *
   * @param deadlineNanos the time after sending a source, beside the delay of the path, until which
   *     a receiver needs it; greater than 0
   * @param delivery when receivers deliver
   * @param maxSources the maximum number of sources that a repair covers, at least 1 and at most
   *     {@value WindowCode#MAX_COUNT}
   */
  public RepairPolicy(long deadlineNanos, DeliveryTime delivery, int maxSources) {
    if (maxSources < 1 || maxSources > WindowCode.MAX_COUNT) {
      throw new IllegalArgumentException(
          "sources " + maxSources + ": want 1 to " + WindowCode.MAX_COUNT);
    }
    this.delivery = delivery;
    this.maxSources = maxSources;
    deadline(deadlineNanos);
  }

  /** Changes the deadline, as of now. */
  public void deadline(long nanos) {
    if (nanos <= 0) {
      throw new IllegalArgumentException("deadline " + nanos + " ns: want more than 0");
    }
    deadlineNanos = nanos;
    plannedShare = -1;
  }

  /** Returns the repairs for each source that are sent in advance. */
  public double redundancy() {
    return redundancy;
  }

  /**
   * Returns the share of packets that the path loses, recovered or not, without what a queue loses.
   * Before a report came it is an assumption, greater than 0.
   */
  public double lossShare() {
    return loss.share();
  }

  /** Returns true if a queue loses packets now. */
  public boolean isCongested() {
    return loss.isCongested();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "loss %.4f in runs of %.2f, redundancy %.3f, answers after %.1f ms, %s",
        loss.share(),
        model.meanRun(),
        redundancy,
        answerNanos / 1e6,
        loss.isCongested() ? "congested" : queue);
  }

  // Events

  /**
   * Takes note that a source was sent.
   *
   * @param number its number: 0, 1, 2, …
   */
  public void onSource(long number, long nowNanos) {
    if (number != nextSource) {
      throw new IllegalArgumentException("source " + number + ": want " + nextSource);
    }
    sentNanos[slot(number)] = nowNanos;
    repairsBefore[slot(number)] = nextRepair;
    nextSource++;
    update(nowNanos);
    plan(nowNanos);
    credit = Math.min(credit + redundancy, 1 + redundancy);
    tailDue = 0;
    double tail = Math.min(TAIL_INTERVALS * intervalNanos(nowNanos), deadlineNanos / 4.0);
    tailNanos = nowNanos + (long) Math.clamp(tail, MIN_TAIL_NANOS, MAX_TAIL_NANOS);
    scheduleProbe();
  }

  /**
   * Takes a report.
   *
   * @return false if it is older than one before, or names packets that were not sent; it is
   *     ignored then
   */
  public boolean onReport(ReceiverReport report, long nowNanos) {
    if (report.highest() >= nextSource
        || report.decidedEnd() > nextSource
        || report.firstMissing() > nextSource
        || report.highestRepair() >= nextRepair
        || report.highest() < last.highest()
        || report.decidedEnd() < last.decidedEnd()
        || report.highestRepair() < last.highestRepair()
        || report.lost() < last.lost()) {
      return false;
    }
    ReceiverReport before = last;
    last = report;
    observeTimes(before, report, nowNanos);
    boolean isRise = observeLoss(before, report, nowNanos);
    if (isRise) {
      plannedShare = -1;
    }
    if (report.decidedEnd() > 0 && isRemembered(report.decidedEnd() - 1)) {
      decidedRepairs = Math.max(decidedRepairs, repairsBefore[slot(report.decidedEnd() - 1)]);
    }
    decidedRepairs = Math.max(decidedRepairs, report.highestRepair() + 1);
    wanted = Math.max(wanted, Math.min(report.firstMissing(), nextSource));
    update(nowNanos);
    plan(nowNanos);
    ask(nowNanos);
    scheduleProbe();
    return true;
  }

  private void observeTimes(ReceiverReport before, ReceiverReport report, long nowNanos) {
    if (report.highest() > before.highest() && isRemembered(report.highest())) {
      long sent = sentNanos[slot(report.highest())];
      queue.observe((double) (report.arrivalNanos() - sent), loss.isCongested(), nowNanos);
    }
    if (report.beforeLoss() > before.beforeLoss() && isRemembered(report.beforeLoss())) {
      long sent = sentNanos[slot(report.beforeLoss())];
      double delay = report.beforeLossNanos() - sent;
      long lost = report.lost() - before.lost();
      if (queue.observeLoss(delay, lost, loss.isCongested(), nowNanos)) {
        loss.forgetSince(queue.suspectNanos());
        plannedShare = -1;
      }
    }
    if (report.decidedEnd() > before.decidedEnd() && isRemembered(before.decidedEnd())) {
      // The age of the oldest source of which this report is the first to tell.
      double sample = nowNanos - sentNanos[slot(before.decidedEnd())];
      if (answerNanos == UNKNOWN) {
        answerNanos = sample;
        answerDeviation = 0;
        return;
      }
      double error = sample - answerNanos;
      double limit = Math.max(4 * answerDeviation, answerNanos / 4);
      answerNanos += TIME_GAIN * Math.clamp(error, -limit, limit);
      answerDeviation += TIME_GAIN * (Math.min(Math.abs(error), limit) - answerDeviation);
    }
  }

  private boolean observeLoss(ReceiverReport before, ReceiverReport report, long nowNanos) {
    long decided = report.decidedEnd() - before.decidedEnd();
    long lost = report.lost() - before.lost();
    long runs = Math.max(0, report.lossRuns() - before.lossRuns());
    if (decided <= 0) {
      return false;
    }
    // No redundancy recovers an outage longer than the deadline, so it is no reason for any.
    if (lost > (runs + 1) * Math.max(MIN_OUTAGE, packets((double) deadlineNanos, nowNanos))) {
      return false;
    }
    return loss.add(decided, lost, runs, queue.isFull(), nowNanos);
  }

  // Decisions

  /** Gives up sources whose deadline has passed, or that a window no longer holds. */
  private void update(long nowNanos) {
    wanted = Math.max(wanted, nextSource - maxSources);
    while (wanted < nextSource && nowNanos - sentNanos[slot(wanted)] > deadlineNanos) {
      wanted++;
    }
    rateFirst = Math.max(rateFirst, nextSource - SLOTS);
    while (rateFirst < nextSource && nowNanos - sentNanos[slot(rateFirst)] > RATE_NANOS) {
      rateFirst++;
    }
  }

  /** The sources per nanosecond. */
  private double rate(long nowNanos) {
    if (rateFirst == nextSource) {
      return 1.0 / RATE_NANOS;
    }
    long elapsed = rateFirst == 0 ? nowNanos - sentNanos[slot(0)] : RATE_NANOS;
    return (double) (nextSource - rateFirst) / Math.max(elapsed, MIN_RATE_NANOS);
  }

  private double intervalNanos(long nowNanos) {
    return 1 / rate(nowNanos);
  }

  private int packets(double nanos, long nowNanos) {
    return (int) Math.min(nanos * rate(nowNanos), maxSources);
  }

  /** The cost of a repair: less where packets are rare. */
  private double cost(long nowNanos) {
    return Math.clamp(rate(nowNanos) * NANOS_PER_SECOND / FULL_COST_RATE, MIN_COST, 1);
  }

  private double waitPrice() {
    return delivery == DeliveryTime.AT_ONCE ? WAIT_PRICE : 0;
  }

  /** The time from sending a source until a repair for it can be sent. */
  private double answerLimit() {
    return answerNanos + Math.max(DEVIATIONS * answerDeviation, HOST_NANOS);
  }

  /** The answers that come in time, 0 to {@link #MAX_ROUNDS}. */
  private int rounds() {
    return (int) Math.min(deadlineNanos / answerLimit() - MIN_SLACK, MAX_ROUNDS);
  }

  /** Decides on the repairs in advance, if something has changed. */
  private void plan(long nowNanos) {
    double answer = answerLimit();
    int rounds = rounds();
    int horizon = packets(rounds == 0 ? deadlineNanos : answer, nowNanos);
    if (nowNanos - plannedNanos < PLAN_NANOS
        && plannedShare >= 0
        && horizon <= 2 * plannedHorizon) {
      return;
    }
    double share = loss.share();
    boolean isSame =
        Math.abs(share - plannedShare) <= PLAN_CHANGE * share
            && Math.abs(horizon - plannedHorizon) <= 2 * PLAN_CHANGE * horizon
            && Math.abs(answer - plannedAnswer) <= 2 * PLAN_CHANGE * answer;
    plannedNanos = nowNanos;
    model = loss.model(redundancy);
    if (isSame) {
      return;
    }
    plannedShare = share;
    plannedHorizon = horizon;
    plannedAnswer = answer;
    double cost = cost(nowNanos);
    double lossPrice = LOSS_PRICE / model.meanRun();
    double askedPrice = 0;
    if (rounds == 0) {
      latePrice = lossPrice / cost;
    } else {
      double slack = packets(deadlineNanos - answer * rounds, nowNanos);
      int pool = (int) Math.round(Math.max(model.meanRun(), share * slack));
      int sent = model.repairsFor(pool, 2, LOSS_PRICE / cost, MAX_ASKED);
      double failed = model.shortfall(sent, pool, 2);
      double again = Math.pow(share, rounds - 1.0);
      askedPrice = 1 / (1 - share) + again * ((double) sent / pool - 1);
      latePrice = (waitPrice() + again * failed * lossPrice) / cost;
    }
    redundancy = Redundancy.best(model, horizon, latePrice, askedPrice);
  }

  /** A queue is empty once no source was sent for as long as one waited in it, and was answered. */
  private boolean isQueued(long nowNanos) {
    long quiet = nowNanos - sentNanos[slot(Math.max(0, nextSource - 1))];
    return loss.isCongested() && quiet < queue.rangeNanos() + answerNanos;
  }

  /** Answers what a receiver lacks. */
  private void ask(long nowNanos) {
    long end = last.decidedEnd();
    int deficit = (int) Math.min(last.deficit(), end - wanted);
    if (deficit <= 0 || isQueued(nowNanos) || rounds() == 0) {
      askedDue = 0;
      lastChanceDue = 0;
      spareDue = 0;
      return;
    }
    int advance = 0;
    int asked = 0;
    int lastChance = 0;
    int spare = 0;
    for (long repair = Math.max(decidedRepairs, nextRepair - SLOTS);
        repair < nextRepair;
        repair++) {
      if (ends[(int) (repair % SLOTS)] <= wanted) {
        // All that it covers is known or given up, so it serves no later loss.
        continue;
      }
      if (nowNanos - repairNanos[(int) (repair % SLOTS)] > MAX_ANSWERS * answerLimit()) {
        // Nothing that was sent later shows that it is lost.
        continue;
      }
      switch (kinds[(int) (repair % SLOTS)]) {
        case ADVANCE -> advance++;
        case ASKED -> asked++;
        case LAST_CHANCE -> lastChance++;
        case SPARE -> spare++;
      }
    }
    long lastEnd = lastChanceEnd(end, nowNanos);
    int needed = deficit - asked - lastChance - lastChanceDue;
    if (lastEnd <= Math.max(askedEnd, wanted)) {
      // Repairs in advance serve the later sources first; chance may want those of a last chance.
      double left = advance * (1 - model.share()) - (nextSource - end) * model.share();
      needed -= (int) Math.ceil(Math.max(left, 0));
    }
    askedDue = Math.clamp(needed, 0, askedDue);
    needed -= askedDue;
    if (needed <= 0) {
      return;
    }
    double cost = cost(nowNanos);
    // Of the others an answer is awaited, or it said that their repairs were lost.
    int fresh = (int) Math.min(last.lost() - askedLost, needed);
    int urgent = lastEnd > askedEnd ? needed : needed - fresh;
    urgent = Math.clamp(lastEnd - wanted, 0, urgent);
    if (urgent > 0) {
      int primary = urgent + lastChance + lastChanceDue;
      int sent = model.repairsFor(primary, 2, LOSS_PRICE / cost, MAX_ASKED);
      lastChanceDue += urgent;
      spareDue = Math.max(0, sent - primary - spare);
      lastChanceEnd = lastEnd;
    }
    if (needed > urgent) {
      askedDue += model.repairsFor(needed - urgent, 2, waitPrice() / cost, MAX_ASKED);
    }
    askedEnd = end;
    askedLost = last.lost();
  }

  /** The end of the sources for which a repair that is asked for later comes too late. */
  private long lastChanceEnd(long end, long nowNanos) {
    double limit = nowNanos + answerLimit() - deadlineNanos;
    long low = wanted;
    long high = end;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (sentNanos[slot(middle)] < limit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Sends a repair if the last source should have been heard of, and again after each. */
  private void scheduleProbe() {
    boolean isUnknown = nextSource > Math.max(last.decidedEnd(), wanted);
    probeNanos =
        isUnknown && answerLimit() < deadlineNanos
            ? Math.max(sentNanos[slot(nextSource - 1)], probedNanos) + (long) answerLimit()
            : Long.MAX_VALUE;
  }

  /** Returns true if a repair is to be sent now; {@link #first} and {@link #end} tell over what. */
  public boolean isDue(long nowNanos) {
    update(nowNanos);
    if (wanted == nextSource) {
      credit = Math.min(credit, 1);
      askedDue = 0;
      lastChanceDue = 0;
      spareDue = 0;
      tailDue = 0;
      tailNanos = Long.MAX_VALUE;
      probeNanos = Long.MAX_VALUE;
      return false;
    }
    if (nowNanos >= tailNanos) {
      tailNanos = Long.MAX_VALUE;
      tailDue = tail();
    }
    if (nowNanos >= probeNanos) {
      probeNanos = Long.MAX_VALUE;
      probedNanos = nowNanos;
      tailDue = Math.max(tailDue, probe(nowNanos));
    }
    due = Kind.ADVANCE;
    dueEnd = nextSource;
    if (credit >= 1) {
      return true;
    }
    if (nowNanos < spacedNanos) {
      return false;
    }
    if (lastChanceEnd <= wanted) {
      lastChanceDue = 0;
      spareDue = 0;
    }
    askedDue = askedEnd > wanted ? askedDue : 0;
    if (lastChanceDue + spareDue > 0) {
      due = lastChanceDue > 0 ? Kind.LAST_CHANCE : Kind.SPARE;
      dueEnd = lastChanceEnd;
      return true;
    }
    if (askedDue > 0) {
      due = Kind.ASKED;
      dueEnd = askedEnd;
      return true;
    }
    return tailDue > 0;
  }

  private int probe(long nowNanos) {
    boolean isLast = nowNanos + answerLimit() > sentNanos[slot(wanted)] + deadlineNanos;
    double gain = isLast ? LOSS_PRICE : waitPrice();
    return model.repairsFor(1, 1, gain / cost(nowNanos), MAX_TAIL);
  }

  private int tail() {
    if (model.share() <= 0 || credit < 0) {
      return 0;
    }
    int unknown = (int) Math.min(nextSource - Math.max(wanted, last.decidedEnd()), plannedHorizon);
    return DeficitWalk.tail(model, redundancy, Math.max(unknown, 1), latePrice, MAX_TAIL);
  }

  /** Returns the first source that the repair covers. */
  public long first() {
    return wanted;
  }

  /** Returns the number after the last source that the repair covers. */
  public long end() {
    return dueEnd;
  }

  /**
   * Takes note that the repair that was due has been sent.
   *
   * @return its number: 0, 1, 2, …
   */
  public long onRepair(long nowNanos) {
    kinds[(int) (nextRepair % SLOTS)] = due;
    ends[(int) (nextRepair % SLOTS)] = dueEnd;
    repairNanos[(int) (nextRepair % SLOTS)] = nowNanos;
    switch (due) {
      case LAST_CHANCE -> lastChanceDue--;
      case SPARE -> spareDue--;
      case ASKED -> askedDue--;
      case ADVANCE -> {
        if (credit >= 1) {
          credit--;
        } else {
          tailDue--;
          credit = Math.min(credit, 0);
        }
      }
    }
    double spacing = Math.min(intervalNanos(nowNanos), MAX_SPACING_NANOS);
    if (lastChanceDue + spareDue > 0) {
      // All have to be sent before the deadline; those to spare as far apart as it allows.
      double left = Math.max(sentNanos[slot(wanted)] + deadlineNanos - nowNanos, 0);
      double spread = left / (lastChanceDue + spareDue + 1);
      spacing = lastChanceDue > 0 ? Math.min(spacing, spread) : spread;
    }
    spacedNanos = nowNanos + (long) spacing;
    scheduleProbe();
    return nextRepair++;
  }

  /**
   * Returns the time at which {@link #isDue} may become true without a new event; {@code
   * Long.MAX_VALUE} if at none.
   */
  public long nextNanos() {
    long next = Math.min(tailNanos, probeNanos);
    boolean isSpaced = lastChanceDue + spareDue > 0 || askedDue > 0 || tailDue > 0;
    return isSpaced ? Math.min(next, spacedNanos) : next;
  }

  /** Returns the first source that may still be repaired; an encoder need not hold those below. */
  public long firstWanted() {
    return wanted;
  }

  private boolean isRemembered(long source) {
    return source >= 0 && source < nextSource && source >= nextSource - SLOTS;
  }

  private static int slot(long source) {
    return (int) (source & (SLOTS - 1));
  }
}
