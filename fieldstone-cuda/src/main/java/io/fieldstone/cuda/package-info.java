/**
 * Implements engines on NVIDIA GPUs. {@code CudaEngine} implements the ports; it is found through
 * {@link java.util.ServiceLoader}, and no other module names it.
 *
 * <p>Each job has a package with the name of its ports. The job packages use {@code execution} and
 * {@code transfer} and do not use each other. The kernels are in {@code src/main/cuda}.
 */
@NullMarked
package io.fieldstone.cuda;

import org.jspecify.annotations.NullMarked;
