package io.fieldstone.papers.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Substitution;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decodes on a GPU that runs work only when a thread waits for it. */
class FakePaperDecodingTest extends PaperDecodingContract {

  private static final Gf256 FIELD = Gf256.DEFAULT;
  private static final int SIZE = 20;

  private final PaperGpu gpu = PaperGpu.lazy();

  @Override
  Engine open(String spec) {
    return gpu.open(spec);
  }

  @AfterEach
  void noMemoryIsLeft() {
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  @ParameterizedTest
  @CsvSource({"cuda:0:baseline, 1", "cuda:0:hpds, 2"})
  void aFrameIsOneCopyEachWayAndOneWait(String spec, int launches) {
    try (Engine engine = open(spec);
        Substitution system = engine.substitutions().open(FIELD, SIZE, SIZE)) {
      system.next(ones(), ones(), ones());
      Map<String, Integer> before = gpu.driver().calls();
      system.next(ones(), ones(), ones());
      assertThat(callsSince(before))
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  "cuCtxSetCurrent",
                  3 + launches,
                  "cuMemcpyHtoDAsync_v2",
                  1,
                  "cuLaunchKernel",
                  launches,
                  "cuMemcpyDtoHAsync_v2",
                  1,
                  "cuStreamSynchronize",
                  1));
    }
  }

  private Map<String, Integer> callsSince(Map<String, Integer> before) {
    Map<String, Integer> since = new HashMap<>(gpu.driver().calls());
    before.forEach((name, count) -> since.merge(name, -count, Integer::sum));
    since.values().removeIf(count -> count == 0);
    return since;
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda:0:hpds", "cuda:0:assisted", "cuda:0:gauss-jordan"})
  void warmingUpFreesItsMemory(String spec) {
    try (Engine engine = open(spec)) {
      engine.warmUp(FIELD);
      int before = buffers();
      engine.warmUp(FIELD);
      assertThat(buffers()).isEqualTo(before);
    }
  }

  /** Returns the number of buffers on the GPU. */
  private int buffers() {
    Map<String, Integer> calls = gpu.driver().calls();
    return calls.getOrDefault("cuMemAlloc_v2", 0) - calls.getOrDefault("cuMemFree_v2", 0);
  }

  private static MemorySegment ones() {
    return MemorySegment.ofArray(new byte[SIZE]).fill((byte) 1);
  }
}
