package io.fieldstone.bench;

import java.util.List;

/** A part of a benchmark that can be measured by itself. */
interface Section {

  /** How many times {@link #measure} will ask the run to compare. */
  int steps();

  /** Measures. */
  List<Part> measure(Run run);

  /** Measures sections one after another. */
  static List<Part> measureAll(Run run, List<Section> sections) {
    return sections.stream().flatMap(section -> section.measure(run).stream()).toList();
  }

  /** Steps of sections together. */
  static int steps(List<Section> sections) {
    return sections.stream().mapToInt(Section::steps).sum();
  }
}
