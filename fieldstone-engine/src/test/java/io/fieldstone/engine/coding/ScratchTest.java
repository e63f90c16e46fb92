package io.fieldstone.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment.Scope;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScratchTest {

  private static final int MEBIBYTE = 1 << 20;

  /** Opening and closing a shared arena costs a stop of all threads. */
  @Test
  void aThousandLargerRequestsOpenFewArenas() {
    try (Scratch scratch = new Scratch()) {
      Set<Scope> arenas = new HashSet<>();
      for (int rows = 1; rows <= 1000; rows++) {
        ByteMatrices matrix = scratch.matrix(rows, 1000);
        assertThat(matrix.rows()).isEqualTo(rows);
        assertThat(matrix.columns()).isEqualTo(1000);
        matrix.row(0, rows - 1).fill((byte) rows);
        arenas.add(matrix.data().scope());
      }
      assertThat(arenas.size()).isLessThanOrEqualTo(10);
    }
  }

  @Test
  void givesNoMemoryAfterItsEnd() {
    Scratch scratch = new Scratch();
    scratch.close();
    scratch.close();
    assertThatIllegalStateException().isThrownBy(() -> scratch.matrix(1, 1));
  }

  @Test
  void isUsableAfterARequestThatIsTooLarge() {
    try (Scratch scratch = new Scratch()) {
      scratch.matrix(10, 10);
      assertThatExceptionOfType(OutOfMemoryError.class)
          .isThrownBy(() -> scratch.matrices(1 << 20, MEBIBYTE, MEBIBYTE));
      assertThat(scratch.matrix(5, 5).data().scope().isAlive()).isTrue();
    }
  }

  @Test
  void holdsLittleMoreThanWasAskedFor() {
    try (Scratch scratch = new Scratch()) {
      for (int rows = 1; rows <= 100; rows++) {
        long asked = (long) rows * MEBIBYTE;
        assertThat(scratch.matrix(rows, MEBIBYTE).data().byteSize())
            .isBetween(asked, asked + MEBIBYTE);
      }
      assertThat(scratch.matrix(1, 1).data().byteSize()).isLessThanOrEqualTo(101L * MEBIBYTE);
    }
  }
}
