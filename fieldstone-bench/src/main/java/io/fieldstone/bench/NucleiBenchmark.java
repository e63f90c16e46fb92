package io.fieldstone.bench;

import io.fieldstone.bench.ProductLoad.Coefficients;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.rlnc.Code;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code bench nuclei}: the measurements of Shojania, Li and Wang, "Nuclei: GPU-accelerated
 * many-core network coding" (INFOCOM 2009), Sec. IV and V.
 */
final class NucleiBenchmark {

  /** Sec. IV-B: c coded blocks from n blocks of k bytes. */
  private static final int CODED_BLOCKS = 7168;

  private static final int BLOCKS = 1024;
  private static final int BLOCK_SIZE = 2048;

  /** Sec. V-A. */
  private static final List<Integer> FIG5_BLOCKS = List.of(128, 256, 512);

  private static final List<Integer> FIG5_SIZES =
      List.of(128, 256, 512, 1024, 2048, 4096, 8192, 16384);
  private static final List<Integer> FIG5_FEW_SIZES = List.of(128, 2048, 16384);

  /** Fig. 5(a): the text gives one figure for each n, the same at almost every k. */
  private static final List<Double> FIG5_GPU_ENCODE = List.of(66.9, 33.8, 16.8);

  /** Sec. V-A: GPU decoding at n = 128 stays at 31 ms for k = 128 … 2048. */
  private static final double FIG5_GPU_DECODE_MS = 31;

  private static final int FIG5_GPU_DECODE_LARGEST = 2048;

  /** Sec. V-D: a client's stream, bytes a second. */
  private static final double CLIENT_RATE = 768e3 / 8;

  private static final double GPU_CLIENTS = 870;

  private static final String GPU = "GeForce 8800 GT";
  private static final String CPU = "8-core Xeon 2.8 GHz, SSE2";

  private final Run run;
  private final int threads;
  private final List<Part> parts = new ArrayList<>();

  private NucleiBenchmark(BenchOptions options) {
    this.run =
        new Run(
            options, KERNELS.size() + 1 + FIG5_BLOCKS.size() * sizes(options).size() + 3 + 1 + 1);
    this.threads = options.threads();
  }

  static Report run(BenchOptions options) {
    NucleiBenchmark benchmark = new NucleiBenchmark(options);
    benchmark.kernels();
    benchmark.decoding();
    benchmark.codingBandwidth();
    benchmark.tables();
    benchmark.clients();
    benchmark.coefficientGeneration();
    return benchmark.run.report(
        "nuclei",
        "Nuclei (INFOCOM 2009), measured here",
        List.of(
            "H. Shojania, B. Li, X. Wang, \"Nuclei: GPU-accelerated many-core network coding\","
                + " IEEE INFOCOM 2009. The paper's figures beside ours; where ours are empty we"
                + " have no such variant yet. The paper's MB are taken as 10^6 bytes, as ours are.",
            "Fast engine here: \"" + options.engine() + "\". Best of the samples."),
        benchmark.parts);
  }

  /** One kernel of ours, and the paper's times of the same idea. */
  private record Kernel(
      String engine, String what, Coefficients coefficients, List<Stated> stated) {}

  /** A time the paper states. */
  private record Stated(double millis, String on, String where) {}

  /** The fast engine goes by this name until it is opened. */
  private static final String FAST = "";

