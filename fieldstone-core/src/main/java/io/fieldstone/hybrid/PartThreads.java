package io.fieldstone.hybrid;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The threads on which parts work while the caller works on one of them. As many as are needed at
 * once, so that no caller waits for another's parts; they end when idle, or with the engine.
 */
final class PartThreads implements AutoCloseable {

  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

  private final ThreadFactory factory =
      Thread.ofPlatform().daemon().name("fieldstone-hybrid-", 0).factory();

  /** Those without a task, the last to have had one first: it is still awake. */
  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /**
   * Runs all tasks at once, the last on the calling thread, and returns when every one has ended.
   * The first failure is thrown, with those that came after it suppressed.
   */
  void runAll(List<Runnable> tasks) {
    requireOpen();
    if (tasks.isEmpty()) {
      return;
    }
    List<Runnable> elsewhere = tasks.subList(0, tasks.size() - 1);
    Failures failures = new Failures();
    AtomicInteger running = new AtomicInteger(elsewhere.size());
    Thread caller = Thread.currentThread();
    for (Runnable task : elsewhere) {
      try {
        start(() -> {
          try {
            failures.collect(task);
          } finally {
            running.decrementAndGet();
            LockSupport.unpark(caller);
          }
        });
      } catch (RuntimeException | Error e) {
        failures.add(e); // no thread to be had
        running.decrementAndGet();
      }
    }
    failures.collect(tasks.getLast());
    // Even if interrupted: the memory that the parts write belongs to the caller.
    Waiting.until(() -> running.get() == 0, Long.MAX_VALUE);
    failures.rethrow();
  }

  private void start(Runnable task) {
    Worker worker = idle.poll();
    if (worker == null) {
      factory.newThread(new Worker(task)).start();
    } else {
      worker.give(task);
    }
  }

  /**
   * Checks that the engine is open.
   *
   * @throws IllegalStateException if it has been closed
   */
  void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  /** Lets threads end when they have done what they were given. */
  @Override
  public void close() {
    closed = true;
    idle.forEach(Worker::wake);
  }

  /**
   * Does one task after another, each given to it while it is idle. It waits for the next one awake
   * at first: whoever calls a hybrid engine calls it again soon.
   */
  private final class Worker implements Runnable {
    private final AtomicReference<@Nullable Runnable> task;
    private volatile @Nullable Thread thread;

    Worker(Runnable first) {
      this.task = new AtomicReference<>(first);
    }

    void give(Runnable next) {
      task.set(next);
      wake();
    }

    void wake() {
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      thread = Thread.currentThread();
      do {
        Runnable given = task.getAndSet(null);
        if (given != null) {
          given.run();
          idle.push(this);
        }
        Waiting.until(() -> task.get() != null || closed, IDLE_NS);
        // Whoever has taken it out of the idle ones is about to give it something.
      } while (task.get() != null || !idle.remove(this));
    }
  }
}
