package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.MethodProfile;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.stream.Timeline;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Measures Figs. 3 and 4 of the paper: the time of computation and of communication for 10^2 to
 * 10^8 pairs of keys and values, and their shares of the total.
 */
final class RadixShares implements Section {

  private static final double MS_PER_SECOND = 1e3;
  private static final double NANOS_PER_MS = 1e6;

  private static final List<Long> PAIRS =
      LongStream.iterate(100, pairs -> pairs <= RadixPaper.PROFILED, pairs -> 10 * pairs)
          .boxed()
          .toList();

  private static final List<KeyDistribution> DISTRIBUTIONS =
      List.of(KeyDistribution.UNIFORM, KeyDistribution.NORMAL);

  /** The baseline of the paper, and the choice of the engine. */
  private static final List<String> METHODS = List.of(RadixOnGpu.RADIX_16, Methods.AUTO);

  private static final Set<String> INPUT = Set.of("upload");
  private static final Set<String> OUTPUT = Set.of("download", "decode");
  private static final Set<String> COMMUNICATION = Set.of("upload", "download", "decode");

  /** Runs before those that are compared, in which the engine allocates memory. */
  private static final int WARM_UPS = 10;

  private static final int RUNS = 5;

  private final RadixRun radixRun;
  private final Map<Shape, MethodProfile> profiles = new LinkedHashMap<>();

  /** A row of the tables. */
  private record Shape(KeyDistribution distribution, long pairs, String method) {}

  /** A figure of a profile. */
  private interface Figure {
    OptionalDouble of(MethodProfile profile);
  }

  RadixShares(RadixRun radixRun) {
    this.radixRun = radixRun;
  }

  @Override
  public int steps() {
    return radixRun.engines().hasGpu() ? DISTRIBUTIONS.size() * PAIRS.size() : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    if (!radixRun.engines().hasGpu()) {
      return List.of();
    }
    Timeline timeline = new Timeline();
    EngineOptions options = new EngineOptions(radixRun.engines().threads(), timeline);
    String spec = radixRun.engines().gpu().orElseThrow().spec();
    try (Engine observed = Engine.open(spec, options)) {
      for (KeyDistribution distribution : DISTRIBUTIONS) {
        for (long pairs : PAIRS) {
          profile(run, observed, timeline, distribution, pairs);
        }
      }
    }
    return List.of(times(), timesChart(), shares(), sharesChart());
  }

  private void profile(
      Run run, Engine engine, Timeline timeline, KeyDistribution distribution, long pairs) {
    RecordFormat format = RecordFormat.of(KeyType.I32).withPayload(Integer.BYTES);
    String step = "GPU, shares, %s %s pairs".formatted(RadixRun.sizeName(pairs), distribution);
    run.beginStep(step);
    int count = radixRun.records(pairs);
    long bytes = (long) count * format.bytes();
    MemorySegment records = radixRun.pinnedSource(bytes);
    MemorySegment sorted = radixRun.pinnedTarget(bytes);
    distribution.fill(format, records);
    SortedCheck check = new SortedCheck(format, records);
    for (String method : METHODS) {
      Sorting sorting = SortLoad.sorting(engine, format, method);
      MethodProfile profile =
          MethodProfile.median(timeline, WARM_UPS, RUNS, () -> sorting.sort(records, sorted));
      check.require(method, sorted);
      profiles.put(new Shape(distribution, pairs, method), profile);
      run.record(step + ": " + method, count, profile.totalMs() / MS_PER_SECOND);
    }
  }

