package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(180)
class GenerationQueueTest {

  /** More than threads take in some seconds. */
  private static final int MANY = Integer.MAX_VALUE - 2;

  private final ExecutorService workers = Executors.newCachedThreadPool();

  @AfterEach
  void close() {
    workers.close();
  }

  @ParameterizedTest
  @CsvSource({"0, 3", "1, 3", "1000, 1", "1000, 3"})
  void eachGenerationIsTakenOnce(int generations, int threads) throws Exception {
    AtomicIntegerArray taken = new AtomicIntegerArray(generations);
    AtomicInteger started = new AtomicInteger();
    GenerationQueue.run(
        workers,
        threads,
        generations,
        queue -> {
          started.incrementAndGet();
          for (int g = queue.next(); g != GenerationQueue.NONE; g = queue.next()) {
            taken.incrementAndGet(g);
          }
        });
    for (int g = 0; g < generations; g++) {
      assertThat(taken.get(g)).isEqualTo(1);
    }
    assertThat(started).hasValue(Math.min(generations, threads));
  }

  @Test
  void aFailureEndsTheOthers() {
    IOException failure = new IOException("cannot read");
    AtomicInteger last = new AtomicInteger();
    AtomicBoolean isFirst = new AtomicBoolean(true);
    assertThatThrownBy(() ->
            GenerationQueue.run(
                workers,
                2,
                MANY,
                queue -> {
                  if (!isFirst.getAndSet(false)) {
                    throw failure;
                  }
                  for (int g = queue.next(); g != GenerationQueue.NONE; g = queue.next()) {
                    last.set(g);
                  }
                }))
        .isSameAs(failure);
    assertThat(last.get()).isLessThan(MANY - 1);
  }

  @Test
  void anInterruptIsThrownAfterTheOthersHaveEnded() {
    Thread caller = Thread.currentThread();
    CountDownLatch started = new CountDownLatch(2);
    AtomicInteger running = new AtomicInteger();
    assertThatThrownBy(() ->
            GenerationQueue.run(
                workers,
                2,
                MANY,
                queue -> {
                  running.incrementAndGet();
                  started.countDown();
                  if (started.getCount() == 0) {
                    caller.interrupt();
                  }
                  while (queue.next() != GenerationQueue.NONE) {
                    Thread.onSpinWait();
                  }
                  running.decrementAndGet();
                }))
        .isInstanceOf(InterruptedException.class);
    assertThat(running).hasValue(0);
    boolean _ = Thread.interrupted();
  }
}
