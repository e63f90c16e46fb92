package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A way to search for 3-stars, by name.
 *
 * @param name of it
 * @param searches makes a search on an engine's threads
 */
record StarMethod(String name, BiFunction<StarField, TaskPool, StarSearch> searches) {

  static final StarMethod SEQUENTIAL =
      new StarMethod("sequential", (field, _) -> new SequentialSearch(field));

  static final StarMethod ANNULUS = pairs("annulus", field -> () -> new ScalarStarPairs(field));

  static final String LANES = "lanes";

  /** Returns those without vectors, the plainest first. */
  static List<StarMethod> scalar() {
    return List.of(SEQUENTIAL, ANNULUS);
  }

  /** Returns all of them, the plainest first. */
  static List<StarMethod> vector() {
    return List.of(SEQUENTIAL, ANNULUS, pairs(LANES, LaneStars::kernels));
  }

  static StarMethod pairs(String name, Function<StarField, StarPairs.Factory> kernels) {
    return new StarMethod(
        name, (field, workers) -> new StarPairSearch(field, name, kernels.apply(field), workers));
  }
}
