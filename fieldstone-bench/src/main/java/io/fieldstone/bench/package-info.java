/**
 * {@code fieldstone bench}: reruns the papers' tables and measures the ceilings of this machine.
 *
 * <p>{@link io.fieldstone.bench.Benchmark} is the entry point. The package has the list of
 * benchmarks, and benchmarks of a single class. Measured loops belong to engines, except those of
 * the ceilings.
 */
@NullMarked
package io.fieldstone.bench;

import org.jspecify.annotations.NullMarked;
