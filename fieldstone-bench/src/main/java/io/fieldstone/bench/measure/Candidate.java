package io.fieldstone.bench.measure;

import java.util.Optional;

/**
 * Something to be measured.
 *
 * @param name what it is called in results
 * @param work units of work that one run does: GF-MACs, bytes; what a rate counts
 * @param prepare run before each run of the body, and not measured; if there is nothing to prepare,
 *     many runs may be measured as one
 * @param body one run; must leave things so that it can be prepared and run again
 */
public record Candidate(String name, double work, Optional<Runnable> prepare, Runnable body) {

  public Candidate {
    if (!(work > 0)) {
      throw new IllegalArgumentException("work " + work + " of '" + name + "' is not positive");
    }
  }

  /** A candidate that needs no preparation. */
  public Candidate(String name, double work, Runnable body) {
    this(name, work, Optional.empty(), body);
  }

  /** The same, its work counted in another unit. */
  public Candidate withWork(double otherWork) {
    return new Candidate(name, otherWork, prepare, body);
  }
}
