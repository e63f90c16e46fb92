package io.fieldstone.bench;

import java.util.List;

/** A section of one comparison, whose results fill one table. */
abstract class TableSection implements Section {

  private final String comparison;

  /**
   * @param comparison its name in the list of measurements
   */
  TableSection(String comparison) {
    this.comparison = comparison;
  }

  @Override
  public final int steps() {
    return 1;
  }

  @Override
  public final List<Part> measure(Run run) {
    return List.of(table(run, run.results(comparison, loads -> candidates(run, loads))));
  }

  /**
   * Makes the candidates; an engine that is missing has none.
   *
   * @param loads closes what they need once they are measured
   */
  abstract List<Candidate> candidates(Run run, Closer loads);

  /** Makes the table; a candidate that is missing leaves its cells empty. */
  abstract Table table(Run run, Results results);
}
