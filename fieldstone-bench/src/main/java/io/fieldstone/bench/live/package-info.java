/**
 * {@code fieldstone bench live}: codes over sliding windows, their speed and their delays.
 *
 * <p>{@link io.fieldstone.bench.live.LiveBenchmark} is the entry point. Delays are simulated, with
 * the code itself; only the code section measures time.
 */
@NullMarked
package io.fieldstone.bench.live;

import org.jspecify.annotations.NullMarked;