  private static final List<Kernel> KERNELS =
      List.of(
          new Kernel(
              "cpu:loop-byte",
              "byte loop (Fig. 3), 0xff",
              Coefficients.ALL_ONES,
              List.of(new Stated(7186, GPU + ", no memory access", "IV-B"))),
          new Kernel("cpu:loop-byte", "byte loop (Fig. 3), random", Coefficients.RANDOM, List.of()),
          new Kernel(
              "cpu:loop-word",
              "word loop (Fig. 4), 0xff",
              Coefficients.ALL_ONES,
              List.of(
                  new Stated(2509, GPU + ", no memory access, with conditions", "IV-B"),
                  new Stated(2373, GPU + ", mask by multiplication (7a)", "IV-C"),
                  new Stated(2067, GPU + ", 24-bit multiplication (7b)", "IV-C"),
                  new Stated(1905, GPU + ", by hand in PTX", "IV-C"),
                  new Stated(5306, GPU + ", with memory, a thread a block", "IV-E1"),
                  new Stated(3016, GPU + ", with memory, a thread a word", "IV-E1"),
                  new Stated(2098, GPU + ", coefficients four at a time", "IV-E1"))),
          new Kernel(
              "cpu:loop-word",
              "word loop (Fig. 4), random",
              Coefficients.RANDOM,
              List.of(new Stated(1751, GPU, "IV-E1"))),
          new Kernel("cpu:scalar", "tables (Fig. 2), random", Coefficients.RANDOM, List.of()),
          new Kernel(
              "cpu:table-log", "log-domain tables (V-C), random", Coefficients.RANDOM, List.of()),
          new Kernel(
              FAST,
              "vector, 0xff",
              Coefficients.ALL_ONES,
              List.of(
                  new Stated(1672, CPU + ", no memory access", "IV-D"),
                  new Stated(2250, CPU, "IV-E1"))),
          new Kernel(
              FAST,
              "vector, random",
              Coefficients.RANDOM,
              List.of(
                  new Stated(2157, CPU, "IV-E1"),
                  new Stated(1094, "both, 50% on the GPU", "IV-E2"),
                  new Stated(1000, "both, 54% on the GPU", "IV-E2"))));

  private void kernels() {
    Table.Builder table =
        Table.named(
            "kernels",
            "Sec. IV-B to IV-E: c = 7168 coded blocks, n = 1024, k = 2048, milliseconds",
            "kernel",
            "paper ms",
            "paper's machine",
            "section",
            "here, 1 thread ms",
            "here, %d threads ms".formatted(threads),
            "1 thread G GF-MAC/s",
            "%d threads G GF-MAC/s".formatted(threads),
            "blocks measured, 1 thread",
            "blocks measured, %d threads".formatted(threads));
    List<String> labels = new ArrayList<>();
    List<Double> at = new ArrayList<>();
    List<Double> single = new ArrayList<>();
    List<Double> shared = new ArrayList<>();
    for (Kernel kernel : KERNELS) {
      kernel(table, kernel, single, shared);
      at.add((double) labels.size());
      labels.add(kernel.what);
    }
    table.note(
        "Every coded block is the same work, so a slow kernel makes fewer (\"blocks measured\") and"
            + " its time is scaled to 7168.");
    table.note("Source blocks are resident, and memory is read and written throughout.");
    parts.add(table.build());
    parts.add(
        new Chart.Bars(
            "kernels",
            "Nuclei, Sec. IV: G GF-MAC/s at n = 1024, k = 2048",
            "G GF-MAC/s",
            labels,
            List.of(
                new Chart.Series("1 thread", at, single, false),
                new Chart.Series(threads + " threads", at, shared, false),
                paperBest())));
  }

  private static Chart.Series paperBest() {
    List<Double> at = new ArrayList<>();
    List<Double> rates = new ArrayList<>();
    for (int i = 0; i < KERNELS.size(); i++) {
      double best =
          KERNELS.get(i).stated.stream().mapToDouble(Stated::millis).min().orElse(Double.NaN);
      if (!Double.isNaN(best)) {
        at.add((double) i);
        rates.add(macs() / best / 1e6);
      }
    }
    return new Chart.Series("paper's best (GPU, 8 cores, both)", at, rates, true);
  }

  private static double macs() {
    return (double) CODED_BLOCKS * BLOCKS * BLOCK_SIZE;
  }

  private void kernel(
      Table.Builder table, Kernel kernel, List<Double> single, List<Double> shared) {
    String spec = kernel.engine.equals(FAST) ? run.options().engine() : kernel.engine;
    try (Engine one = open(spec, 1);
        Engine all = open(spec, threads);
        ProductLoad byOne = load(one, kernel.coefficients);
        ProductLoad byAll = load(all, kernel.coefficients)) {
      int blocksOfOne = byOne.affordable(run.blocks(CODED_BLOCKS), run.options().pace().measured());
      int blocksOfAll = byAll.affordable(run.blocks(CODED_BLOCKS), run.options().pace().measured());
      List<Measurement> both =
          run.compare(
              kernel.what,
              List.of(
                  byOne.candidate("1 thread", blocksOfOne),
                  byAll.candidate("all threads", blocksOfAll)));
      double rateOfOne = both.get(0).bestRate();
      double rateOfAll = both.get(1).bestRate();
      single.add(rateOfOne);
      shared.add(rateOfAll);
      boolean first = true;
      for (Stated stated : kernel.stated.isEmpty() ? List.of(UNSTATED) : kernel.stated) {
        table.row(
            Cell.of(kernel.what),
            Double.isNaN(stated.millis) ? Cell.empty() : Cell.of(stated.millis),
            Cell.of(stated.on),
            Cell.of(stated.where),
            first ? Cell.of(macs() / rateOfOne / 1e6) : Cell.empty(),
            first ? Cell.of(macs() / rateOfAll / 1e6) : Cell.empty(),
            first ? Cell.of(rateOfOne) : Cell.empty(),
            first ? Cell.of(rateOfAll) : Cell.empty(),
            first ? Cell.of(blocksOfOne) : Cell.empty(),
            first ? Cell.of(blocksOfAll) : Cell.empty());
        first = false;
      }
    }
  }

