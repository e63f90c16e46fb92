/**
 * Products, elimination and substitution over GF(2^8) on the cores: {@code CpuProducts}, {@code
 * CpuInversions}, {@code CpuSystems}, {@code CpuSubstitutions}.
 *
 * <p>{@code NativeProductKernel} multiplies by kernels in C, {@code VectorKernel} by lane shuffles,
 * {@code ScalarKernels} by tables. {@code InversionKernel} and {@code BasisReduction} are what
 * elimination takes besides products.
 */
@NullMarked
package io.fieldstone.cpu.coding;

import org.jspecify.annotations.NullMarked;
