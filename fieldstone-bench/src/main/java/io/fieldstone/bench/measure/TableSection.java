package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.List;

/** A section with one comparison and one table. */
public abstract class TableSection implements Section {

  private final String comparison;

  /**
   * Names the comparison.
   *
   * @param comparison its name in the list of measurements
   */
  public TableSection(String comparison) {
    this.comparison = comparison;
  }

  @Override
  public final int steps() {
    return 1;
  }

  @Override
  public final List<Part> measure(Run run) {
    return List.of(table(run, run.compare(comparison, loads -> candidates(run, loads))));
  }

  /**
   * Makes the candidates of the available engines.
   *
   * @param loads closes their resources once they are measured
   */
  public abstract List<Candidate> candidates(Run run, Closer loads);

  /** Makes the table; the cells of a missing candidate are empty. */
  public abstract Table table(Run run, Results results);
}
