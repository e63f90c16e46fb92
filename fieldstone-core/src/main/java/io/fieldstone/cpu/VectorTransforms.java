package io.fieldstone.cpu;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.TransformSlices;
import io.fieldstone.engine.TripleProducts;
import io.fieldstone.engine.WeightTransforms;

/** Transforms by {@link VectorTripleProducts}. */
final class VectorTransforms implements WeightTransforms {

  private final TaskPool workers;

  VectorTransforms(TaskPool workers) {
    this.workers = workers;
  }

  @Override
  public TripleProducts begin(TransformSlices transform) {
    return new VectorTripleProducts(transform, workers);
  }
}
