package io.fieldstone.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ProgressSumTest {

  /** The listener keeps a list, which it may change only because no two threads call it at once. */
  @Test
  void sumsOfSeveralThreadsAscend() throws Exception {
    List<Long> sums = new ArrayList<>();
    ProgressSum sum = new ProgressSum(4_000, (done, _) -> sums.add(done));
    List<Thread> threads =
        IntStream.range(0, 4)
            .mapToObj(_ ->
                Thread.ofPlatform().start(() -> IntStream.range(0, 1000).forEach(_ -> sum.add(1))))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(sums).hasSize(4_000).isSorted().doesNotHaveDuplicates().endsWith(4_000L);
  }

  @Test
  void aSumIsAtMostAKnownTotal() {
    List<List<Long>> calls = new ArrayList<>();
    ProgressListener listener = (done, total) -> calls.add(List.of(done, total));
    ProgressSum known = new ProgressSum(10, listener);
    known.add(7);
    known.add(7);
    new ProgressSum(ProgressListener.UNKNOWN, listener).add(7);

    assertThat(calls)
        .containsExactly(
            List.of(7L, 10L), List.of(10L, 10L), List.of(7L, ProgressListener.UNKNOWN));
  }
}
