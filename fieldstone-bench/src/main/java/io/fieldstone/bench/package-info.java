/**
 * {@code fieldstone bench}: reruns the papers' tables, and measures the ceilings of this machine.
 *
 * <p>{@link io.fieldstone.bench.Benchmark} is the entry. The list of benchmarks and those that need
 * no room of their own live here. The loops that are measured belong to engines; only the ceilings,
 * which are no engine's work, have theirs here.
 */
@NullMarked
package io.fieldstone.bench;

import org.jspecify.annotations.NullMarked;
