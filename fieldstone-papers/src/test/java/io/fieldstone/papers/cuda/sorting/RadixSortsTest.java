package io.fieldstone.papers.cuda.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.conformance.CheckResult;
import io.fieldstone.conformance.Conformance;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.papers.cuda.PaperGpu;
import io.fieldstone.testing.TestLength;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Sorts by the radix paper's baseline on a fake GPU. */
class RadixSortsTest {

  private static final String NAME = "radix-16";

  private final PaperGpu gpu = PaperGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(1);

  @AfterEach
  void noMemoryIsLeft() {
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  @Test
  void itIsAMethodOfEveryGpu() {
    try (Engine engine = gpu.openPlain()) {
      assertThat(engine.sorts().methods(RecordFormat.of(KeyType.U32)))
          .containsExactly(NAME, "serial", "lsd", "msd-lsd", "streamed", "packed");
      assertThat(Conformance.ofSorting(engine).oneIn(TestLength.oneIn(6)).run(1))
          .allMatch(CheckResult::passed);
    }
  }

  @Test
  void moreThanTheGpuHasRoomForIsSortedInRuns() {
    gpu.driver().withMemory(7 << 20);
    int count = 500_000;
    long[] keys = random.longs(count).map(key -> key % 1000).toArray();
    long[] records = new long[2 * count];
    for (int i = 0; i < count; i++) {
      records[2 * i] = keys[i];
      records[2 * i + 1] = i;
    }
    try (Engine engine = gpu.openPlain()) {
      engine
          .sorts()
          .sorting(RecordFormat.of(KeyType.I64).withPayload(8).descending(), NAME)
          .sort(MemorySegment.ofArray(records));
    }
    int[] order =
        IntStream.range(0, count)
            .boxed()
            .sorted((a, b) -> Long.compare(keys[b], keys[a]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < count; i++) {
      assertThat(records[2 * i + 1]).isEqualTo(order[i]);
    }
  }

  @Test
  void itsStepsArePhases() {
    Queue<Phase> phases = new ConcurrentLinkedQueue<>();
    int[] keys = random.ints(10_000).toArray();
    try (Engine engine = gpu.openPlain(phases::add)) {
      engine.sorts().sorting(RecordFormat.of(KeyType.I32), NAME).sort(MemorySegment.ofArray(keys));
    }
    assertThat(keys).isSorted();
    assertThat(phases.stream().map(Phase::name))
        .contains("upload", "reduction", "spine scan", "scatter", "download");
  }
}
