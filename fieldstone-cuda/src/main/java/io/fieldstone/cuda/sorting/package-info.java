/**
 * Radix sort on a GPU. The entry point is {@code CudaSorts}.
 *
 * <p>{@code DeviceSort} sorts resident records, {@code HostToHostSort} sorts host memory while it
 * crosses the bus, {@code OutOfCoreSort} sorts more records than the GPU can hold. {@code
 * SortLayout} and {@code SortTempStorage} describe the memory of the kernels in {@code sort.cu},
 * {@code SortArguments} their parameters.
 */
@NullMarked
package io.fieldstone.cuda.sorting;

import org.jspecify.annotations.NullMarked;
