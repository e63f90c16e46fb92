package io.fieldstone.weights;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.TransformSlices;
import java.lang.foreign.Arena;
import java.util.List;

/**
 * Walsh–Hadamard transforms of the indicators of the weights, for any code or by its automorphisms.
 *
 * @param weights of the words of the space
 */
record TransformPlan(
    String method,
    String description,
    double predictedSeconds,
    TransformLayout layout,
    List<Integer> weights,
    Engine engine)
    implements JointPlan {

  @Override
  public JointRun begin() {
    Arena arena = Arena.ofShared();
    try {
      TransformSlices transform = layout.slices(arena, weights);
      return new TransformRun(
          transform, layout.space().isHalf(), engine.weightTransforms().begin(transform), arena);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }
}
