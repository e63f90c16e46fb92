package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.SlowCandidateFilter;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.HostMemory;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ForkJoinPool;

/**
 * What the sections of {@code bench radix} share, and what the tables of the paper take from them.
 * While it is open, what the JDK and fastutil do in parallel has as many workers as the cores.
 */
final class RadixRun implements AutoCloseable {

  /** Keys alone of 32 and of 64 bits, and pairs of 32 bits each. */
  static final List<RecordFormat> FORMATS =
      List.of(
          RecordFormat.of(KeyType.I32),
          RecordFormat.of(KeyType.U64),
          RecordFormat.of(KeyType.I32).withPayload(Integer.BYTES));

  private static final List<Long> SIZES =
      List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L);

  private static final List<Long> FEW_SIZES = List.of(10_000L, 1_000_000L, 10_000_000L);
  private static final List<Long> FEW_GPU_SIZES = List.of(10_000L, 1_000_000L, 100_000_000L);

  /** Of the memory of the JVM, so much for arrays. */
  private static final double ARRAYS_PART = 0.5;

  /** One run of what takes longer is not waited for. */
  private static final double MAX_SECONDS = 1;

  private static final double MAX_QUICK_SECONDS = 0.25;

  /** What was sorted. */
  record Input(RecordFormat format, KeyDistribution distribution, long size) {}

  private final BenchEngines engines;
  private final EngineCeilings ceilings;
  private final Pace pace;
  private final Map<Input, Results> onCores = new LinkedHashMap<>();
  private final Map<Input, Results> onGpu = new LinkedHashMap<>();
  private final Closer closer = new Closer();
  private Optional<Pinned> pinned = Optional.empty();
  private final int poolBefore = ForkJoinPool.getCommonPoolParallelism();

  /**
   * Memory of the GPU's engine, for the most records of all.
   *
   * @param from what is sorted
   * @param to where it goes
   */
  private record Pinned(HostMemory from, HostMemory to) {}

  RadixRun(BenchEngines engines, EngineCeilings ceilings, Pace pace) {
    this.engines = engines;
    this.ceilings = ceilings;
    this.pace = pace;
    setCommonPoolSize(engines.threads());
  }

  BenchEngines engines() {
    return engines;
  }

  EngineCeilings ceilings() {
    return ceilings;
  }

  /** Whether all sizes and distributions are visited, or a few. */
  boolean isFull() {
    return pace.allShapes();
  }

  /** {@code nominal} records, or fewer where the benchmark itself is being tested. */
  int records(long nominal) {
    return Math.toIntExact(Math.max(1, nominal / pace.shrink()));
  }

  /** Numbers of records on the cores, as many as arrays may take twice. */
  List<Long> sizes(RecordFormat format) {
    double maxRecords = ARRAYS_PART * Runtime.getRuntime().maxMemory() / (2 * format.bytes());
    return (isFull() ? SIZES : FEW_SIZES).stream().filter(size -> size <= maxRecords).toList();
  }

  /** Numbers of records from and to pinned memory. */
  List<Long> gpuSizes() {
    return isFull() ? SIZES : FEW_GPU_SIZES;
  }

  /** What leaves out methods as sizes grow. */
  SlowCandidateFilter slowCandidateFilter() {
    return new SlowCandidateFilter(maxSeconds());
  }

  private double maxSeconds() {
    return isFull() ? MAX_SECONDS : MAX_QUICK_SECONDS;
  }

  /** A note on what is missing. */
  String slowCandidateNote() {
    return "A method is left out where a run would take it %s s, by its rate so far."
        .formatted(Cell.of(maxSeconds()).text());
  }

  /** The beginning of pinned memory to sort from: so much of it. */
  MemorySegment pinnedSource(long bytes) {
    return pinned().from.segment().asSlice(0, bytes);
  }

  /** The beginning of pinned memory to sort to. */
  MemorySegment pinnedTarget(long bytes) {
    return pinned().to.segment().asSlice(0, bytes);
  }

  /** Pinning takes longer than most of what is done with it: so it is done once. */
  private Pinned pinned() {
    if (pinned.isEmpty()) {
      Engine gpu = engines.gpu().orElseThrow();
      long maxRecords = gpuSizes().stream().mapToLong(this::records).max().orElseThrow();
      int recordBytes = FORMATS.stream().mapToInt(RecordFormat::bytes).max().orElseThrow();
      HostMemory from = closer.register(gpu.allocateHost(maxRecords * recordBytes));
      HostMemory to = closer.register(gpu.allocateHost(maxRecords * recordBytes));
      pinned = Optional.of(new Pinned(from, to));
    }
    return pinned.get();
  }

  /** The methods of an engine, then its choice. */
  static List<String> methods(Engine engine, RecordFormat format) {
    List<String> methods = new ArrayList<>(engine.sorts().methods(format));
    methods.add(SortLoad.AUTO);
    return methods;
  }

  /** Gives those who take the common pool so many workers. */
  void setCommonPoolSize(int threads) {
    try {
      ForkJoinPool.commonPool().setParallelism(threads);
    } catch (UnsupportedOperationException fixed) {
      // The command line of the JVM says how many there are; so they are.
    }
  }

  void recordOnCores(Input input, Results results) {
    onCores.put(input, results);
  }

  void recordOnGpu(Input input, Results results) {
    onGpu.put(input, results);
  }

  /** What the cores did, if that was measured. */
  Optional<Results> onCores(Input input) {
    return Optional.ofNullable(onCores.get(input));
  }

  /** What the GPU did, if that was measured. */
  Optional<Results> onGpu(Input input) {
    return Optional.ofNullable(onGpu.get(input));
  }

  /** The rates of all methods at uniform keys, by their number. */
  static Chart chart(String name, String title, Map<Input, Results> found, List<String> methods) {
    List<Chart.Series> series = new ArrayList<>();
    for (String method : methods) {
      SeriesBuilder points = new SeriesBuilder();
      found.forEach((input, results) -> {
        OptionalDouble rate = results.of(method, Measurement::medianMillions);
        if (input.distribution() == KeyDistribution.UNIFORM && rate.isPresent()) {
          points.add((double) input.size(), rate.getAsDouble());
        }
      });
      series.add(points.series(method, false));
    }
    return new Chart.Lines(name, title, "records", "M records/s", series);
  }

  /** A number of records as powers of ten are written. */
  static String sizeName(long size) {
    long power = Math.round(Math.log10((double) size));
    return "10^" + power;
  }

  @Override
  public void close() {
    closer.close();
    setCommonPoolSize(poolBefore);
  }
}
