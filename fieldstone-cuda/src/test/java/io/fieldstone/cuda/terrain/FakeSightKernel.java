package io.fieldstone.cuda.terrain;

import static io.fieldstone.cuda.GpuMemory.int32;

import io.fieldstone.cuda.GpuMemory;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import java.util.Map;

/** The kernel of sight.cu in Java: each path by the definition. */
public final class FakeSightKernel {

  private FakeSightKernel() {}

  /** Returns the record that describes the struct. */
  public static Map<String, Class<? extends Record>> structs() {
    return Map.of("SightArguments", SightArguments.class);
  }

  /** Registers the kernel. */
  public static FakeDriver register(FakeDriver driver) {
    return driver.kernel(
        "sight_margins",
        Struct.bytes(SightArguments.class),
        (_, struct) -> margins(Struct.read(struct, SightArguments.class)));
  }

  private static void margins(SightArguments a) {
    float[] heights = floats(a.heights(), a.rows() * a.columns());
    for (int i = 0; i < heights.length; i++) {
      heights[i] = valid(heights[i]);
    }
    HeightGrid grid = new HeightGrid(a.rows(), a.columns(), heights);
    SightPaths paths = new SightPaths(a.curvature(), a.zone());
    float[] fields = floats(a.paths(), (int) a.count() * SightPaths.FIELDS);
    for (int path = 0; path < a.count(); path++) {
      int at = path * SightPaths.FIELDS;
      paths.add(
          new float[] {fields[at], fields[at + 1], fields[at + 2]},
          new float[] {fields[at + 3], fields[at + 4], fields[at + 5]},
          fields[at + 6],
          fields[at + 7],
          fields[at + 8]);
      GpuMemory.set(
          a.margins() + (long) Float.BYTES * path,
          Float.floatToRawIntBits(paths.margin(grid, path)));
    }
  }

  /** Returns a height that a grid accepts: another thread may write to the array of a survey. */
  private static float valid(float height) {
    return Math.abs(height) <= HeightGrid.VOID ? height : HeightGrid.VOID;
  }

  private static float[] floats(long address, int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = Float.intBitsToFloat(int32(address + (long) Float.BYTES * i));
    }
    return floats;
  }
}
