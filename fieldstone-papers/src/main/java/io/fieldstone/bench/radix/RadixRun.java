package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.EngineCeilings;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.SlowCandidateFilter;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.memory.HostMemory;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ForkJoinPool;

/**
 * The engines, memory and results that the sections of {@code bench radix} share. While it is open,
 * the common pool has as many workers as the engine has threads.
 */
final class RadixRun implements AutoCloseable {

  /** Formats: keys of 32 and of 64 bits, and pairs of 32 bits each. */
  static final List<RecordFormat> FORMATS =
      List.of(
          RecordFormat.of(KeyType.I32),
          RecordFormat.of(KeyType.U64),
          RecordFormat.of(KeyType.I32).withPayload(Integer.BYTES));

  private static final List<Long> SIZES =
      List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L, 1_000_000_000L);

  private static final List<Long> FEW_SIZES = List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L);
  private static final List<Long> FEW_GPU_SIZES =
      List.of(10_000L, 100_000L, 1_000_000L, 10_000_000L, 100_000_000L);

  /** Fraction of the memory of the JVM for arrays. */
  private static final double ARRAYS_PART = 0.5;

  /** Predicted seconds of one run from which a method is left out. */
  private static final double MAX_SECONDS = 1;

  private static final double MAX_QUICK_SECONDS = 0.25;

  /**
   * The records of a comparison.
   *
   * @param format of the records
   * @param distribution of the keys
   * @param size number of records
   */
  record Input(RecordFormat format, KeyDistribution distribution, long size) {}

  private final BenchEngines engines;
  private final EngineCeilings ceilings;
  private final Pace pace;
  private final boolean takesGpuSizes;
  private final Map<Input, Results> onCores = new LinkedHashMap<>();
  private final Map<Input, Results> onGpu = new LinkedHashMap<>();
  private final Closer closer = new Closer();
  private Optional<Pinned> pinned = Optional.empty();
  private final int poolBefore = ForkJoinPool.getCommonPoolParallelism();

  /**
   * Pinned memory for the largest number of records.
   *
   * @param from holds unsorted records
   * @param to receives sorted records
   */
  private record Pinned(HostMemory from, HostMemory to) {}

  /**
   * Sets the common pool.
   *
   * @param takesGpuSizes whether {@link #gpuSizes} will be sorted on a GPU, or at most as many
   *     records as in the paper
   */
  RadixRun(BenchEngines engines, EngineCeilings ceilings, Pace pace, boolean takesGpuSizes) {
    this.engines = engines;
    this.ceilings = ceilings;
    this.pace = pace;
    this.takesGpuSizes = takesGpuSizes;
    setCommonPoolSize(engines.threads());
  }

  BenchEngines engines() {
    return engines;
  }

  EngineCeilings ceilings() {
    return ceilings;
  }

  /** Returns whether all sizes and distributions are measured, or a few. */
  boolean isFull() {
    return pace.allShapes();
  }

  /** Returns {@code nominal} records, or fewer in a test of the benchmark. */
  int records(long nominal) {
    return Math.toIntExact(Math.max(1, nominal / pace.shrink()));
  }

  /** Returns the numbers of records on the cores, for which the JVM has memory. */
  List<Long> sizes(RecordFormat format) {
    double maxRecords = ARRAYS_PART * Runtime.getRuntime().maxMemory() / (2 * format.bytes());
    return (isFull() ? SIZES : FEW_SIZES).stream().filter(size -> size <= maxRecords).toList();
  }

  /** Returns the numbers of records on a GPU. */
  List<Long> gpuSizes() {
    return isFull() ? SIZES : FEW_GPU_SIZES;
  }

  /** Makes a filter that leaves out slow methods as sizes grow. */
  SlowCandidateFilter slowCandidateFilter() {
    return new SlowCandidateFilter(maxSeconds());
  }

  private double maxSeconds() {
    return isFull() ? MAX_SECONDS : MAX_QUICK_SECONDS;
  }

  /** Returns a note on that filter. */
  String slowCandidateNote() {
    return "A method is left out where one run is predicted to take %s s."
        .formatted(Cell.of(maxSeconds()).text());
  }

  /** Returns the first {@code bytes} of the pinned memory of unsorted records. */
  MemorySegment pinnedSource(long bytes) {
    return pinned().from.segment().asSlice(0, bytes);
  }

  /** Returns the first {@code bytes} of the pinned memory for sorted records. */
  MemorySegment pinnedTarget(long bytes) {
    return pinned().to.segment().asSlice(0, bytes);
  }

  /** Returns the pinned memory, allocated once, because that takes longer than most sorts. */
  private Pinned pinned() {
    if (pinned.isEmpty()) {
      Engine gpu = engines.gpu().orElseThrow();
      long maxRecords = records(takesGpuSizes ? gpuSizes().getLast() : RadixPaper.PROFILED);
      int recordBytes = FORMATS.stream().mapToInt(RecordFormat::bytes).max().orElseThrow();
      HostMemory from = closer.register(gpu.allocateHost(maxRecords * recordBytes));
      HostMemory to = closer.register(gpu.allocateHost(maxRecords * recordBytes));
      pinned = Optional.of(new Pinned(from, to));
    }
    return pinned.get();
  }

  /** Returns the methods of an engine, and its own choice last. */
  static List<String> methods(Engine engine, RecordFormat format) {
    List<String> methods = new ArrayList<>(engine.sorts().methods(format));
    methods.add(Methods.AUTO);
    return methods;
  }

  /** Sets the number of workers of the common pool. */
  void setCommonPoolSize(int threads) {
    try {
      ForkJoinPool.commonPool().setParallelism(threads);
    } catch (UnsupportedOperationException fixed) {
      // The command line of the JVM has fixed the number of workers.
    }
  }

  void recordOnCores(Input input, Results results) {
    onCores.put(input, results);
  }

  void recordOnGpu(Input input, Results results) {
    onGpu.put(input, results);
  }

  /** Returns the results of the cores, if measured. */
  Optional<Results> onCores(Input input) {
    return Optional.ofNullable(onCores.get(input));
  }

  /** Returns the results of the GPU, if measured. */
  Optional<Results> onGpu(Input input) {
    return Optional.ofNullable(onGpu.get(input));
  }

  /** Charts the rates of all methods by the number of uniform keys. */
  static Plot chart(String name, String title, Map<Input, Results> found, List<String> methods) {
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
    return new Plot(new Chart.Lines(name, title, "records", "M records/s", series));
  }

  /** Formats a number of records as a power of ten. */
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
