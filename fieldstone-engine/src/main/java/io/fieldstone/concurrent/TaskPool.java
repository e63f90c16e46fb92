package io.fieldstone.concurrent;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
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
  private final String name;
  private final AtomicInteger threads = new AtomicInteger();

  /** A lock-free queue: with a lock, threads that see the same offer would park each other. */
  private final Queue<Offer> offers = new ConcurrentLinkedQueue<>();

  /**
   * Number of threads that will poll for an offer before they park. Each of these that takes one,
   * or parks, leaves the seekers first and polls the queue afterwards. So an offer is seen, if it
   * was in the queue before a thread read this number.
   */
  private final AtomicInteger seekers = new AtomicInteger();

  /** Threads that park, or are about to; the most recent one is woken first. */
  private final ConcurrentLinkedDeque<Worker> parked = new ConcurrentLinkedDeque<>();

  /** Bound in calls that use no other thread. */
  private final ScopedValue<Boolean> isAlone = ScopedValue.newInstance();

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
    this.name = name;
  }

  /** Returns the maximum number of concurrent tasks, including the caller's. */
  public int threads() {
    return isAlone.isBound() ? 1 : maxThreads + 1;
  }

  /**
   * Runs {@code body} for 0 … count − 1, also on the calling thread, and returns when all have
   * ended. After a failure no further task starts. The first failure is thrown, with the later ones
   * suppressed in it.
   *
   * @throws IllegalStateException if the pool is closed
   */
  public void forEach(int count, IntConsumer body) {
    forEach(count, Integer.MAX_VALUE, body);
  }

  /**
   * Calls a body in which {@link #forEach} runs all tasks on the calling thread.
   *
   * @return the result of the body
   * @throws X if the body throws it
   */
  public <T, X extends Throwable> T onCallingThread(ScopedValue.CallableOp<? extends T, X> body)
      throws X {
    return ScopedValue.where(isAlone, true).call(body);
  }

  /** As {@link #forEach(int, IntConsumer)}, with at most {@code maxConcurrent} concurrent tasks. */
  public void forEach(int count, int maxConcurrent, IntConsumer body) {
    requireOpen();
    int helpers = Math.min(threads(), Math.min(count, maxConcurrent)) - 1;
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
    Offer offer = new Offer(batch, new AtomicInteger(helpers));
    if (helpers > 0) {
      try {
        submit(offer);
      } catch (OutOfMemoryError e) {
        // No further thread can be started: those that run and the caller run all tasks.
      }
    }
    batch.run();
    if (offer.places.getAndSet(0) > 0) {
      offers.remove(offer);
    }
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
    submit(new Offer(task, new AtomicInteger(1)));
  }

  /** Publishes an offer, and wakes threads for the places that are more than the seekers. */
  private void submit(Offer offer) {
    int missing = offer.places.get();
    offers.add(offer);
    for (missing -= seekers.get(); missing > 0 && wakeOne(); missing--) {}
  }

  /** Makes one more thread a seeker, if there is one that is parked or can be started. */
  private boolean wakeOne() {
    Worker worker = parked.poll();
    if (worker == null) {
      return start();
    }
    wake(worker);
    return true;
  }

  /** Makes a thread a seeker that has been removed from the parked ones. */
  private void wake(Worker worker) {
    seekers.incrementAndGet();
    worker.isTaken = true;
    LockSupport.unpark(worker.thread);
  }

  private boolean start() {
    int number = threads.getAndIncrement();
    if (number >= maxThreads) {
      threads.decrementAndGet();
      return false;
    }
    seekers.incrementAndGet();
    Worker worker = new Worker();
    try {
      worker.thread = Thread.ofPlatform().daemon().name(name + "-" + number).unstarted(worker);
      worker.thread.start();
      return true;
    } catch (OutOfMemoryError e) {
      seekers.decrementAndGet();
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
    for (Worker worker = parked.poll(); worker != null; worker = parked.poll()) {
      wake(worker);
    }
  }

  /**
   * A task for several threads.
   *
   * @param places number of threads that may still take it; less than 1 if it is over
   */
  private record Offer(Runnable task, AtomicInteger places) {
    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  /** Runs offered tasks one after another. */
  private final class Worker implements Runnable {

    /** Set before the thread starts. */
    private @Nullable Thread thread;

    /** Whether another thread has made this one a seeker since it parked. */
    private volatile boolean isTaken;

    @Override
    public void run() {
      try {
        for (Runnable task = take(); task != null; task = take()) {
          leaveSeekers();
          task.run();
          seekers.incrementAndGet();
        }
      } finally {
        threads.decrementAndGet();
        if (!offers.isEmpty()) {
          start(); // offered while this thread ended
        }
      }
    }

    /** The last seeker to take a task wakes another if there are free places. */
    private void leaveSeekers() {
      if (seekers.decrementAndGet() == 0 && !offers.isEmpty()) {
        try {
          wakeOne();
        } catch (OutOfMemoryError e) {
          // The threads that run take the free places.
        }
      }
    }

    /** Returns the next task; null after a minute without one, or if the pool is closed. */
    private @Nullable Runnable take() {
      do {
        do {
          Runnable task = poll();
          if (task != null) {
            return task;
          }
        } while (!closed && SpinThenPark.spin(() -> closed || !offers.isEmpty(), spinNs));
      } while (park());
      return null;
    }

    /** Takes a place of the first offer that has one. */
    private @Nullable Runnable poll() {
      for (Offer offer = offers.peek(); offer != null; offer = offers.peek()) {
        int places = offer.places.get() > 0 ? offer.places.getAndDecrement() : 0;
        if (places <= 1) {
          offers.remove(offer);
        }
        if (places > 0) {
          return offer.task;
        }
      }
      return null;
    }

    /**
     * Parks until this thread is a seeker again.
     *
     * @return false after a minute, or if the pool is closed; the thread is then no seeker
     */
    private boolean park() {
      isTaken = false;
      parked.push(this);
      seekers.decrementAndGet();
      SpinThenPark.until(() -> isTaken || closed || !offers.isEmpty(), 0, IDLE_NS);
      if (!parked.remove(this)) {
        // The thread that removed it makes it a seeker.
        return SpinThenPark.until(() -> isTaken, spinNs, Long.MAX_VALUE);
      }
      if (offers.isEmpty()) {
        return false;
      }
      seekers.incrementAndGet();
      return true;
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
          if (left.decrementAndGet() == 0 && !caller.equals(Thread.currentThread())) {
            LockSupport.unpark(caller);
          }
        }
      }
    }

    boolean isDone() {
      return left.get() == 0;
    }

    void rethrow() {
      Throwable cause = failure.get();
      if (cause != null) {
        rethrow(cause);
      }
    }

    private static void rethrow(Throwable cause) {
      switch (cause) {
        case Error error -> throw error;
        case RuntimeException exception -> throw exception;
        case Throwable other -> throw new IllegalStateException(other);
      }
    }
  }
}
