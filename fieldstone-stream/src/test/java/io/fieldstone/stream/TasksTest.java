package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TasksTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7})
  void runsEachTaskOnce(int threads) {
    for (int count : new int[] {0, 1, 2, 100}) {
      AtomicIntegerArray runs = new AtomicIntegerArray(count);
      Tasks.forEach(threads, count, runs::incrementAndGet);
      for (int task = 0; task < count; task++) {
        assertThat(runs.get(task)).isOne();
      }
    }
  }

  /** No task would pass the barrier if they ran one after another. */
  @Test
  void runsTasksAtTheSameTimeAlsoInsideTasks() {
    CyclicBarrier all = new CyclicBarrier(4);
    Tasks.forEach(2, 2, _ -> Tasks.forEach(2, 2, _ -> await(all)));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void throwsAFailure(int threads) {
    assertThatIllegalStateException()
        .isThrownBy(() ->
            Tasks.forEach(
                threads,
                10,
                task -> {
                  if (task == 7) {
                    throw new IllegalStateException("seven");
                  }
                }))
        .withMessage("seven");
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
