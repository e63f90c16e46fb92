/**
 * Transfers memory between a caller and a GPU: {@code HostBytes} and {@code HostMatrices} by the
 * copy engine or through pinned staging memory. {@code CudaResidentBytes} stay on the GPU.
 */
@NullMarked
package io.fieldstone.cuda.transfer;

import org.jspecify.annotations.NullMarked;