  private static final Stated UNSTATED = new Stated(Double.NaN, "", "");

  private ProductLoad load(Engine engine, Coefficients coefficients) {
    return new ProductLoad(
        engine, run.blocks(CODED_BLOCKS), run.blocks(BLOCKS), BLOCK_SIZE, coefficients);
  }

  private void decoding() {
    try (Engine one = open(run.options().engine(), 1);
        Engine all = open(run.options().engine(), threads);
        DecodeLoad load = new DecodeLoad(all, new Code.Dense(), run.blocks(BLOCKS), BLOCK_SIZE)) {
      List<Measurement> results =
          run.compare(
              "decode (1024, 2048)",
              List.of(
                  load.progressive("progressive, 1 thread", one),
                  load.progressive("progressive, all threads", all),
                  load.buffered("buffered, 1 thread", one),
                  load.buffered("buffered, all threads", all)));
      parts.add(
          Table.named(
                  "decoding",
                  "Sec. IV-F: decoding (n = 1024, k = 2048), milliseconds",
                  "decoder",
                  "paper ms",
                  "paper's machine",
                  "here, 1 thread ms",
                  "here, %d threads ms".formatted(threads))
              .row(
                  Cell.of("progressive"),
                  Cell.of(2031),
                  Cell.of(CPU),
                  Cell.of(results.get(0).bestMillis()),
                  Cell.of(results.get(1).bestMillis()))
              .row(
                  Cell.of("progressive, GPU with CPU assistance"),
                  Cell.of(2484),
                  Cell.of(GPU),
                  Cell.empty(),
                  Cell.empty())
              .row(
                  Cell.of("progressive, GPU alone"),
                  Cell.of(6073),
                  Cell.of(GPU),
                  Cell.empty(),
                  Cell.empty())
              .row(
                  Cell.of("buffered"),
                  Cell.of(1688),
                  Cell.of(CPU),
                  Cell.of(results.get(2).bestMillis()),
                  Cell.of(results.get(3).bestMillis()))
              .row(
                  Cell.of("buffered, GPU"), Cell.of(2175), Cell.of(GPU), Cell.empty(), Cell.empty())
              .note(
                  "Progressive here: coefficients are eliminated as blocks arrive, payloads are"
                      + " multiplied once the generation is complete; the paper's reduces payloads"
                      + " on arrival.")
              .build());
    }
  }

  private static List<Integer> sizes(BenchOptions options) {
    return options.pace().wholeGrid() ? FIG5_SIZES : FIG5_FEW_SIZES;
  }

