package io.fieldstone.cpu.terrain;

import static jdk.incubator.vector.VectorOperators.F2I;
import static jdk.incubator.vector.VectorOperators.I2F;
import static jdk.incubator.vector.VectorOperators.LT;
import static jdk.incubator.vector.VectorOperators.MIN;

import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Computes margins of a vector of samples at a time, with the operations of {@link
 * SightPaths#margin} in the same order, so that results are equal.
 */
final class VectorSight implements SightKernel {

  private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, FLOATS.vectorShape());
  private static final int LANES = FLOATS.length();
  private static final FloatVector FIRST = FloatVector.zero(FLOATS).addIndex(1);

  @Override
  public void margins(HeightGrid grid, SightPaths paths, int from, int to, float[] margins) {
    int[] indices = new int[LANES];
    for (int path = from; path < to; path++) {
      margins[path] = margin(grid, paths, path, indices);
    }
  }

  private static float margin(HeightGrid grid, SightPaths paths, int path, int[] indices) {
    float[] fields = paths.fields();
    float[] heights = grid.heights();
    int columns = grid.columns();
    float lastRow = grid.rows() - 1f;
    float lastColumn = columns - 1f;
    int at = path * SightPaths.FIELDS;
    int steps = paths.steps(path);
    float share = 1f / steps;
    float length = fields[at + 8];
    float curvature = paths.curvature();
    float zone = paths.zone();
    float squared = length * length;
    FloatVector least = FloatVector.broadcast(FLOATS, Float.POSITIVE_INFINITY);
    FloatVector infinite = least;
    for (int first = 1; first < steps; first += LANES) {
      FloatVector i = FIRST.add(first);
      FloatVector t = i.mul(share);
      FloatVector u = FloatVector.broadcast(FLOATS, 1f).sub(t);
      FloatVector both = t.mul(u);
      FloatVector row = u.mul(fields[at]).add(t.mul(fields[at + 3])).add(both.mul(fields[at + 6]));
      FloatVector column =
          u.mul(fields[at + 1]).add(t.mul(fields[at + 4])).add(both.mul(fields[at + 7]));
      row = row.min(lastRow).max(0f);
      column = column.min(lastColumn).max(0f);
      IntVector r0 = (IntVector) row.convertShape(F2I, INTS, 0);
      r0 = r0.min(grid.rows() - 2);
      IntVector c0 = (IntVector) column.convertShape(F2I, INTS, 0);
      c0 = c0.min(columns - 2);
      FloatVector down = row.sub((FloatVector) r0.convertShape(I2F, FLOATS, 0));
      FloatVector right = column.sub((FloatVector) c0.convertShape(I2F, FLOATS, 0));
      r0.mul(columns).add(c0).intoArray(indices, 0);
      FloatVector a = FloatVector.fromArray(FLOATS, heights, 0, indices, 0);
      FloatVector b = FloatVector.fromArray(FLOATS, heights, 1, indices, 0);
      FloatVector c = FloatVector.fromArray(FLOATS, heights, columns, indices, 0);
      FloatVector d = FloatVector.fromArray(FLOATS, heights, columns + 1, indices, 0);
      FloatVector upper = a.add(right.mul(b.sub(a)));
      FloatVector lower = c.add(right.mul(d.sub(c)));
      FloatVector ground = upper.add(down.mul(lower.sub(upper)));
      FloatVector line = u.mul(fields[at + 2]).add(t.mul(fields[at + 5]));
      FloatVector bulge = both.mul(squared).mul(curvature);
      // Beyond the last sample the product is negative; such lanes do not count.
      FloatVector radius = both.mul(length).max(0f).mul(zone).sqrt();
      FloatVector margin = line.sub(ground).sub(bulge).sub(radius);
      least = least.min(infinite.blend(margin, i.compare(LT, (float) steps)));
    }
    return least.reduceLanes(MIN);
  }
}
