/** Computes lines of sight over terrain on a GPU. The entry point is {@code CudaLinesOfSight}. */
@NullMarked
package io.fieldstone.cuda.terrain;

import org.jspecify.annotations.NullMarked;
