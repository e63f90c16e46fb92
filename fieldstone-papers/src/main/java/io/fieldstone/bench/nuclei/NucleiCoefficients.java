package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.CODED_BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.measure.ThreadTeam;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.engine.coding.RandomCoefficients;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures Sec. IV-E3: random coefficients, drawn on the cores or on the engine that multiplies by
 * them.
 */
final class NucleiCoefficients extends TableSection {

  private static final String ONE = "1 thread";
  private static final String ALL = "all threads";
  private static final String DRAWN = "GPU, drawn";
  private static final String GIVEN = "GPU, given";

  /** Bytes of a block of the product that draws: little work beside the coefficients. */
  private static final int NARROW = 16;

  private static final double BYTES = (double) CODED_BLOCKS * BLOCKS;
  private static final double PAPER_MILLIS = 1.61;
  private static final double PAPER_CPU_MILLIS = 16.1;

  private final BenchEngines engines;

  NucleiCoefficients(BenchEngines engines) {
    super("coefficients 7168 × 1024");
    this.engines = engines;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    int rows = run.blocks(CODED_BLOCKS);
    RandomCoefficients draws = new RandomCoefficients(1, 0, 0, 0, 1, rows, BLOCKS);
    Arena arena = loads.register(Arena.ofShared());
    ThreadTeam team = loads.register(new ThreadTeam(engines.threads()));
    ByteMatrices target = ByteMatrices.of(arena.allocate((long) rows * BLOCKS, 64), rows, BLOCKS);
    double bytes = target.data().byteSize();
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(new Candidate(ONE, bytes, () -> draws.write(target)));
    candidates.add(
        new Candidate(
            ALL,
            bytes,
            team.onAll(thread -> {
              int from = (int) ((long) rows * thread / team.threads());
              int to = (int) ((long) rows * (thread + 1) / team.threads());
              draws.rows(from, to - from).write(target.rows(from, to - from));
            })));
    engines
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad load = loads.register(new BatchLoad(gpu, new Batch(1, rows, BLOCKS, NARROW)));
          candidates.add(load.resident(DRAWN, load.drawn()).withWork(bytes));
          candidates.add(load.resident(GIVEN, load.given()).withWork(bytes));
        });
    return candidates;
  }

  @Override
  public Table table(Run run, Results results) {
    int threads = engines.threads();
    return Table.named(
            "coefficients",
            "Sec. IV-E3: 7168 × 1024 random coefficients, milliseconds",
            "generator",
            "ms",
            "GB/s")
        .row(paper("paper: " + GPU + ", hundreds of generators", PAPER_MILLIS))
        .row(paper("paper: its CPU, \"ten times\" the time", PAPER_CPU_MILLIS))
        .row(measured("here: Philox4x32-10, 1 thread", results, ONE))
        .row(measured("here: Philox4x32-10, %d threads".formatted(threads), results, ALL))
        .row(measured("here: GPU, Philox4x32-10 and a narrow product", results, DRAWN))
        .row(measured("here: GPU, from main memory and the same product", results, GIVEN))
        .note(
            ("The GPU draws coefficients only to multiply by them. Its time includes a product with"
                    + " blocks of %d bytes, and so is an upper bound.")
                .formatted(NARROW))
        .build();
  }

  private static List<Cell> paper(String generator, double millis) {
    return List.of(Cell.of(generator), Cell.of(millis), Cell.of(BYTES / millis / 1e6));
  }

  private static List<Cell> measured(String generator, Results results, String candidate) {
    return List.of(
        Cell.of(generator),
        results.cell(candidate, measurement -> BYTES / measurement.bestRate() / 1e6),
        results.cell(candidate, Measurement::bestRate));
  }
}
