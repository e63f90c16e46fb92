package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.SlowCandidateFilter;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Chart;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.SeriesBuilder;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Collects GB/s by the length of the message, with a column for each method, in a table and its
 * chart. A method is left out at lengths where one message is predicted to take {@link
 * #MAX_SECONDS}.
 */
final class PcrcLengthTable {

  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");
  private static final int KIBI_BITS = 10;
  private static final double MAX_SECONDS = 0.25;

  private final String name;
  private final String title;
  private final Map<Long, Results> bySize = new LinkedHashMap<>();
  private final List<String> methods = new ArrayList<>();
  private final SlowCandidateFilter filter = new SlowCandidateFilter(MAX_SECONDS);

  PcrcLengthTable(String name, String title) {
    this.name = name;
    this.title = title;
  }

  /** Measures messages of one length; methods may be missing. */
  void measure(Run run, long size, List<Candidate> candidates) {
    for (Candidate candidate : candidates) {
      if (!methods.contains(candidate.name())) {
        methods.add(candidate.name());
      }
    }
    Results results =
        run.compareBriefly(
            "%s, %s".formatted(title, length(size)),
            candidates.stream().filter(one -> filter.allows(one.name(), one.work())).toList());
    filter.learn(methods, results);
    bySize.put(size, results);
  }

  /** Returns the table, then the chart. */
  List<Part> parts(String note) {
    List<String> columns = new ArrayList<>(List.of("message"));
    columns.addAll(methods);
    Table.Builder table = Table.named(name, title + ", GB/s", columns.toArray(String[]::new));
    bySize.forEach((size, results) -> {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(length(size))));
      methods.forEach(method -> cells.add(results.cell(method, Measurement::medianRate)));
      table.row(cells);
    });
    List<Chart.Series> series = methods.stream().map(this::series).toList();
    table
        .note(note)
        .note("A method is left out where one message is predicted to take a quarter of a second.");
    return List.of(table.build(), new Chart.Lines(name, title, "bytes", "GB/s", series));
  }

  /** Formats a length in the largest unit that keeps it whole. */
  static String length(long bytes) {
    int unit = 0;
    while (unit < UNITS.size() - 1 && bytes >> KIBI_BITS * (unit + 1) > 0) {
      unit++;
    }
    return (bytes >> KIBI_BITS * unit) + " " + UNITS.get(unit);
  }

  private Chart.Series series(String method) {
    SeriesBuilder points = new SeriesBuilder();
    bySize.forEach((size, results) -> {
      OptionalDouble rate = results.of(method, Measurement::medianRate);
      rate.ifPresent(value -> points.add(size, value));
    });
    return points.series(method, false);
  }
}
