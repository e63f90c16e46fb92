/**
 * Measures candidates against each other, on the engines that a run compares.
 *
 * <p>{@link io.fieldstone.bench.measure.Run} is the entry, {@link
 * io.fieldstone.bench.measure.Stopwatch} takes the times, and a benchmark is a list of {@link
 * io.fieldstone.bench.measure.Section}s. What several benchmarks share lives here; what they
 * measure does not.
 */
@NullMarked
package io.fieldstone.bench.measure;

import org.jspecify.annotations.NullMarked;
