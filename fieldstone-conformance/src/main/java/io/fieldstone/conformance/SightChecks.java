package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import java.util.Optional;
import java.util.SplittableRandom;

/** Compares margins of paths over random terrain with their definition. */
final class SightChecks {

  private static final int MAX_SIDE = 80;
  private static final int MANY_ROWS = 700;
  private static final int MANY_PATHS = 3000;
  private static final double CURVATURE = 1 / (2 * 4 / 3.0 * 6_371_008.8);

  private final Engine engine;
  private final SplittableRandom random;

  SightChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Computes margins of a few paths over a small grid, twice: lists may be reused. */
  Optional<String> margins() {
    HeightGrid grid = grid(random.nextInt(2, MAX_SIDE), random.nextInt(2, MAX_SIDE));
    SightPaths paths = paths();
    try (SightSurvey survey = engine.linesOfSight().survey(grid)) {
      for (int round = 0; round < 2; round++) {
        paths.clear();
        addPaths(grid, paths, random.nextInt(70));
        Optional<String> failure = compare(survey, grid, paths);
        if (failure.isPresent()) {
          return failure;
        }
      }
      return Optional.empty();
    }
  }

  /** Computes margins of many paths over a larger grid. */
  Optional<String> manyMargins() {
    HeightGrid grid = grid(MANY_ROWS, random.nextInt(2, MANY_ROWS));
    SightPaths paths = paths();
    addPaths(grid, paths, MANY_PATHS);
    try (SightSurvey survey = engine.linesOfSight().survey(grid)) {
      return compare(survey, grid, paths);
    }
  }

  /** Checks that a path outside the grid is refused. */
  Optional<String> misuse() {
    HeightGrid grid = grid(5, 9);
    SightPaths paths = paths();
    addPaths(grid, paths, 2);
    paths.add(new float[] {0, 0, 1}, new float[] {4, 8.5f, 1}, 0, 0, 100);
    try (SightSurvey survey = engine.linesOfSight().survey(grid)) {
      survey.margins(paths);
      return Optional.of("a path to column 8.5 of 9 is accepted");
    } catch (IllegalArgumentException e) {
      return String.valueOf(e.getMessage()).startsWith("path 2 ")
          ? Optional.empty()
          : Optional.of("path 2 is not named: " + e.getMessage());
    }
  }

  private static Optional<String> compare(SightSurvey survey, HeightGrid grid, SightPaths paths) {
    float[] margins = survey.margins(paths);
    if (margins.length != paths.count()) {
      return Optional.of("%d margins of %d paths".formatted(margins.length, paths.count()));
    }
    for (int path = 0; path < margins.length; path++) {
      float expected = paths.margin(grid, path);
      if (margins[path] != expected) {
        return Optional.of(
            "%d×%d, path %d of %d, %d steps: margin %s instead of %s"
                .formatted(
                    grid.rows(),
                    grid.columns(),
                    path,
                    margins.length,
                    paths.steps(path),
                    margins[path],
                    expected));
      }
    }
    return Optional.empty();
  }

  private SightPaths paths() {
    return new SightPaths(
        random.nextInt(4) == 0 ? 0 : CURVATURE, random.nextInt(4) == 0 ? 0 : random.nextDouble());
  }

  /** Returns rough or gentle heights, some of them void. */
  private HeightGrid grid(int rows, int columns) {
    float[] heights = new float[rows * columns];
    double roughness = random.nextInt(3) * 100;
    double slope = random.nextDouble(10);
    for (int i = 0; i < heights.length; i++) {
      heights[i] =
          (float)
              (slope * (i % columns) - 400 + roughness * random.nextDouble() * random.nextDouble());
      if (roughness > 0 && random.nextInt(500) == 0) {
        heights[i] = HeightGrid.VOID;
      }
    }
    return new HeightGrid(rows, columns, heights);
  }

  private void addPaths(HeightGrid grid, SightPaths paths, int count) {
    for (int i = 0; i < count; i++) {
      paths.add(end(grid), end(grid), bend(), bend(), (float) random.nextDouble(1e5));
    }
  }

  /** Returns an end, often on a point or at an edge of the grid. */
  private float[] end(HeightGrid grid) {
    float row = (float) random.nextDouble() * (grid.rows() - 1);
    float column = (float) random.nextDouble() * (grid.columns() - 1);
    if (random.nextInt(3) == 0) {
      row = Math.round(row);
      column = random.nextBoolean() ? grid.columns() - 1f : 0;
    }
    return new float[] {row, column, (float) random.nextDouble(1000)};
  }

  private float bend() {
    return random.nextBoolean() ? 0 : (float) random.nextDouble(-3, 3);
  }
}
