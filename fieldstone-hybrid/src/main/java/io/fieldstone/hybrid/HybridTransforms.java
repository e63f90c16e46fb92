package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WeightTransforms;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Splits the slices of a transform over parts of similar speed. A slice cannot be split, so all
 * parts would wait for a slow one at the end.
 */
final class HybridTransforms implements WeightTransforms {

  private final List<Engine> parts;
  private final TaskPool threads;

  /**
   * Makes the port.
   *
   * @param parts the parts that take work
   */
  HybridTransforms(List<Engine> parts, TaskPool threads) {
    this.parts = parts;
    this.threads = threads;
  }

  @Override
  public TripleProducts open(TransformSlices transform) {
    List<TripleProducts> begun =
        CloseAll.openAll(
            parts.size(),
            part -> parts.get(part).weightTransforms().open(transform),
            TripleProducts::close);
    return new Shared(transform, begun, threads);
  }

  private record Shared(TransformSlices transform, List<TripleProducts> begun, TaskPool threads)
      implements TripleProducts {

    @Override
    public void add(int first, int count, TripleSums sums) {
      WeightPreconditions.requireSlices(transform, first, count, sums);
      List<TripleSums> own =
          IntStream.range(0, begun.size()).mapToObj(_ -> new TripleSums(sums.order())).toList();
      WorkQueue.run(
          threads,
          begun.size(),
          count,
          (part, from, slices) ->
              begun.get(part).add(first + (int) from, (int) slices, own.get(part)));
      own.forEach(each -> sums.addMultiple(each, 1));
    }

    @Override
    public void close() {
      CloseAll.closeAll(begun, TripleProducts::close);
    }
  }
}
