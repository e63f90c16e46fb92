/**
 * Counts of codewords, of pairs of them, and transforms on a GPU: begin with {@code CudaPairCounts}
 * and {@code CudaWeightTransforms}.
 */
@NullMarked
package io.fieldstone.cuda.weights;

import org.jspecify.annotations.NullMarked;
