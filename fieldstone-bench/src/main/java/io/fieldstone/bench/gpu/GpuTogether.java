package io.fieldstone.bench.gpu;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.SolveLoad;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** Compares an engine of several parts with each part in one run. */
final class GpuTogether implements Section {

  private static final long BATCH_BYTES = 512L << 20;

  private static final String TOGETHER = "together";

  private final GpuRun gpuRun;

  GpuTogether(GpuRun gpuRun) {
    this.gpuRun = gpuRun;
  }

  /** A job for one engine. */
  private record Job(String words, Batch batch, Maker maker) {}

  /** Makes the candidate of a job; its resources are open until {@code loads} is closed. */
  private interface Maker {
    Candidate make(Closer loads, Engine engine, Batch batch, String name);
  }

  private List<Job> jobs() {
    Batch many = gpuRun.batch(128, 4096, BATCH_BYTES);
    Batch few = gpuRun.batch(128, 4096, BATCH_BYTES / 16);
    Batch longer = gpuRun.batch(1024, 2048, BATCH_BYTES);
    return List.of(
        new Job("encode, resident", many, GpuTogether::resident),
        new Job("encode, resident", few, GpuTogether::resident),
        new Job("encode, resident", longer, GpuTogether::resident),
        new Job(
            "decode, resident",
            many,
            (loads, engine, batch, name) -> {
              SolveLoad load = loads.register(new SolveLoad(engine, batch));
              return load.resident(name, load.drawn());
            }),
        new Job(
            "encode to main memory",
            many,
            (loads, engine, batch, name) -> {
              BatchLoad load = loads.register(new BatchLoad(engine, batch));
              return load.toHost(name, load.drawn());
            }),
        new Job(
            "encode, host to host",
            many,
            (loads, engine, batch, name) -> {
              BatchLoad load = loads.register(new BatchLoad(engine, batch));
              return load.hostToHost(name, load.drawn());
            }),
        new Job(
            "decode, host to host",
            many,
            (loads, engine, batch, name) -> {
              SolveLoad load = loads.register(new SolveLoad(engine, batch));
              return load.hostToHost(name, load.drawn());
            }));
  }

  private static Candidate resident(Closer loads, Engine engine, Batch batch, String name) {
    BatchLoad load = loads.register(new BatchLoad(engine, batch));
    return load.resident(name, load.drawn());
  }

  @Override
  public int steps() {
    return gpuRun.engines().gpuParts().isEmpty() ? 0 : jobs().size();
  }

  @Override
  public List<Part> measure(Run run) {
    List<Engine> parts = gpuRun.engines().gpuParts();
    if (parts.isEmpty()) {
      return List.of();
    }
    Engine all = gpuRun.engines().gpu().orElseThrow();
    List<String> columns = new ArrayList<>(List.of("job", "generations × (n, k)"));
    parts.forEach(part -> columns.add(part.spec() + " GB/s"));
    columns.addAll(
        List.of(TOGETHER + " GB/s", "shared", TOGETHER + " / the best alone", TOGETHER + " / sum"));
    Table.Builder table =
        Table.named(
            "together",
            "Parts alone and together, coefficients drawn",
            columns.toArray(String[]::new));
    for (Job job : jobs()) {
      table.row(row(run, job, parts, all));
    }
    return List.of(
        table
            .note(
                "GB/s of coded or decoded bytes. Shared: the shares of the last job that was cut.")
            .build());
  }

  private static List<Cell> row(Run run, Job job, List<Engine> parts, Engine all) {
    Results results =
        run.compare(
            "%s %s".formatted(job.words(), job.batch()),
            loads -> {
              List<Candidate> candidates = new ArrayList<>();
              for (Engine part : parts) {
                candidates.add(job.maker().make(loads, part, job.batch(), part.spec()));
              }
              candidates.add(job.maker().make(loads, all, job.batch(), TOGETHER));
              return candidates;
            });
    List<Cell> cells =
        new ArrayList<>(List.of(Cell.of(job.words()), Cell.of(job.batch().toString())));
    double best = 0;
    double sum = 0;
    for (Engine part : parts) {
      double rate = rate(results, part.spec()).orElse(0);
      best = Math.max(best, rate);
      sum += rate;
      cells.add(cell(results, part.spec(), job.batch()));
    }
    OptionalDouble together = rate(results, TOGETHER);
    cells.add(cell(results, TOGETHER, job.batch()));
    String words = all.summary();
    int at = words.lastIndexOf("shared ");
    cells.add(at < 0 ? Cell.empty() : Cell.of(words.substring(at + "shared ".length())));
    cells.add(together.isPresent() ? Cell.of(together.getAsDouble() / best) : Cell.empty());
    cells.add(together.isPresent() ? Cell.of(together.getAsDouble() / sum) : Cell.empty());
    return cells;
  }

  private static OptionalDouble rate(Results results, String name) {
    return results.of(name, Measurement::medianRate);
  }

  private static Cell cell(Results results, String name, Batch batch) {
    return results.cell(name, measurement -> batch.gigabytes(measurement.medianRate()));
  }
}
