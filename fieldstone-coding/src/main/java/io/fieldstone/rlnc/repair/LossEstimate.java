package io.fieldstone.rlnc.repair;

/**
 * Estimates the loss of a path that is not caused by its queue, over the last 9 s. It follows a
 * rise as soon as chance does not explain the runs of lost packets since some time: what was before
 * is then forgotten. It follows a fall as the time window slides, so that it falls smoothly.
 *
 * <p>Loss by a full queue never raises it.
 */
final class LossEstimate {
  private static final long SLICE_NANOS = 50_000_000;
  private static final int SLICES = 1024;

  /** The time over which loss is averaged, and the packets for which it is extended. */
  private static final long WINDOW_NANOS = 9_000_000_000L;

  private static final int MIN_PACKETS = 200;

  /** The assumed share before anything is known, and the packets that replace it. */
  private static final double PRIOR_SHARE = 0.02;

  private static final int PRIOR_PACKETS = 25;

  /** The runs, of the length of independent losses, with which the mean length begins. */
  private static final int PRIOR_RUNS = 2;

  private static final double RUN_DEVIATIONS = 2.5;

  /** Runs of loss are a rise if they exceed the expectation by this many standard deviations. */
  private static final double RISE_DEVIATIONS = 5;

  private static final int MIN_RISE_RUNS = 3;

  /** Loss in a queue is judged over this time, and at least as many packets. */
  private static final long QUEUED_NANOS = 1_000_000_000L;

  private static final int MIN_QUEUED_PACKETS = 100;
  private static final double QUEUED_DEVIATIONS = 2;
  private static final int MIN_QUEUED_LOST = 10;

  private final long[] startNanos = new long[SLICES];
  private final int[] packets = new int[SLICES];
  private final int[] lost = new int[SLICES];
  private final int[] runs = new int[SLICES];

  /** Numbers of slices; the ring has those from first to next. */
  private long first;

  private long next;

  private long allPackets;
  private long allLost;
  private long allRuns;

  private long queuedNanos;
  private int queuedPackets;
  private int queuedLost;
  private int queuedRuns;
  private boolean isCongested;

  /** The share that is assumed before {@link #PRIOR_PACKETS}. */
  private double priorShare = PRIOR_SHARE;

  /**
   * The model of the loss. Runs are as long as independent losses make them, unless chance does not
   * explain their length.
   *
   * @param redundancy the repairs for each source, which are not counted and lengthen runs
   */
  LossModel model(double redundancy) {
    double share = Math.min(share(), LossModel.MAX_SHARE);
    double independent = 1 / (1 - share);
    // The losses that follow another one.
    double following = allLost - allRuns;
    double expected = allLost * share;
    if (following <= expected + RUN_DEVIATIONS * Math.sqrt(expected * (1 - share) + 1)) {
      return new LossModel(share, independent);
    }
    double run = (allLost + PRIOR_RUNS * independent) / (allRuns + PRIOR_RUNS);
    return new LossModel(share, independent + (run - independent) * (1 + redundancy));
  }

  /** The share of packets lost; an assumption before anything is known. */
  double share() {
    double unknown = Math.max(PRIOR_PACKETS - allPackets, 0);
    return (allLost + priorShare * unknown) / (allPackets + unknown);
  }

  /** Returns true if a queue now loses more than the estimate explains. */
  boolean isCongested() {
    return isCongested;
  }

  /**
   * Takes what became known of some packets.
   *
   * @param runsNow the runs of consecutive losses among them
   * @param isQueued whether a full queue may have lost them
   * @return true if the estimate rose at once
   */
  boolean add(long packetsNow, long lostNow, long runsNow, boolean isQueued, long nowNanos) {
    int count = (int) Math.min(packetsNow, Integer.MAX_VALUE / SLICES);
    int losses = (int) Math.min(lostNow, count);
    int runCount = (int) Math.min(runsNow, losses);
    if (isQueued) {
      addQueued(count, losses, runCount, nowNanos);
      return false;
    }
    clearQueued();
    put(count, losses, runCount, nowNanos);
    return forgetBeforeRise();
  }

