/**
 * Runs calls on a GPU; the entry point is {@code Gpu}.
 *
 * <p>A {@code PieceJob} is split into pieces. {@code PiecePipeline} enqueues them in turn on the
 * slots of a {@code StreamPool}, each a stream with scratch memory, so that uploads, kernels and
 * downloads overlap. {@code KernelModules} loads the kernels. The computation of a job belongs to
 * its own package.
 */
@NullMarked
package io.fieldstone.cuda.execution;

import org.jspecify.annotations.NullMarked;
