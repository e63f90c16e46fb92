/**
 * Inverts matrices and solves square systems on a GPU; the entry point is {@code CudaEliminations}.
 * {@code GaussJordanKernels} are the steps of Nuclei's decoders, which two engine variants use.
 */
@NullMarked
package io.fieldstone.cuda.coding.elimination;

import org.jspecify.annotations.NullMarked;
