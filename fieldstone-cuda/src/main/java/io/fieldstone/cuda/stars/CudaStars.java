package io.fieldstone.cuda.stars;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.Stars;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Searches for 3-stars on a GPU. The paper's four variants need tables, which exist for integer
 * coordinates and R ≤ {@value TriangleTables#MAX_RANGE}. The method {@code lanes} tests a warp of
 * pairs of candidates at a time, on every field. Thread-safe.
 */
public record CudaStars(String spec, Gpu gpu, CpuFallback fallback) implements Stars {

  static final String LANES = "lanes";

  @Override
  public List<String> methods(StarField field) {
    List<String> methods = new ArrayList<>();
    if (TriangleTables.isSupported(field)) {
      for (CellMethod method : CellMethod.values()) {
        methods.add(method.title());
      }
    }
    methods.add(LANES);
    return methods;
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
    CellMethod cellMethod =
        Arrays.stream(CellMethod.values())
            .filter(candidate -> candidate.title().equals(method))
            .findFirst()
            .orElseThrow();
    return CellStarSearch.open(gpu, field, cellMethod);
  }
}
