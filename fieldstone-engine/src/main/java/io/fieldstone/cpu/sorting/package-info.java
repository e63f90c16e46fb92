/**
 * Radix and comparison sort on the CPU; the entry point is {@code CpuSorting}. {@code RadixKernel}
 * chooses between {@code MsdLsd} and {@code Lsd}; {@code ItemOps} are the loops over items of 4, 8
 * and 16 bytes. {@code ItemLoops} chooses between loops in Java and {@code NativeOps}, which call C
 * kernels.
 *
 * <p>{@code IntOps}, {@code LongOps} and {@code WideOps} repeat these loops: the width of a load
 * must be a constant for the compiler, and generic code would box items.
 */
@NullMarked
package io.fieldstone.cpu.sorting;

import org.jspecify.annotations.NullMarked;
