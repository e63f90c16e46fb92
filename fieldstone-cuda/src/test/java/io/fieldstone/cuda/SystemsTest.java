package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.ResidentBlocks;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Solves larger systems than the conformance suite, of the sizes of each inversion kernel. */
class SystemsTest {

  private static final Gf256 FIELD = Gf256.RIJNDAEL;
  private static final int COLUMNS = 33;

  private final SplittableRandom random = new SplittableRandom(5);
  private final FakeGpu gpu = FakeGpu.lazy();
  private final Engine engine = gpu.open("cuda:0");
  private final Engine oracle = Engine.open("cpu");

  @AfterEach
  void close() {
    engine.close();
    oracle.close();
    assertThat(gpu.driver().leaks()).isEmpty();
    gpu.close();
  }

  @ParameterizedTest
  @CsvSource({"3, 128", "2, 129", "2, 256", "2, 257", "1, 290"})
  void squareSystemsAreSolved(int count, int n) {
    ByteMatrices coefficients = random(count, n, n);
    singular(coefficients);
    ByteMatrices rights = random(count, n, COLUMNS);
    ByteMatrices expected = copy(rights);
    ByteMatrices actual = copy(rights);
    ByteMatrices staying = copy(rights);
    ByteMatrices fromHost = copy(rights);
    try (ResidentBlocks here = engine.load(FIELD, rights);
        ResidentBlocks there = oracle.load(FIELD, rights);
        ResidentBlocks solutions = engine.load(FIELD, staying)) {
      int[] ranks = there.solve(0, coefficients, expected);
      assertThat(here.solve(0, coefficients, actual)).isEqualTo(ranks);
      assertThat(here.solve(0, coefficients, solutions, 0)).isEqualTo(ranks);
      solutions.read(0, staying);
      assertThat(engine.eliminations().solve(FIELD, coefficients, rights, fromHost))
          .isEqualTo(ranks);
    }
    assertThat(actual.data().mismatch(expected.data())).isEqualTo(-1);
    assertThat(staying.data().mismatch(expected.data())).isEqualTo(-1);
    assertThat(fromHost.data().mismatch(expected.data())).isEqualTo(-1);
  }

  /** One matrix of two rows that are the same, if there are several. */
  private static void singular(ByteMatrices matrices) {
    if (matrices.count() > 1) {
      matrices.row(1, 1).copyFrom(matrices.row(1, 0));
    }
  }

  @ParameterizedTest
  @CsvSource({"3, 64", "3, 129", "2, 200", "5, 256", "1, 300"})
  void triangularSystemsAreSolved(int count, int n) {
    ByteMatrices lower = random(count, n, n);
    for (int g = 0; g < count; g++) {
      for (int i = 0; i < n; i++) {
        MemorySegment diagonal = lower.row(g, i).asSlice(i, 1);
        diagonal.fill((byte) (1 + random.nextInt(255)));
      }
    }
    ByteMatrices rights = random(count, n, COLUMNS);
    ByteMatrices expected = copy(rights);
    ByteMatrices actual = copy(rights);
    oracle.substitutions().solve(FIELD, lower, rights, expected);
    engine.substitutions().solve(FIELD, lower, rights, actual);
    assertThat(actual.data().mismatch(expected.data())).isEqualTo(-1);
  }

  private ByteMatrices random(int count, int rows, int columns) {
    byte[] bytes = new byte[count * rows * columns];
    random.nextBytes(bytes);
    return ByteMatrices.packed(MemorySegment.ofArray(bytes), count, rows, columns);
  }

  private static ByteMatrices copy(ByteMatrices matrices) {
    byte[] bytes = matrices.data().toArray(ValueLayout.JAVA_BYTE);
    return ByteMatrices.packed(
        MemorySegment.ofArray(bytes), matrices.count(), matrices.rows(), matrices.columns());
  }
}
