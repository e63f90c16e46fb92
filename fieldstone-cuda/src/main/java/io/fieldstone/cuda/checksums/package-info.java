/**
 * Computes remainders by polynomials over GF(2) on a GPU; the entry point is {@code CudaChecksums}.
 * {@code FoldingDivision} uses binary tensor cores, and {@code ChunkDivision} the methods of PCRC.
 */
@NullMarked
package io.fieldstone.cuda.checksums;

import org.jspecify.annotations.NullMarked;
