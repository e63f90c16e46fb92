package io.fieldstone.bench.report;

import io.fieldstone.chart.SvgCharts;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes a report to a directory and updates it after each part: {@code NAME.md}, {@code
 * NAME-TABLE.csv} for each table, {@code NAME-CHART.svg} for each chart, and {@code
 * NAME-measurements.csv}. Files are written atomically ({@link Temporaries}). If the Java runtime
 * cannot draw (it lacks its desktop module or fonts), the report leaves its charts out. Not
 * thread-safe.
 */
public final class ReportFolder implements ReportListener {

  private final Path directory;
  private final Set<Part> drawn = new HashSet<>();
  private final Set<Path> written = new LinkedHashSet<>();

  /**
   * Opens no file yet.
   *
   * @param directory created with the first file if it is missing
   */
  public ReportFolder(Path directory) {
    this.directory = directory;
  }

  /**
   * Writes the new part, and the report as it is now.
   *
   * @throws UncheckedIOException if a file cannot be written
   */
  @Override
  public void partAdded(Report soFar, Part part) {
    try {
      write(soFar, part);
      write(soFar);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the files written so far. */
  public List<Path> written() {
    return List.copyOf(written);
  }

  /** Writes a part of a report to its own file. */
  private void write(Report report, Part part) throws IOException {
    switch (part) {
      case Table table -> save(report.fileName(table, "csv"), CsvReport.of(table));
      case Plot plot -> saveDrawing(report, plot, SvgCharts.draw(plot.chart()));
      case Gantt gantt -> saveDrawing(report, gantt, draw(gantt));
    }
  }

  private static Optional<String> draw(Gantt gantt) {
    try {
      return Optional.of(GanttSvg.of(gantt));
    } catch (LinkageError noDesktopModule) { // where colours are
      return Optional.empty();
    }
  }

  private void saveDrawing(Report report, Part part, Optional<String> svg) throws IOException {
    if (svg.isPresent()) {
      save(report.fileName(part, "svg"), svg.get());
      drawn.add(part);
    }
  }

  /** Writes the files that cover all parts; the charts have been written. */
  private void write(Report report) throws IOException {
    save(report.name() + "-measurements.csv", CsvReport.of(report.measurements()));
    save(report.name() + ".md", MarkdownReport.of(report, drawn));
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
