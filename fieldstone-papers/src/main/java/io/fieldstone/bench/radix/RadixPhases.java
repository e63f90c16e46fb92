package io.fieldstone.bench.radix;

import io.fieldstone.bench.measure.MethodProfile;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
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
import java.util.Set;
import java.util.function.Function;

/**
 * Measures Table II or III of the paper: the phases of each method of a GPU, with a Gantt chart.
 */
final class RadixPhases implements Section {

  private static final double MS_PER_SECOND = 1e3;
  private static final List<String> METHODS =
      List.of(RadixOnGpu.RADIX_16, RadixOnGpu.SERIAL, RadixOnGpu.STREAMED, Methods.AUTO);

  /**
   * A row of the table.
   *
   * @param name of the operation
   * @param phases measured here that are this operation
   * @param paper milliseconds of the paper, if it has the operation
   */
  private record Row(
      String name,
      Set<String> phases,
      Function<RadixPaper.Profile, Optional<RadixPaper.Operation>> paper) {

    static Row ofPaper(
        String name, Function<RadixPaper.Profile, RadixPaper.Operation> paper, String... phases) {
      return new Row(name, Set.of(phases), profile -> Optional.of(paper.apply(profile)));
    }

    static Row withoutPaper(String name, String... phases) {
      return new Row(name, Set.of(phases), _ -> Optional.empty());
    }
  }

  private static final List<Row> ROWS =
      List.of(
          Row.ofPaper("reduction", RadixPaper.Profile::reduction, "reduction", "histogram"),
          Row.ofPaper("spine scan", RadixPaper.Profile::spine, "spine scan"),
          Row.ofPaper("scatter", RadixPaper.Profile::scatter, "scatter"),
          Row.withoutPaper(
              "passes in one kernel each", "sort", "partition", "compute", "collect", "deliver"),
          Row.ofPaper("bucketing, alignment, load balance", RadixPaper.Profile::balance),
          Row.ofPaper("MemcpyHtoD", RadixPaper.Profile::upload, "upload"),
          Row.ofPaper("MemcpyDtoH", RadixPaper.Profile::download, "download"),
          Row.withoutPaper("compression on the GPU", "pack"),
          Row.withoutPaper("decompression on the cores", "decode"));

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

  private Gantt ganttChart(String method, Timeline timeline) {
    return Gantt.of(
        "timeline-%s-%s".formatted(paper.distribution(), method),
        "%s keys of 32 bits, %s, by %s"
            .formatted(RadixRun.sizeName(RadixPaper.PROFILED), paper.distribution(), method),
        timeline);
  }

  /** Makes a table in which the operations, less the overlap, add up to the total. */
  private Table table(Map<String, MethodProfile> profiles) {
    List<String> columns =
        new ArrayList<>(List.of("operation", "paper, original", "paper, modified"));
    METHODS.forEach(method -> columns.add("GPU, " + method));
    Table.Builder table =
        Table.named(
            "table-" + paper.table(),
            "Table %s: %s integers by operation, %s, ms"
                .formatted(
                    "I".repeat(paper.table()),
                    RadixRun.sizeName(RadixPaper.PROFILED),
                    paper.distribution()),
            columns.toArray(String[]::new));
    for (Row row : ROWS) {
      table.row(
          cells(
              row.name, row.paper.apply(paper), profiles, one -> Cell.of(one.wallMs(row.phases))));
    }
    table.row(cells("no operation", Optional.empty(), profiles, one -> Cell.of(one.idleMs())));
    table.row(cells("overlap", Optional.of(paper.overlap()), profiles, RadixPhases::overlappedMs));
    table.row(
        cells(
            "total", Optional.of(paper.total()), profiles, profile -> Cell.of(profile.totalMs())));
    return table
        .note(
            "A row is the time in which at least one stream or thread did this. The rows less the"
                + " overlap add up to the total. The paper's sums of its own rows agree with its"
                + " totals within 0.01 ms.")
        .note(
            "radix-16 has the three kernels of the paper for each digit of four bits. The other"
                + " methods count all digits of eight bits at once, and move items by one kernel"
                + " for each digit.")
        .build();
  }

  private static List<Cell> cells(
      String name,
      Optional<RadixPaper.Operation> paper,
      Map<String, MethodProfile> profiles,
      Function<MethodProfile, Cell> measured) {
    List<Cell> cells = new ArrayList<>(List.of(Cell.of(name)));
    cells.add(paper.map(one -> Cell.of(one.original())).orElseGet(Cell::empty));
    cells.add(paper.map(one -> Cell.of(one.modified())).orElseGet(Cell::empty));
    for (String method : METHODS) {
      cells.add(Optional.ofNullable(profiles.get(method)).map(measured).orElseGet(Cell::empty));
    }
    return cells;
  }

  /** Returns the milliseconds by which the rows exceed the time in which they were measured. */
  private static Cell overlappedMs(MethodProfile profile) {
    double sum = ROWS.stream().mapToDouble(row -> profile.wallMs(row.phases).orElse(0)).sum();
    return Cell.of(sum - profile.wallMs());
  }
}
