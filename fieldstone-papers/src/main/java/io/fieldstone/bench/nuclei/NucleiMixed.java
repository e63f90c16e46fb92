package io.fieldstone.bench.nuclei;

import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.BLOCK_SIZE;
import static io.fieldstone.bench.nuclei.NucleiPaper.CODED_BLOCKS;
import static io.fieldstone.bench.nuclei.NucleiPaper.CPU;
import static io.fieldstone.bench.nuclei.NucleiPaper.GPU;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Measures Sec. IV-E2: cores and GPU encode together, with a share α of the work on the GPU. */
final class NucleiMixed implements Section {

  /**
   * A share of the GPU.
   *
   * @param words its name in the table
   * @param alpha the share; NaN if the engine measures it
   * @param paperMillis the time that the paper states; NaN if none
   * @param paperMachine the hardware of that time
   */
  private record Share(String words, double alpha, double paperMillis, String paperMachine) {

    static Share of(String words) {
      return of(words, Double.NaN, "");
    }

    static Share of(String words, double paperMillis, String paperMachine) {
      return new Share(words, Double.parseDouble(words), paperMillis, paperMachine);
    }

    /** Returns whether one of the two does all the work. */
    boolean isAlone() {
      return alpha == 0 || alpha == 1;
    }

    /** Opens the engine with this share. */
    Optional<Engine> engine(BenchEngines engines, String split) {
      if (alpha == 0) {
        return Optional.of(engines.cores());
      }
      if (alpha == 1) {
        return engines.gpu();
      }
      return engines.gpuAndCores("@" + split + (Double.isNaN(alpha) ? "" : "=" + words));
    }

    String candidate(String split) {
      return words + " by " + split;
    }
  }

  private static final List<Share> SHARES =
      List.of(
          Share.of("0", 2157, CPU),
          Share.of("0.25"),
          Share.of("0.5", 1094, "both"),
          Share.of("0.54", 1000, "both"),
          Share.of("0.75"),
          Share.of("0.9"),
          Share.of("0.95"),
          Share.of("0.98"),
          Share.of("1", 1751, GPU),
          new Share("found by measurement", Double.NaN, Double.NaN, ""));

  private static final String BY_BLOCKS = "rows";
  private static final String IN_PARTS = "columns";

  private final BenchEngines engines;

  NucleiMixed(BenchEngines engines) {
    this.engines = engines;
  }

  @Override
  public int steps() {
    return engines.gpuAndCores().isPresent() ? 1 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "mixed",
            "Sec. IV-E2: GPU and cores together, c = 7168, n = 1024, k = 2048, milliseconds",
            "share of the GPU",
            "paper ms",
            "paper's machine",
            "here, blocks divided, ms",
            "each block in two parts, ms",
            "blocks divided / the better one");
    Results results =
        engines.gpuAndCores().isPresent()
            ? run.compareBriefly("Sec. IV-E2", loads -> candidates(run, loads))
            : new Results(List.of());
    for (Share share : SHARES) {
      table.row(
          Cell.of(share.words),
          Double.isNaN(share.paperMillis) ? Cell.empty() : Cell.of(share.paperMillis),
          Cell.of(share.paperMachine),
          results.cell(share.candidate(BY_BLOCKS), Measurement::bestMillis),
          results.cell(share.candidate(IN_PARTS), Measurement::bestMillis),
          gain(results, share));
    }
    engines
        .gpuAndCores("@" + BY_BLOCKS)
        .ifPresent(engine -> table.note("Found by measurement: " + engine.summary() + "."));
    return List.of(
        table
            .note(
                "From pinned main memory to pinned main memory with given coefficients: all data of"
                    + " the GPU crosses the bus. Share 0 means only the cores, 1 only the GPU."
                    + " Blocks divided: each coded block is made by one of the two. Two parts: each"
                    + " block is cut by columns.")
            .build(),
        new Plot(
            new Chart.Bars(
                "mixed",
                "Nuclei, Sec. IV-E2: encoding by the GPU's share",
                "G GF-MAC/s",
                SHARES.stream().map(Share::words).toList(),
                List.of(
                    series("coded blocks divided", results, BY_BLOCKS),
                    series("each block in two parts", results, IN_PARTS),
                    paper()))));
  }

  private List<Candidate> candidates(Run run, Closer loads) {
    Batch batch = new Batch(1, run.blocks(CODED_BLOCKS), run.blocks(BLOCKS), BLOCK_SIZE);
    List<Candidate> candidates = new ArrayList<>();
    for (Share share : SHARES) {
      for (String split : List.of(BY_BLOCKS, IN_PARTS)) {
        if (split.equals(IN_PARTS) && share.isAlone()) {
          continue; // one part gets all the work, which is measured already
        }
        share
            .engine(engines, split)
            .ifPresent(engine -> {
              BatchLoad load = loads.register(new BatchLoad(engine, batch));
              candidates.add(load.hostToHost(share.candidate(split), load.given()));
            });
      }
    }
    return candidates;
  }

  /** Returns the ratio to the faster one of the cores and the GPU. */
  private static Cell gain(Results results, Share share) {
    OptionalDouble alone =
        SHARES.stream()
            .filter(Share::isAlone)
            .map(one -> results.of(one.candidate(BY_BLOCKS), Measurement::bestRate))
            .flatMapToDouble(OptionalDouble::stream)
            .max();
    return results.cell(
        share.candidate(BY_BLOCKS),
        measurement -> measurement.bestRate() / alone.orElse(Double.NaN));
  }

  private static Chart.Series series(String name, Results results, String split) {
    SeriesBuilder points = new SeriesBuilder();
    for (int i = 0; i < SHARES.size(); i++) {
      int label = i;
      results
          .of(SHARES.get(i).candidate(split), Measurement::bestRate)
          .ifPresent(rate -> points.add(label, rate));
    }
    return points.series(name, false);
  }

  private static Chart.Series paper() {
    SeriesBuilder points = new SeriesBuilder();
    for (int i = 0; i < SHARES.size(); i++) {
      if (!Double.isNaN(SHARES.get(i).paperMillis)) {
        double macs = (double) CODED_BLOCKS * BLOCKS * BLOCK_SIZE;
        points.add(i, macs / SHARES.get(i).paperMillis / 1e6);
      }
    }
    return points.series("paper", true);
  }
}
