package io.fieldstone.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Other work on the cores, as background tasks make it: threads that read and write memory of their
 * own, as many at a time as are wanted. For one controlling thread at a time.
 */
public final class BackgroundLoad implements AutoCloseable {

  /** Longs of the memory of a thread: 1 MiB, which competes for caches too. */
  private static final int LONGS = 1 << 17;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Worker> workers = new ArrayList<>();
  private volatile int wanted;
  private volatile boolean isClosed;

  private final class Worker implements Runnable {
    private final int index;
    private final long[] memory = new long[LONGS];

    /** Guarded by the lock. */
    private boolean isBusy;

    private final AtomicLong passes = new AtomicLong();

    Worker(int index) {
      this.index = index;
    }

    private boolean isWanted() {
      return index < wanted && !isClosed;
    }

    @Override
    public void run() {
      while (!isClosed) {
        awaitWork();
        while (isWanted()) {
          pass();
        }
      }
    }

    private void awaitWork() {
      lock.lock();
      try {
        isBusy = false;
        changed.signalAll();
        while (!isWanted() && !isClosed) {
          changed.awaitUninterruptibly();
        }
        isBusy = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }

    private void pass() {
      long word = passes.get();
      for (int i = 0; i < memory.length; i++) {
        word ^= word << 13;
        word ^= word >>> 7;
        word ^= word << 17;
        memory[i] += word;
      }
      passes.incrementAndGet();
    }
  }

  /**
   * Starts threads without work.
   *
   * @param maxThreads the maximum number of busy threads
   */
  public BackgroundLoad(int maxThreads) {
    for (int i = 0; i < maxThreads; i++) {
      Worker worker = new Worker(i);
      workers.add(worker);
      Thread.ofPlatform().daemon().name("background-load-" + i).start(worker);
    }
  }

  /**
   * Sets the number of busy threads, and waits until exactly these threads work.
   *
   * @throws IllegalArgumentException if it is negative, or more than the threads
   */
  public void set(int threads) {
    if (threads < 0 || threads > workers.size()) {
      throw new IllegalArgumentException(
          "busy threads %d are not 0 to %d".formatted(threads, workers.size()));
    }
    lock.lock();
    try {
      wanted = threads;
      changed.signalAll();
      while (workers.stream().anyMatch(worker -> worker.isBusy != worker.isWanted())) {
        changed.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns how often each thread has gone through its memory. */
  List<Long> passes() {
    return workers.stream().map(worker -> worker.passes.get()).toList();
  }

  /** Ends the threads. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
