package io.fieldstone.rlnc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.coding.Basis;
import io.fieldstone.field.Gf256;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Measures the table of docs/network-coding.md; draws are seeded, so it is the same every time. */
class InnovationTableTest {

  private static final Path PAGE = Path.of("..", "docs", "network-coding.md");
  private static final int BLOCKS = 64;
  private static final int GENERATIONS = 2000;

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16, 32, 64, 128, 256})
  void thePageHasTheMeasuredValues(int densityTimes256) throws IOException {
    Code.Sparse code = new Code.Sparse(densityTimes256 - 1);
    int sent = 0;
    int most = 0;
    int last = 0;
    MemorySegment vector = MemorySegment.ofArray(new byte[BLOCKS]);
    try (Engine engine = Engine.open("auto")) {
      for (int generation = 0; generation < GENERATIONS; generation++) {
        try (Basis basis = engine.eliminations().basis(Gf256.DEFAULT, BLOCKS)) {
          int index = 0;
          while (basis.rank() < BLOCKS) {
            last += basis.rank() == BLOCKS - 1 ? 1 : 0;
            code.coefficients(1, generation, index++, vector);
            basis.add(vector);
          }
          sent += index;
          most = Math.max(most, index);
        }
      }
    }
    // The table's columns: density, multiplications a byte, blocks beyond n on average and at most,
    // and blocks until the last missing dimension came.
    String row =
        String.format(
            Locale.ROOT,
            "| %d/256 | %.0f | %.3f | %d | %.3f |",
            densityTimes256,
            code.density() * BLOCKS,
            sent / (double) GENERATIONS - BLOCKS,
            most - BLOCKS,
            last / (double) GENERATIONS);
    assertThat(Files.readString(PAGE)).contains(row);
  }
}
