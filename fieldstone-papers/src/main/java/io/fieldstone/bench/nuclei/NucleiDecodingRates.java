package io.fieldstone.bench.nuclei;

import io.fieldstone.bench.coding.Batch;
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
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;

/** Measures Fig. 5(b) (Sec. V-A): decoding bandwidth by n and k on the GPU and on the cores. */
final class NucleiDecodingRates implements Section {

  /** The numbers of source blocks of the figure. */
  private static final List<Integer> BLOCKS = List.of(128, 256, 512);

  /** The time of GPU decoding at n = 128 and k = 128 to 2048 (Sec. V-A), in milliseconds. */
  private static final double GPU_DECODE_MS = 31;

  private static final int STATED_BLOCKS = 128;
  private static final int MAX_STATED_BLOCK_SIZE = 2048;

  private static final String PROGRESSIVE = "decode progressive, all threads";
  private static final String BUFFERED = "decode buffered, all threads";
  private static final String GPU_PROGRESSIVE = "decode progressive, GPU";
  private static final String GPU_BUFFERED = "decode buffered, GPU";
  private static final String GPU_SOLVE = "decode a batch, GPU";

  private final BenchEngines engines;
  private final List<Integer> sizes;

  NucleiDecodingRates(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.sizes = NucleiShapes.blockSizes(pace);
  }

  @Override
  public int steps() {
    return BLOCKS.size() * sizes.size();
  }

  @Override
  public List<Part> measure(Run run) {
    String all = engines.threads() + " threads";
    Table.Builder table =
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
    List<Chart.Series> lines = new ArrayList<>();
    for (int blocks : BLOCKS) {
      SeriesBuilder cores = new SeriesBuilder();
      SeriesBuilder gpu = new SeriesBuilder();
      int n = run.blocks(blocks);
      for (int k : sizes) {
        Batch batch = NucleiShapes.batch(run, n, k);
        Results results =
            run.compareBriefly(
                "Fig. 5(b) (%d, %d)".formatted(n, k), loads -> candidates(batch, loads));
        table.row(row(blocks, batch, results));
        results.of(BUFFERED, Measurement::bestMillions).ifPresent(rate -> cores.add(k, rate));
        results.of(GPU_SOLVE, Measurement::bestMillions).ifPresent(rate -> gpu.add(k, rate));
      }
      lines.add(gpu.series("GPU, batch, n = " + n, false));
      lines.add(cores.series(all + ", n = " + n, false));
    }
    return List.of(
        table
            .note(
                "The rates of the paper are computed from the 31 ms that its text gives for n = 128"
                    + " and k = 128 to 2048. \"Batch\": from resident coded to resident source"
                    + " blocks, with vectors drawn from their seeds. All others go from main memory"
                    + " to main memory.")
            .build(),
        new Plot(
            new Chart.Lines(
                "figure-5b",
                "Fig. 5(b): decoding, buffered on the cores and in batches on the GPU",
                "block size k, bytes",
                "decoded MB/s",
                lines)));
  }

  private List<Candidate> candidates(Batch batch, Closer loads) {
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

  private static List<Cell> row(int blocks, Batch batch, Results results) {
    boolean isStated = blocks == STATED_BLOCKS && batch.k() <= MAX_STATED_BLOCK_SIZE;
    return List.of(
        Cell.of(batch.n()),
        Cell.of(batch.k()),
        isStated ? Cell.of(blocks * (double) batch.k() / GPU_DECODE_MS / 1e3) : Cell.empty(),
        results.cell(PROGRESSIVE, Measurement::bestMillions),
        results.cell(BUFFERED, Measurement::bestMillions),
        results.cell(GPU_PROGRESSIVE, Measurement::bestMillions),
        results.cell(GPU_BUFFERED, Measurement::bestMillions),
        Cell.of((double) batch.count()),
        results.cell(GPU_SOLVE, Measurement::bestMillions));
  }
}
