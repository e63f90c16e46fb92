package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Encoding of many resident segments, to where they are and to main memory. */
final class GpuEncoding implements Section {

  private static final long MANY_BYTES = 2L << 30;
  private static final long LONG_BYTES = 512L << 20;
  private static final long HOST_BYTES = 1L << 30;

  private static final String DRAWN = "coefficients drawn there";
  private static final String GIVEN = "coefficients given";

  private final GpuRun gpuRun;

  GpuEncoding(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  @Override
  public int steps() {
    return gpuRun.lineup().hasGpu() ? 3 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "encoding",
            "Encoding resident segments, as many coded as source blocks",
            "segments × (n, k)",
            "to",
            "drawn there GB/s",
            "given GB/s",
            "drawn there T GF-MAC/s",
            "given T GF-MAC/s",
            "ceiling T GF-MAC/s",
            "share of it, drawn there");
    Batch many = gpuRun.batch(128, 4096, MANY_BYTES);
    Results results = results(run, many, true);
    row(table, many, "the GPU", results);
    gpuRun
        .goals()
        .add(
            Goals.Goal.rate(
                "encode, resident, (128, 4096), %d segments".formatted(many.count()),
                "GB/s",
                gigabytes(results, many),
                700));
    gpuRun
        .goals()
        .add(
            Goals.Goal.ratio(
                "the same",
                "T GF-MAC/s",
                tera(results),
                "tensor ceiling, 64 bit products",
                ceiling(),
                0.74));
    Batch longer = gpuRun.batch(1024, 2048, LONG_BYTES);
    results = results(run, longer, true);
    row(table, longer, "the GPU", results);
    gpuRun
        .goals()
        .add(
            Goals.Goal.rate("encode, resident, (1024, 2048)", "T GF-MAC/s", tera(results), 100)
                .beside("tensor ceiling, 64 bit products", ceiling()));
    Batch toHost = gpuRun.batch(128, 4096, HOST_BYTES);
    results = results(run, toHost, false);
    row(table, toHost, "main memory", results);
    gpuRun
        .goals()
        .add(
            Goals.Goal.ratio(
                "encode to pinned main memory, (128, 4096)",
                "GB/s",
                gigabytes(results, toHost),
                "bus, down",
                gpuRun.limits().download(),
                0.95));
    return List.of(
        table
            .note(
                "GB/s of coded bytes. Given coefficients are in pinned memory and cross the bus"
                    + " with every call; drawn ones come from a seed.")
            .note(
                "The ceiling is that of the plain form with 64 bit products a GF-MAC; a form with"
                    + " fewer may pass it.")
            .build());
  }

  private OptionalDouble ceiling() {
    OptionalDouble giga = gpuRun.limits().tensorRate();
    return giga.isPresent() ? OptionalDouble.of(giga.getAsDouble() / 1e3) : giga;
  }

  private static OptionalDouble gigabytes(Results results, Batch batch) {
    return results.of(DRAWN, one -> batch.gigabytes(one.medianRate()));
  }

  private static OptionalDouble tera(Results results) {
    return results.of(DRAWN, one -> one.medianRate() / 1e3);
  }

  private void row(Table.Builder table, Batch batch, String to, Results results) {
    table.row(
        Cell.of(batch.toString()),
        Cell.of(to),
        results.cell(DRAWN, one -> batch.gigabytes(one.medianRate())),
        results.cell(GIVEN, one -> batch.gigabytes(one.medianRate())),
        results.cell(DRAWN, one -> one.medianRate() / 1e3),
        results.cell(GIVEN, one -> one.medianRate() / 1e3),
        Cell.of(ceiling()),
        gpuRun.limits().tensorRate().isPresent()
            ? results.cell(
                DRAWN, one -> one.medianRate() / gpuRun.limits().tensorRate().getAsDouble())
            : Cell.empty());
  }

  private Results results(Run run, Batch batch, boolean isResident) {
    Optional<Engine> gpu = gpuRun.lineup().gpu();
    if (gpu.isEmpty()) {
      return new Results(List.of());
    }
    List<Candidate> candidates = new ArrayList<>();
    try (BatchLoad load = new BatchLoad(gpu.get(), batch)) {
      if (isResident) {
        candidates.add(load.resident(DRAWN, load.drawn()));
        candidates.add(load.resident(GIVEN, load.given()));
      } else {
        candidates.add(load.toHost(DRAWN, load.drawn()));
        candidates.add(load.toHost(GIVEN, load.given()));
      }
      return run.results("encode " + batch + (isResident ? "" : " to the host"), candidates);
    }
  }
}
