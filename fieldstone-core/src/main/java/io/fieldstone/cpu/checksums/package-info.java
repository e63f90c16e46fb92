/**
 * Remainders by polynomials over GF(2) on the CPU; the entry point is {@code CpuChecksums}. {@code
 * DivisionMethods} lists the kernels; {@code FoldingKernel} is the fastest.
 */
@NullMarked
package io.fieldstone.cpu.checksums;

import org.jspecify.annotations.NullMarked;