  private void put(int count, int losses, int runCount, long nowNanos) {
    if (next == first || nowNanos - startNanos[index(next - 1)] >= SLICE_NANOS) {
      if (next - first == SLICES) {
        removeFirst();
      }
      startNanos[index(next)] = nowNanos;
      packets[index(next)] = 0;
      lost[index(next)] = 0;
      runs[index(next)] = 0;
      next++;
    }
    packets[index(next - 1)] += count;
    lost[index(next - 1)] += losses;
    runs[index(next - 1)] += runCount;
    allPackets += count;
    allLost += losses;
    allRuns += runCount;
    while (next - first > 1
        && nowNanos - startNanos[index(first)] > WINDOW_NANOS
        && allPackets - packets[index(first)] >= MIN_PACKETS) {
      removeFirst();
    }
  }

  /** Keeps loss in a full queue apart until it can be judged; it lowers the estimate only. */
  private void addQueued(int count, int losses, int runCount, long nowNanos) {
    if (queuedPackets == 0) {
      queuedNanos = nowNanos;
    }
    if (allPackets < PRIOR_PACKETS) {
      // Nothing is known of random loss; what passed a full queue replaces the assumption.
      put(count - losses, 0, 0, nowNanos);
    }
    queuedPackets += count;
    queuedLost += losses;
    queuedRuns += runCount;
    double expected = expectedRuns(queuedPackets);
    double expectedLost = Math.max(share() * queuedPackets, expected);
    boolean isExcess =
        queuedRuns > expected + QUEUED_DEVIATIONS * Math.sqrt(expected + 0.5)
            || queuedLost > 2 * expectedLost + MIN_QUEUED_LOST;
    isCongested |= isExcess;
    if (nowNanos - queuedNanos >= QUEUED_NANOS && queuedPackets >= MIN_QUEUED_PACKETS) {
      isCongested = isExcess;
      if (!isExcess) {
        int counted = (int) Math.min(queuedLost, expectedLost);
        put(
            queuedPackets,
            counted,
            (int) Math.min(Math.min(queuedRuns, expected), counted),
            nowNanos);
      }
      forgetQueued();
    }
  }

  private double expectedRuns(int count) {
    return allPackets == 0 ? priorShare * count : (double) allRuns / allPackets * count;
  }

  private void clearQueued() {
    forgetQueued();
    isCongested = false;
  }

  private void forgetQueued() {
    queuedPackets = 0;
    queuedLost = 0;
    queuedRuns = 0;
  }

  /** Finds the time since which most is lost beyond what was lost before. */
  private boolean forgetBeforeRise() {
    long packetsSince = 0;
    long runsSince = 0;
    double most = RISE_DEVIATIONS;
    long rise = first;
    for (long slice = next - 1; slice > first; slice--) {
      packetsSince += packets[index(slice)];
      runsSince += runs[index(slice)];
      long packetsBefore = allPackets - packetsSince;
      if (runsSince < MIN_RISE_RUNS || packetsBefore < PRIOR_PACKETS) {
        continue;
      }
      double expected = (double) (allRuns - runsSince) / packetsBefore * packetsSince;
      double deviations = (runsSince - expected) / Math.sqrt(expected + 0.5);
      if (deviations > most) {
        most = deviations;
        rise = slice;
      }
    }
    boolean isRise = rise > first;
    if (isRise) {
      long packetsBefore = 0;
      long lostBefore = 0;
      for (long slice = first; slice < rise; slice++) {
        packetsBefore += packets[index(slice)];
        lostBefore += lost[index(slice)];
      }
      priorShare = (double) lostBefore / packetsBefore;
    }
    while (first < rise) {
      removeFirst();
    }
    return isRise;
  }

  /** Forgets what came since a time, because a queue may have lost it. */
  void forgetSince(long nanos) {
    while (next > first && startNanos[index(next - 1)] > nanos - SLICE_NANOS) {
      subtract(index(--next));
    }
  }

  private void removeFirst() {
    subtract(index(first++));
  }

  private void subtract(int index) {
    allPackets -= packets[index];
    allLost -= lost[index];
    allRuns -= runs[index];
  }

  private static int index(long slice) {
    return (int) (slice % SLICES);
  }
}
