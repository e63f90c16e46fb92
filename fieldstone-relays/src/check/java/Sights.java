import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import java.lang.ProcessHandle.Info;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Computes the margins of all pairs of 1,000 random sites on made hills, 3601 × 3601 heights a
 * second apart, with the engines of the arguments. Prints the elapsed and the processor time of
 * three calls, and a digest of the margins, which is that of all engines.
 */
final class Sights {
  private static final int SIDE = 3601;
  private static final int SITES = 1_000;
  private static final int CALLS = 3;

  /** Metres between the heights, 60 % of the first Fresnel zone at 868 MHz, and 4/3 earth. */
  private static final double SPACING = 30.9;

  private static final double ZONE = 0.36 * 299_792_458 / 868e6;
  private static final double CURVATURE = 1 / (2 * 4 / 3.0 * 6_371_000);

  private Sights() {}

  public static void main(String[] names) {
    HeightGrid grid = hills();
    SightPaths paths = paths(grid);
    System.out.printf("%,d paths, %,d samples%n", paths.count(), paths.samples());
    for (String name : names) {
      try (Engine engine =
          Engine.open(name, new EngineOptions(Runtime.getRuntime().availableProcessors()))) {
        for (int call = 0; call < CALLS; call++) {
          Duration before = processorTime();
          long start = System.nanoTime();
          float[] margins;
          try (SightSurvey survey = engine.linesOfSight().survey(grid)) {
            margins = survey.margins(paths);
          }
          double elapsed = (System.nanoTime() - start) / 1e9;
          double used = processorTime().minus(before).toNanos() / 1e9;
          System.out.printf(
              "%-12s %7.2f s, %7.2f s of processor time, %08x%n",
              name, elapsed, used, Arrays.hashCode(margins));
        }
      }
    }
  }

  private static Duration processorTime() {
    Info info = ProcessHandle.current().info();
    return info.totalCpuDuration().orElse(Duration.ZERO);
  }

  private static HeightGrid hills() {
    float[] heights = new float[SIDE * SIDE];
    for (int i = 0; i < heights.length; i++) {
      double row = i / SIDE;
      double column = i % SIDE;
      heights[i] =
          (float)
              (400
                  + 200 * Math.sin(row / 91) * Math.cos(column / 117)
                  + 60 * Math.sin(row / 13 + column / 29));
    }
    return new HeightGrid(SIDE, SIDE, heights);
  }

  /** Returns the paths of all pairs, 10 m above the ground. */
  private static SightPaths paths(HeightGrid grid) {
    SplittableRandom random = new SplittableRandom(1);
    float[][] sites = new float[SITES][];
    for (int site = 0; site < SITES; site++) {
      float row = (float) random.nextDouble(SIDE - 1);
      float column = (float) random.nextDouble(SIDE - 1);
      sites[site] = new float[] {row, column, grid.at(row, column) + 10};
    }
    SightPaths paths = new SightPaths(CURVATURE, ZONE);
    for (int a = 0; a < SITES; a++) {
      for (int b = 0; b < a; b++) {
        double length = SPACING * Math.hypot(sites[a][0] - sites[b][0], sites[a][1] - sites[b][1]);
        paths.add(sites[a], sites[b], 0, 0, (float) length);
      }
    }
    return paths;
  }
}
