/**
 * Measures candidates against each other, on the engines that a run compares.
 *
 * <p>{@link io.fieldstone.bench.measure.Run} is the entry point, {@link
 * io.fieldstone.bench.measure.Stopwatch} measures, and a benchmark is a list of {@link
 * io.fieldstone.bench.measure.Section}s. Workloads and tables are in other packages.
 */
@NullMarked
package io.fieldstone.bench.measure;

import org.jspecify.annotations.NullMarked;
