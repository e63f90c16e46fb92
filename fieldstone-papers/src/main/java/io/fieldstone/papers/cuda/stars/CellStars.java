package io.fieldstone.papers.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.stars.NamedStars;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.Arrays;
import java.util.List;

/**
 * Adds the paper's four implementations. They need tables, which exist for integer coordinates and
 * R ≤ {@value TriangleTables#MAX_RANGE}.
 */
public final class CellStars implements NamedStars {

  /** For the service loader. */
  public CellStars() {}

  @Override
  public List<String> methods(StarField field) {
    return TriangleTables.isSupported(field)
        ? Arrays.stream(CellMethod.values()).map(CellMethod::title).toList()
        : List.of();
  }

  @Override
  public StarSearch search(Gpu gpu, StarField field, String method) {
    CellMethod cellMethod =
        Arrays.stream(CellMethod.values())
            .filter(candidate -> candidate.title().equals(method))
            .findFirst()
            .orElseThrow();
    return CellStarSearch.open(gpu, field, cellMethod);
  }
}
