package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BackgroundLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Measures what Sec. I states of background tasks: they vary coding on the cores by up to 9%, and
 * leave coding on the GPU as it is.
 */
final class NucleiBackground extends TableSection {

  private static final int BLOCKS = 128;
  private static final int BLOCK_SIZE = 4096;

  /** Generations of a product on the cores, and on the GPU; a run takes some milliseconds. */
  private static final int CORES_GENERATIONS = 64;

  private static final int GPU_GENERATIONS = 1024;
  private static final double PERCENT = 100;

  private static final String CORES = "cores";
  private static final String RESIDENT = "GPU";
  private static final String TO_HOST = "GPU to the host";

  private final BenchEngines engines;

  /** The numbers of busy threads, ascending. */
  private final List<Integer> loads;

  NucleiBackground(BenchEngines engines) {
    super("Sec. I, background load (128, 4096)");
    this.engines = engines;
    this.loads =
        Stream.of(0, Math.ceilDiv(engines.threads(), 2), engines.threads()).distinct().toList();
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loader) {
    BackgroundLoad background = loader.register(new BackgroundLoad(engines.threads()));
    List<Candidate> candidates = new ArrayList<>();
    Batch onCores = batch(run, CORES_GENERATIONS);
    BatchLoad cores = loader.register(new BatchLoad(engines.cores(), onCores));
    add(candidates, background, cores.toHost(CORES, cores.drawn()), onCores);
    engines
        .gpu()
        .ifPresent(gpu -> {
          Batch onGpu = batch(run, GPU_GENERATIONS);
          BatchLoad load = loader.register(new BatchLoad(gpu, onGpu));
          add(candidates, background, load.resident(RESIDENT, load.drawn()), onGpu);
          add(candidates, background, load.toHost(TO_HOST, load.drawn()), onGpu);
        });
    return candidates;
  }

  private static Batch batch(Run run, int generations) {
    int n = run.blocks(BLOCKS);
    return new Batch(run.blocks(generations), n, n, BLOCK_SIZE);
  }

  /** Adds a candidate for each load, which is set before each run. */
  private void add(
      List<Candidate> candidates, BackgroundLoad background, Candidate work, Batch batch) {
    for (int load : loads) {
      candidates.add(
          new Candidate(
              name(work.name(), load),
              batch.codedBytes(),
              Optional.of(() -> background.set(load)),
              work.body()));
    }
  }

  private static String name(String work, int load) {
    return "%s, %d busy threads".formatted(work, load);
  }

  @Override
  public Table table(Run run, Results results) {
    List<String> columns = new ArrayList<>(List.of("coding on"));
    loads.forEach(load -> columns.add("%d busy threads, MB/s".formatted(load)));
    loads.stream().skip(1).forEach(load -> columns.add("%d: less by, %%".formatted(load)));
    Table.Builder table =
        Table.named(
            "background",
            "Sec. I: encoding (128, 4096) beside background load on the cores",
            columns.toArray(String[]::new));
    table.row(row("the cores, %d threads".formatted(engines.threads()), results, CORES));
    table.row(row("the GPU, coded blocks on the GPU", results, RESIDENT));
    table.row(row("the GPU, coded blocks in main memory", results, TO_HOST));
    return table
        .note(
            "Medians of samples in turns. A busy thread writes 1 MiB of its own memory again and"
                + " again.")
        .note(
            "The paper, of tasks that it does not name: variations of up to 9% on 8 cores, and none"
                + " on the GPU.")
        .build();
  }

  private List<Cell> row(String device, Results results, String work) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(device)));
    loads.forEach(load -> cells.add(results.cell(name(work, load), Measurement::medianMillions)));
    loads.stream()
        .skip(1)
        .forEach(load -> {
          OptionalDouble ratio = results.medianRatio(name(work, load), name(work, 0));
          cells.add(
              ratio.isPresent() ? Cell.of(PERCENT * (1 - ratio.getAsDouble())) : Cell.empty());
        });
    return cells;
  }
}
