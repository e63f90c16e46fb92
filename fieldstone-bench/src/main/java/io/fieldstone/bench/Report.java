package io.fieldstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

  /** Prints the tables as text. */
  public void print(PrintStream out) {
    out.print(TextReport.of(this));
  }

  /**
   * Writes the report into a directory, which is made if need be: {@code NAME.md}, {@code
   * NAME.html}, {@code NAME-TABLE.csv} a table, {@code NAME-CHART.svg} a chart, and {@code
   * NAME-measurements.csv}. Each file appears whole or not at all. Where the Java runtime cannot
   * draw (it lacks its desktop module or fonts) there are no charts, and the reports say so.
   *
   * @return the files written
   * @throws IOException if a file cannot be written
   */
  public List<Path> write(Path directory) throws IOException {
    Files.createDirectories(directory);
    List<Path> written = new ArrayList<>();
    List<Drawing> drawings = new ArrayList<>();
    for (Part part : parts) {
      switch (part) {
        case Table table ->
            written.add(save(directory, fileName(table, "csv"), CsvReport.of(table)));
        case Chart chart -> {
          Optional<String> svg = SvgCharts.draw(chart);
          if (svg.isPresent()) {
            written.add(save(directory, fileName(chart, "svg"), svg.get()));
            drawings.add(new Drawing(chart, svg.get()));
          }
        }
      }
    }
    written.add(save(directory, name + "-measurements.csv", CsvReport.of(measurements)));
    written.add(save(directory, name + ".md", MarkdownReport.of(this, drawings)));
    written.add(save(directory, name + ".html", HtmlReport.of(this, drawings)));
    return written;
  }

  /** A chart and the SVG document that shows it. */
  record Drawing(Chart chart, String svg) {}

  /** The file of a part beside the report. */
  String fileName(Part part, String extension) {
    return "%s-%s.%s".formatted(name, part.name(), extension);
  }

  private static Path save(Path directory, String file, String text) throws IOException {
    Path target = directory.resolve(file);
    Path unfinished = directory.resolve("." + file + ".part");
    try {
      Files.writeString(unfinished, text);
      return Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }
}
