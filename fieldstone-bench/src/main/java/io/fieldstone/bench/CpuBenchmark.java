package io.fieldstone.bench;

import io.fieldstone.bench.coding.DecodeLoad;
import io.fieldstone.bench.coding.ProductLoad;
import io.fieldstone.bench.coding.ProductLoad.CoefficientKind;
import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Heading;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.ThreadTeam;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Report;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.engine.Ceiling;
import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Runs {@code bench cpu}: compares the cores with the scalar engine, with the lane-shuffle ceiling
 * and with peers.
 */
final class CpuBenchmark {

  /**
   * @param m coded blocks
   * @param n source blocks
   * @param k bytes of each
   */
  private record Shape(int m, int n, int k) {
    String text() {
      return "(%d, %d)".formatted(n, k);
    }
  }

  private static final List<Shape> ENCODE =
      List.of(new Shape(128, 128, 4096), new Shape(32, 32, 4096), new Shape(64, 1024, 2048));
  private static final List<Shape> DECODE =
      List.of(new Shape(128, 128, 4096), new Shape(1024, 1024, 2048), new Shape(32, 32, 4096));

  /** The shape of recoding, which is a product too: 64 blocks from 64 received. */
  private static final Shape RECODE = new Shape(64, 64, 4096);

  /** The lane-shuffle ceiling of the core on which the peers were measured, G GF-MAC/s. */
  private static final double PEER_CEILING = 288;

  /** A peer with its G GF-MAC/s at the shapes of {@link #ENCODE}; NaN where it was not measured. */
  private record Peer(String name, List<Double> speeds) {}

  private static final List<Peer> PEERS =
      List.of(
          new Peer("itzmeanjan/rlnc (Rust)", List.of(126.0, 106.0, 96.0)),
          new Peer("rlnc-simdx (Rust)", List.of(110.0, 104.0, 79.0)),
          new Peer("klauspost/reedsolomon, GFNI (Go)", List.of(303.0, 285.0, Double.NaN)),
          new Peer("ISA-L, GFNI, padded rows (C)", List.of(363.0, 352.0, 218.0)),
          new Peer("ISA-L, GFNI, stride k (C)", List.of(215.0, 223.0, 171.0)),
          new Peer("JavaReedSolomon (Java)", List.of(3.0, 3.1, 3.1)));

  private final Run run;
  private final Engine scalar;
  private final Engine one;
  private final Engine all;
  private final ThreadTeam team;
  private final List<Double> ceilingFractions = new ArrayList<>();

  private CpuBenchmark(Run run, Engine scalar, Engine one, Engine all, ThreadTeam team) {
    this.run = run;
    this.scalar = scalar;
    this.one = one;
    this.all = all;
    this.team = team;
  }

  static Report run(BenchOptions options) {
    try (BenchEngines engines = new BenchEngines(options);
        ThreadTeam team = new ThreadTeam(options.threads())) {
      Engine all = engines.cores();
      Heading heading =
          new Heading(
              "cpu",
              "Network coding on this machine's cores",
              List.of(
                  "GF-MAC: one multiply-accumulate in GF(2^8) on one byte; G GF-MAC/s = m·n·k /"
                      + " time. (n, k) is n source blocks of k bytes, m the coded blocks made from"
                      + " them. Blocks are resident in the layout of the engine; coefficients are"
                      + " random and nonzero. Every result is compared with the scalar field before"
                      + " it is measured.",
                  "Engine: " + all.spec() + ", " + all.description() + ".",
                  "The ceiling is the rate of two byte selects and one three-operand XOR on"
                      + " registers alone (bench ceilings). It takes turns with the measurements of"
                      + " its row."));
      Run run = new Run(options, heading, ENCODE.size() + DECODE.size() + 1);
      CpuBenchmark benchmark =
          new CpuBenchmark(run, engines.open("cpu:scalar", 1), engines.oneCore(), all, team);
      run.publish(benchmark.products());
      run.publish(benchmark.decoding());
      run.publish(benchmark.peers());
      run.publish(benchmark.peerChart());
      return run.report();
    }
  }

