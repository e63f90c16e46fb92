/**
 * Remainders by polynomials over GF(2) on the CPU; the entry point is {@code CpuChecksums}. {@code
 * DivisionMethods} lists the kernels; {@code CarrylessKernel} is the fastest, {@code FoldingKernel}
 * the fastest in Java.
 */
@NullMarked
package io.fieldstone.cpu.checksums;

import org.jspecify.annotations.NullMarked;
