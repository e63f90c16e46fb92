package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Pace;
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
import java.util.ArrayList;
import java.util.List;

/**
 * Measures Figs. 5(a) and 6 (Sec. V-A, V-B): encoding bandwidth by n and k on the GPU, on the
 * cores, and on both.
 */
final class NucleiEncodingRates implements Section {

  /**
   * An n of the figures with the rates that the text states.
   *
   * @param n source blocks
   * @param gpuEncode coded MB/s of the GPU
   * @param bothEncode coded MB/s of GPU and cores; NaN if the text does not state it
   */
  private record Line(int n, double gpuEncode, double bothEncode) {}

  private static final List<Line> LINES =
      List.of(
          new Line(128, NucleiPaper.ENCODE_RATE_128, 116.7),
          new Line(256, 33.8, Double.NaN),
          new Line(512, 16.8, Double.NaN));

  private static final String ONE = "encode, 1 thread";
  private static final String CORES = "encode, all threads";
  private static final String CORES_BATCH = "encode a batch, all threads";
  private static final String GPU_ONE = "encode, GPU to the host";
  private static final String GPU_BATCH = "encode a batch, GPU";
  private static final String GPU_BATCH_TO_HOST = "encode a batch, GPU to the host";
  private static final String BOTH = "encode a batch, both to the host";

  private final BenchEngines engines;
  private final List<Integer> sizes;

  NucleiEncodingRates(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.sizes = NucleiShapes.blockSizes(pace);
  }

  @Override
  public int steps() {
    return LINES.size() * sizes.size();
  }

  @Override
  public List<Part> measure(Run run) {
    String all = engines.threads() + " threads";
    Table.Builder encode =
        Table.named(
            "figure-5a",
            "Fig. 5(a): encoding, coded MB/s",
            "n",
            "k",
            "paper: GPU",
            "here: 1 thread",
            "here: " + all,
            "here: GPU, to the host",
            "generations of a batch",
            "batch, " + all,
            "batch, GPU",
            "batch, GPU to the host",
            "batch, GPU / " + all);
    Table.Builder both =
        Table.named(
            "figure-6",
            "Fig. 6: encoding by GPU and cores together, coded MB/s",
            "n",
            "k",
            "paper: both",
            "here: " + all,
            "here: GPU",
            "here: both",
            "both / the better one");
    List<Chart.Series> encodeLines = new ArrayList<>();
    for (Line line : LINES) {
      SeriesBuilder coresEncode = new SeriesBuilder();
      SeriesBuilder gpuEncode = new SeriesBuilder();
      SeriesBuilder paperEncode = new SeriesBuilder();
      int n = run.blocks(line.n);
      for (int k : sizes) {
        Batch batch = NucleiShapes.batch(run, n, k);
        Results encoded =
            run.compareBriefly(
                "Fig. 5(a), 6 (%d, %d)".formatted(n, k), loads -> encode(batch, loads));
        addEncoding(encode, line, batch, encoded);
        addBoth(both, line, batch, encoded);
        paperEncode.add(k, line.gpuEncode);
        encoded
            .of(CORES_BATCH, Measurement::bestMillions)
            .ifPresent(rate -> coresEncode.add(k, rate));
        encoded.of(GPU_BATCH, Measurement::bestMillions).ifPresent(rate -> gpuEncode.add(k, rate));
      }
      encodeLines.add(gpuEncode.series("GPU, n = " + n, false));
      encodeLines.add(coresEncode.series(all + ", n = " + n, false));
      encodeLines.add(paperEncode.series("GPU (2009), n = " + n, true));
    }
    return List.of(
        encode
            .note(
                "m = n, for one resident generation or for a batch of them. Results of \"batch,"
                    + " GPU\" stay on the GPU. The coefficients of a batch are drawn on the"
                    + " engine.")
            .note(
                "The rates of the paper are those of its text, peaks held \"across almost all"
                    + " coding settings\"; its figure prints no numbers.")
            .build(),
        new Plot(
            new Chart.Lines(
                "figure-5a",
                "Fig. 5(a): encoding batches of generations",
                "block size k, bytes",
                "coded MB/s",
                encodeLines)),
        both.note(
                "The batches of Fig. 5(a), from resident blocks to main memory, with shares found"
                    + " by measurement. The rate of the paper is its peak.")
            .note(
                "A ratio below 1 means that the cores slow the GPU down. Both write their results"
                    + " to main memory. A GPU whose rate there is near that of its bus gains"
                    + " nothing from help, and shares that memory with the cores. In the paper both"
                    + " had nearly the same rate.")
            .build());
  }

