package io.fieldstone.cpu.terrain;

import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;

/** Computes margins of paths. Thread-safe. */
@FunctionalInterface
interface SightKernel {

  /** The definition, a sample at a time: the oracle. */
  SightKernel SCALAR =
      (grid, paths, from, to, margins) -> {
        for (int path = from; path < to; path++) {
          margins[path] = paths.margin(grid, path);
        }
      };

  /** Writes the margins of the paths {@code from} … {@code to − 1}, which are inside the grid. */
  void margins(HeightGrid grid, SightPaths paths, int from, int to, float[] margins);
}
