/**
 * Products, elimination and substitution over GF(2^8) on the cores: {@code CpuProducts}, {@code
 * CpuInversions}, {@code CpuSystems}, {@code CpuSubstitutions}.
 *
 * <p>{@code VectorKernel} multiplies by lane shuffles, {@code ScalarKernels} by tables or shifts.
 */
@NullMarked
package io.fieldstone.cpu.coding;

import org.jspecify.annotations.NullMarked;
