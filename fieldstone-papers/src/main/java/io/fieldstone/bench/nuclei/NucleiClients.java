package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.measure.StepListener;
import io.fieldstone.bench.net.NetBenchmark;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.ReportListener;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measures Sec. V-D: the clients that the server of Fieldstone serves at 768 kbit/s, and those for
 * which one machine can code.
 */
final class NucleiClients implements Section {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  /** The segments on the GPU; the paper states "hundreds of such segments can be accommodated". */
  private static final int SEGMENTS = 512;

  /** The section of the benchmark of networks with many clients. */
  private static final String CROWD = "crowd";

  private static final String ONE = "1 thread";
  private static final String ALL = "all threads";
  private static final String RESIDENT = "GPU";
  private static final String TO_HOST = "GPU to the host";

  private final BenchEngines engines;

  NucleiClients(BenchEngines engines) {
    this.engines = engines;
  }

  @Override
  public int steps() {
    return 2;
  }

  @Override
  public List<Part> measure(Run run) {
    Results coding = run.compare("Sec. V-D (128, 4096)", loads -> candidates(run, loads));
    run.beginStep("Sec. V-D, clients of fieldstone serve");
    BenchOptions options = run.options();
    Report served =
        NetBenchmark.run(
            options
                .withSection(CROWD)
                .withStepListener(StepListener.NONE)
                .withReportListener(ReportListener.NONE));
    return List.of(served(served), coded(run, coding));
  }

  private List<Candidate> candidates(Run run, Closer loads) {
    int n = run.blocks(BLOCKS);
    Batch single = new Batch(1, n, n, BLOCK_SIZE);
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(onCores(loads, ONE, engines.oneCore(), single));
    candidates.add(onCores(loads, ALL, engines.cores(), single));
    engines
        .gpu()
        .ifPresent(gpu -> {
          Batch batch = new Batch(run.blocks(SEGMENTS), n, n, BLOCK_SIZE);
          BatchLoad load = loads.register(new BatchLoad(gpu, batch));
          candidates.add(load.resident(RESIDENT, load.drawn()).withWork(batch.codedBytes()));
          candidates.add(load.toHost(TO_HOST, load.drawn()).withWork(batch.codedBytes()));
        });
    return candidates;
  }

  /** Makes a table of the clients that were served, from the report of networks. */
  private static Table served(Report report) {
    Table.Builder table =
        Table.named(
            "clients",
            "Sec. V-D: clients of 768 kbit/s of one server",
            "server",
            "clients",
            "served and verified",
            "would have stalled",
            "cores of the server",
            "clients per core of the server");
    table.row(
        Cell.of("paper: " + GPU + ", computed"),
        Cell.of(NucleiPaper.CLIENTS),
        Cell.empty(),
        Cell.empty(),
        Cell.empty(),
        Cell.empty());
    for (Table crowd : report.tables()) {
      if (crowd.name().equals(CROWD)) {
        for (List<Cell> row : crowd.rows()) {
          Cell served = row.get(crowd.columns().indexOf("complete and verified"));
          Cell cores = row.get(crowd.columns().indexOf("server, s / time of playing"));
          table.row(
              Cell.of("here: fieldstone serve"),
              row.get(crowd.columns().indexOf("receivers")),
              served,
              row.get(crowd.columns().indexOf("would have stalled")),
              cores,
              Cell.ratio(figure(served), figure(cores)));
        }
      }
    }
    return table
        .note(
            "The server of \"fieldstone serve\" and all clients run here, over QUIC on the loopback"
                + " interface. Each client decodes and verifies a video, and would have stalled if"
                + " a byte came later than its player needs it: \"bench net --section crowd\".")
        .note(
            "Where nothing is lost, the server sends source blocks and codes few. The paper's"
                + " server codes every block; its clients are its coding rate divided by the rate"
                + " of a client.")
        .build();
  }

  private static OptionalDouble figure(Cell cell) {
    return cell instanceof Cell.Figure(double value)
        ? OptionalDouble.of(value)
        : OptionalDouble.empty();
  }

  private Table coded(Run run, Results results) {
    return Table.named(
            "coding-for-clients",
            "Sec. V-D: clients of 768 kbit/s that one machine can code for at (128, 4096)",
            "coding on",
            "coded MB/s",
            "clients")
        .row(
            Cell.of("paper: " + GPU),
            Cell.of(NucleiPaper.CLIENTS * NucleiPaper.CLIENT_RATE / 1e6),
            Cell.of(NucleiPaper.CLIENTS))
        .row(row("here: 1 thread", results, ONE))
        .row(row("here: %d threads".formatted(engines.threads()), results, ALL))
        .row(row("here: GPU, coded blocks in main memory", results, TO_HOST))
        .row(row("here: GPU, coded blocks on the GPU", results, RESIDENT))
        .note(
            "Coding only, without a network, as in the paper. The MB/s of the paper are computed"
                + " from its clients.")
        .note(
            "Coded blocks that stay on the GPU serve no client: that row is the rate of the kernel"
                + " alone. The row of main memory bounds what a server can send.")
        .note(
            "The GPU makes 128 coded blocks of each of %d segments at a time, the cores of one."
                .formatted(run.blocks(SEGMENTS)))
        .build();
  }

  private static Candidate onCores(Closer loads, String name, Engine engine, Batch batch) {
    BatchLoad load = loads.register(new BatchLoad(engine, batch));
    return load.toHost(name, load.given()).withWork(batch.codedBytes());
  }

  private static List<Cell> row(String server, Results results, String candidate) {
    return List.of(
        Cell.of(server),
        results.cell(candidate, Measurement::bestMillions),
        results.cell(
            candidate,
            measurement -> Math.floor(measurement.bestRate() * 1e9 / NucleiPaper.CLIENT_RATE)));
  }
}
