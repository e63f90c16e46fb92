package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;

/** Measures Sec. V-D: the clients of a streaming server for which one machine can code. */
final class NucleiClients extends TableSection {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  /** The segments on the GPU; the paper states "hundreds of such segments can be accommodated". */
  private static final int SEGMENTS = 512;

  private static final String ONE = "1 thread";
  private static final String ALL = "all threads";
  private static final String RESIDENT = "GPU";
  private static final String TO_HOST = "GPU to the host";

  private final BenchEngines engines;

  NucleiClients(BenchEngines engines) {
    super("Sec. V-D (128, 4096)");
    this.engines = engines;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
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

  @Override
  public Table table(Run run, Results results) {
    return Table.named(
            "clients",
            "Sec. V-D: clients of 768 kbit/s that one server can code for at (128, 4096)",
            "server",
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
                + " alone. The row of main memory bounds what a server can send. Clients that a"
                + " server has served over a network are in the report of bench net.")
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
