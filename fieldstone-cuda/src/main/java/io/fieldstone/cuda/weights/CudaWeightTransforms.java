package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.CpuFallback;
import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.WeightTransforms;

/**
 * Computes weight transforms on a GPU of compute capability 8.0 or later. The CPU computes
 * transforms of more than 254 weights, and those that exceed the shared memory of a block: on GPUs
 * with 99 KB, k > 36 or words of more than 128 bits. Thread-safe.
 */
public record CudaWeightTransforms(Gpu gpu, CpuFallback fallback) implements WeightTransforms {

  @Override
  public TripleProducts open(TransformSlices transform) {
    TransformShape shape = TransformShape.of(transform);
    if (shape.isSupportedOrder() && TransformKernels.isSupported(gpu, shape)) {
      return CudaTripleProducts.open(gpu, transform);
    }
    gpu.requireOpen();
    return fallback.engine().weightTransforms().open(transform);
  }
}
