package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Units of work that parts take from the front until none are left, each as many at a time as it
 * does in a moment. For work that is counted up rather than written: what a part has done once is
 * done, so nothing is sampled beforehand, and at the end a part waits for another's moment at most.
 */
final class WorkQueue {

  /** Long against the start of a kernel, short against what people notice. */
  private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** A run is at most so many times the one before: the first may have paid for a start. */
  private static final long GROWTH = 8;

  private final long units;
  private final AtomicLong next = new AtomicLong();

  private WorkQueue(long units) {
    this.units = units;
  }

  /** Does a run of units on a part, on a thread of that part's. */
  interface Slice {
    void run(int part, long first, long count);
  }

  /**
   * Has the parts do all units.
   *
   * @throws RuntimeException what the first part that failed has thrown, when all have stopped
   */
  static void run(TaskPool threads, int parts, long units, Slice slice) {
    WorkQueue range = new WorkQueue(units);
    List<Runnable> tasks = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      int worker = part;
      tasks.add(() -> range.work(worker, slice));
    }
    threads.runAll(tasks);
  }

  private void work(int part, Slice slice) {
    long wanted = 1;
    for (long first = take(wanted); first < units; first = take(wanted)) {
      long start = System.nanoTime();
      try {
        slice.run(part, first, Math.min(wanted, units - first));
      } catch (RuntimeException | Error e) {
        // The others find nothing left to do.
        next.set(units);
        throw e;
      }
      long took = Math.max(1, System.nanoTime() - start);
      double factor = Math.min((double) MOMENT_NS / took, GROWTH);
      wanted = Math.max(1, (long) (wanted * factor));
    }
  }

  /** The first of a run of units that is the caller's now; past the end if there are no more. */
  private long take(long wanted) {
    return next.getAndUpdate(first -> first + Math.min(wanted, units - Math.min(first, units)));
  }
}
