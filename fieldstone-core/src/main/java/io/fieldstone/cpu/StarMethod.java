package io.fieldstone.cpu;

import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import java.util.List;
import java.util.function.BiFunction;

/**
 * A way to search for 3-stars, by name.
 *
 * @param name of it
 * @param searches makes a search on an engine's threads
 */
record StarMethod(String name, BiFunction<StarField, Workers, StarSearch> searches) {

  static final StarMethod SEQUENTIAL =
      new StarMethod("sequential", (field, _) -> new SequentialSearch(field));

  static final StarMethod ANNULUS = pairs("annulus", ScalarStarPairs::new);

  /** Those of an engine, the plainest first. */
  static List<StarMethod> of(CpuVariant variant) {
    return variant.spec().equals(CpuVariant.FASTEST)
        ? List.of(SEQUENTIAL, ANNULUS)
        : List.of(SEQUENTIAL);
  }

  private static StarMethod pairs(String name, StarPairs.Factory kernels) {
    return new StarMethod(
        name, (field, workers) -> new StarPairSearch(field, name, kernels, workers));
  }
}
