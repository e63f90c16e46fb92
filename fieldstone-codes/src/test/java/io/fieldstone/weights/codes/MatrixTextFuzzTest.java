package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.testing.Replay;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Matrices as rows and as alist: printed as rows, they are read as the same. */
public class MatrixTextFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    String text = new String(data, StandardCharsets.UTF_8);
    try {
      Gf2Matrix matrix = MatrixText.parse("file", text);
      StringBuilder rows = new StringBuilder();
      for (int row = 0; row < matrix.rows(); row++) {
        for (int column = 0; column < matrix.columns(); column++) {
          rows.append(matrix.get(row, column));
        }
        rows.append('\n');
      }
      assertThat(matrix.columns()).isBetween(1, 256);
      assertThat((long) matrix.rows() * matrix.columns()).isLessThanOrEqualTo(256L * data.length);
      if (matrix.rows() > 0) {
        assertThat(MatrixText.parse("file", rows.toString())).isEqualTo(matrix);
      }
    } catch (MalformedMatrixException e) {
      assertThat(e).hasMessageStartingWith("file, line ");
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(MatrixTextFuzzTest.class, MatrixTextFuzzTest::fuzzerTestOneInput);
  }
}
