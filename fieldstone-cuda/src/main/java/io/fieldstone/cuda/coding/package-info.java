/**
 * Multiplies matrices over GF(2^8) on a GPU; the entry point is {@code CudaProducts}.
 *
 * <p>A {@code ProductJob} combines a {@code CoefficientSource}, {@code SourceBlocks} and a {@code
 * ProductSink}. {@code ProductKernelChoice} selects a {@code CudaProductKernel}, which defines a
 * method of multiplication and the layout of its blocks.
 */
@NullMarked
package io.fieldstone.cuda.coding;

import org.jspecify.annotations.NullMarked;
