package io.fieldstone.cuda.terrain;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.cuda.transfer.CudaResidentBytes;
import io.fieldstone.engine.terrain.HeightGrid;
import io.fieldstone.engine.terrain.LinesOfSight;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Computes lines of sight on a GPU, which keeps the grid during a survey. Thread-safe. */
public record CudaLinesOfSight(Gpu gpu) implements LinesOfSight {

  private static final String FILE = "sight";
  private static final int THREADS = 256;
  private static final int WARP = 32;
  private static final int WAVES = 16;

  /** The number of paths of a launch. */
  private static final int BATCH = 1 << 16;

  @Override
  public SightSurvey survey(HeightGrid grid) {
    long bytes = (long) Float.BYTES * grid.heights().length;
    CudaResidentBytes heights =
        gpu.call(
            () -> "load %d×%d heights".formatted(grid.rows(), grid.columns()),
            () -> CudaResidentBytes.allocate(gpu, bytes));
    try {
      heights.store(0, MemorySegment.ofArray(grid.heights()));
      GridStrideKernel kernel =
          gpu.call(
              () -> "load " + FILE,
              () -> gpu.modules().kernel(FILE, "sight_margins", THREADS, 0, WAVES));
      return new Survey(gpu, grid, heights, kernel);
    } catch (RuntimeException | Error e) {
      heights.close();
      throw e;
    }
  }

  private static final class Survey implements SightSurvey {
    private final Gpu gpu;
    private final HeightGrid grid;
    private final CudaResidentBytes heights;
    private final GridStrideKernel kernel;
    private final ScratchLayout scratch = new ScratchLayout();
    private final long fieldsOnDevice;
    private final long marginsOnDevice;
    private final long fieldsOnHost;
    private final long marginsOnHost;

    Survey(Gpu gpu, HeightGrid grid, CudaResidentBytes heights, GridStrideKernel kernel) {
      this.gpu = gpu;
      this.grid = grid;
      this.heights = heights;
      this.kernel = kernel;
      long fieldBytes = (long) BATCH * SightPaths.FIELDS * Float.BYTES;
      long marginBytes = (long) BATCH * Float.BYTES;
      this.fieldsOnDevice = scratch.device(fieldBytes);
      this.marginsOnDevice = scratch.device(marginBytes);
      this.fieldsOnHost = scratch.pinned(fieldBytes);
      this.marginsOnHost = scratch.pinned(marginBytes);
    }

    @Override
    public float[] margins(SightPaths paths) {
      paths.requireInside(grid);
      float[] margins = new float[paths.count()];
      if (margins.length == 0) {
        gpu.requireOpen();
        return margins;
      }
      gpu.run(
          () -> "compute %d lines of sight".formatted(margins.length),
          () ->
              heights.useAddress(address ->
                  gpu.streams()
                      .useOne(
                          scratch,
                          slot -> {
                            for (int first = 0; first < margins.length; first += BATCH) {
                              compute(slot, address, paths, first, margins);
                            }
                          })));
      return margins;
    }

    private void compute(
        StreamSlot slot, long address, SightPaths paths, int first, float[] margins) {
      int count = Math.min(BATCH, margins.length - first);
      int fields = count * SightPaths.FIELDS;
      MemorySegment input = slot.pinned(fieldsOnHost, (long) fields * Float.BYTES);
      MemorySegment.copy(
          paths.fields(), first * SightPaths.FIELDS, input, ValueLayout.JAVA_FLOAT, 0, fields);
      slot.stream().upload(input, slot.device(fieldsOnDevice));
      new SightArguments(
              address,
              slot.device(fieldsOnDevice),
              slot.device(marginsOnDevice),
              count,
              grid.rows(),
              grid.columns(),
              paths.curvature(),
              paths.zone())
          .write(slot.arguments());
      kernel.launchThreads(slot, (long) count * WARP);
      MemorySegment output = slot.pinned(marginsOnHost, (long) count * Float.BYTES);
      slot.stream().download(slot.device(marginsOnDevice), output);
      slot.await();
      MemorySegment.copy(output, ValueLayout.JAVA_FLOAT, 0, margins, first, count);
    }

    @Override
    public void close() {
      heights.close();
    }
  }
}