  private List<Candidate> encode(Batch batch, Closer loads) {
    Batch single = new Batch(1, batch.m(), batch.n(), batch.k());
    List<Candidate> candidates = new ArrayList<>();
    BatchLoad one = loads.register(new BatchLoad(engines.oneCore(), single));
    candidates.add(one.toHost(ONE, one.given()).withWork(single.codedBytes()));
    BatchLoad cores = loads.register(new BatchLoad(engines.cores(), single));
    candidates.add(cores.toHost(CORES, cores.given()).withWork(single.codedBytes()));
    BatchLoad coresBatch = loads.register(new BatchLoad(engines.cores(), batch));
    candidates.add(coresBatch.toHost(CORES_BATCH, coresBatch.drawn()).withWork(batch.codedBytes()));
    engines
        .gpu()
        .ifPresent(gpu -> {
          BatchLoad alone = loads.register(new BatchLoad(gpu, single));
          candidates.add(alone.toHost(GPU_ONE, alone.given()).withWork(single.codedBytes()));
          BatchLoad many = loads.register(new BatchLoad(gpu, batch));
          candidates.add(many.resident(GPU_BATCH, many.drawn()).withWork(batch.codedBytes()));
          candidates.add(many.toHost(GPU_BATCH_TO_HOST, many.drawn()).withWork(batch.codedBytes()));
        });
    engines
        .gpuAndCores()
        .ifPresent(both -> {
          BatchLoad many = loads.register(new BatchLoad(both, batch));
          candidates.add(many.toHost(BOTH, many.drawn()).withWork(batch.codedBytes()));
        });
    return candidates;
  }

  private static void addEncoding(Table.Builder table, Line line, Batch batch, Results results) {
    table.row(
        Cell.of(batch.n()),
        Cell.of(batch.k()),
        Cell.of(line.gpuEncode),
        results.cell(ONE, Measurement::bestMillions),
        results.cell(CORES, Measurement::bestMillions),
        results.cell(GPU_ONE, Measurement::bestMillions),
        Cell.of((double) batch.count()),
        results.cell(CORES_BATCH, Measurement::bestMillions),
        results.cell(GPU_BATCH, Measurement::bestMillions),
        results.cell(GPU_BATCH_TO_HOST, Measurement::bestMillions),
        Cell.of(results.ratio(GPU_BATCH, CORES_BATCH)));
  }

  private static void addBoth(Table.Builder table, Line line, Batch batch, Results results) {
    double cores = results.of(CORES_BATCH, Measurement::bestRate).orElse(0);
    double gpu = results.of(GPU_BATCH_TO_HOST, Measurement::bestRate).orElse(0);
    table.row(
        Cell.of(batch.n()),
        Cell.of(batch.k()),
        Double.isNaN(line.bothEncode) ? Cell.empty() : Cell.of(line.bothEncode),
        results.cell(CORES_BATCH, Measurement::bestMillions),
        results.cell(GPU_BATCH_TO_HOST, Measurement::bestMillions),
        results.cell(BOTH, Measurement::bestMillions),
        results.cell(BOTH, measurement -> measurement.bestRate() / Math.max(cores, gpu)));
  }
}
