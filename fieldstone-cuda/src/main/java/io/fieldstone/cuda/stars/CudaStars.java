package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.Stars;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Searches for 3-stars on a GPU. The method {@code lanes} tests a warp of pairs of candidates at a
 * time, on every field; {@link NamedStars} add others. Thread-safe.
 */
public record CudaStars(String spec, Gpu gpu, CpuFallback fallback) implements Stars {

  static final String LANES = "lanes";

  @Override
  public List<String> methods(StarField field) {
    return Stream.concat(
            ofOtherModules().flatMap(others -> others.methods(field).stream()), Stream.of(LANES))
        .toList();
  }

  private static Stream<NamedStars> ofOtherModules() {
    return ServiceLoader.load(NamedStars.class, NamedStars.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get);
  }

  @Override
  public StarSearch search(StarField field) {
    return PairStarSearch.open(gpu, field, fallback);
  }

  @Override
  public StarSearch search(StarField field, String method) {
    if (method.equals(LANES)) {
      return search(field);
    }
    Methods.require(method, "these 3-stars on " + spec, methods(field));
    return ofOtherModules()
        .filter(others -> others.methods(field).contains(method))
        .findFirst()
        .orElseThrow()
        .search(gpu, field, method);
  }
}
