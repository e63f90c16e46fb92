package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.stars.StarBatch;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Passes the stars of parts that search concurrently to a sink, in the order of the points. A part
 * that is not next waits with its first batch.
 *
 * @param <X> exception of the sink
 */
final class OrderedStars<X extends Exception> {

  private final StarSink<X> sink;
  private final int first;
  private final int points;
  private final int run;
  private final int runs;
  private final AtomicInteger next = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private int turn;
  private Optional<Throwable> failure = Optional.empty();

  /**
   * Makes an ordered view of a sink.
   *
   * @param run points of a run
   */
  OrderedStars(StarSink<X> sink, int first, int points, int run) {
    this.sink = sink;
    this.first = first;
    this.points = points;
    this.run = run;
    this.runs = Math.ceilDiv(points, run);
  }

  /** Ends the search of a part after another part has failed. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("another part has failed", null, false, false);
    }
  }

  /**
   * Searches all points on all parts.
   *
   * @throws X if the sink throws it
   */
  void search(TaskPool threads, List<StarSearch> searches) throws X {
    List<Runnable> tasks = new ArrayList<>();
    for (StarSearch search : searches) {
      tasks.add(() -> work(search));
    }
    threads.runAll(tasks);
    if (failure.isPresent()) {
      throw unwrapped(failure.get());
    }
  }

  private void work(StarSearch search) {
    int number = next.getAndIncrement();
    while (number < runs) {
      int from = number * run;
      int mine = number;
      try {
        search.<Exception>enumerate(
            first + from, Math.min(run, points - from), batch -> handOut(mine, batch));
        awaitTurn(number);
        pass();
      } catch (Stopped e) {
        return;
      } catch (Exception | Error e) {
        fail(e);
        return;
      }
      number = next.getAndIncrement();
    }
  }

  private void handOut(int number, StarBatch batch) throws X {
    awaitTurn(number);
    sink.accept(batch);
  }

  private void awaitTurn(int number) {
    lock.lock();
    try {
      while (turn != number && failure.isEmpty()) {
        changed.awaitUninterruptibly();
      }
      if (failure.isPresent()) {
        throw new Stopped();
      }
    } finally {
      lock.unlock();
    }
  }

  private void pass() {
    lock.lock();
    try {
      turn++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable thrown) {
    lock.lock();
    try {
      if (failure.isEmpty()) {
        failure = Optional.of(thrown);
      }
      next.set(runs);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @SuppressWarnings("unchecked") // searches throw no checked exception except the sink's X
  private X unwrapped(Throwable thrown) {
    return switch (thrown) {
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> (X) thrown;
    };
  }
}
