package io.fieldstone.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TaskPoolTest {

  private static final int TASKS = 500;

  @ParameterizedTest
  @ValueSource(longs = {0, 20_000})
  void runsEachTaskOnceForAnyNumberOfCallers(long spinNs) throws InterruptedException {
    try (TaskPool pool = new TaskPool("test", 3, spinNs)) {
      AtomicInteger wrong = new AtomicInteger();
      List<Thread> callers =
          IntStream.range(0, 4)
              .mapToObj(_ ->
                  Thread.ofPlatform()
                      .start(() -> {
                        for (int round = 0; round < 50; round++) {
                          AtomicIntegerArray runs = new AtomicIntegerArray(TASKS);
                          pool.forEach(TASKS, runs::incrementAndGet);
                          for (int task = 0; task < TASKS; task++) {
                            wrong.addAndGet(runs.get(task) == 1 ? 0 : 1);
                          }
                        }
                      }))
              .toList();
      for (Thread caller : callers) {
        caller.join();
      }
      assertThat(wrong).hasValue(0);
    }
  }

  @Test
  void onTheCallingThreadNoOtherThreadTakesATask() {
    try (TaskPool pool = new TaskPool("test", 3, 0)) {
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      int concurrent =
          pool.onCallingThread(() -> {
            pool.forEach(TASKS, _ -> threads.add(Thread.currentThread()));
            return pool.threads();
          });
      assertThat(threads).containsExactly(Thread.currentThread());
      assertThat(concurrent).isEqualTo(1);
      assertThat(pool.threads()).isEqualTo(4);
    }
  }

  @Test
  void noThreadBesideTheCallerRunsAllTasksThere() {
    try (TaskPool pool = new TaskPool("test", 0, 0)) {
      Set<Thread> threads = ConcurrentHashMap.newKeySet();
      pool.forEach(10, _ -> threads.add(Thread.currentThread()));
      assertThat(threads).containsExactly(Thread.currentThread());
      assertThat(pool.threads()).isEqualTo(1);
    }
  }

  /** Each task waits for all others, so all run at the same time. */
  @Test
  void anUnlimitedPoolRunsAllTasksAtOnce() {
    try (TaskPool pool = new TaskPool("test", TaskPool.UNLIMITED, 0)) {
      CyclicBarrier barrier = new CyclicBarrier(20);
      Runnable meets =
          () -> {
            try {
              barrier.await();
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          };
      pool.runAll(IntStream.range(0, 20).mapToObj(_ -> meets).toList());
    }
  }

  @Test
  void theFirstFailureIsThrownAndNoTaskBegunAfterIt() {
    try (TaskPool pool = new TaskPool("test", 0, 0)) {
      AtomicInteger begun = new AtomicInteger();
      RuntimeException failure = new IllegalStateException("broken");
      assertThatThrownBy(() ->
              pool.forEach(
                  5,
                  task -> {
                    begun.incrementAndGet();
                    if (task == 1) {
                      throw failure;
                    }
                  }))
          .isSameAs(failure);
      assertThat(begun).hasValue(2);
    }
  }

  @Test
  void allTasksStartAndFailuresAfterTheFirstAreSuppressed() {
    try (TaskPool pool = new TaskPool("test", TaskPool.UNLIMITED, 0)) {
      CountDownLatch first = new CountDownLatch(1);
      AtomicInteger ended = new AtomicInteger();
      Runnable failing =
          () -> {
            first.countDown();
            throw new IllegalStateException("one");
          };
      Runnable later =
          () -> {
            try {
              first.await();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
            ended.incrementAndGet();
            throw new IllegalStateException("another");
          };
      assertThatThrownBy(() -> pool.runAll(List.of(failing, later, later)))
          .isInstanceOf(IllegalStateException.class)
          .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(2));
      assertThat(ended).hasValue(2);
    }
  }

  @Test
  void anInterruptedCallerWaitsAndStaysInterrupted() {
    try (TaskPool pool = new TaskPool("test", 2, 0)) {
      Thread.currentThread().interrupt();
      AtomicInteger ran = new AtomicInteger();
      pool.forEach(100, _ -> ran.incrementAndGet());
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ran).hasValue(100);
    }
  }

  /** A thread that wakes too late for a task has to be found by the next one. */
  @Test
  void threadsThatWakeTooLateForATaskTakeTheNextOne() {
    int tasks = 4;
    try (TaskPool pool = new TaskPool("late", tasks - 1, 0)) {
      for (int round = 0; round < 200; round++) {
        for (int call = 0; call < 50; call++) {
          pool.forEach(tasks, _ -> {});
        }
        CyclicBarrier all = new CyclicBarrier(tasks);
        pool.forEach(
            tasks,
            _ -> {
              try {
                all.await(20, TimeUnit.SECONDS);
              } catch (Exception e) {
                throw new IllegalStateException("not all threads take tasks", e);
              }
            });
      }
    }
  }

  @Test
  void aClosedPoolRunsItsTasksAndRejectsNewOnes() {
    TaskPool pool = new TaskPool("test", 1, 0);
    CountDownLatch ran = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      pool.execute(ran::countDown);
    }
    pool.close();
    pool.close();
    assertThat(SpinThenPark.spin(() -> ran.getCount() == 0, Long.MAX_VALUE)).isTrue();
    assertThatIllegalStateException()
        .isThrownBy(() -> pool.forEach(2, _ -> {}))
        .withMessageContaining("closed");
  }
}
