package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CutTest {

  @ParameterizedTest
  @CsvSource({
    "1, 1, false",
    "1, 1, true",
    "100, 32, false",
    "100, 32, true",
    "111, 32, true",
    "112, 32, true",
    "113, 32, true",
    "2000, 32, true",
    "55, 7, true",
    "31, 1000, true",
    "0, 5, true"
  })
  void piecesFollowOneAnotherAndNoneIsLargerThanTheCut(long count, long matrices, boolean tapers) {
    List<Piece> pieces = new Cut(matrices, 4, 64).pieces(count, 4, 64, tapers);
    long next = 0;
    for (Piece piece : pieces) {
      assertThat(piece.firstMatrix()).isEqualTo(next);
      assertThat(piece.matrices()).isBetween(1L, matrices);
      next += piece.matrices();
    }
    assertThat(next).isEqualTo(count);
  }

  @Test
  void piecesOfManyMatricesTaperAtBothEnds() {
    assertThat(new Cut(32, 4, 64).pieces(200, 4, 64, true))
        .extracting(Piece::matrices)
        .containsExactly(4L, 8L, 16L, 32L, 32L, 32L, 32L, 16L, 16L, 8L, 4L);
  }
}