  private Part times() {
    Table.Builder table =
        Table.named(
            "figure-3",
            "Fig. 3: computation and communication for pairs of 32-bit keys and values, µs",
            "keys",
            "pairs",
            "method",
            "input",
            "computation",
            "output",
            "no operation",
            "overlap",
            "total",
            "computation, ns per pair");
    profiles.forEach((shape, profile) ->
        table.row(
            Cell.of(shape.distribution.toString()),
            Cell.of(RadixRun.sizeName(shape.pairs)),
            Cell.of(shape.method),
            MethodProfile.micros(profile.wallMs(INPUT)),
            MethodProfile.micros(computation(profile)),
            MethodProfile.micros(profile.wallMs(OUTPUT)),
            MethodProfile.micros(OptionalDouble.of(profile.idleMs())),
            MethodProfile.micros(OptionalDouble.of(overlap(profile))),
            MethodProfile.micros(OptionalDouble.of(profile.totalMs())),
            Cell.of(
                MethodProfile.scaled(
                    computation(profile), NANOS_PER_MS / radixRun.records(shape.pairs)))));
    return table
        .note(
            "From pinned memory to pinned memory; the run of median length of %d, or of fewer"
                    .formatted(RUNS)
                + " that take half a second. A column is the time in which at least one stream or"
                + " thread did this. Input, computation, output and no operation, less the overlap,"
                + " add up to the total.")
        .note(
            "The output includes decompression on the cores, if the method compresses. The curves"
                + " of the paper print no numbers; its text says that computation levels up after"
                + " 10^6 pairs, and that communication then exceeds computation.")
        .build();
  }

  private Part shares() {
    Table.Builder table =
        Table.named(
            "figure-4",
            "Fig. 4: shares of the total time, percent",
            "keys",
            "pairs",
            "method",
            "input",
            "computation",
            "output",
            "input and output",
            "output / computation");
    profiles.forEach((shape, profile) -> {
      OptionalDouble output = profile.wallMs(OUTPUT);
      table.row(
          Cell.of(shape.distribution.toString()),
          Cell.of(RadixRun.sizeName(shape.pairs)),
          Cell.of(shape.method),
          Cell.of(profile.percent(profile.wallMs(INPUT))),
          Cell.of(profile.percent(computation(profile))),
          Cell.of(profile.percent(output)),
          Cell.of(profile.percent(profile.wallMs(COMMUNICATION))),
          Cell.ratio(output, computation(profile)));
    });
    return table
        .note(
            "The paper: input and output take over 50% of the total, and output less than"
                + " computation. With an overlap the shares add up to more than 100.")
        .build();
  }

  private Plot timesChart() {
    List<Chart.Series> series = new ArrayList<>();
    for (String method : METHODS) {
      series.add(series(method + ", computation", method, RadixShares::computation));
      series.add(
          series(method + ", communication", method, profile -> profile.wallMs(COMMUNICATION)));
    }
    return new Plot(
        new Chart.Lines(
            "figure-3",
            "Fig. 3: sorting uniform pairs of 32-bit keys and values",
            "pairs",
            "ms",
            series));
  }

  private Plot sharesChart() {
    List<Chart.Series> series = new ArrayList<>();
    for (String method : METHODS) {
      series.add(series(method + ", input", method, one -> one.percent(one.wallMs(INPUT))));
      series.add(series(method + ", computation", method, one -> one.percent(computation(one))));
      series.add(series(method + ", output", method, one -> one.percent(one.wallMs(OUTPUT))));
    }
    return new Plot(
        new Chart.Lines(
            "figure-4",
            "Fig. 4: shares of the time, uniform pairs",
            "pairs",
            "% of the total",
            series));
  }

  private Chart.Series series(String name, String method, Figure figure) {
    SeriesBuilder points = new SeriesBuilder();
    profiles.forEach((shape, profile) -> {
      if (shape.method.equals(method) && shape.distribution == KeyDistribution.UNIFORM) {
        figure.of(profile).ifPresent(value -> points.add((double) shape.pairs, value));
      }
    });
    return points.series(name, false);
  }

  /** Returns the milliseconds in which kernels ran; empty if the GPU had no work. */
  private static OptionalDouble computation(MethodProfile profile) {
    return profile.wallMs(
        MethodProfile.phases(List.of(profile)).stream()
            .filter(name -> !COMMUNICATION.contains(name))
            .collect(Collectors.toSet()));
  }

  /** Returns the milliseconds by which the columns exceed the time in which they were measured. */
  private static double overlap(MethodProfile profile) {
    return profile.wallMs(INPUT).orElse(0)
        + computation(profile).orElse(0)
        + profile.wallMs(OUTPUT).orElse(0)
        - profile.wallMs();
  }
}
