package io.fieldstone.bench.report;

import java.util.List;

/**
 * What a benchmark found.
 *
 * @param name of the benchmark
 * @param title of the report
 * @param machine what it ran on
 * @param command what to type to get such a report
 * @param introduction what was measured and how, a paragraph each
 * @param parts tables and charts in reading order
 * @param measurements everything that was measured, behind the tables
 */
public record Report(
    String name,
    String title,
    Machine machine,
    String command,
    List<String> introduction,
    List<Part> parts,
    List<Measurement> measurements) {

  public Report {
    introduction = List.copyOf(introduction);
    parts = List.copyOf(parts);
    measurements = List.copyOf(measurements);
  }

  /** The tables among the parts. */
  public List<Table> tables() {
    return parts.stream().filter(Table.class::isInstance).map(Table.class::cast).toList();
  }

  /** The file of a part beside the report. */
  String fileName(Part part, String extension) {
    return "%s-%s.%s".formatted(name, part.name(), extension);
  }
}
