/** Inverses and solutions of square systems on a GPU: begin with {@code CudaEliminations}. */
@NullMarked
package io.fieldstone.cuda.coding.elimination;

import org.jspecify.annotations.NullMarked;
