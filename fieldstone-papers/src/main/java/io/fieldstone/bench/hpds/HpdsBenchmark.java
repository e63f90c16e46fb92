package io.fieldstone.bench.hpds;

import io.fieldstone.bench.coding.PipelineLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs {@code bench hpds}: repeats the measurements of Sec. 4 of Park, Baek and Lee, "A highly
 * parallelized decoder for random network coding leveraging GPGPU" (The Computer Journal, 2012).
 */
public final class HpdsBenchmark implements Section {

  private static final List<Integer> GENERATIONS = List.of(8, 32, 128, 256, 512, 1024, 2048);
  private static final List<Integer> BLOCK_SIZES = List.of(1024, 2048, 4096, 8192, 16384, 32768);
  private static final List<Integer> FEW_GENERATIONS = List.of(8, 128, 2048);
  private static final List<Integer> FEW_BLOCK_SIZES = List.of(1024, 8192);

  /**
   * A gain of HPDS over the paper's GPU baseline, as the text states it.
   *
   * @param ratio times as fast
   * @param words the words of the text, and the figure they describe
   */
  private record Stated(double ratio, String words) {}

  /** The gains by generation and block size. */
  private static final Map<Integer, Map<Integer, Stated>> STATED =
      Map.of(
          2048,
          Map.of(
              1024, new Stated(2, "over 2× (Fig. 7)"),
              2048, new Stated(1.95, "1.95× (Fig. 7)"),
              4096, new Stated(1.65, "1.65× (Fig. 7)")),
          1024,
          Map.of(1024, new Stated(2, "up to 2× (Fig. 8)")),
          512,
          Map.of(1024, new Stated(1.7, "1.70× (Fig. 9)"), 8192, new Stated(1.2, "1.20× (Fig. 9)")),
          256,
          Map.of(
              1024, new Stated(1.4, "1.40× (Fig. 10)"), 8192, new Stated(1.13, "1.13× (Fig. 10)")),
          128,
          Map.of(
              1024, new Stated(1.1, "1.10× (Fig. 11)"), 8192, new Stated(1.04, "1.04× (Fig. 11)")));

  /** The generations with a chart: the smallest and the largest gain of HPDS. */
  private static final List<Integer> DRAWN = List.of(128, 2048);

  private static final String CORES = "cores";
  private static final String BASELINE = "baseline";
  private static final String HPDS = "hpds";
  private static final String AUTO = "Fieldstone";

  private static final String WHOLE = "whole, ";
  private static final String RESIDENT = "whole, resident, ";
  private static final String BY_FRAME = "frame by frame, ";

  private final BenchEngines engines;
  private final List<Integer> generations;
  private final List<Integer> sizes;

  private HpdsBenchmark(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.generations = pace.allShapes() ? GENERATIONS : FEW_GENERATIONS;
    this.sizes = pace.allShapes() ? BLOCK_SIZES : FEW_BLOCK_SIZES;
  }

