/**
 * {@code bench gpu}: network coding on a GPU, against its measured ceilings and all cores.
 *
 * <p>{@link io.fieldstone.bench.gpu.GpuBenchmark} is the entry point. Each class makes one table;
 * none depends on a kind of GPU.
 */
@NullMarked
package io.fieldstone.bench.gpu;

import org.jspecify.annotations.NullMarked;
