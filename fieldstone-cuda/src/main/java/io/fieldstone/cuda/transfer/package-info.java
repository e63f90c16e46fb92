/**
 * Moves a caller's memory to a GPU and back: {@code HostBytes} and {@code HostMatrices} by the copy
 * engine or through pinned staging memory; {@code CudaResidentBytes} stay on the GPU.
 */
@NullMarked
package io.fieldstone.cuda.transfer;

import org.jspecify.annotations.NullMarked;
