package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.ProductLoad;
import io.fieldstone.bench.coding.ProductLoad.CoefficientKind;
import io.fieldstone.bench.measure.BenchEngines;
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
import java.util.Map;

/** Measures Sec. V-C, Fig. 7: tables against the loop. */
final class NucleiTables implements Section {

  private static final List<Integer> SIZES = List.of(1024, 4096, 16384);
  private static final int BLOCKS = 128;

  /** Coded blocks of a product, enough to share the preprocessing as in use. */
  private static final int CODED_BLOCKS = 16;

  private static final long BATCH_BYTES = 64L << 20;

  private static final String LOOP = "word loop";
  private static final String TABLES = "tables";
  private static final String LOG_TABLES = "log-domain tables";
  private static final String LANE_TABLES = "tables, a copy per lane";
  private static final String LANE_LOG_TABLES = "log-domain tables, a copy per lane";
  private static final String VECTOR_LOOP = "loop with 16-byte vectors";
  private static final String FASTEST = "fastest";
  private static final String ON_GPU = ", GPU";

  private final BenchEngines engines;

  NucleiTables(BenchEngines engines) {
    this.engines = engines;
  }

  @Override
  public int steps() {
    return SIZES.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder cores = table("figure-7", "1 thread", VECTOR_LOOP, "fastest / " + VECTOR_LOOP);
    Table.Builder gpu = table("figure-7-gpu", "GPU");
    Table.Builder lanes =
        Table.named(
            "figure-7-lanes",
            "Sec. V-C: a copy of the tables per lane, encoding at n = 128, GPU, MB/s",
            "k",
            LANE_TABLES,
            LANE_LOG_TABLES,
            "tables / loop",
            "log-domain / loop");
    for (int k : SIZES) {
      Results results =
          run.compareBriefly("Fig. 7 (128, %d)".formatted(k), loads -> candidates(run, k, loads));
      List<Cell> onCores = row(k, results, "");
      onCores.add(results.cell(VECTOR_LOOP, Measurement::bestMillions));
      onCores.add(Cell.of(results.ratio(FASTEST, VECTOR_LOOP)));
      cores.row(onCores);
      gpu.row(row(k, results, ON_GPU));
      lanes.row(
          Cell.of(k),
          results.cell(LANE_TABLES + ON_GPU, Measurement::bestMillions),
          results.cell(LANE_LOG_TABLES + ON_GPU, Measurement::bestMillions),
          Cell.of(results.ratio(LANE_TABLES + ON_GPU, LOOP + ON_GPU)),
          Cell.of(results.ratio(LANE_LOG_TABLES + ON_GPU, LOOP + ON_GPU)));
    }
    return List.of(
        cores.note("%d coded blocks per product.".formatted(CODED_BLOCKS)).build(),
        gpu.note(
                "Batches of generations with 128 coded blocks each; coefficients are drawn on the"
                    + " GPU, and results are resident.")
            .note(
                "In the paper, plain tables are 30% slower than the loop, log-domain tables 25%"
                    + " faster. The loop is Fig. 4 with (7b); the tables are one copy in shared"
                    + " memory, as in the paper.")
            .build(),
        lanes
            .note(
                "The last step of the paper changes the tables and the access to shared memory, and"
                    + " gives 293 MB/s at n = 128 on a GeForce GTX 280; its text does not say how."
                    + " Here each lane has a copy of the tables in its own bank, so lanes never"
                    + " wait for each other.")
            .build());
  }

  private static Table.Builder table(String name, String device, String... more) {
    List<String> columns =
        new ArrayList<>(
            List.of(
                "k",
                "word loop",
                "tables",
                "log-domain tables",
                "fastest",
                "tables / loop",
                "paper: tables / loop",
                "log-domain / loop",
                "paper: log-domain / loop"));
    columns.addAll(List.of(more));
    return Table.named(
        name,
        "Fig. 7: tables against loop, encoding at n = 128, %s, MB/s".formatted(device),
        columns.toArray(String[]::new));
  }

  private static List<Cell> row(int k, Results results, String device) {
    return new ArrayList<>(
        List.of(
            Cell.of(k),
            results.cell(LOOP + device, Measurement::bestMillions),
            results.cell(TABLES + device, Measurement::bestMillions),
            results.cell(LOG_TABLES + device, Measurement::bestMillions),
            results.cell(FASTEST + device, Measurement::bestMillions),
            Cell.of(results.ratio(TABLES + device, LOOP + device)),
            Cell.of(0.7),
            Cell.of(results.ratio(LOG_TABLES + device, LOOP + device)),
            Cell.of(1.25)));
  }

  private List<Candidate> candidates(Run run, int k, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    int n = run.blocks(BLOCKS);
    int m = Math.min(CODED_BLOCKS, n);
    candidates.add(onCores(loads, LOOP, engines.open("cpu:loop-word", 1), m, n, k));
    candidates.add(onCores(loads, VECTOR_LOOP, engines.open("cpu:loop-vector", 1), m, n, k));
    candidates.add(onCores(loads, TABLES, engines.open("cpu:scalar", 1), m, n, k));
    candidates.add(onCores(loads, LOG_TABLES, engines.open("cpu:table-log", 1), m, n, k));
    candidates.add(onCores(loads, FASTEST, engines.oneCore(), m, n, k));
    Batch batch = Batch.square(n, k, BATCH_BYTES / run.options().pace().shrink(), Long.MAX_VALUE);
    Map<String, String> variants =
        Map.of(
            LOOP, "loop-word-24",
            TABLES, "table-plain",
            LOG_TABLES, "table-log-plain",
            LANE_TABLES, "table",
            LANE_LOG_TABLES, "table-log");
    variants.forEach((name, variant) ->
        engines.gpu(variant).ifPresent(gpu -> candidates.add(onGpu(loads, name, gpu, batch))));
    engines.gpu().ifPresent(gpu -> candidates.add(onGpu(loads, FASTEST, gpu, batch)));
    return candidates;
  }

  private static Candidate onCores(Closer loads, String name, Engine engine, int m, int n, int k) {
    ProductLoad load = loads.register(new ProductLoad(engine, m, n, k, CoefficientKind.RANDOM));
    return load.candidate(name, m).withWork((double) m * k);
  }

  private static Candidate onGpu(Closer loads, String name, Engine engine, Batch batch) {
    BatchLoad load = loads.register(new BatchLoad(engine, batch));
    return load.resident(name + ON_GPU, load.drawn()).withWork(batch.codedBytes());
  }
}
