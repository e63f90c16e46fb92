package io.fieldstone.engine.stars;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.plane.Grid;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StarFieldTest {

  /** In adjacent rows, and in rows that are far apart. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 10, 1e3, 1e9})
  void findsTheFirstCellAtOrAfterAPosition(double extent) {
    SplittableRandom random = new SplittableRandom(1);
    for (int points : new int[] {0, 1, 2, 40}) {
      double[] xs = random.doubles(points, -20, 20).toArray();
      double[] ys = random.doubles(points, -extent - 1, extent + 1).toArray();
      Grid grid = Grid.forRange(0.5, false);
      int[] order =
          IntStream.range(0, points)
              .boxed()
              .sorted((i, j) -> Long.compare(grid.key(xs[i], ys[i]), grid.key(xs[j], ys[j])))
              .mapToInt(i -> i)
              .toArray();
      StarField.Cells cells = StarField.Cells.of(picked(xs, order), picked(ys, order), grid);
      for (int i = 0; i < points; i++) {
        long key = grid.key(xs[i], ys[i]);
        for (long row = Grid.row(key) - 2L; row <= Grid.row(key) + 2L; row++) {
          for (long column = Grid.column(key) - 2L; column <= Grid.column(key) + 2L; column++) {
            assertThat(cells.at(row, column)).isEqualTo(first(cells, row, column));
          }
        }
      }
      assertThat(cells.at(-1L << 31, 0)).isZero();
      assertThat(cells.at((1L << 31) - 1, 0)).isEqualTo(cells.count());
    }
  }

  private static double[] picked(double[] values, int[] order) {
    return Arrays.stream(order).mapToDouble(i -> values[i]).toArray();
  }

  private static int first(StarField.Cells cells, long row, long column) {
    int cell = 0;
    while (cell < cells.count()
        && Grid.key(cells.row(cell), cells.column(cell)) < Grid.key(row, column)) {
      cell++;
    }
    return cell;
  }
}
