package io.fieldstone.cpu.terrain;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.concurrent.Tiered;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import java.util.function.Supplier;

/** Implements the port for lines of sight on the cores, with vectors once they are compiled. */
public final class CpuLinesOfSight implements LinesOfSight, AutoCloseable {

  /** The number of paths that a thread takes at once. */
  private static final int TASK_PATHS = 64;

  /** The number of samples from which vectors are compiled: about 0.1 s of a core. */
  private static final double MIN_SAMPLES = 2e7;

  private final TaskPool workers;
  private final Tiered<SightKernel> kernels;
  private final boolean hasVectors;

  /**
   * Makes the port.
   *
   * @param hasVectors false for the oracle, and where vectors are not compiled
   */
  public CpuLinesOfSight(TaskPool workers, boolean hasVectors) {
    this.workers = workers;
    this.hasVectors = hasVectors;
    Supplier<SightKernel> vectors = hasVectors ? VectorSight::new : () -> SightKernel.SCALAR;
    this.kernels =
        new Tiered<>(
            "lines of sight one sample at a time",
            SightKernel.SCALAR,
            vectors.get(),
            1,
            MIN_SAMPLES,
            Trial::new);
  }

  @Override
  public SightSurvey survey(HeightGrid grid) {
    workers.requireOpen();
    return new Survey(grid);
  }

  @Override
  public void close() {
    kernels.close();
  }

  private final class Survey implements SightSurvey {
    private final HeightGrid grid;

    Survey(HeightGrid grid) {
      this.grid = grid;
    }

    @Override
    public float[] margins(SightPaths paths) {
      workers.requireOpen();
      paths.requireInside(grid);
      int count = paths.count();
      float[] margins = new float[count];
      if (hasVectors && !kernels.isCompiled()) {
        kernels.current((double) paths.samples());
      }
      workers.forEach(
          Math.ceilDiv(count, TASK_PATHS),
          task ->
              kernels
                  .current()
                  .margins(
                      grid,
                      paths,
                      task * TASK_PATHS,
                      Math.min(count, (task + 1) * TASK_PATHS),
                      margins));
      return margins;
    }

    @Override
    public void close() {}
  }

  /** Paths across a small grid. */
  private static final class Trial implements Tiered.Trial<SightKernel> {
    private static final int SIDE = 256;
    private static final int PATHS = 64;

    private final HeightGrid grid = new HeightGrid(SIDE, SIDE, new float[SIDE * SIDE]);
    private final SightPaths paths = new SightPaths(1e-7, 0.1);
    private final float[] margins = new float[PATHS];

    Trial() {
      for (int i = 0; i < PATHS; i++) {
        float place = i * (SIDE - 1f) / PATHS;
        paths.add(
            new float[] {0, place, 1},
            new float[] {SIDE - 1f, SIDE - 1 - place, 1},
            0,
            0,
            SIDE * 30f);
      }
    }

    @Override
    public void callLoops(SightKernel kernel) {
      kernel.margins(grid, paths, 0, 1, margins);
    }

    @Override
    public void run(SightKernel kernel) {
      kernel.margins(grid, paths, 0, PATHS, margins);
    }
  }
}
