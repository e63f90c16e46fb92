/**
 * Threads for tasks of fractions of a millisecond, and waiting with low latency.
 *
 * <p>{@link io.fieldstone.concurrent.TaskPool} runs tasks, {@link
 * io.fieldstone.concurrent.SpinThenPark} waits for a condition, {@link
 * io.fieldstone.concurrent.Tiered} switches from a plain kernel to a vector kernel once that is
 * compiled. The package does not depend on any engine.
 */
@NullMarked
package io.fieldstone.concurrent;

import org.jspecify.annotations.NullMarked;
