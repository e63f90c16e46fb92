package io.fieldstone.papers.cuda.stars;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.stars.StarOutlet;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import java.util.function.ToLongFunction;

/**
 * Searches for stars by the paper's method (III-C): each block tests a segment of a cell with a
 * combination of two neighbouring cells. The order of stars is undefined.
 */
final class CellStarSearch implements StarSearch {

  private final Gpu gpu;
  private final CellMethod method;
  private final CellKernel kernel;
  private final CellPoints points;

  private CellStarSearch(Gpu gpu, CellMethod method, CellKernel kernel, CellPoints points) {
    this.gpu = gpu;
    this.method = method;
    this.kernel = kernel;
    this.points = points;
  }

  /** Uploads a field and returns its search. */
  static CellStarSearch open(Gpu gpu, StarField field, CellMethod method) {
    CellKernel kernel =
        gpu.call(() -> "search for stars", () -> new CellKernel(gpu.modules(), method));
    return new CellStarSearch(gpu, method, kernel, CellPoints.load(gpu, field));
  }

  @Override
  public StarField field() {
    return points.field();
  }

  @Override
  public String method() {
    return method.title();
  }

  @Override
  public long count(int first, int points) {
    return run("count", first, points, CellRange::count);
  }

  @Override
  public <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X {
    StarOutlet<X> outlet = new StarOutlet<>(sink);
    outlet.run(() -> run("enumerate", first, points, range -> range.enumerate(outlet)));
  }

  private long run(String operation, int first, int count, ToLongFunction<CellRange> search) {
    field().requirePoints(first, count);
    return gpu.call(
        () -> "%s the stars of %d points from %d on".formatted(operation, count, first),
        () ->
            points.inside(base ->
                count == 0
                    ? 0L
                    : search.applyAsLong(
                        new CellRange(gpu, method, kernel, points, base, first, first + count))));
  }

  @Override
  public void close() {
    points.close();
  }
}
