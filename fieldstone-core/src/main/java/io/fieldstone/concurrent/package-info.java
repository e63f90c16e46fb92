/**
 * Threads that wait briefly: adapters hand pieces of work of fractions of a millisecond to them.
 *
 * <p>{@link io.fieldstone.concurrent.TaskPool} runs tasks, {@link
 * io.fieldstone.concurrent.SpinThenPark} waits for a condition, {@link
 * io.fieldstone.concurrent.Tiered} switches from a plain kernel to a vector kernel once that is
 * compiled. Nothing here knows what it runs.
 */
@NullMarked
package io.fieldstone.concurrent;

import org.jspecify.annotations.NullMarked;
