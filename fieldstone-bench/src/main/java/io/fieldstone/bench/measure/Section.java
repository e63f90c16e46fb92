package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import java.util.List;

/** A part of a benchmark with its tables and charts. */
public interface Section {

  /** Returns the number of comparisons of {@link #measure}. */
  int steps();

  /** Measures; returns tables and charts in reading order. */
  List<Part> measure(Run run);

  /** Measures sections in order, and publishes the parts of each when it is done. */
  static Report report(BenchOptions options, Heading heading, List<? extends Section> sections) {
    Run run = new Run(options, heading, sections.stream().mapToInt(Section::steps).sum());
    sections.forEach(section -> section.measure(run).forEach(run::publish));
    return run.report();
  }
}
