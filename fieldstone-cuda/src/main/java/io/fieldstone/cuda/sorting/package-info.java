/**
 * Radix sort on a GPU: begin with {@code CudaSorts}.
 *
 * <p>{@code DeviceSort} sorts resident records, {@code HostToHostSort} sorts host memory while it
 * crosses the bus, {@code OutOfCoreSort} more than the GPU holds. {@code SortLayout} and {@code
 * SortTempStorage} describe the memory of the kernels in {@code sort.cu}.
 */
@NullMarked
package io.fieldstone.cuda.sorting;

import org.jspecify.annotations.NullMarked;
