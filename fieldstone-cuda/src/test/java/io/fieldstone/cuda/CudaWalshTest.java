package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests counts of long words on a fake GPU against the oracle. */
class CudaWalshTest {

  private final FakeGpu gpu = FakeGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(3);

  @AfterEach
  void noMemoryIsLeft() {
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  @ParameterizedTest
  @CsvSource({"1, 0, 0", "70, 0, 1", "300, 5, 5", "300, 5, 6", "999, 13, 14", "5000, 17, 17"})
  void countsTheWordsThatTheOracleCounts(int length, int rows, int bits) {
    int[] columns = new int[length];
    Arrays.setAll(columns, _ -> bits == 0 ? 0 : random.nextInt() >>> Integer.SIZE - bits);
    try (Engine engine = gpu.open("cuda:0");
        Engine oracle = Engine.open("cpu:scalar", new EngineOptions(1))) {
      assertThat(engine.walshCounts().count(columns, rows))
          .isEqualTo(oracle.walshCounts().count(columns, rows));
    }
  }
}
