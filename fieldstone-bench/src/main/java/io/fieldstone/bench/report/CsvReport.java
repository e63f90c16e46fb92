package io.fieldstone.bench.report;

import java.util.List;
import java.util.stream.Collectors;

/** Formats tables as comma-separated values (RFC 4180, lines ended by a line feed). */
final class CsvReport {

  private CsvReport() {}

  static String of(Table table) {
    StringBuilder csv = new StringBuilder(line(table.columns()));
    table.rows().forEach(row -> csv.append(line(row.stream().map(Cell::exact).toList())));
    return csv.toString();
  }

  static String of(List<Measurement> measurements) {
    return of(
        new Table(
            "measurements",
            "",
            List.of("name", "work", "samples", "best ns", "median ns", "best work/ns"),
            measurements.stream()
                .map(one ->
                    List.of(
                        Cell.of(one.name()),
                        Cell.of(one.work()),
                        Cell.of(one.samples()),
                        Cell.of(one.bestNanos()),
                        Cell.of(one.medianNanos()),
                        Cell.of(one.bestRate())))
                .toList(),
            List.of()));
  }

  private static String line(List<String> values) {
    return values.stream().map(CsvReport::quoted).collect(Collectors.joining(",", "", "\n"));
  }

  private static String quoted(String value) {
    boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
  }
}
