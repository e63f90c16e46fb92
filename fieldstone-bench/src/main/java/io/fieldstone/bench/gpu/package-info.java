/**
 * {@code bench gpu}: network coding on a GPU, against its measured ceilings and all cores.
 *
 * <p>{@link io.fieldstone.bench.gpu.GpuBenchmark} is the entry. One class for each table lives
 * here; nothing here knows a kind of GPU.
 */
@NullMarked
package io.fieldstone.bench.gpu;

import org.jspecify.annotations.NullMarked;
