/**
 * Products over GF(2^8) on a GPU: begin with {@code CudaProducts}.
 *
 * <p>A {@code ProductJob} combines a {@code CoefficientSource}, {@code SourceBlocks} and a {@code
 * ProductSink}. {@code ProductKernelChoice} chooses a {@code CudaProductKernel}, which knows one
 * way to multiply and the layout that it wants blocks in.
 */
@NullMarked
package io.fieldstone.cuda.coding;

import org.jspecify.annotations.NullMarked;