  private void codingBandwidth() {
    Table.Builder table =
        Table.named(
            "figure-5",
            "Fig. 5: coding bandwidth, MB/s",
            "n",
            "k",
            "paper: GPU encode",
            "here: encode, 1 thread",
            "here: encode, %d threads".formatted(threads),
            "paper: GPU decode",
            "here: decode progressive, %d threads".formatted(threads),
            "here: decode buffered, %d threads".formatted(threads));
    List<Chart.Series> encode = new ArrayList<>();
    List<Chart.Series> decode = new ArrayList<>();
    try (Engine one = open(run.options().engine(), 1);
        Engine all = open(run.options().engine(), threads)) {
      for (int i = 0; i < FIG5_BLOCKS.size(); i++) {
        int n = run.blocks(FIG5_BLOCKS.get(i));
        double paperEncode = FIG5_GPU_ENCODE.get(i);
        List<Double> xs = new ArrayList<>();
        List<Double> encoded = new ArrayList<>();
        List<Double> decoded = new ArrayList<>();
        List<Double> stated = new ArrayList<>();
        for (int k : sizes(run.options())) {
          try (ProductLoad byOne = new ProductLoad(one, n, n, k, Coefficients.RANDOM);
              ProductLoad byAll = new ProductLoad(all, n, n, k, Coefficients.RANDOM);
              DecodeLoad load = new DecodeLoad(all, new Code.Dense(), n, k)) {
            List<Measurement> results =
                run.compare(
                    "Fig. 5 (%d, %d)".formatted(n, k),
                    List.of(
                        byOne.candidate("encode, 1 thread", n),
                        byAll.candidate("encode, all threads", n),
                        load.progressive("decode progressive, all threads", all),
                        load.buffered("decode buffered, all threads", all)));
            double encodeRate = results.get(1).bestRate() * 1e3 / n;
            double decodeRate = load.megabytesPerSecond(results.get(3));
            xs.add((double) k);
            encoded.add(encodeRate);
            decoded.add(decodeRate);
            stated.add(paperEncode);
            table.row(
                Cell.of(n),
                Cell.of(k),
                Cell.of(paperEncode),
                Cell.of(results.get(0).bestRate() * 1e3 / n),
                Cell.of(encodeRate),
                FIG5_BLOCKS.get(i) == 128 && k <= FIG5_GPU_DECODE_LARGEST
                    ? Cell.of(n * (double) k / FIG5_GPU_DECODE_MS / 1e3)
                    : Cell.empty(),
                Cell.of(load.megabytesPerSecond(results.get(2))),
                Cell.of(decodeRate));
          }
        }
        encode.add(new Chart.Series("here, n = " + n, xs, encoded, false));
        decode.add(new Chart.Series("here, n = " + n, xs, decoded, false));
        encode.add(new Chart.Series("GPU (2009), n = " + n, xs, stated, true));
      }
    }
    parts.add(
        table
            .note(
                "Bytes produced (or decoded) a second, with as many coded as source blocks. The"
                    + " figure itself is not in our copy of the paper: what stands here is what its"
                    + " text states, peaks held \"across almost all coding settings\".")
            .note(
                "The paper's decoding: computed from the 31 ms that its text gives for n = 128 and"
                    + " k = 128 to 2048.")
            .build());
    parts.add(
        new Chart.Lines(
            "figure-5a",
            "Fig. 5(a): encoding, %d threads".formatted(threads),
            "block size k, bytes",
            "coded MB/s",
            encode));
    parts.add(
        new Chart.Lines(
            "figure-5b",
            "Fig. 5(b): buffered decoding, %d threads".formatted(threads),
            "block size k, bytes",
            "decoded MB/s",
            decode));
  }

  private void tables() {
    Table.Builder table =
        Table.named(
            "figure-7",
            "Fig. 7: tables against loop, encoding at n = 128, 1 thread",
            "k",
            "word loop MB/s",
            "tables MB/s",
            "log-domain tables MB/s",
            "vector MB/s",
            "log-domain tables / word loop",
            "paper: optimised tables / loop");
    int n = run.blocks(128);
    for (int k : List.of(1024, 4096, 16384)) {
      try (Engine loop = open("cpu:loop-word", 1);
          Engine plain = open("cpu:scalar", 1);
          Engine log = open("cpu:table-log", 1);
          Engine fast = open(run.options().engine(), 1);
          ProductLoad byLoop = new ProductLoad(loop, n, n, k, Coefficients.RANDOM);
          ProductLoad byTable = new ProductLoad(plain, n, n, k, Coefficients.RANDOM);
          ProductLoad byLog = new ProductLoad(log, n, n, k, Coefficients.RANDOM);
          ProductLoad byVector = new ProductLoad(fast, n, n, k, Coefficients.RANDOM)) {
        int m = Math.min(16, n); // enough for the preprocessing to be shared as it is in use
        List<Measurement> results =
            run.compare(
                "Fig. 7 (128, %d)".formatted(k),
                List.of(
                    byLoop.candidate("word loop", m),
                    byTable.candidate("tables", m),
                    byLog.candidate("log-domain tables", m),
                    byVector.candidate("vector", m)));
        table.row(
            Cell.of(k),
            Cell.of(results.get(0).bestRate() * 1e3 / n),
            Cell.of(results.get(1).bestRate() * 1e3 / n),
            Cell.of(results.get(2).bestRate() * 1e3 / n),
            Cell.of(results.get(3).bestRate() * 1e3 / n),
            Cell.of(results.get(2).timesFasterThan(results.get(0))),
            Cell.of(1.25));
      }
    }
    parts.add(
        table
            .note(
                "16 coded blocks a product; the paper's GPU: plain tables 30% slower than its loop,"
                    + " log-domain tables 25% faster (Sec. V-C), and 293 MB/s at n = 128 with"
                    + " further work on a GeForce GTX 280.")
            .build());
  }

