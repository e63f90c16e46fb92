package io.fieldstone.cpu.terrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Vectors have the margins of the definition, which is compared with arithmetic by hand. */
class VectorSightTest {

  @Test
  void vectorsHaveTheSameMargins() {
    SplittableRandom random = new SplittableRandom(1);
    HeightGrid grid = grid(random, 90, 170);
    SightPaths paths = new SightPaths(6e-8, 0.12);
    for (int i = 0; i < 700; i++) {
      paths.add(
          end(random, grid),
          end(random, grid),
          random.nextFloat(-2, 2),
          random.nextFloat(-2, 2),
          random.nextFloat(1, 60_000));
    }
    float[] expected = new float[paths.count()];
    float[] vectors = new float[paths.count()];
    SightKernel.SCALAR.margins(grid, paths, 0, paths.count(), expected);
    new VectorSight().margins(grid, paths, 0, paths.count(), vectors);
    assertThat(vectors).isEqualTo(expected);
  }

  @Test
  void aMarginIsThatOfTheHighestObstacle() {
    float[] heights = new float[3 * 5];
    heights[5 + 2] = 7;
    HeightGrid grid = new HeightGrid(3, 5, heights);
    // In the middle the line is at 15 m; the bulge is 10,000 m² · curvature, the zone √2500·0.36.
    SightPaths paths = new SightPaths(1e-4, 0.36 / 25);
    paths.add(new float[] {1, 0, 10}, new float[] {1, 4, 20}, 0, 0, 200);
    paths.add(new float[] {1, 4, 20}, new float[] {1, 0, 10}, 0, 0, 200);
    paths.add(new float[] {0, 0, 10}, new float[] {0, 1, 20}, 0, 0, 200);
    float expected = 15 - 7 - 1 - (float) Math.sqrt(50 * 0.36f / 25);
    assertThat(paths.margin(grid, 0))
        .isCloseTo(expected, org.assertj.core.data.Offset.offset(1e-5f));
    assertThat(paths.margin(grid, 1)).isEqualTo(paths.margin(grid, 0));
    assertThat(paths.margin(grid, 2)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(paths.samples()).isEqualTo(6);
  }

  @Test
  void invalidGridsAndPathsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeightGrid(2, 2, new float[] {0, 1, Float.NaN, 3}))
        .withMessage("height NaN in row 1, column 0 is not between -100000 and 100000");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeightGrid(1, 4, new float[4]))
        .withMessage("1 rows, not between 2 and 65536");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new HeightGrid(2, 3, new float[5]))
        .withMessage("5 heights for 2×3 points");
    SightPaths paths = new SightPaths(0, 0);
    paths.add(new float[] {0, 0, 0}, new float[] {1, 1, Float.NaN}, 0, 0, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> paths.requireInside(new HeightGrid(2, 2, new float[4])))
        .withMessage("field 5 of path 0 is NaN");
  }

  private static HeightGrid grid(SplittableRandom random, int rows, int columns) {
    float[] heights = new float[rows * columns];
    for (int i = 0; i < heights.length; i++) {
      heights[i] = random.nextInt(200) == 0 ? HeightGrid.VOID : random.nextFloat(400);
    }
    return new HeightGrid(rows, columns, heights);
  }

  private static float[] end(SplittableRandom random, HeightGrid grid) {
    return new float[] {
      random.nextFloat() * (grid.rows() - 1),
      random.nextFloat() * (grid.columns() - 1),
      random.nextFloat(500)
    };
  }
}
