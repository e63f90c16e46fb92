package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.WeightTransforms;

/** Implements the transform port with {@link VectorTripleProducts}. */
final class VectorTransforms implements WeightTransforms {

  private final TaskPool workers;

  VectorTransforms(TaskPool workers) {
    this.workers = workers;
  }

  @Override
  public TripleProducts open(TransformSlices transform) {
    return new VectorTripleProducts(transform, workers);
  }
}
