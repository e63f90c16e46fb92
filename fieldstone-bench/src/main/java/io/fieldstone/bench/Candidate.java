package io.fieldstone.bench;

/**
 * Something to be measured.
 *
 * @param name what it is called in results
 * @param work units of work that one run does: GF-MACs, bytes; what a rate counts
 * @param body one run; must leave things so that it can run again
 */
public record Candidate(String name, double work, Runnable body) {

  public Candidate {
    if (!(work > 0)) {
      throw new IllegalArgumentException("work " + work + " of '" + name + "' is not positive");
    }
  }

  /** The same, its work counted in another unit. */
  Candidate counting(double otherWork) {
    return new Candidate(name, otherWork, body);
  }
}
