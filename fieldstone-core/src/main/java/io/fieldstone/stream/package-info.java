/**
 * Stages of work on a few reusable buffers, each of which has a thread: {@link
 * io.fieldstone.stream.Lanes}. {@link io.fieldstone.stream.Timeline} records phases.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