  private Table products() {
    int threads = run.options().threads();
    Table.Builder table =
        Table.named(
            "products",
            "Encoding and recoding, G GF-MAC/s",
            "job",
            "m",
            "scalar",
            "1 thread",
            "1 thread, median",
            threads + " threads",
            "1 thread / scalar",
            threads + " threads / 1",
            "ceiling, 1 thread",
            "of the ceiling, 1 thread",
            "ceiling, %d threads".formatted(threads),
            "of the ceiling, %d threads".formatted(threads),
            "affine ceiling, 1 thread",
            "of it, 1 thread",
            "coded MB/s, %d threads".formatted(threads));
    for (Shape shape : ENCODE) {
      ceilingFractions.add(product(table, "encode " + shape.text(), shrunk(shape)));
    }
    product(table, "recode " + RECODE.text(), shrunk(RECODE));
    return table
        .note("Best of the samples; the measurements of a row take turns. 1 MB = 10^6 bytes.")
        .note(
            "The affine ceiling is the median rate of two affine transforms and the addition of"
                + " both results on registers, measured after the row; empty if the native kernels"
                + " have none.")
        .build();
  }

  /** Adds a row; returns the fraction of the ceiling that one thread reaches. */
  private double product(Table.Builder table, String job, Shape shape) {
    try (ProductLoad slow = load(scalar, shape);
        ProductLoad single = load(one, shape);
        ProductLoad shared = load(all, shape)) {
      List<Measurement> results =
          run.measure(
              job,
              List.of(
                  slow.candidate("scalar", shape.m),
                  single.candidate("1 thread", shape.m),
                  shared.candidate("all threads", shape.m),
                  Ceilings.shuffleCandidate(),
                  Ceilings.shuffleCandidate(team)));
      Measurement byScalar = results.get(0);
      Measurement byOne = results.get(1);
      Measurement byAll = results.get(2);
      double fraction = byOne.timesFasterThan(results.get(3));
      OptionalDouble affine =
          EngineCeilings.of(one).ceilings().stream().mapToDouble(Ceiling::value).findFirst();
      table.row(
          Cell.of(job),
          Cell.of(shape.m),
          Cell.of(byScalar.bestRate()),
          Cell.of(byOne.bestRate()),
          Cell.of(byOne.medianRate()),
          Cell.of(byAll.bestRate()),
          Cell.of(byOne.timesFasterThan(byScalar)),
          Cell.of(byAll.timesFasterThan(byOne)),
          Cell.of(results.get(3).bestRate()),
          Cell.of(fraction),
          Cell.of(results.get(4).bestRate()),
          Cell.of(byAll.timesFasterThan(results.get(4))),
          affine.isPresent() ? Cell.of(affine.getAsDouble()) : Cell.empty(),
          affine.isPresent() ? Cell.of(byOne.bestRate() / affine.getAsDouble()) : Cell.empty(),
          Cell.of(byAll.bestRate() * 1e3 / shape.n));
      return fraction;
    }
  }

  private Shape shrunk(Shape shape) {
    return new Shape(run.blocks(shape.m), run.blocks(shape.n), shape.k);
  }

  private static ProductLoad load(Engine engine, Shape shape) {
    return new ProductLoad(engine, shape.m, shape.n, shape.k, CoefficientKind.RANDOM);
  }

