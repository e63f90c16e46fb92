package io.fieldstone.concurrent;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Supplier;

/**
 * Two kernels with equal results: a plain kernel, and a faster one that is costly to make. The
 * second replaces the first once there has been enough work to pay for it. Thread-safe.
 *
 * @param <K> type of the kernels
 */
public final class Deferred<K> {

  private final K plain;
  private final Lazy<K> faster;
  private final double threshold;
  private final DoubleAdder plainWork = new DoubleAdder();
  private final AtomicBoolean isExpected = new AtomicBoolean();

  /**
   * Makes a pair of kernels, the second of which is not made yet.
   *
   * @param threshold total work after which {@link #current} makes the second kernel, in units of
   *     the caller's choice
   */
  public Deferred(K plain, Supplier<? extends K> faster, double threshold) {
    this.plain = plain;
    this.faster = new Lazy<>(faster);
    this.threshold = threshold;
  }

  /**
   * Returns the kernel for the next call.
   *
   * @param work amount of work of that call
   */
  public K current(double work) {
    if (faster.ifMade().isPresent()) {
      return faster.get();
    }
    plainWork.add(work);
    return plainWork.sum() < threshold ? plain : faster();
  }

  /**
   * Announces how much work is to come. If it is enough, another thread makes the second kernel,
   * for which {@link #current} waits.
   */
  public void expect(double work) {
    if (work >= threshold && !isExpected.getAndSet(true)) {
      plainWork.add(work);
      try {
        Thread.ofPlatform().daemon().name("fieldstone-load").start(this::load);
      } catch (OutOfMemoryError _) {
        // The system refuses a thread: the first caller makes it.
      }
    }
  }

  private void load() {
    try {
      K _ = faster();
    } catch (RuntimeException | LinkageError e) {
      // The first caller that needs it meets it again.
    }
  }

  /** Returns the second kernel, which the first call makes. */
  public K faster() {
    return faster.get();
  }

  /** Returns the second kernel if it has been made. */
  public Optional<K> ifMade() {
    return faster.ifMade();
  }
}
