/**
 * Stages of work on a few reusable buffers, each of which has a thread: {@link
 * io.fieldstone.stream.Pipeline}. {@link io.fieldstone.stream.Timeline} records phases. {@link
 * io.fieldstone.stream.Batches} plans how many buffers a job on an engine has, {@link
 * io.fieldstone.stream.NativeMemory} allocates them, and {@link io.fieldstone.stream.WarmUp} waits
 * for the engine. {@link io.fieldstone.stream.Tasks} runs independent tasks.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
