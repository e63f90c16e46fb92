package io.fieldstone.concurrent;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Daemon threads that run tasks. They start when first needed, spin for a while before they park,
 * and end after a minute without work or when the pool is closed. Thread-safe.
 *
 * <p>The caller of {@link #forEach} and {@link #runAll} works too, and waits for tasks, never for
 * threads: any number of callers make progress however busy the threads are.
 */
public final class TaskPool implements AutoCloseable {

  /** Threads beside the callers, for as many as there are tasks. */
  public static final int UNLIMITED = Integer.MAX_VALUE - 1;

  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

  private final int maxThreads;
  private final long spinNs;
  private final ThreadFactory factory;
  private final AtomicInteger threads = new AtomicInteger();

  /** A queue without a lock, at which threads that all see the same task would park each other. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Threads without a task; the last to have had one is woken first, it may still spin. */
  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /**
   * A pool without threads so far.
   *
   * @param name of its threads, followed by a number
   * @param maxThreads threads beside the callers, or {@link #UNLIMITED}
   * @param spinNs nanoseconds that an idle thread spins before it parks
   */
  public TaskPool(String name, int maxThreads, long spinNs) {
    this.maxThreads = maxThreads;
    this.spinNs = spinNs;
    this.factory = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }

  /** Tasks that can run at once, the caller's included. */
  public int threads() {
    return maxThreads + 1;
  }

  /**
   * Runs {@code body} for 0 … count − 1, on the calling thread too, and returns when all have
   * ended. After a failure no further task is begun; the first failure is thrown, the others are
   * suppressed in it.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void forEach(int count, IntConsumer body) {
    forEach(count, Integer.MAX_VALUE, body);
  }

  /** As {@link #forEach(int, IntConsumer)}, with at most {@code maxConcurrent} tasks at once. */
  public void forEach(int count, int maxConcurrent, IntConsumer body) {
    requireOpen();
    int helpers = Math.min(maxThreads, Math.min(count, maxConcurrent) - 1);
    if (helpers <= 0) {
      for (int task = 0; task < count; task++) {
        body.accept(task);
      }
      return;
    }
    run(new Batch(count, body, true), helpers);
  }

  /**
   * As {@link #forEach}, but every task is begun, whatever happens to the others, and at once if
   * the pool has no limit.
   */
  public void runAll(List<Runnable> tasks) {
    requireOpen();
    run(
        new Batch(tasks.size(), task -> tasks.get(task).run(), false),
        Math.min(maxThreads, tasks.size() - 1));
  }

  private void run(Batch batch, int helpers) {
    for (int helper = 0; helper < helpers; helper++) {
      try {
        submit(batch);
      } catch (OutOfMemoryError e) {
        break; // no further thread can be had: the others and the caller do all
      }
    }
    batch.run();
    SpinThenPark.until(batch::isDone, spinNs, Long.MAX_VALUE);
    batch.rethrow();
  }

  /**
   * Runs a task on a thread of the pool, sooner or later.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void execute(Runnable task) {
    requireOpen();
    submit(task);
  }

  /** Wakes all threads, which then spin: tasks will come within the time that they do. */
  public void wakeAll() {
    AtomicInteger parked = new AtomicInteger(maxThreads);
    for (int i = 0; i < maxThreads; i++) {
      execute(() -> {
        parked.decrementAndGet();
        // Waits until all threads have taken one: a fast thread would take several.
        SpinThenPark.spin(() -> parked.get() <= 0, spinNs);
      });
    }
  }

  private void submit(Runnable task) {
    tasks.add(task);
    Worker worker = idle.poll();
    if (worker != null) {
      LockSupport.unpark(worker.thread);
    } else if (threads.get() < maxThreads) {
      start();
    }
  }

  private void start() {
    if (threads.incrementAndGet() > maxThreads) {
      threads.decrementAndGet();
      return;
    }
    Worker worker = new Worker();
    try {
      worker.thread = factory.newThread(worker);
      worker.thread.start();
    } catch (OutOfMemoryError e) {
      threads.decrementAndGet();
      throw e;
    }
  }

  /**
   * Checks that the pool is open.
   *
   * @throws IllegalStateException if it has been closed
   */
  public void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  /** Lets threads end when they have done what was given to the pool. Idempotent. */
  @Override
  public void close() {
    closed = true;
    for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
      LockSupport.unpark(worker.thread);
    }
  }

  /** Takes one task after another. */
  private final class Worker implements Runnable {

    /** Set before the thread starts. */
    private @Nullable Thread thread;

    @Override
    public void run() {
      try {
        for (Runnable task = take(); task != null; task = take()) {
          task.run();
        }
      } finally {
        threads.decrementAndGet();
        if (!tasks.isEmpty()) {
          start(); // given to the pool while this thread ended
        }
      }
    }

    /** The next task; null if there was none for a minute, or the pool is closed. */
    private @Nullable Runnable take() {
      while (true) {
        Runnable task = tasks.poll();
        if (task != null) {
          return task;
        }
        idle.push(this);
        boolean isOver =
            !SpinThenPark.until(() -> !tasks.isEmpty() || closed, spinNs, IDLE_NS) || closed;
        boolean wasIdle = idle.remove(this);
        // A submitter that has taken this thread from the idle ones counts on it.
        if (isOver && (wasIdle || closed) && tasks.isEmpty()) {
          return null;
        }
      }
    }
  }

  /** Tasks that are run by several threads, each taking the next one. */
  private static final class Batch implements Runnable {
    private final int count;
    private final IntConsumer body;
    private final boolean stopsAtFailure;
    private final Thread caller = Thread.currentThread();
    private final AtomicInteger next = new AtomicInteger();
    private final AtomicInteger left;
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    Batch(int count, IntConsumer body, boolean stopsAtFailure) {
      this.count = count;
      this.body = body;
      this.stopsAtFailure = stopsAtFailure;
      this.left = new AtomicInteger(count);
    }

    @Override
    public void run() {
      for (int task = next.getAndIncrement(); task < count; task = next.getAndIncrement()) {
        try {
          if (!stopsAtFailure || failure.get() == null) {
            body.accept(task);
          }
        } catch (RuntimeException | Error e) {
          Throwable first = failure.compareAndExchange(null, e);
          if (first != null && !first.equals(e)) {
            first.addSuppressed(e);
          }
        } finally {
          if (left.decrementAndGet() == 0) {
            LockSupport.unpark(caller);
          }
        }
      }
    }

    boolean isDone() {
      return left.get() == 0;
    }

    void rethrow() {
      switch (failure.get()) {
        case null -> {}
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }
  }
}
