/**
 * Combines several engines into one: each job is split into slices that run concurrently. Equal
 * parts get equal shares; other shares follow rates that are measured once.
 *
 * <p>Parts are arbitrary engines, opened by name. {@code Dispatcher} splits and runs jobs, {@code
 * JobShares} is the partition of a job, and {@code Hybrid*} classes implement the ports. No other
 * package refers to these classes; they are found through {@link java.util.ServiceLoader}.
 */
@NullMarked
package io.fieldstone.hybrid;

import org.jspecify.annotations.NullMarked;
