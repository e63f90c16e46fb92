package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.memory.Allocations;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Computes Walsh–Hadamard transforms of the weight indicators, for any code or with its
 * automorphisms.
 *
 * @param counts the words of the space by weight
 */
record TransformPlan(
    String method,
    String description,
    Prediction prediction,
    TransformLayout layout,
    List<Long> counts,
    Engine engine)
    implements JointPlan {

  @Override
  public double predictedSeconds() {
    return prediction.seconds();
  }

  @Override
  public double predictedSeconds(long parts) {
    double repeated = (parts - 1) * layout.fillOperations(weights(counts).size());
    return new Prediction(prediction.operations() + repeated, prediction.rate(), 0).seconds();
  }

  @Override
  public double unitBytes() {
    return layout.sliceBytes(weights(counts).size());
  }

  @Override
  public double units() {
    return layout.slices().size();
  }

  @Override
  public JointRun newRun() {
    return newPart(0, layout.slices().size());
  }

  /** Engines compute the partial transforms of following slices too, so a part has only its own. */
  @Override
  public JointRun newPart(long first, long units) {
    Arena arena = Arena.ofShared();
    return Allocations.next(
        () -> newPart(Math.toIntExact(first), Math.toIntExact(units), arena), arena::close);
  }

  private JointRun newPart(int first, int units, Arena arena) {
    TransformSlices transform = layout.slices(arena, weights(counts)).slices(first, units);
    return new TransformRun(
        first,
        transform,
        counts,
        layout.space().isHalf(),
        new TripleSums(transform.weights().size()),
        engine.weightTransforms().open(transform),
        arena);
  }

  /** Returns the weights of nonzero words; the transform of the zero word alone is constantly 1. */
  static List<Integer> weights(List<Long> counts) {
    return IntStream.range(1, counts.size())
        .filter(weight -> counts.get(weight) > 0)
        .boxed()
        .toList();
  }
}
