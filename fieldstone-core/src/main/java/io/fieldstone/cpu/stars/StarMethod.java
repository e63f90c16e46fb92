package io.fieldstone.cpu.stars;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A way to search for 3-stars, by name.
 *
 * @param name of it
 * @param searches makes a search on an engine's threads
 */
public record StarMethod(String name, BiFunction<StarField, TaskPool, StarSearch> searches) {

  public static final StarMethod SEQUENTIAL =
      new StarMethod("sequential", (field, _) -> new SequentialSearch(field));

  static final StarMethod ANNULUS = pairs("annulus", field -> () -> new ScalarStarPairs(field));

  static final String LANES = "lanes";

  /** Returns those without vectors, the plainest first. */
  public static List<StarMethod> scalar() {
    return List.of(SEQUENTIAL, ANNULUS);
  }

  /** Returns all of them, the plainest first. */
  public static List<StarMethod> vector() {
    return List.of(SEQUENTIAL, ANNULUS, pairs(LANES, VectorStars::kernels));
  }

  static StarMethod pairs(String name, Function<StarField, StarPairs.Factory> kernels) {
    return new StarMethod(
        name, (field, workers) -> new StarPairSearch(field, name, kernels.apply(field), workers));
  }
}
