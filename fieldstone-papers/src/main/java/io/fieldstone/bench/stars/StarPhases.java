package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.MethodProfile;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Gantt;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.stream.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Measures Fig. 11: the phases of each method of a GPU, with a Gantt chart. */
final class StarPhases implements Section {

  private static final double MS_PER_SECOND = 1e3;
  private static final String METHOD_SEPARATOR = "+";

  private final StarRun starRun;

  StarPhases(StarRun starRun) {
    this.starRun = starRun;
  }

  @Override
  public int steps() {
    return starRun.engines().hasGpu() ? 1 : 0;
  }

  @Override
  public List<Part> measure(Run run) {
    Optional<Engine> gpu = starRun.engines().gpu();
    return gpu.isPresent() ? measure(run, gpu.get()) : List.of();
  }

  private List<Part> measure(Run run, Engine gpu) {
    run.beginStep("phases of %,d sensors listed".formatted(starRun.maxSensors()));
    StarField field = starRun.field(starRun.maxSensors());
    Timeline timeline = new Timeline();
    Map<String, MethodProfile> found = new LinkedHashMap<>();
    Map<String, MethodProfile> decoded = new LinkedHashMap<>();
    List<Part> charts = new ArrayList<>();
    EngineOptions options = new EngineOptions(starRun.engines().threads(), timeline);
    try (Engine observed = Engine.open(gpu.spec(), options)) {
      for (String method : observed.stars().methods(field)) {
        found.put(method, profiled(run, observed, field, StarWork.LIST, method, 1, timeline));
        if (!timeline.phases().isEmpty()) {
          charts.add(
              Gantt.of(
                  "timeline-" + method.replace(METHOD_SEPARATOR, "-"),
                  "3-stars of %,d sensors listed by %s".formatted(starRun.maxSensors(), method),
                  timeline));
        }
        // The memory has been allocated, and a list of 10^9 stars takes seconds to decode.
        decoded.put(method, profiled(run, observed, field, StarWork.DECODE, method, 0, timeline));
      }
    }
    List<Part> parts = new ArrayList<>(List.of(table(found, decoded)));
    parts.addAll(charts);
    return parts;
  }

  /** Profiles a run after others, the first of which allocates memory. */
  private MethodProfile profiled(
      Run run,
      Engine engine,
      StarField field,
      StarWork work,
      String method,
      int warmUps,
      Timeline timeline) {
    MethodProfile profiled =
        MethodProfile.of(timeline, warmUps, () -> work.run(engine, field, method));
    run.record(
        "phases, %s, %s".formatted(method, work.done()),
        field.points(),
        profiled.totalMs() / MS_PER_SECOND);
    return profiled;
  }

  private Table table(Map<String, MethodProfile> found, Map<String, MethodProfile> decoded) {
    List<String> columns = new ArrayList<>(List.of("phase"));
    columns.addAll(found.keySet());
    Table.Builder table =
        Table.named(
            "figure-11",
            "Fig. 11: %,d sensors listed, by phase, ms".formatted(starRun.maxSensors()),
            columns.toArray(String[]::new));
    for (String phase : MethodProfile.phases(found.values())) {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(phase)));
      found.values().forEach(one -> cells.add(Cell.of(one.wallMs(Set.of(phase)))));
      table.row(cells);
    }
    List<Cell> totals = new ArrayList<>(List.of(Cell.of("total, with tables and waiting")));
    found.values().forEach(one -> totals.add(Cell.of(one.totalMs())));
    List<Cell> withDecoding = new ArrayList<>(List.of(Cell.of("total, decoded by one core")));
    decoded.values().forEach(one -> withDecoding.add(Cell.of(one.totalMs())));
    return table
        .row(totals)
        .row(withDecoding)
        .note(
            "The DataOut of the paper is download. Its LOAD, COMP and REPORT are parts of one"
                + " kernel here, in search and candidates. Its DECODE is the difference of the"
                + " totals: one core writes the three indices of each star, of a batch that has"
                + " been downloaded.")
        .note(
            "A row is the time in which at least one piece was in that phase. Phases of different"
                + " pieces overlap, and then add up to more than the total.")
        .build();
  }
}
