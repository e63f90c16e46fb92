package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Distributes units of work dynamically: each part takes the next units, sized for about 50 ms,
 * until none are left. For work that accumulates results, which must not run twice, so rates cannot
 * be measured beforehand. At the end a part waits for at most one such run.
 */
final class WorkQueue {

  /** Intended time of a run: long compared to a kernel launch, short for a user. */
  private static final long SLICE_NS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Maximum growth from one run to the next: the first may include one-time costs. */
  private static final long MAX_GROWTH = 8;

  private final long units;
  private final AtomicLong next = new AtomicLong();

  private WorkQueue(long units) {
    this.units = units;
  }

  /** Runs units on a part. */
  interface Slice {
    void run(int part, long first, long count);
  }

  /**
   * Runs all units on all parts.
   *
   * @throws RuntimeException the first failure of a part, after all have stopped
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
        // The other parts find no units left.
        next.set(units);
        throw e;
      }
      long took = Math.max(1, System.nanoTime() - start);
      double factor = Math.min((double) SLICE_NS / took, MAX_GROWTH);
      wanted = Math.max(1, (long) (wanted * factor));
    }
  }

  /** Takes the next run and returns its first unit; past the end if no units are left. */
  private long take(long wanted) {
    return next.getAndUpdate(first -> first + Math.min(wanted, units - Math.min(first, units)));
  }
}
