package io.fieldstone.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Runs independent tasks on several threads. */
public final class Tasks {

  private final int count;
  private final IntConsumer body;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Tasks(int count, IntConsumer body) {
    this.count = count;
    this.body = body;
  }

  /**
   * Calls a body for 0 … count − 1, also on the calling thread, and returns when all calls have
   * ended. After a failure no further call starts; the first one is thrown. An interruption is
   * kept, and ends no call.
   *
   * @param threads the maximum number of threads; fewer if the system refuses them. With one, the
   *     caller runs all tasks in order
   */
  public static void forEach(int threads, int count, IntConsumer body) {
    Tasks tasks = new Tasks(count, body);
    List<Thread> helpers = new ArrayList<>();
    for (int i = 1; i < Math.min(threads, count); i++) {
      helpers.add(Thread.ofPlatform().daemon().name("fieldstone-task-" + i).unstarted(tasks::run));
    }
    if (!helpers.isEmpty()) {
      try {
        Threads.start(helpers);
      } catch (OutOfMemoryError _) {
        // The caller runs all tasks.
      }
    }
    tasks.run();
    helpers.forEach(Threads::join);
    tasks.rethrow();
  }

  /** Works on a range of items. */
  @FunctionalInterface
  public interface RangeBody {

    /** Works on the items {@code from} … {@code to − 1}. */
    void accept(int from, int to);
  }

  /**
   * Calls a body for the consecutive ranges of 0 … count − 1; range i begins at i·size.
   *
   * @param size the items of a range; the last may have fewer
   * @see #forEach
   */
  public static void forEachRange(int threads, int count, int size, RangeBody body) {
    forEach(
        threads,
        Math.ceilDiv(count, size),
        range -> body.accept(range * size, Math.min((range + 1) * size, count)));
  }

  private void run() {
    try {
      for (int task = next.getAndIncrement(); task < count; task = next.getAndIncrement()) {
        body.accept(task);
      }
    } catch (Throwable e) {
      failure.compareAndSet(null, e);
      next.set(count);
    }
  }

  private void rethrow() {
    switch (failure.get()) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }
}
