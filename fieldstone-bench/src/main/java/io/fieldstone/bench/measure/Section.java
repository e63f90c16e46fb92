package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Report;
import java.util.List;

/** A part of a benchmark that can be measured by itself. */
public interface Section {

  /** How many times {@link #measure} will ask the run to compare. */
  int steps();

  /** Measures. */
  List<Part> measure(Run run);

  /** Measures sections one after another, and reports the parts of each as soon as it is done. */
  static Report report(BenchOptions options, Heading heading, List<? extends Section> sections) {
    Run run = new Run(options, heading, sections.stream().mapToInt(Section::steps).sum());
    sections.forEach(section -> section.measure(run).forEach(run::publish));
    return run.report();
  }
}
