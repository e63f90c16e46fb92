package io.fieldstone.bench;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.BenchOptions;
import io.fieldstone.bench.measure.Blackhole;
import io.fieldstone.bench.measure.Candidate;
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
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Runs {@code bench ceilings}: measures the highest rate of each operation that jobs consist of.
 */
final class Ceilings {

  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;

  /** The size of the memory in bytes, larger than last-level caches. */
  private static final long MEMORY_BYTES = 256L << 20;

  /** The size of the memory in a quick run, with a quarter of the page faults. */
  private static final long QUICK_MEMORY_BYTES = 64L << 20;

  /** The bytes of a checksum, which fit in a cache. */
  private static final int CHECKSUM_BYTES = 1 << 20;

  private static final long ALIGNMENT = 64;

  private static final Heading HEADING =
      new Heading(
          "ceilings",
          "Ceilings of this machine",
          List.of(
              "The maximum rates of this machine, measured from Java, for comparison with the rates"
                  + " of Fieldstone."));

  private Ceilings() {}

  static Report run(BenchOptions options) {
    Run run = new Run(options, HEADING, 5);
    long bytes =
        (options.pace().allShapes() ? MEMORY_BYTES : QUICK_MEMORY_BYTES) / options.pace().shrink();
    List<Row> rows = new ArrayList<>();
    try (ThreadTeam team = new ThreadTeam(options.threads());
        Arena arena = Arena.ofShared()) {
      MemorySegment from = touched(arena, bytes);
      MemorySegment to = touched(arena, bytes);
      rows.add(copy(run, team, from, to));
      rows.add(read(run, team, from));
      rows.add(shuffles(run, team));
      rows.add(sha256(run, team));
      rows.add(crc32c(run, team));
    }
    Table.Builder table =
        Table.named(
            "ceilings",
            "Ceilings of this machine",
            "operation",
            "unit",
            "1 thread",
            "1 thread, median",
            options.threads() + " threads",
            "threads / 1");
    rows.forEach(row ->
        table.row(
            Cell.of(row.operation),
            Cell.of(row.unit),
            Cell.of(row.one.bestRate()),
            Cell.of(row.one.medianRate()),
            Cell.of(row.all.bestRate()),
            Cell.of(row.all.timesFasterThan(row.one))));
    table
        .note("Best of the samples. One thread and all threads take turns, sample by sample.")
        .note(
            "Memory: %d MiB. A copied byte counts once, though it is read and written."
                .formatted(bytes >> 20))
        .note(
            "Lane shuffles: two byte selects and one three-operand XOR on registers, which multiply"
                + " and accumulate one byte per lane. No product by nibble tables can be faster.")
        .note("Checksums: %d KiB, in cache.".formatted(CHECKSUM_BYTES >> 10));
    run.publish(table.build());
    run.publish(chart(options, rows));
    try (BenchEngines engines = new BenchEngines(options)) {
      engines(engines, options).ifPresent(run::publish);
      run.publish(ChoiceRates.of(run, engines));
    }
    return run.report();
  }

  /**
   * Makes a table of the ceilings that engines measure; returns empty if no engine measures any.
   */
  private static Optional<Table> engines(BenchEngines engines, BenchOptions options) {
    Table.Builder table =
        Table.named(
            "engines", "Ceilings of the engines, medians", "engine", "ceiling", "value", "unit");
    boolean isEmpty = true;
    for (String spec : engines.hardware()) {
      Engine engine = engines.open(spec, options.threads());
      for (Ceiling ceiling : EngineCeilings.of(engine).ceilings()) {
        table.row(
            Cell.of(spec),
            Cell.of(ceiling.name()),
            Cell.of(ceiling.value()),
            Cell.of(ceiling.unit()));
        isEmpty = false;
      }
    }
    return isEmpty ? Optional.empty() : Optional.of(table.build());
  }

  private record Row(String operation, String unit, Measurement one, Measurement all) {}

