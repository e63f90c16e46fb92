package io.fieldstone.cuda;

import io.fieldstone.engine.TransformSlices;
import io.fieldstone.engine.TripleProducts;
import io.fieldstone.engine.WeightTransforms;

/**
 * Transforms on a GPU of compute capability 8.0 or later. More than 254 weights, and what needs
 * more shared memory than the GPU's blocks have, is the processor's: on GPUs with 99 KB, k > 36 or
 * words of more than 128 bits. Thread-safe.
 */
record CudaWeightTransforms(Gpu gpu, Processor processor) implements WeightTransforms {

  @Override
  public TripleProducts begin(TransformSlices transform) {
    TransformShape shape = TransformShape.of(transform);
    if (shape.hasRightOrder() && TransformKernels.suit(gpu, shape)) {
      return CudaTripleProducts.begin(gpu, transform);
    }
    gpu.requireOpen();
    return processor.engine().weightTransforms().begin(transform);
  }
}
