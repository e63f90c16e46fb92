package io.fieldstone.bench;

import java.util.List;

/** A part of a benchmark that can be measured by itself. */
interface Section {

  /** How many times {@link #measure} will ask the run to compare. */
  int steps();

  /** Measures. */
  List<Part> measure(Run run);

  /** Measures sections one after another; the run is told of the parts of each at once. */
  static void measureAll(Run run, List<? extends Section> sections) {
    sections.forEach(section -> section.measure(run).forEach(run::found));
  }

  /** Steps of sections together. */
  static int steps(List<? extends Section> sections) {
    return sections.stream().mapToInt(Section::steps).sum();
  }
}
