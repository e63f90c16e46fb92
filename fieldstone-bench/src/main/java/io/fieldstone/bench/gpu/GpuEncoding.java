package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Encodes many resident segments, into device memory and into main memory. */
final class GpuEncoding implements Section {

  private static final long MANY_BYTES = 2L << 30;
  private static final long LONG_BYTES = 512L << 20;
  private static final long HOST_BYTES = 1L << 30;

  private static final String DRAWN = "coefficients drawn";
  private static final String GIVEN = "coefficients given";

  private final GpuRun gpuRun;

  GpuEncoding(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return 3;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "encoding",
            "Encoding resident segments, m = n",
            "segments × (n, k)",
            "to",
            "drawn, GB/s",
            "given, GB/s",
            "drawn, T GF-MAC/s",
            "given, T GF-MAC/s",
            "tensor ceiling, T GF-MAC/s",
            "drawn, of the tensor ceiling",
            "drawn, of the bus, down");
    row(table, run, gpuRun.batch(128, 4096, MANY_BYTES), true);
    row(table, run, gpuRun.batch(1024, 2048, LONG_BYTES), true);
    row(table, run, gpuRun.batch(128, 4096, HOST_BYTES), false);
    return List.of(
        table
            .note(
                "GB/s of coded bytes. Given coefficients are in pinned memory and cross the bus"
                    + " with every call; the GPU draws others from a seed.")
            .note(
                "The ceiling is that of the plain form with 64 bit products per GF-MAC; a form with"
                    + " fewer may pass it.")
            .build());
  }

  private OptionalDouble ceiling() {
    OptionalDouble giga = gpuRun.ceilings().tensorRate();
    return giga.isPresent() ? OptionalDouble.of(giga.getAsDouble() / 1e3) : giga;
  }

  private void row(Table.Builder table, Run run, Batch batch, boolean isResident) {
    Results results =
        run.compare(
            "encode " + batch + (isResident ? "" : " to the host"),
            loads -> candidates(batch, isResident, loads));
    OptionalDouble gigabytes =
        results.of(DRAWN, measurement -> batch.gigabytes(measurement.medianRate()));
    OptionalDouble teraMacs = results.of(DRAWN, measurement -> measurement.medianRate() / 1e3);
    table.row(
        Cell.of(batch.toString()),
        Cell.of(isResident ? "the GPU" : "main memory"),
        Cell.of(gigabytes),
        results.cell(GIVEN, measurement -> batch.gigabytes(measurement.medianRate())),
        Cell.of(teraMacs),
        results.cell(GIVEN, measurement -> measurement.medianRate() / 1e3),
        Cell.of(ceiling()),
        Cell.ratio(teraMacs, ceiling()),
        isResident ? Cell.empty() : Cell.ratio(gigabytes, gpuRun.ceilings().download()));
  }

  private List<Candidate> candidates(Batch batch, boolean isResident, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    gpuRun
        .engines()
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad load = loads.register(new BatchLoad(gpu, batch));
          if (isResident) {
            candidates.add(load.resident(DRAWN, load.drawn()));
            candidates.add(load.resident(GIVEN, load.given()));
          } else {
            candidates.add(load.toHost(DRAWN, load.drawn()));
            candidates.add(load.toHost(GIVEN, load.given()));
          }
        });
    return candidates;
  }
}