  private void clients() {
    int n = run.blocks(128);
    int k = 4096;
    try (Engine one = open(run.options().engine(), 1);
        Engine all = open(run.options().engine(), threads);
        ProductLoad byOne = new ProductLoad(one, n, n, k, Coefficients.RANDOM);
        ProductLoad byAll = new ProductLoad(all, n, n, k, Coefficients.RANDOM)) {
      List<Measurement> results =
          run.compare(
              "Sec. V-D (128, 4096)",
              List.of(byOne.candidate("1 thread", n), byAll.candidate("all threads", n)));
      parts.add(
          Table.named(
                  "clients",
                  "Sec. V-D: clients of 768 kbit/s that one server can code for at (128, 4096)",
                  "server",
                  "coded MB/s",
                  "clients")
              .row(
                  Cell.of("paper: " + GPU),
                  Cell.of(GPU_CLIENTS * CLIENT_RATE / 1e6),
                  Cell.of(GPU_CLIENTS))
              .row(clientRow("here, 1 thread", results.get(0), n))
              .row(clientRow("here, %d threads".formatted(threads), results.get(1), n))
              .note(
                  "Coding only, no network: as in the paper. Its MB/s are computed from its 870"
                      + " clients.")
              .build());
    }
  }

  private static List<Cell> clientRow(String server, Measurement measurement, int n) {
    double megabytes = measurement.bestRate() * 1e3 / n;
    return List.of(
        Cell.of(server), Cell.of(megabytes), Cell.of(Math.floor(megabytes * 1e6 / CLIENT_RATE)));
  }

  private void coefficientGeneration() {
    try (Arena arena = Arena.ofShared();
        Crew crew = new Crew(threads)) {
      Code code = new Code.Dense();
      MemorySegment target = arena.allocate((long) CODED_BLOCKS * BLOCKS, 64);
      List<Measurement> results =
          run.compare(
              "coefficients 7168 × 1024",
              List.of(
                  new Candidate(
                      "1 thread", target.byteSize(), () -> generate(code, target, 0, CODED_BLOCKS)),
                  new Candidate(
                      "all threads",
                      target.byteSize(),
                      crew.together(thread ->
                          generate(
                              code,
                              target,
                              CODED_BLOCKS * thread / threads,
                              CODED_BLOCKS * (thread + 1) / threads)))));
      parts.add(
          Table.named(
                  "coefficients",
                  "Sec. IV-E3: generating 7168 × 1024 random coefficients, milliseconds",
                  "generator",
                  "ms",
                  "GB/s")
              .row(
                  Cell.of("paper: " + GPU + ", hundreds of generators"),
                  Cell.of(1.61),
                  Cell.of(target.byteSize() / 1.61 / 1e6))
              .row(
                  Cell.of("paper: its CPU, \"ten times\" the time"),
                  Cell.of(16.1),
                  Cell.of(target.byteSize() / 16.1 / 1e6))
              .row(
                  Cell.of("here: Philox4x32-10, 1 thread"),
                  Cell.of(results.get(0).bestMillis()),
                  Cell.of(results.get(0).bestRate()))
              .row(
                  Cell.of("here: Philox4x32-10, %d threads".formatted(threads)),
                  Cell.of(results.get(1).bestMillis()),
                  Cell.of(results.get(1).bestRate()))
              .build());
    }
  }

  private static void generate(Code code, MemorySegment target, int from, int to) {
    for (int index = from; index < to; index++) {
      code.coefficients(1, 0, index, target.asSlice((long) index * BLOCKS, BLOCKS));
    }
  }

  private static Engine open(String spec, int threads) {
    return Engine.open(spec, new EngineOptions(threads));
  }
}
