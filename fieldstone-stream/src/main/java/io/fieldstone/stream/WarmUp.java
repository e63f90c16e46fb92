package io.fieldstone.stream;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The wait for an engine to compile its loops before a long job computes. Slower loops that ran
 * meanwhile would take the processors from the compiler, and so take longer than the wait.
 * Thread-safe.
 */
public final class WarmUp {

  /** The maximum wait; an engine without compiled loops then goes on with what it has. */
  private static final long MAX_SECONDS = 2;

  private final Engine engine;
  private final Gf256 field;
  private final AtomicBoolean isStarted = new AtomicBoolean();
  private final CountDownLatch done = new CountDownLatch(1);

  /**
   * Prepares a wait.
   *
   * @param isLong false for a job that is too short for waiting
   */
  public WarmUp(Engine engine, Gf256 field, boolean isLong) {
    this.engine = engine;
    this.field = field;
    if (!isLong) {
      isStarted.set(true);
      done.countDown();
    }
  }

  /** Starts to compile on another thread. Idempotent. */
  public void start() {
    if (isStarted.compareAndSet(false, true)) {
      Thread.ofPlatform().daemon().name("fieldstone-await-warm-up").start(this::warmUp);
    }
  }

  private void warmUp() {
    try {
      engine.warmUp(field);
    } finally {
      done.countDown();
    }
  }

  /** Waits until the loops are compiled, at most for some seconds. */
  public void await() throws InterruptedException {
    start();
    boolean _ = done.await(MAX_SECONDS, TimeUnit.SECONDS);
  }
}
