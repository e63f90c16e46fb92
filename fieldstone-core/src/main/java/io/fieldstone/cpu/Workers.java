package io.fieldstone.cpu;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one engine. The caller of {@link #forEach} works too and waits for tasks, never
 * for threads, so any number of callers make progress however busy the threads are. Threads start
 * when first needed and end with the engine.
 */
final class Workers implements AutoCloseable {

  private static final long IDLE_SECONDS = 60;

  /**
   * How long a thread looks for work before it goes to sleep: about what waking it up costs, which
   * is a tenth of a product of 128 blocks of 4 KiB.
   */
  private static final long SPIN_NS = 50_000;

  private final int threads;
  private final PatientQueue queue = new PatientQueue();
  private final ThreadPoolExecutor helpers;

  Workers(int threads) {
    this.threads = threads;
    int most = Math.max(1, threads - 1);
    helpers =
        new ThreadPoolExecutor(
            most,
            most,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            queue,
            Thread.ofPlatform().daemon().name("fieldstone-cpu-", 0).factory());
    helpers.allowCoreThreadTimeOut(true);
  }

  /** How many tasks can run at once. */
  int threads() {
    return threads;
  }

  /**
   * Runs {@code body} for 0 … tasks − 1 and returns when all are done; rethrows the first failure.
   */
  void forEach(int tasks, IntConsumer body) {
    forEach(tasks, threads, body);
  }

  /** As {@link #forEach(int, IntConsumer)}, at most so many tasks at once. */
  void forEach(int tasks, int atOnce, IntConsumer body) {
    if (helpers.isShutdown()) {
      throw new IllegalStateException("the engine is closed");
    }
    int threads = Math.min(atOnce, this.threads);
    if (tasks <= 1 || threads <= 1) {
      for (int task = 0; task < tasks; task++) {
        body.accept(task);
      }
      return;
    }
    Job job = new Job(tasks, body);
    for (int helper = 1; helper < Math.min(threads, tasks); helper++) {
      if (queue.hasIdleThread()) {
        queue.offer(job);
      } else {
        // Starts another thread, if there may be one.
        helpers.execute(job);
      }
    }
    job.run();
    job.await();
  }

  @Override
  public void close() {
    helpers.shutdown();
  }

  /** Waits to the end; a thread that was interrupted meanwhile is so again afterwards. */
  static void awaitDespiteInterrupts(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Looks for a while before it sleeps. It has no lock, at which threads that all see the same work
   * would put each other to sleep.
   */
  private static final class PatientQueue extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    /** How many threads look for work, less what waits for one. */
    private final AtomicInteger idle = new AtomicInteger();

    boolean hasIdleThread() {
      return idle.get() > 0;
    }

    @Override
    public boolean offer(Runnable work) {
      idle.decrementAndGet();
      return super.offer(work);
    }

    @Override
    public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
      idle.incrementAndGet();
      Runnable found = null;
      try {
        found = await(timeout, unit);
        return found;
      } finally {
        if (found == null) {
          idle.decrementAndGet();
        }
      }
    }

    private @Nullable Runnable await(long timeout, TimeUnit unit) throws InterruptedException {
      long start = System.nanoTime();
      do {
        Runnable found = poll();
        if (found != null) {
          return found;
        }
        Thread.onSpinWait();
      } while (System.nanoTime() - start < SPIN_NS);
      return super.poll(timeout, unit);
    }
  }

  private static final class Job implements Runnable {
    private final int tasks;
    private final IntConsumer body;
    private final AtomicInteger next = new AtomicInteger();
    private final CountDownLatch unfinished;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Job(int tasks, IntConsumer body) {
      this.tasks = tasks;
      this.body = body;
      this.unfinished = new CountDownLatch(tasks);
    }

    @Override
    public void run() {
      for (int task = next.getAndIncrement(); task < tasks; task = next.getAndIncrement()) {
        try {
          if (failure.get() == null) {
            body.accept(task);
          }
        } catch (RuntimeException | Error e) {
          failure.compareAndSet(null, e);
        } finally {
          unfinished.countDown();
        }
      }
    }

    /** Waits even if interrupted: the memory that the tasks write belongs to the caller. */
    void await() {
      long start = System.nanoTime();
      while (unfinished.getCount() > 0 && System.nanoTime() - start < SPIN_NS) {
        Thread.onSpinWait();
      }
      awaitDespiteInterrupts(unfinished);
      switch (failure.get()) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }
  }
}
