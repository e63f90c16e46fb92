/**
 * NVIDIA's driver API as Java objects: devices, contexts, buffers, streams, events, modules,
 * graphs.
 *
 * <p>It binds {@code libcuda.so.1}, which comes with every NVIDIA driver, and needs no toolkit. No
 * handle of the driver leaves the package; what does are device addresses, which kernels take as
 * arguments. Every result code is looked at, every object that the driver holds for us is an {@link
 * java.lang.AutoCloseable}, and sizes are in bytes.
 *
 * <p>What belongs here: the driver's own notions and nothing of Fieldstone's.
 */
@NullMarked
package io.fieldstone.cuda.driver;

import org.jspecify.annotations.NullMarked;
