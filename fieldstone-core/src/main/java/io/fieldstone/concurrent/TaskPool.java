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

  /** Number of threads for a pool that has one for each concurrent task. */
  public static final int UNLIMITED = Integer.MAX_VALUE - 1;

  private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(60);

  private final int maxThreads;
  private final long spinNs;
  private final ThreadFactory factory;
  private final AtomicInteger threads = new AtomicInteger();

  /** A lock-free queue: with a lock, threads that see the same task would park each other. */
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

  /** Idle threads; the most recently active one is woken first, since it may still spin. */
  private final ConcurrentLinkedDeque<Worker> idle = new ConcurrentLinkedDeque<>();

  private volatile boolean closed;

  /**
   * Makes a pool; threads start when needed.
   *
   * @param name prefix of the thread names
   * @param maxThreads maximum number of threads besides the callers, or {@link #UNLIMITED}
   * @param spinNs nanoseconds that an idle thread spins before it parks
   */
  public TaskPool(String name, int maxThreads, long spinNs) {
    this.maxThreads = maxThreads;
    this.spinNs = spinNs;
    this.factory = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
  }

  /** Returns the maximum number of concurrent tasks, including the caller's. */
  public int threads() {
    return maxThreads + 1;
  }

  /**
   * Runs {@code body} for 0 … count − 1, also on the calling thread, and returns when all have
   * ended. After a failure no further task starts. The first failure is thrown, with the others
   * suppressed in it.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void forEach(int count, IntConsumer body) {
    forEach(count, Integer.MAX_VALUE, body);
  }

  /** As {@link #forEach(int, IntConsumer)}, with at most {@code maxConcurrent} concurrent tasks. */
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

  /** Runs all tasks, even if some fail, and concurrently if the pool is unlimited. */
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
        break; // no further thread can be started: the others and the caller run all tasks
      }
    }
    batch.run();
    SpinThenPark.until(batch::isDone, spinNs, Long.MAX_VALUE);
    batch.rethrow();
  }

  /**
   * Queues a task for a thread of the pool.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void execute(Runnable task) {
    requireOpen();
    submit(task);
  }

  /** Wakes all threads, which then spin for the next tasks. */
  public void wakeAll() {
    AtomicInteger parked = new AtomicInteger(maxThreads);
    for (int i = 0; i < maxThreads; i++) {
      execute(() -> {
        parked.decrementAndGet();
        // Waits until all threads have taken a task; otherwise a fast thread would take several.
        SpinThenPark.spin(() -> parked.get() <= 0, spinNs);
      });
    }
  }

  private void submit(Runnable task) {
    tasks.add(task);
    Worker worker = idle.poll();
    if (worker != null) {
      worker.isTaken = true;
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

  /** Ends the threads after all queued tasks. Idempotent. */
  @Override
  public void close() {
    closed = true;
    for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
      LockSupport.unpark(worker.thread);
    }
  }

  /** Runs queued tasks one after another. */
  private final class Worker implements Runnable {

    /** Set before the thread starts. */
    private @Nullable Thread thread;

    /** Whether a submitter has removed this thread from the idle ones since it went there. */
    private volatile boolean isTaken;

    @Override
    public void run() {
      try {
        for (Runnable task = take(); task != null; task = take()) {
          task.run();
        }
      } finally {
        threads.decrementAndGet();
        if (!tasks.isEmpty()) {
          start(); // queued while this thread ended
        }
      }
    }

    /** Returns the next task; null after a minute without one, or if the pool is closed. */
    private @Nullable Runnable take() {
      while (true) {
        Runnable task = tasks.poll();
        if (task != null) {
          return task;
        }
        isTaken = false;
        idle.push(this);
        // A thread that is taken and finds no task returns to the idle ones: no other can wake it.
        boolean isOver =
            !SpinThenPark.until(() -> isTaken || !tasks.isEmpty() || closed, spinNs, IDLE_NS)
                || closed;
        boolean wasIdle = idle.remove(this);
        // A submitter that removed this thread from the idle ones relies on it.
        if (isOver && (wasIdle || closed) && tasks.isEmpty()) {
          return null;
        }
      }
    }
  }

  /** Tasks of one call, which several threads take one by one. */
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
