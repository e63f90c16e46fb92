/**
 * Runs the work of a call on a GPU: begin with {@code Gpu}.
 *
 * <p>A {@code PieceJob} is cut into pieces. {@code PiecePipeline} enqueues them in turn on the
 * streams of a {@code StreamPool}, each with scratch memory, so that uploads, kernels and downloads
 * overlap. Kernels are loaded by {@code KernelModules}. What a job computes belongs to its own
 * package.
 */
@NullMarked
package io.fieldstone.cuda.execution;

import org.jspecify.annotations.NullMarked;
