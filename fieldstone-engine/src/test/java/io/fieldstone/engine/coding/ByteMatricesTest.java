package io.fieldstone.engine.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ByteMatricesTest {

  private final SplittableRandom random = new SplittableRandom(1);

  @Test
  void aPartHoldsTheBytesOfTheWhole() {
    for (int i = 0; i < 2_000; i++) {
      ByteMatrices whole = random();
      long g = random.nextLong(whole.count() + 1);
      int row = random.nextInt(whole.rows() + 1);
      int column = random.nextInt(whole.columns() + 1);
      long count = random.nextLong(whole.count() - g + 1);
      int rows = random.nextInt(whole.rows() - row + 1);
      int columns = random.nextInt(whole.columns() - column + 1);
      ByteMatrices part = whole.columns(column, columns).matrices(g, count).rows(row, rows);
      assertThat(part.count()).isEqualTo(count);
      assertThat(part.rows()).isEqualTo(rows);
      assertThat(part.columns()).isEqualTo(columns);
      for (long matrix = 0; matrix < count; matrix++) {
        for (int r = 0; r < rows; r++) {
          for (int c = 0; c < columns; c++) {
            assertThat(part.data().get(JAVA_BYTE, part.offset(matrix, r) + c))
                .isEqualTo(
                    whole.data().get(JAVA_BYTE, whole.offset(g + matrix, row + r) + column + c));
          }
        }
      }
    }
  }

  /** Its rows are nowhere, so they cannot be outside the memory either. */
  @Test
  void slicesOfEmptyMatricesAreEmpty() {
    ByteMatrices noColumns = new ByteMatrices(MemorySegment.ofArray(new byte[0]), 3, 5, 0, 7, 40);
    assertThat(noColumns.rows(4, 1).rows()).isEqualTo(1);
    assertThat(noColumns.matrices(2, 1).count()).isEqualTo(1);
    assertThat(noColumns.matrix(2).rows()).isEqualTo(5);
    assertThat(noColumns.columns(0, 0).columns()).isZero();
  }

  @Test
  void aPartBeyondTheEndIsRefused() {
    ByteMatrices one = ByteMatrices.of(MemorySegment.ofArray(new byte[6]), 2, 3);
    assertThatThrownBy(() -> one.columns(2, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> one.rows(1, 2)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> one.matrices(1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private ByteMatrices random() {
    long count = random.nextLong(4);
    int rows = random.nextInt(5);
    int columns = random.nextInt(9);
    long stride = columns + random.nextInt(4);
    long pitch = rows * stride + random.nextInt(5);
    byte[] content = new byte[(int) (count * pitch)];
    random.nextBytes(content);
    return new ByteMatrices(MemorySegment.ofArray(content), count, rows, columns, stride, pitch);
  }
}
