/**
 * Radix and comparison sort on the CPU; the entry point is {@code CpuSorting}. {@code RadixKernel}
 * chooses between {@code MsdLsd} and {@code Lsd}; {@code ItemOps} are the loops over items of 4, 8
 * and 16 bytes.
 */
@NullMarked
package io.fieldstone.cpu.sorting;

import org.jspecify.annotations.NullMarked;
