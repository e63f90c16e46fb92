package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.driver.DeviceAttribute;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.Subsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests light sums and trials of information sets on a fake GPU against the oracle. */
class CudaDistancesTest {

  private final FakeGpu gpu = FakeGpu.lazy();
  private final SplittableRandom random = new SplittableRandom(9);

  @AfterEach
  void noMemoryIsLeft() {
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  private static Engine oracle() {
    return Engine.open("cpu:scalar", new EngineOptions(1));
  }

  private LabelledWords rows(int count, int length, int labelBits) {
    long[][] rows = new long[count][];
    int longs = Math.ceilDiv(length, Long.SIZE);
    for (int row = 0; row < count; row++) {
      rows[row] = random.longs(longs + Math.ceilDiv(labelBits, Long.SIZE)).toArray();
      rows[row][longs - 1] &= -1L >>> -length;
      if (labelBits > 0) {
        rows[row][rows[row].length - 1] &= -1L >>> -labelBits;
      }
    }
    return LabelledWords.of(rows, length, labelBits);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0, 1", "12, 31, 2, 4", "9, 64, 40, 9", "14, 130, 0, 5", "6, 700, 65, 3"})
  void findsTheSumsThatTheOracleFinds(int count, int length, int labelBits, int size) {
    LabelledWords rows = rows(count, length, labelBits);
    long sums = Subsets.exact(count, size);
    long first = sums / 5;
    try (Engine engine = gpu.open("cuda:0");
        Engine oracle = oracle()) {
      for (int max : new int[] {-1, 0, length / 3, length / 2, length}) {
        assertThat(engine.lightSums().lightest(rows, size, first, sums - first, max))
            .isEqualTo(oracle.lightSums().lightest(rows, size, first, sums - first, max));
        for (int most : new int[] {0, 10, 10_000}) {
          assertThat(
                  engine
                      .lightSums()
                      .light(rows, size, first, sums - first, max, most)
                      .map(Arrays::toString))
              .isEqualTo(
                  oracle
                      .lightSums()
                      .light(rows, size, first, sums - first, max, most)
                      .map(Arrays::toString));
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 0, 3", "7, 20, 2, 3", "20, 70, 33, 2", "5, 200, 0, 1"})
  void findsTheTrialThatTheOracleFinds(int count, int length, int labelBits, int depth) {
    LabelledWords rows = rows(count, length, labelBits);
    try (Engine engine = gpu.open("cuda:0");
        Engine oracle = oracle()) {
      for (int max : new int[] {0, length / 3, count + length}) {
        assertThat(engine.informationSetTrials().lightest(rows, depth, 5, 7, 3, max))
            .isEqualTo(oracle.informationSetTrials().lightest(rows, depth, 5, 7, 3, max));
      }
    }
  }

  @Test
  void theCpuRunsWalksWhoseMatrixDoesNotFit() {
    gpu.driver().withAttribute(DeviceAttribute.MAX_SHARED_BYTES_PER_BLOCK, 1 << 10);
    LabelledWords rows = rows(60, 300, 0);
    try (Engine engine = gpu.open("cuda:0");
        Engine oracle = oracle()) {
      assertThat(engine.informationSetTrials().lightest(rows, 1, 5, 0, 1, 300))
          .isEqualTo(oracle.informationSetTrials().lightest(rows, 1, 5, 0, 1, 300))
          .isPresent();
    }
  }
}
