package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.testing.Replay;
import org.junit.jupiter.api.Test;

/**
 * MatrixMarket, .npy and .npz: a matrix of at most the given size, or an error that names the
 * source.
 */
public class MatrixFileFuzzTest {

  private static final int MAX_SIZE = 64;

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    try {
      Gf2Matrix matrix = MatrixFile.parse("file", data, MAX_SIZE);
      assertThat(matrix.columns()).isBetween(1, MAX_SIZE);
    } catch (MalformedMatrixException e) {
      assertThat(e).hasMessageStartingWith("file");
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(MatrixFileFuzzTest.class, MatrixFileFuzzTest::fuzzerTestOneInput);
  }
}
