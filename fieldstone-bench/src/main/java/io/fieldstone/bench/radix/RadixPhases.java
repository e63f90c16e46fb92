package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.MethodProfile;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
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
import java.util.Optional;

/**
 * Measures Table II or III of the paper: the phases of each method of a GPU, with a Gantt chart.
 */
final class RadixPhases implements Section {

  private static final double MS_PER_SECOND = 1e3;
  private static final List<String> METHODS =
      List.of(RadixOnGpu.SERIAL, RadixOnGpu.STREAMED, Methods.AUTO);

  /** Runs before the profile, in which the engine allocates memory and the JVM compiles. */
  private static final int WARM_UPS = 25;

  private final RadixRun radixRun;
  private final RadixPaper.Profile paper;

  private RadixPhases(RadixRun radixRun, RadixPaper.Profile paper) {
    this.radixRun = radixRun;
    this.paper = paper;
  }

  /** Makes a section for each table. */
  static List<RadixPhases> ofPaper(RadixRun radixRun) {
    return RadixPaper.PROFILES.stream().map(paper -> new RadixPhases(radixRun, paper)).toList();
  }

  @Override
  public int steps() {
    return radixRun.engines().hasGpu() ? 1 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Map<String, MethodProfile> profiles = new LinkedHashMap<>();
    List<Part> charts = new ArrayList<>();
    Optional<Engine> gpu = radixRun.engines().gpu();
    if (gpu.isPresent()) {
      run.beginStep("GPU, phases, " + paper.distribution());
      profile(run, gpu.get(), profiles, charts);
    }
    List<Part> parts = new ArrayList<>(List.of(table(profiles)));
    parts.addAll(charts);
    return parts;
  }

  /** Runs each method on an engine that reports its phases, and profiles the last run. */
  private void profile(
      Run run, Engine gpu, Map<String, MethodProfile> profiles, List<Part> charts) {
    RecordFormat format = RecordFormat.of(KeyType.I32);
    int count = radixRun.records(RadixPaper.PROFILED);
    long bytes = (long) count * format.bytes();
    MemorySegment records = radixRun.pinnedSource(bytes);
    MemorySegment sorted = radixRun.pinnedTarget(bytes);
    paper.distribution().fill(format, records);
    Timeline timeline = new Timeline();
    EngineOptions options = new EngineOptions(radixRun.engines().threads(), timeline);
    try (Engine observed = Engine.open(gpu.spec(), options)) {
      for (String method : RadixRun.methods(observed, format)) {
        Sorting sorting = SortLoad.sorting(observed, format, method);
        MethodProfile profiled =
            MethodProfile.of(timeline, WARM_UPS, () -> sorting.sort(records, sorted));
        profiles.put(method, profiled);
        run.record(
            "GPU, phases, %s: %s".formatted(paper.distribution(), method),
            count,
            profiled.totalMs() / MS_PER_SECOND);
        if (!timeline.phases().isEmpty()) {
          charts.add(ganttChart(method, timeline));
        }
      }
    }
  }

  private Chart ganttChart(String method, Timeline timeline) {
    return Chart.Gantt.of(
        "timeline-%s-%s".formatted(paper.distribution(), method),
        "%s keys of 32 bits, %s, by %s"
            .formatted(RadixRun.sizeName(RadixPaper.PROFILED), paper.distribution(), method),
        timeline);
  }

  /**
   * Makes a table of the paper's operations and the phases measured here; only the totals compare.
   */
  private Table table(Map<String, MethodProfile> profiles) {
    Table.Builder table =
        Table.named(
            "table-" + paper.table(),
            "Table %s: %s integers by operation, %s, ms"
                .formatted(
                    "I".repeat(paper.table()),
                    RadixRun.sizeName(RadixPaper.PROFILED),
                    paper.distribution()),
            "operation",
            "paper, original",
            "paper, modified",
            "GPU, serial",
            "GPU, streamed",
            "GPU, auto");
    for (RadixPaper.Operation operation : paper.operations()) {
      table.row(
          Cell.of(operation.name()),
          Cell.of(operation.original()),
          Cell.of(operation.modified()),
          Cell.empty(),
          Cell.empty(),
          Cell.empty());
    }
    for (String phase : MethodProfile.phases(profiles.values())) {
      List<Cell> cells =
          new ArrayList<>(List.of(Cell.of("here: " + phase), Cell.empty(), Cell.empty()));
      METHODS.forEach(method ->
          cells.add(
              profiles.containsKey(method) ? profiles.get(method).busyMs(phase) : Cell.empty()));
      table.row(cells);
    }
    List<Cell> total = new ArrayList<>();
    total.add(Cell.of(paper.total().name()));
    total.add(Cell.of(paper.total().original()));
    total.add(Cell.of(paper.total().modified()));
    METHODS.forEach(method ->
        total.add(
            profiles.containsKey(method) ? Cell.of(profiles.get(method).totalMs()) : Cell.empty()));
    return table
        .row(total)
        .note(
            "Phases overlap, and several streams may be in one at once: they add up to more than"
                + " the total.")
        .build();
  }
}
