package io.fieldstone.bench;

import java.util.List;

/**
 * What stands above the parts of a report, known before anything is measured.
 *
 * @param name of the benchmark
 * @param title of the report
 * @param introduction what is measured and how, a paragraph each
 */
record Heading(String name, String title, List<String> introduction) {

  Heading {
    introduction = List.copyOf(introduction);
  }
}
