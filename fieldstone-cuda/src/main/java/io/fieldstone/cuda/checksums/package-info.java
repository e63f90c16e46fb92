/**
 * Remainders by polynomials over GF(2) on a GPU: begin with {@code CudaChecksums}. {@code
 * FoldingDivision} uses binary tensor cores, {@code ChunkDivision} has the methods of PCRC.
 */
@NullMarked
package io.fieldstone.cuda.checksums;

import org.jspecify.annotations.NullMarked;