  /** Measures and reports. */
  public static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options)) {
      HpdsBenchmark benchmark = new HpdsBenchmark(engines, options.pace());
      Heading heading =
          new Heading(
              "hpds",
              "HPDS (The Computer Journal, 2012), measured here",
              List.of(
                  "J.-S. Park, S. J. Baek, K. Lee, \"A highly parallelized decoder for random"
                      + " network coding leveraging GPGPU\". Throughput is source bytes over"
                      + " decoding time, 1 MB = 10^6 bytes. The data is one generation, from main"
                      + " memory to main memory. The time includes the transfers, as that of the"
                      + " paper does.",
                  "The text of the paper gives only ratios of its decoder to its GPU baseline, on a"
                      + " GeForce GTX 460; its curves print no numbers, so the tables have no MB/s"
                      + " of the paper. \"Baseline\" and \"HPDS\" are its two decoders on this GPU."
                      + " \"Fieldstone\" is the decoder that the engine of the GPU chooses.",
                  "Cores: \""
                      + engines.coresSpec()
                      + "\", %d threads. Best of the samples.".formatted(engines.threads()),
                  engines.gpuDescription()));
      return Section.report(options, heading, List.of(benchmark));
    }
  }

  @Override
  public int steps() {
    return generations.size() * sizes.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder whole =
        table(
            "whole", "Figs. 7 to 12: a whole generation of the pipeline code at once, MB/s", WHOLE);
    Table.Builder resident =
        table("resident", "The same with the coded frames on the GPU, MB/s", RESIDENT);
    Table.Builder byFrame =
        table("frames", "The same frame by frame, each delivered before the next, MB/s", BY_FRAME);
    List<Part> charts = new ArrayList<>();
    SeriesBuilder gains = new SeriesBuilder();
    for (int n : generations) {
      SeriesBuilder cores = new SeriesBuilder();
      SeriesBuilder baseline = new SeriesBuilder();
      SeriesBuilder hpds = new SeriesBuilder();
      SeriesBuilder fieldstone = new SeriesBuilder();
      for (int k : sizes) {
        Results results =
            run.compareBriefly("(%d, %d)".formatted(n, k), loads -> candidates(run, n, k, loads));
        row(whole, n, k, results, WHOLE);
        row(resident, n, k, results, RESIDENT);
        row(byFrame, n, k, results, BY_FRAME);
        add(cores, k, results, WHOLE + CORES);
        add(baseline, k, results, WHOLE + BASELINE);
        add(hpds, k, results, WHOLE + HPDS);
        add(fieldstone, k, results, WHOLE + AUTO);
        if (k == sizes.getFirst()) {
          results
              .ratio(WHOLE + HPDS, WHOLE + BASELINE)
              .ifPresent(ratio -> gains.add(generations.indexOf(n), ratio));
        }
      }
      if (DRAWN.contains(n)) {
        charts.add(
            new Plot(
                new Chart.Lines(
                    "whole-" + n,
                    "HPDS, Figs. 7 to 12: a whole generation of " + n,
                    "block size, bytes",
                    "decoded MB/s",
                    List.of(
                        fieldstone.series("Fieldstone", false),
                        hpds.series("HPDS", false),
                        baseline.series("baseline", false),
                        cores.series("cores", false)))));
      }
    }
    List<Part> parts = new ArrayList<>();
    parts.add(
        whole
            .note(
                "No redundant frames: frame s combines frames 0 to s (Fig. 1). \"None\": the text"
                    + " says that generations below 128 gain nothing at 1 to 8 KiB.")
            .note(
                "Baseline and HPDS upload the generation, launch their kernels once for each frame"
                    + " with the paper's number of threads, B/T and (s - 1)·B/T with T = 4, and"
                    + " download the source frames at the end.")
            .build());
    if (engines.gpu().isPresent()) {
      parts.add(resident.note("The source frames go to main memory.").build());
    }
    parts.addAll(charts);
    parts.add(
        new Plot(
            new Chart.Bars(
                "gain",
                "HPDS over the baseline at blocks of 1024 bytes",
                "times as fast",
                generations.stream().map(n -> "generation " + n).toList(),
                List.of(gains.series("here", false), paperGains()))));
    parts.add(
        byFrame
            .note(
                "Each frame crosses the bus in both directions before the next one is sent, as in a"
                    + " decoder that delivers every frame at once.")
            .build());
    return parts;
  }

  private static Table.Builder table(String name, String title, String way) {
    List<String> columns = new ArrayList<>(List.of("generation", "block bytes"));
    columns.addAll(way.equals(RESIDENT) ? List.of() : List.of("cores"));
    columns.addAll(
        List.of(
            "baseline",
            "HPDS",
            "Fieldstone",
            "HPDS / baseline",
            "paper: HPDS / baseline",
            "Fieldstone / HPDS"));
    columns.add(way.equals(RESIDENT) ? "Fieldstone: resident / main memory" : "Fieldstone / cores");
    return Table.named(name, title, columns.toArray(String[]::new));
  }

  private static void row(Table.Builder table, int n, int k, Results results, String way) {
    List<Cell> row = new ArrayList<>(List.of(Cell.of(n), Cell.of(k)));
    boolean resident = way.equals(RESIDENT);
    if (!resident) {
      row.add(results.cell(way + CORES, Measurement::bestMillions));
    }
    for (String decoder : List.of(BASELINE, HPDS, AUTO)) {
      row.add(results.cell(way + decoder, Measurement::bestMillions));
    }
    row.add(Cell.of(results.ratio(way + HPDS, way + BASELINE)));
    row.add(Cell.of(stated(n, k).map(Stated::words).orElse("")));
    row.add(Cell.of(results.ratio(way + AUTO, way + HPDS)));
    row.add(Cell.of(results.ratio(way + AUTO, resident ? WHOLE + AUTO : way + CORES)));
    table.row(row);
  }

  private static void add(SeriesBuilder points, int k, Results results, String candidate) {
    results.of(candidate, Measurement::bestMillions).ifPresent(rate -> points.add(k, rate));
  }

  private Chart.Series paperGains() {
    SeriesBuilder points = new SeriesBuilder();
    for (int i = 0; i < generations.size(); i++) {
      int label = i;
      stated(generations.get(i), sizes.getFirst())
          .ifPresent(stated -> points.add(label, stated.ratio));
    }
    return points.series("paper", true);
  }

  private List<Candidate> candidates(Run run, int generation, int k, Closer loads) {
    Engine host = engines.gpu().orElseGet(engines::cores);
    PipelineLoad load = loads.register(new PipelineLoad(host, run.blocks(generation), k));
    List<Candidate> candidates = new ArrayList<>();
    add(candidates, load, CORES, engines.cores());
    engines.gpu(BASELINE).ifPresent(engine -> addGpu(candidates, load, BASELINE, engine));
    engines.gpu(HPDS).ifPresent(engine -> addGpu(candidates, load, HPDS, engine));
    engines.gpu().ifPresent(engine -> addGpu(candidates, load, AUTO, engine));
    return candidates;
  }

  private static void add(
      List<Candidate> candidates, PipelineLoad load, String decoder, Engine engine) {
    candidates.add(load.whole(WHOLE + decoder, engine));
    candidates.add(load.frameByFrame(BY_FRAME + decoder, engine));
  }

  private static void addGpu(
      List<Candidate> candidates, PipelineLoad load, String decoder, Engine engine) {
    add(candidates, load, decoder, engine);
    candidates.add(load.resident(RESIDENT + decoder, engine));
  }

  private static Optional<Stated> stated(int n, int k) {
    if (n < 128 && k <= 8192) {
      return Optional.of(new Stated(1, "none (Sec. 4)"));
    }
    return Optional.ofNullable(STATED.getOrDefault(n, Map.of()).get(k));
  }
}
