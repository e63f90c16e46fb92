package io.fieldstone.bench.measure;

import java.util.Optional;

/**
 * Work to be measured.
 *
 * @param name of its measurement
 * @param work units of work of one run, such as GF-MACs or bytes, > 0; a rate counts these
 * @param prepare runs before each run of the body, unmeasured; without it, several runs may make
 *     one sample
 * @param body one run, after which it can be prepared and run again
 */
public record Candidate(String name, double work, Optional<Runnable> prepare, Runnable body) {

  public Candidate {
    if (!(work > 0)) {
      throw new IllegalArgumentException("work " + work + " of '" + name + "' is not positive");
    }
  }

  /** Makes a candidate without preparation. */
  public Candidate(String name, double work, Runnable body) {
    this(name, work, Optional.empty(), body);
  }

  /** Returns the same candidate with its work counted in another unit. */
  public Candidate withWork(double otherWork) {
    return new Candidate(name, otherWork, prepare, body);
  }
}
