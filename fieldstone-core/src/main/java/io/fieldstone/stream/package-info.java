/**
 * Stages of work on a few reusable buffers. In {@link io.fieldstone.stream.Lanes} each buffer has a
 * thread, in a {@link io.fieldstone.stream.Pipeline} each stage has one. {@link
 * io.fieldstone.stream.Timeline} records phases.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