  private static Plot chart(BenchOptions options, List<Row> rows) {
    List<Double> at = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      at.add((double) i);
    }
    return new Plot(
        new Chart.Bars(
            "chart",
            "Ceilings of this machine",
            "GB/s, or G GF-MAC/s for lane shuffles",
            rows.stream().map(Row::operation).toList(),
            List.of(
                new Chart.Series(
                    "1 thread", at, rows.stream().map(row -> row.one.bestRate()).toList(), false),
                new Chart.Series(
                    options.threads() + " threads",
                    at,
                    rows.stream().map(row -> row.all.bestRate()).toList(),
                    false))));
  }

  private static Row copy(Run run, ThreadTeam team, MemorySegment from, MemorySegment to) {
    long bytes = from.byteSize();
    long part = part(bytes, team);
    return row(
        run,
        "memory copy",
        "GB/s",
        new Candidate("memory copy, 1 thread", bytes, () -> to.copyFrom(from)),
        new Candidate(
            "memory copy, all threads",
            (double) part * team.threads(),
            team.onAll(
                thread -> MemorySegment.copy(from, thread * part, to, thread * part, part))));
  }

  private static Row read(Run run, ThreadTeam team, MemorySegment from) {
    long part = part(from.byteSize(), team);
    Blackhole sink = new Blackhole();
    return row(
        run,
        "memory read",
        "GB/s",
        new Candidate(
            "memory read, 1 thread",
            from.byteSize(),
            () -> sink.consume(xor(from, 0, from.byteSize()))),
        new Candidate(
            "memory read, all threads",
            (double) part * team.threads(),
            team.onAll(thread -> sink.consume(xor(from, thread * part, part)))));
  }

  private static Row shuffles(Run run, ThreadTeam team) {
    return row(run, "lane shuffles", "G GF-MAC/s", shuffleCandidate(), shuffleCandidate(team));
  }

  /** Measures the lane-shuffle ceiling of one thread; the rate is in G GF-MAC/s. */
  static Candidate shuffleCandidate() {
    LaneShuffles loop = new LaneShuffles();
    Blackhole sink = new Blackhole();
    return new Candidate(
        "lane shuffles, 1 thread", LaneShuffles.work(), () -> sink.consume(loop.run()));
  }

  /** Measures the lane-shuffle ceiling of several threads; the rate is in G GF-MAC/s. */
  static Candidate shuffleCandidate(ThreadTeam team) {
    LaneShuffles loop = new LaneShuffles();
    Blackhole sink = new Blackhole();
    int rounds = 20; // milliseconds per thread, so that waking the threads costs little
    return new Candidate(
        "lane shuffles, all threads",
        rounds * LaneShuffles.work() * team.threads(),
        team.onAll(thread -> {
          for (int round = 0; round < rounds; round++) {
            sink.consume(loop.run());
          }
        }));
  }

  private static Row sha256(Run run, ThreadTeam team) {
    byte[] data = new byte[CHECKSUM_BYTES];
    return row(
        run,
        "SHA-256",
        "GB/s",
        new Candidate("SHA-256, 1 thread", data.length, () -> sha256().digest(data)),
        new Candidate(
            "SHA-256, all threads",
            (double) data.length * team.threads(),
            team.onAll(thread -> sha256().digest(data))));
  }

  private static Row crc32c(Run run, ThreadTeam team) {
    byte[] data = new byte[CHECKSUM_BYTES];
    Blackhole sink = new Blackhole();
    int rounds = 8; // a round is some tens of microseconds
    return row(
        run,
        "CRC-32C",
        "GB/s",
        new Candidate("CRC-32C, 1 thread", data.length, () -> sink.consume(crc32c(data))),
        new Candidate(
            "CRC-32C, all threads",
            (double) rounds * data.length * team.threads(),
            team.onAll(thread -> {
              for (int round = 0; round < rounds; round++) {
                sink.consume(crc32c(data));
              }
            })));
  }

  private static Row row(Run run, String operation, String unit, Candidate one, Candidate all) {
    List<Measurement> both = run.measure(operation, List.of(one, all));
    return new Row(operation, unit, both.get(0), both.get(1));
  }

  /**
   * Computes the XOR of the memory's words in four chains, so that loads limit the rate and not the
   * XORs.
   */
  private static long xor(MemorySegment memory, long from, long bytes) {
    ByteOrder order = ByteOrder.nativeOrder();
    int vector = LONGS.vectorByteSize();
    LongVector a = LongVector.zero(LONGS);
    LongVector b = a;
    LongVector c = a;
    LongVector d = a;
    long end = from + bytes / (4L * vector) * (4L * vector);
    for (long at = from; at < end; at += 4L * vector) {
      a = a.lanewise(VectorOperators.XOR, LongVector.fromMemorySegment(LONGS, memory, at, order));
      b =
          b.lanewise(
              VectorOperators.XOR, LongVector.fromMemorySegment(LONGS, memory, at + vector, order));
      c =
          c.lanewise(
              VectorOperators.XOR,
              LongVector.fromMemorySegment(LONGS, memory, at + 2L * vector, order));
      d =
          d.lanewise(
              VectorOperators.XOR,
              LongVector.fromMemorySegment(LONGS, memory, at + 3L * vector, order));
    }
    return a.lanewise(VectorOperators.XOR, b)
        .lanewise(VectorOperators.XOR, c)
        .lanewise(VectorOperators.XOR, d)
        .reduceLanes(VectorOperators.XOR);
  }

  private static long part(long bytes, ThreadTeam team) {
    return bytes / team.threads() / ALIGNMENT * ALIGNMENT;
  }

  /**
   * Allocates memory and writes every page: unwritten pages would all read from one page of zeros.
   */
  private static MemorySegment touched(Arena arena, long bytes) {
    return arena.allocate(bytes, ALIGNMENT).fill((byte) 1);
  }

  private static long crc32c(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    return crc.getValue();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
