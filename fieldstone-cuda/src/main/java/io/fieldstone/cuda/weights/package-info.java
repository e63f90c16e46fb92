/**
 * Counts codewords and pairs of codewords by weight, and computes weight transforms, on a GPU. The
 * entry points are {@code CudaWeightCounts}, {@code CudaPairCounts} and {@code
 * CudaWeightTransforms}.
 */
@NullMarked
package io.fieldstone.cuda.weights;

import org.jspecify.annotations.NullMarked;
