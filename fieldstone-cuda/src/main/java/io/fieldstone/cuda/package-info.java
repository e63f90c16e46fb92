/**
 * The adapter to NVIDIA GPUs. {@code CudaEngine} has the ports; it is found through {@link
 * java.util.ServiceLoader}, and no other module names it.
 *
 * <p>Each job has a package of the same name as its ports. The packages of jobs use {@code
 * execution} and {@code transfer} and not each other. Kernels are in {@code src/main/cuda}.
 */
@NullMarked
package io.fieldstone.cuda;

import org.jspecify.annotations.NullMarked;
