package io.fieldstone.weights.codes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf2Matrix;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Matrices in files that NumPy and SciPy have written. */
class NumpyMatrixTest {

  private static final Gf2Matrix HAMMING = Gf2Matrix.of("1010101", "0110011", "0001111");

  private static Gf2Matrix read(String name, int maxSize)
      throws IOException, MalformedMatrixException {
    try (InputStream in =
        Objects.requireNonNull(NumpyMatrixTest.class.getResourceAsStream(name), name)) {
      return MatrixFile.parse(name, in.readAllBytes(), maxSize);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"csr.npz", "csc.npz", "coo.npz", "dense.npz", "columns.npy"})
  void readsMatrices(String name) throws Exception {
    assertThat(read(name, 7)).isEqualTo(HAMMING);
    assertThatThrownBy(() -> read(name, 6))
        .isInstanceOf(MalformedMatrixException.class)
        .hasMessageContaining("3 rows and 7 columns are not both in 1…6");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "dia.npz | dia.npz: a sparse matrix of format 'dia'; read are csr, csc, coo",
        "two.npz | two.npz: arrays [x, z]; expected one, or those of a sparse matrix",
        "outside.npz | outside.npz: column 7.0 is not in 0…6",
        "twos.npz | twos.npz: row 1, column 1 (from 1): 2.0 is not 0 or 1",
        "twice.npz | twice.npz: row 1, column 1 (from 1) is given twice",
        "missing.npz | missing.npz: a sparse matrix without 'indptr'; there are [data, format,",
        "damaged.npz | damaged.npz: a damaged archive: ",
      })
  void explainsFaults(String name, String problem) {
    assertThatThrownBy(() -> read(name, 100))
        .isInstanceOf(MalformedMatrixException.class)
        .hasMessageStartingWith(problem);
  }
}
