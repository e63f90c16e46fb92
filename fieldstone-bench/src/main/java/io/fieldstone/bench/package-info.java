/**
 * {@code fieldstone bench}: measures the ceilings of this machine, and jobs beside their peers.
 *
 * <p>{@link io.fieldstone.bench.Benchmark} is the entry point. A {@link
 * io.fieldstone.bench.BenchmarkProvider} of another module adds benchmarks. The package has the
 * benchmarks of a single class. Measured loops belong to engines, except those of the ceilings.
 */
@NullMarked
package io.fieldstone.bench;

import org.jspecify.annotations.NullMarked;
