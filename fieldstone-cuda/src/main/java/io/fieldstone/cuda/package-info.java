/**
 * An adapter: the ports on NVIDIA GPUs. Found through {@link java.util.ServiceLoader}, named by
 * nobody.
 *
 * <p>A port makes a {@code Job} of a call. The job is cut into pieces, which go round over lanes, a
 * stream with scratch memory each, so that uploads, kernels and downloads overlap. What a job does
 * with a piece is put together of its operands: where coefficients come from, where source blocks
 * lie, where products go. A {@code ProductKernel} knows one way to multiply, and the layout that it
 * wants blocks in.
 *
 * <p>What belongs here: the classes of {@code Engine} and its ports, the kernels in {@code
 * src/main/cuda} as objects, nothing of the driver's interface.
 */
@NullMarked
package io.fieldstone.cuda;

import org.jspecify.annotations.NullMarked;
