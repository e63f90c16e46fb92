package io.fieldstone.hybrid;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cuts jobs and has the parts do their slices at the same time: as many parts as make the whole job
 * fastest ({@link Contest}), each a share after its rate ({@link Balance}). A job that must not be
 * cut goes to the part that is fastest at its kind. Thread-safe.
 *
 * <p>The first job of a kind is preceded by samples: each part does a growing piece of that very
 * job until the time it takes means something. Nothing is learnt from jobs of other kinds, because
 * what bounds a part (multiplying, memory, a bus, a start) changes with the shape.
 */
final class Dispatcher {

  /** A sample that takes so long is not mostly the start. */
  private static final long LONG_ENOUGH_NS = 2_000_000;

  private static final long SAMPLE_GROWTH = 4;

  /** Taking a sample takes about so many times as long as what counts of it. */
  private static final long SAMPLE_TIMES = 4;

  private final int parts;
  private final PartThreads threads;
  private final Optional<Double> share;
  private final Map<Kind, Experience> experiences = new ConcurrentHashMap<>();
  private volatile Optional<Shares> last = Optional.empty();

  /** What is known of jobs of a kind. */
  private record Experience(Balance balance, Contest contest) {}

  /**
   * A dispatcher.
   *
   * @param share of the first of two parts, if it is not to be found by measurement
   */
  Dispatcher(int parts, PartThreads threads, Optional<Double> share) {
    this.parts = parts;
    this.threads = threads;
    this.share = share;
  }

  /**
   * Does a job.
   *
   * @throws RuntimeException what the first part that failed has thrown, when all have stopped
   */
  void run(Job job) {
    threads.requireOpen();
    if (job.units() == 0) {
      return;
    }
    if (share.isPresent()) {
      double[] rates = {share.get(), 1 - share.get()};
      runSlices(job, Shares.of(job.units(), job.granule(), rates), Optional.empty());
      return;
    }
    Experience known =
        experiences.computeIfAbsent(
            job.kind(), _ -> new Experience(new Balance(parts), new Contest(parts)));
    sampleParts(known.balance(), job);
    if (job.units() <= job.granule()) {
      runInFull(job, known.balance());
    } else {
      runByCrew(job, known);
    }
  }

  private void runInFull(Job job, Balance balance) {
    Shares division = balance.divide(job.units(), job.granule(), parts);
    long start = System.nanoTime();
    runSlices(job, division, Optional.of(balance));
    balance.finished(division, System.nanoTime() - start);
  }

  private void runByCrew(Job job, Experience known) {
    int size = known.contest().next();
    long start = System.nanoTime();
    if (size == parts) {
      runInFull(job, known.balance());
    } else {
      // A part alone says nothing of its rate beside others.
      Shares division = known.balance().divide(job.units(), job.granule(), size);
      runSlices(job, division, Optional.of(known.balance()).filter(_ -> size > 1));
    }
    known.contest().finished(size, job.work(), System.nanoTime() - start);
  }

  /** How the last job was divided. */
  Optional<Shares> last() {
    return last;
  }

  private void runSlices(Job job, Shares division, Optional<Balance> balance) {
    last = Optional.of(division);
    long start = System.nanoTime();
    List<Runnable> slices = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      if (!division.isIdle(part)) {
        int worker = part;
        long from = division.from(part);
        long to = division.to(part);
        slices.add(() -> {
          job.slice().run(worker, from, to);
          long took = System.nanoTime() - start;
          balance.ifPresent(rates -> rates.worked(worker, job.work(to - from), took));
        });
      }
    }
    threads.runAll(slices);
    job.ending().run(division);
  }

  /** Sees to it that every part is known; one that has been idle may be looked at again. */
  private void sampleParts(Balance balance, Job job) {
    for (int part = 0; part < parts; part++) {
      if (balance.isUnknown(part)) {
        balance.sampling.lock();
      } else if (!balance.isDue(part) || !balance.sampling.tryLock()) {
        continue;
      }
      try {
        if (balance.isDue(part)) {
          sample(balance, job, part);
        }
      } finally {
        balance.sampling.unlock();
      }
    }
  }

  private static void sample(Balance balance, Job job, int part) {
    long units = Math.min(job.granule(), job.units());
    long nanoseconds = timeAgain(job, part, units);
    while (nanoseconds < LONG_ENOUGH_NS && units < job.units()) {
      units = Math.min(units * SAMPLE_GROWTH, job.units());
      nanoseconds = timeAgain(job, part, units);
    }
    balance.sampled(part, job.work(units), nanoseconds, SAMPLE_TIMES * nanoseconds);
  }

  /** The better of two times: the first may pay for what happens once, for this size at least. */
  private static long timeAgain(Job job, int part, long units) {
    return Math.min(time(job, part, units), time(job, part, units));
  }

  private static long time(Job job, int part, long units) {
    long start = System.nanoTime();
    job.slice().run(part, 0, units);
    return System.nanoTime() - start;
  }
}