  private Table decoding() {
    int threads = run.options().threads();
    Table.Builder table =
        Table.named(
            "decoding",
            "Decoding, G GF-MAC/s counting n²·k",
            "shape",
            "progressive, 1 thread",
            "progressive, of the ceiling",
            "buffered, 1 thread",
            "buffered, of the ceiling",
            "progressive, %d threads".formatted(threads),
            "buffered, %d threads".formatted(threads),
            "ceiling, 1 thread",
            "progressive MB/s, 1 thread",
            "buffered MB/s, 1 thread");
    for (Shape shape : DECODE) {
      try (DecodeLoad load = new DecodeLoad(all, new Code.Dense(), run.blocks(shape.n), shape.k)) {
        List<Measurement> results =
            run.measure(
                "decode " + shape.text(),
                List.of(
                    load.progressive("progressive, 1 thread", one),
                    load.buffered("buffered, 1 thread", one),
                    load.progressive("progressive, all threads", all),
                    load.buffered("buffered, all threads", all),
                    Ceilings.shuffleCandidate()));
        Measurement ceiling = results.get(4);
        table.row(
            Cell.of(shape.text()),
            Cell.of(results.get(0).bestRate()),
            Cell.of(results.get(0).timesFasterThan(ceiling)),
            Cell.of(results.get(1).bestRate()),
            Cell.of(results.get(1).timesFasterThan(ceiling)),
            Cell.of(results.get(2).bestRate()),
            Cell.of(results.get(3).bestRate()),
            Cell.of(ceiling.bestRate()),
            Cell.of(load.megabytesPerSecond(results.get(0))),
            Cell.of(load.megabytesPerSecond(results.get(1))));
      }
    }
    return table
        .note(
            "From n dense coded blocks with their coefficients to n·k source bytes. The time"
                + " includes the elimination, the storing and multiplying of payloads, and the"
                + " memory of the decoder. One decoder is reset for each generation.")
        .note(
            "Work counts only the n²·k GF-MACs of multiplying payloads. The n³ of the elimination"
                + " are overhead, which weighs most where k is not much larger than n.")
        .build();
  }

  private Table peers() {
    List<String> columns = new ArrayList<>(List.of("library"));
    for (Shape shape : ENCODE) {
      columns.add("encode %s, m=%d".formatted(shape.text(), shape.m));
      columns.add("of its ceiling, m=%d".formatted(shape.m));
    }
    Table.Builder table =
        Table.named(
            "peers",
            "One thread as a fraction of the lane-shuffle ceiling, peers on another machine",
            columns.toArray(String[]::new));
    List<Cell> fieldstone =
        new ArrayList<>(List.of(Cell.of("Fieldstone " + one.spec() + ", here")));
    for (double fraction : ceilingFractions) {
      fieldstone.add(Cell.empty());
      fieldstone.add(Cell.of(fraction));
    }
    table.row(fieldstone);
    for (Peer peer : PEERS) {
      List<Cell> row = new ArrayList<>(List.of(Cell.of(peer.name)));
      for (double speed : peer.speeds) {
        boolean measured = !Double.isNaN(speed);
        row.add(measured ? Cell.of(speed) : Cell.empty());
        row.add(measured ? Cell.of(speed / PEER_CEILING) : Cell.empty());
      }
      table.row(row);
    }
    return table
        .note(
            ("The peers were measured on one core of another machine (Zen 5, 4.3 GHz, ceiling"
                    + " %.0f G GF-MAC/s). Only fractions of the ceiling compare.")
                .formatted(PEER_CEILING))
        .note(
            "GFNI multiplies without lane shuffles, so libraries that use it may pass 1, as do the"
                + " native kernels.")
        .build();
  }

  private Plot peerChart() {
    List<String> labels = ENCODE.stream().map(Shape::text).toList();
    List<Chart.Series> series = new ArrayList<>();
    series.add(
        new Chart.Series("Fieldstone, here", List.of(0.0, 1.0, 2.0), ceilingFractions, false));
    for (Peer peer : PEERS) {
      List<Double> xs = new ArrayList<>();
      List<Double> ys = new ArrayList<>();
      for (int i = 0; i < peer.speeds.size(); i++) {
        double speed = peer.speeds.get(i);
        if (!Double.isNaN(speed)) {
          xs.add((double) i);
          ys.add(speed / PEER_CEILING);
        }
      }
      series.add(new Chart.Series(peer.name, xs, ys, true));
    }
    return new Plot(
        new Chart.Bars(
            "peers",
            "Encoding, one thread: fraction of the lane-shuffle ceiling of the core",
            "fraction of the ceiling",
            labels,
            series));
  }
}
