package io.fieldstone.bench;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a report into a directory while it is made: {@code NAME.md}, {@code NAME.html}, {@code
 * NAME-TABLE.csv} a table, {@code NAME-CHART.svg} a chart, and {@code NAME-measurements.csv}. Each
 * file appears whole or not at all ({@link Temporaries}). Where the Java runtime cannot draw (it
 * lacks its desktop module or fonts) there are no charts, and the reports leave them out.
 */
public final class ReportFolder implements Findings {

  private final Path directory;
  private final List<Report.Drawing> drawings = new ArrayList<>();
  private final Set<Path> written = new LinkedHashSet<>();

  /**
   * Writes nothing yet.
   *
   * @param directory made if need be
   */
  public ReportFolder(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes the part, and the report as it is now.
   *
   * @throws UncheckedIOException if a file cannot be written
   */
  @Override
  public void found(Report soFar, Part part) {
    try {
      write(soFar, part);
      write(soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files written so far. */
  public List<Path> written() {
    return List.copyOf(written);
  }

  /** Writes a part of a report into a file of its own. */
  void write(Report report, Part part) throws IOException {
    switch (part) {
      case Table table -> save(report.fileName(table, "csv"), CsvReport.of(table));
      case Chart chart -> {
        Optional<String> svg = SvgCharts.draw(chart);
        if (svg.isPresent()) {
          save(report.fileName(chart, "svg"), svg.get());
          drawings.add(new Report.Drawing(chart, svg.get()));
        }
      }
    }
  }

  /** Writes what has all parts in it, of which the charts have been written. */
  void write(Report report) throws IOException {
    save(report.name() + "-measurements.csv", CsvReport.of(report.measurements()));
    save(report.name() + ".md", MarkdownReport.of(report, drawings));
    save(report.name() + ".html", HtmlReport.of(report, drawings));
  }

  private void save(String file, String text) throws IOException {
    Path target = directory.resolve(file);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (Temporaries temporaries = new Temporaries()) {
      temporaries.createDirectories(directory);
      temporaries.create(target).append(new ByteBuffer[] {ByteBuffer.wrap(bytes)});
      temporaries.commit();
    }
    written.add(target);
  }
}
