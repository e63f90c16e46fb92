package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.List;

/** Measures every kernel that has a name, on the same data. */
final class GpuKernels implements Section {

  private static final long BATCH_BYTES = 64L << 20;

  private final GpuRun gpuRun;

  GpuKernels(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return gpuRun.engines().hasGpu() ? 2 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    if (!gpuRun.engines().hasGpu()) {
      return List.of();
    }
    Batch many = gpuRun.batch(128, 4096, BATCH_BYTES);
    Batch longer = gpuRun.batch(1024, 2048, BATCH_BYTES);
    List<Engine> engines = gpuRun.engines().gpuKernels();
    Results ofMany = results(run, engines, many);
    Results ofLonger = results(run, engines, longer);
    Table.Builder table =
        Table.named(
            "kernels",
            "Kernels by name: encoding resident segments to resident blocks",
            "engine",
            "%s GB/s".formatted(many),
            "%s GB/s".formatted(longer),
            "%s T GF-MAC/s".formatted(many),
            "%s T GF-MAC/s".formatted(longer));
    for (Engine engine : engines) {
      String spec = engine.spec();
      table.row(
          Cell.of(spec),
          ofMany.cell(spec, measurement -> many.gigabytes(measurement.medianRate())),
          ofLonger.cell(spec, measurement -> longer.gigabytes(measurement.medianRate())),
          ofMany.cell(spec, measurement -> measurement.medianRate() / 1e3),
          ofLonger.cell(spec, measurement -> measurement.medianRate() / 1e3));
    }
    return List.of(
        table
            .note(
                "Coefficients are drawn on the GPU. A call has less work here than in the tables"
                    + " above.")
            .build());
  }

  private static Results results(Run run, List<Engine> engines, Batch batch) {
    return run.compareBriefly(
        "kernels " + batch,
        loads ->
            engines.stream()
                .map(engine -> {
                  BatchLoad load = loads.register(new BatchLoad(engine, batch));
                  return load.resident(engine.spec(), load.drawn());
                })
                .toList());
  }
}
