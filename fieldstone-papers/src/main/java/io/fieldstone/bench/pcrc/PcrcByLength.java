package io.fieldstone.bench.pcrc;

import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.measure.SlowCandidateFilter;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures GB/s by the length of the message, with a column for each method, in a table and its
 * chart. A method is left out at lengths at which a message is predicted to take {@link
 * #MAX_SECONDS}.
 */
abstract class PcrcByLength implements Section {

  private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB");
  private static final int KIBI_BITS = 10;
  private static final double MAX_SECONDS = 0.25;

  private final List<Long> lengths;
  private final String name;
  private final String title;
  private final String note;

  /**
   * @param lengths of the messages, in bytes
   * @param name of the table and of the chart
   * @param title of both, without the unit
   * @param note conditions under which the figures hold
   */
  PcrcByLength(List<Long> lengths, String name, String title, String note) {
    this.lengths = lengths;
    this.name = name;
    this.title = title;
    this.note = note;
  }

  /** Makes the candidates for messages of one length; methods may be missing. */
  abstract List<Candidate> candidates(long length);

  @Override
  public final int steps() {
    return lengths.size();
  }

  @Override
  public final List<Part> measure(Run run) {
    SlowCandidateFilter filter = new SlowCandidateFilter(MAX_SECONDS);
    Map<Long, Results> byLength = new LinkedHashMap<>();
    Set<String> methods = new LinkedHashSet<>();
    for (long length : lengths) {
      List<Candidate> candidates = candidates(length);
      candidates.forEach(one -> methods.add(one.name()));
      Results results =
          run.compareBriefly(
              "%s, %s".formatted(title, words(length)),
              candidates.stream().filter(one -> filter.allows(one.name(), one.work())).toList());
      filter.learn(methods, results);
      byLength.put(length, results);
    }
    return List.of(
        table(byLength, methods),
        new Plot(
            new Chart.Lines(
                name,
                title,
                "bytes",
                "GB/s",
                methods.stream().map(method -> series(byLength, method)).toList())));
  }

  private Table table(Map<Long, Results> byLength, Set<String> methods) {
    List<String> columns = new ArrayList<>(List.of("message"));
    columns.addAll(methods);
    Table.Builder table = Table.named(name, title + ", GB/s", columns.toArray(String[]::new));
    byLength.forEach((length, results) -> {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(words(length))));
      methods.forEach(method -> cells.add(results.cell(method, Measurement::medianRate)));
      table.row(cells);
    });
    return table
        .note(note)
        .note("A method is left out where one message is predicted to take a quarter of a second.")
        .build();
  }

  private static Chart.Series series(Map<Long, Results> byLength, String method) {
    SeriesBuilder points = new SeriesBuilder();
    byLength.forEach((length, results) ->
        results.of(method, Measurement::medianRate).ifPresent(rate -> points.add(length, rate)));
    return points.series(method, false);
  }

  /** Formats a length in the largest unit that keeps it whole. */
  static String words(long bytes) {
    int unit = 0;
    while (unit < UNITS.size() - 1 && bytes >> KIBI_BITS * (unit + 1) > 0) {
      unit++;
    }
    return (bytes >> KIBI_BITS * unit) + " " + UNITS.get(unit);
  }
}
