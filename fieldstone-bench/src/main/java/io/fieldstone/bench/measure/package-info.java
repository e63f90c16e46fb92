/**
 * Measures candidates against each other, on the engines that a run compares.
 *
 * <p>{@link io.fieldstone.bench.measure.Run} is the entry, {@link
 * io.fieldstone.bench.measure.Stopwatch} takes the times, and a benchmark is a list of {@link
 * io.fieldstone.bench.measure.Section}s. The harness lives here; workloads and tables do not.
 */
@NullMarked
package io.fieldstone.bench.measure;

import org.jspecify.annotations.NullMarked;
