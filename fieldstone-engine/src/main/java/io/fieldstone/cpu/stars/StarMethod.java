package io.fieldstone.cpu.stars;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A named method of the 3-star search.
 *
 * @param name name of the method
 * @param searches makes a search on the threads of an engine
 */
public record StarMethod(String name, BiFunction<StarField, TaskPool, StarSearch> searches) {

  public static final StarMethod SEQUENTIAL =
      new StarMethod("sequential", (field, _) -> new SequentialSearch(field));

  static final StarMethod ANNULUS = pairs("annulus", field -> () -> new ScalarStarPairs(field));

  static final String LANES = "lanes";

  /** Returns the methods without vectors, the simplest first. */
  public static List<StarMethod> scalar() {
    return List.of(SEQUENTIAL, ANNULUS);
  }

  /** Returns all methods, the simplest first. */
  public static List<StarMethod> vector() {
    return List.of(SEQUENTIAL, ANNULUS, pairs(LANES, VectorStars::kernels));
  }

  static StarMethod pairs(String name, Function<StarField, StarPairs.Factory> kernels) {
    return new StarMethod(
        name, (field, workers) -> new StarPairSearch(field, name, kernels.apply(field), workers));
  }
}
