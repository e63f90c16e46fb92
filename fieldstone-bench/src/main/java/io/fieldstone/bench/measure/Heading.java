package io.fieldstone.bench.measure;

import java.util.List;

/**
 * The heading of a report, known before the measurements.
 *
 * @param name of the benchmark
 * @param title of the report
 * @param introduction description of the measurements, a paragraph each
 */
public record Heading(String name, String title, List<String> introduction) {

  public Heading {
    introduction = List.copyOf(introduction);
  }
}
