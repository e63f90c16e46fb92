package io.fieldstone.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
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

  /** Prints the tables as text. */
  public void print(PrintStream out) {
    out.print(TextReport.of(this));
  }

  /**
   * Writes the report into a directory, as {@link ReportFolder} does.
   *
   * @return the files written
   * @throws IOException if a file cannot be written
   */
  public List<Path> write(Path directory) throws IOException {
    ReportFolder folder = new ReportFolder(directory);
    for (Part part : parts) {
      folder.write(this, part);
    }
    folder.write(this);
    return folder.written();
  }

  /** A chart and the SVG document that shows it. */
  record Drawing(Chart chart, String svg) {}

  /** The file of a part beside the report. */
  String fileName(Part part, String extension) {
    return "%s-%s.%s".formatted(name, part.name(), extension);
  }
}
