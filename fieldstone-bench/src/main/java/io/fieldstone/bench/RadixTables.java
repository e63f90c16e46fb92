package io.fieldstone.bench;

import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Tables I to III of the paper, with what the other sections have measured beside it. */
final class RadixTables {

  private static final double MICRO = 1e-3;
  private static final List<String> METHODS =
      List.of(RadixOnGpu.SERIAL, RadixOnGpu.STREAMED, RadixOnGpu.OURS);

  private final RadixRun radixRun;
  private final RadixOnGpu onGpu;

  RadixTables(RadixRun radixRun, RadixOnGpu onGpu) {
    this.radixRun = radixRun;
    this.onGpu = onGpu;
  }

  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    parts.add(tableI());
    RadixPaper.PROFILES.forEach(paper -> parts.add(profile(paper)));
    return parts;
  }

  private Table tableI() {
    Table.Builder table =
        Table.named(
            "table-1",
            "Table I: uniform integers, µs",
            "keys",
            "paper, original",
            "paper, modified",
            "paper, original / modified",
            "GPU, serial",
            "GPU, streamed",
            "serial / streamed",
            "GPU, auto",
            "cores, auto",
            "cores, Arrays.parallelSort");
    for (RadixPaper.Time paper : RadixPaper.TABLE_I) {
      RadixRun.Key key =
          new RadixRun.Key(RecordFormat.of(KeyType.I32), KeyDistribution.UNIFORM, paper.keys());
      Optional<Results> gpu = radixRun.onGpu(key);
      Optional<Results> cores = radixRun.onCores(key);
      table.row(
          Cell.of(RadixRun.words(paper.keys())),
          Cell.of(paper.original()),
          Cell.of(paper.modified()),
          Cell.of(paper.original() / paper.modified()),
          micros(gpu, RadixOnGpu.SERIAL),
          micros(gpu, RadixOnGpu.STREAMED),
          Cell.of(
              gpu.map(found -> found.medianRatio(RadixOnGpu.STREAMED, RadixOnGpu.SERIAL))
                  .orElseGet(OptionalDouble::empty)),
          micros(gpu, RadixOnGpu.OURS),
          micros(cores, SortLoad.AUTO),
          micros(cores, SortLoad.PARALLEL_SORT));
    }
    return table
        .note("The paper: a Tesla C2050 of 2010, its modified program streams what comes out.")
        .note(
            "GPU: from pinned memory to pinned memory. Cores: in an array, by %d threads."
                .formatted(radixRun.lineup().threads()))
        .build();
  }

  private static Cell micros(Optional<Results> results, String method) {
    return results
        .map(found -> found.cell(method, measured -> measured.medianNanos() * MICRO))
        .orElseGet(Cell::empty);
  }

  /** The paper's operations, then ours; only the total is of the same thing. */
  private Table profile(RadixPaper.Profile paper) {
    Map<String, Profiled> ours = onGpu.profiles(paper.distribution());
    Table.Builder table =
        Table.named(
            "table-" + paper.table(),
            "Table %s: %s integers by operation, %s, ms"
                .formatted(
                    "I".repeat(paper.table()),
                    RadixRun.words(RadixPaper.PROFILED),
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
    for (String phase : Profiled.phases(ours.values())) {
      List<Cell> cells =
          new ArrayList<>(List.of(Cell.of("here: " + phase), Cell.empty(), Cell.empty()));
      METHODS.forEach(method ->
          cells.add(ours.containsKey(method) ? ours.get(method).busyMs(phase) : Cell.empty()));
      table.row(cells);
    }
    List<Cell> total = new ArrayList<>();
    total.add(Cell.of(paper.total().name()));
    total.add(Cell.of(paper.total().original()));
    total.add(Cell.of(paper.total().modified()));
    METHODS.forEach(method ->
        total.add(ours.containsKey(method) ? Cell.of(ours.get(method).totalMs()) : Cell.empty()));
    return table
        .row(total)
        .note("Phases overlap, and several lanes may be in one at once: they add up to more.")
        .build();
  }
}
