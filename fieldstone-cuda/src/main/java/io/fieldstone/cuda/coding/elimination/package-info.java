/**
 * Inverts matrices and solves square systems on a GPU; the entry point is {@code CudaEliminations}.
 */
@NullMarked
package io.fieldstone.cuda.coding.elimination;

import org.jspecify.annotations.NullMarked;
