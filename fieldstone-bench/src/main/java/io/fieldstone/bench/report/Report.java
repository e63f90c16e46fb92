package io.fieldstone.bench.report;

import java.util.List;

/**
 * The results of a benchmark.
 *
 * @param name of the benchmark
 * @param title of the report
 * @param machine the measured machine
 * @param command the command that makes this report
 * @param seconds the time that the measurements took until now
 * @param introduction description of the measurements, a paragraph each
 * @param parts tables and charts in reading order
 * @param measurements all measurements, those behind the tables included
 */
public record Report(
    String name,
    String title,
    Machine machine,
    String command,
    double seconds,
    List<String> introduction,
    List<Part> parts,
    List<Measurement> measurements) {

  public Report {
    introduction = List.copyOf(introduction);
    parts = List.copyOf(parts);
    measurements = List.copyOf(measurements);
  }

  /** Returns the tables among the parts. */
  public List<Table> tables() {
    return parts.stream().filter(Table.class::isInstance).map(Table.class::cast).toList();
  }

  /** Returns the time that the measurements took, in minutes and seconds. */
  String duration() {
    long all = Math.round(seconds);
    return "%d min %d s".formatted(all / 60, all % 60);
  }

  /** Returns the name of the file of a part. */
  String fileName(Part part, String extension) {
    return "%s-%s.%s".formatted(name, part.name(), extension);
  }
}
