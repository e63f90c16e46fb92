package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
import io.fieldstone.bench.coding.BatchLoad;
import io.fieldstone.bench.coding.DecodeLoad;
import io.fieldstone.bench.coding.SolveLoad;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.bench.report.Table;
import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures Sec. V-A and V-B, Figs. 5 and 6: coding bandwidth by n and k on the GPU, on the cores,
 * and on both.
 */
final class NucleiBandwidth implements Section {

  private static final List<Integer> SIZES = List.of(128, 256, 512, 1024, 2048, 4096, 8192, 16384);
  private static final List<Integer> FEW_SIZES = List.of(128, 2048, 16384);

  /** Source bytes of a batch of generations. */
  private static final long BATCH_BYTES = 64L << 20;

  private static final int MAX_GENERATIONS = 1024;

  /** The time of GPU decoding at n = 128 and k = 128 to 2048 (Sec. V-A), in milliseconds. */
  private static final double GPU_DECODE_MS = 31;

  private static final int MAX_GPU_DECODE_BLOCK_SIZE = 2048;

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
  private static final String PROGRESSIVE = "decode progressive, all threads";
  private static final String BUFFERED = "decode buffered, all threads";
  private static final String GPU_PROGRESSIVE = "decode progressive, GPU";
  private static final String GPU_BUFFERED = "decode buffered, GPU";
  private static final String GPU_SOLVE = "decode a batch, GPU";

  private final BenchEngines engines;
  private final List<Integer> sizes;

  NucleiBandwidth(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.sizes = pace.allShapes() ? SIZES : FEW_SIZES;
  }

  @Override
  public int steps() {
    return 2 * LINES.size() * sizes.size();
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
    Table.Builder decode =
        Table.named(
            "figure-5b",
            "Fig. 5(b): decoding, source MB/s",
            "n",
            "k",
            "paper: GPU",
            "here: progressive, " + all,
            "buffered, " + all,
            "progressive, GPU",
            "buffered, GPU",
            "generations of a batch",
            "batch, GPU");
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
    List<Chart.Series> decodeLines = new ArrayList<>();
    for (Line line : LINES) {
      SeriesBuilder coresEncode = new SeriesBuilder();
      SeriesBuilder gpuEncode = new SeriesBuilder();
      SeriesBuilder paperEncode = new SeriesBuilder();
      SeriesBuilder coresDecode = new SeriesBuilder();
      SeriesBuilder gpuDecode = new SeriesBuilder();
      int n = run.blocks(line.n);
      for (int k : sizes) {
        Batch batch =
            Batch.square(
                n, k, BATCH_BYTES / run.options().pace().shrink(), run.blocks(MAX_GENERATIONS));
        Results encoded =
            run.compareBriefly(
                "Fig. 5(a), 6 (%d, %d)".formatted(n, k), loads -> encode(batch, loads));
        Results decoded =
            run.compareBriefly("Fig. 5(b) (%d, %d)".formatted(n, k), loads -> decode(batch, loads));
        addEncoding(encode, line, batch, encoded);
        addDecoding(decode, line, batch, decoded);
        addBoth(both, line, batch, encoded);
        paperEncode.add(k, line.gpuEncode);
        encoded
            .of(CORES_BATCH, Measurement::bestMillions)
            .ifPresent(rate -> coresEncode.add(k, rate));
        encoded.of(GPU_BATCH, Measurement::bestMillions).ifPresent(rate -> gpuEncode.add(k, rate));
        decoded.of(BUFFERED, Measurement::bestMillions).ifPresent(rate -> coresDecode.add(k, rate));
        decoded.of(GPU_SOLVE, Measurement::bestMillions).ifPresent(rate -> gpuDecode.add(k, rate));
      }
      encodeLines.add(gpuEncode.series("GPU, n = " + n, false));
      encodeLines.add(coresEncode.series(all + ", n = " + n, false));
      encodeLines.add(paperEncode.series("GPU (2009), n = " + n, true));
      decodeLines.add(gpuDecode.series("GPU, batch, n = " + n, false));
      decodeLines.add(coresDecode.series(all + ", n = " + n, false));
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
        new Chart.Lines(
            "figure-5a",
            "Fig. 5(a): encoding batches of generations",
            "block size k, bytes",
            "coded MB/s",
            encodeLines),
        decode
            .note(
                "The rates of the paper are computed from the 31 ms that its text gives for n = 128"
                    + " and k = 128 to 2048. \"Batch\": from resident coded to resident source"
                    + " blocks, with vectors drawn from their seeds. All others go from main memory"
                    + " to main memory.")
            .build(),
        new Chart.Lines(
            "figure-5b",
            "Fig. 5(b): decoding, buffered on the cores and in batches on the GPU",
            "block size k, bytes",
            "decoded MB/s",
            decodeLines),
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

  private List<Candidate> decode(Batch batch, Closer loads) {
    List<Candidate> candidates = new ArrayList<>();
    DecodeLoad load =
        loads.register(new DecodeLoad(engines.cores(), new Code.Dense(), batch.n(), batch.k()));
    double bytes = load.bytes();
    candidates.add(load.progressive(PROGRESSIVE, engines.cores()).withWork(bytes));
    candidates.add(load.buffered(BUFFERED, engines.cores()).withWork(bytes));
    engines
        .gpu()
        .ifPresent(gpu -> {
          candidates.add(load.progressive(GPU_PROGRESSIVE, gpu).withWork(bytes));
          candidates.add(load.buffered(GPU_BUFFERED, gpu).withWork(bytes));
          SolveLoad many = loads.register(new SolveLoad(gpu, batch));
          candidates.add(many.resident(GPU_SOLVE, many.drawn()).withWork(batch.codedBytes()));
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

  private static void addDecoding(Table.Builder table, Line line, Batch batch, Results results) {
    boolean isStated = line.n == 128 && batch.k() <= MAX_GPU_DECODE_BLOCK_SIZE;
    table.row(
        Cell.of(batch.n()),
        Cell.of(batch.k()),
        isStated ? Cell.of(line.n * (double) batch.k() / GPU_DECODE_MS / 1e3) : Cell.empty(),
        results.cell(PROGRESSIVE, Measurement::bestMillions),
        results.cell(BUFFERED, Measurement::bestMillions),
        results.cell(GPU_PROGRESSIVE, Measurement::bestMillions),
        results.cell(GPU_BUFFERED, Measurement::bestMillions),
        Cell.of((double) batch.count()),
        results.cell(GPU_SOLVE, Measurement::bestMillions));
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
