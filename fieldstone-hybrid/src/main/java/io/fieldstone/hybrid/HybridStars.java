package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.Methods;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarSink;
import io.fieldstone.engine.stars.Stars;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Splits the lowest points over parts of similar speed; each part has the whole field. */
final class HybridStars implements Stars {

  /** Name of the method by which each part uses its own default. */
  private static final String PREFERRED = "preferred";

  /** Mean number of runs of points per part: few enough for long runs. */
  private static final int RUNS_PER_PART = 16;

  private final String spec;
  private final List<Engine> parts;
  private final TaskPool threads;

  /**
   * Makes the port.
   *
   * @param parts the parts that take work
   */
  HybridStars(String spec, List<Engine> parts, TaskPool threads) {
    this.spec = spec;
    this.parts = parts;
    this.threads = threads;
  }

  /** Returns the methods that every part has. */
  @Override
  public List<String> methods(StarField field) {
    List<String> methods =
        parts.getFirst().stars().methods(field).stream()
            .filter(method ->
                parts.stream().allMatch(part -> part.stars().methods(field).contains(method)))
            .collect(Collectors.toCollection(ArrayList::new));
    methods.add(PREFERRED);
    return methods;
  }

  @Override
  public StarSearch search(StarField field) {
    return search(field, PREFERRED);
  }

  @Override
  public StarSearch search(StarField field, String method) {
    Methods.require(method, "these 3-stars on " + spec, methods(field));
    BiFunction<Stars, StarField, StarSearch> search =
        method.equals(PREFERRED) ? Stars::search : (stars, at) -> stars.search(at, method);
    List<StarSearch> begun =
        CloseAll.openAll(
            parts.size(), part -> search.apply(parts.get(part).stars(), field), StarSearch::close);
    return new Shared(field, method, begun, threads);
  }

  private record Shared(StarField field, String method, List<StarSearch> begun, TaskPool threads)
      implements StarSearch {

    @Override
    public long count(int first, int points) {
      field.requirePoints(first, points);
      LongAdder stars = new LongAdder();
      WorkQueue.run(
          threads,
          begun.size(),
          points,
          (part, from, count) -> stars.add(begun.get(part).count(first + (int) from, (int) count)));
      return stars.sum();
    }

    @Override
    public <X extends Exception> void enumerate(int first, int points, StarSink<X> sink) throws X {
      field.requirePoints(first, points);
      int run = Math.max(1, Math.ceilDiv(points, RUNS_PER_PART * begun.size()));
      new OrderedStars<>(sink, first, points, run).search(threads, begun);
    }

    @Override
    public void close() {
      CloseAll.closeAll(begun, StarSearch::close);
    }
  }
}
