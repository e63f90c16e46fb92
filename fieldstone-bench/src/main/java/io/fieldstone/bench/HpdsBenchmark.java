package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code bench hpds}: the measurements of Park, Baek and Lee, "A highly parallelized decoder for
 * random network coding leveraging GPGPU" (The Computer Journal, 2012), Sec. 4.
 */
final class HpdsBenchmark {

  private static final List<Integer> GENERATIONS = List.of(8, 32, 128, 256, 512, 1024, 2048);
  private static final List<Integer> BLOCK_SIZES = List.of(1024, 2048, 4096, 8192, 16384, 32768);
  private static final List<Integer> FEW_GENERATIONS = List.of(8, 128, 512);
  private static final List<Integer> FEW_BLOCK_SIZES = List.of(1024, 8192);

  /** What the text says HPDS gains over the paper's GPU baseline: by generation and block size. */
  private static final Map<Integer, Map<Integer, String>> STATED =
      Map.of(
          2048, Map.of(1024, "over 2× (Fig. 7)", 2048, "1.95× (Fig. 7)", 4096, "1.65× (Fig. 7)"),
          1024, Map.of(1024, "up to 2× (Fig. 8)"),
          512, Map.of(1024, "1.70× (Fig. 9)", 8192, "1.20× (Fig. 9)"),
          256, Map.of(1024, "1.40× (Fig. 10)", 8192, "1.13× (Fig. 10)"),
          128, Map.of(1024, "1.10× (Fig. 11)", 8192, "1.04× (Fig. 11)"));

  private HpdsBenchmark() {}

  static Report run(BenchOptions options) {
    boolean whole = options.pace().wholeGrid();
    List<Integer> generations = whole ? GENERATIONS : FEW_GENERATIONS;
    List<Integer> sizes = whole ? BLOCK_SIZES : FEW_BLOCK_SIZES;
    Run run = new Run(options, generations.size() * sizes.size());
    int threads = options.threads();
    Table.Builder table =
        Table.named(
            "decoding",
            "Figs. 7 to 12: decoding the pipeline code, MB/s",
            "generation",
            "block bytes",
            "frame by frame, 1 thread",
            "frame by frame, %d threads".formatted(threads),
            "whole generation, 1 thread",
            "whole generation, %d threads".formatted(threads),
            "whole / frame by frame",
            "whole, %d threads / 1".formatted(threads),
            "paper: HPDS / GPU baseline");
    Map<Integer, Chart.Series> lines = new TreeMap<>();
    try (Engine one = Engine.open(options.engine(), new EngineOptions(1));
        Engine all = Engine.open(options.engine(), new EngineOptions(threads))) {
      for (int n : generations) {
        List<Double> xs = new ArrayList<>();
        List<Double> ys = new ArrayList<>();
        for (int k : sizes) {
          try (DecodeLoad load = new DecodeLoad(all, new Code.Pipeline(0), run.blocks(n), k)) {
            List<Measurement> results =
                run.compare(
                    "(%d, %d)".formatted(n, k),
                    List.of(
                        load.frameByFrame("frame by frame, 1 thread", one),
                        load.frameByFrame("frame by frame, all threads", all),
                        load.buffered("whole generation, 1 thread", one),
                        load.buffered("whole generation, all threads", all)));
            xs.add((double) k);
            ys.add(load.megabytesPerSecond(results.get(3)));
            table.row(
                Cell.of(n),
                Cell.of(k),
                Cell.of(load.megabytesPerSecond(results.get(0))),
                Cell.of(load.megabytesPerSecond(results.get(1))),
                Cell.of(load.megabytesPerSecond(results.get(2))),
                Cell.of(load.megabytesPerSecond(results.get(3))),
                Cell.of(results.get(3).timesFasterThan(results.get(1))),
                Cell.of(results.get(3).timesFasterThan(results.get(2))),
                Cell.of(stated(n, k)));
          }
        }
        lines.put(n, new Chart.Series("generation " + n, xs, ys, false));
      }
    }
    return run.report(
        "hpds",
        "HPDS (The Computer Journal, 2012), measured here",
        List.of(
            "J.-S. Park, S. J. Baek, K. Lee, \"A highly parallelized decoder for random network"
                + " coding leveraging GPGPU\". Throughput is source bytes over decoding time, 1 MB"
                + " = 10^6 bytes; the data is one generation, in main memory from the start.",
            "The paper's curves are pictures that our copy lacks: its text gives only ratios of its"
                + " decoder to its GPU baseline, on a GeForce GTX 460, so no MB/s of its stand"
                + " here. \"Frame by frame\" hands on each frame when it can be solved, as the"
                + " paper's decoders do; \"whole generation\" collects the frames first. Fast"
                + " engine: \""
                + options.engine()
                + "\"."),
        List.of(
            table
                .note(
                    "No redundant frames: frame s combines frames 0 to s (Fig. 1), so each is"
                        + " solved on arrival.")
                .note(
                    "\"none\": the text says that generations below 128 gain nothing at 1 to 8"
                        + " KiB.")
                .build(),
            new Chart.Lines(
                "decoding",
                "HPDS, Figs. 7 to 12: whole generations, %d threads".formatted(threads),
                "block size, bytes",
                "decoded MB/s",
                List.copyOf(lines.values()))));
  }

  private static String stated(int n, int k) {
    if (n < 128 && k <= 8192) {
      return "none (Sec. 4)";
    }
    return STATED.getOrDefault(n, Map.of()).getOrDefault(k, "");
  }
}
