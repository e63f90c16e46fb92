/**
 * Wraps NVIDIA's driver API in Java objects: devices, contexts, buffers, streams, events and
 * modules.
 *
 * <p>It binds {@code libcuda.so.1}, which every NVIDIA driver installs, and needs no toolkit.
 * Handles of the driver do not leave the package; device addresses do, as arguments of kernels.
 * Every result code is checked, every object of the driver is an {@link java.lang.AutoCloseable},
 * and sizes are in bytes.
 *
 * <p>The package contains concepts of the driver only, none of Fieldstone.
 */
@NullMarked
package io.fieldstone.cuda.driver;

import org.jspecify.annotations.NullMarked;
