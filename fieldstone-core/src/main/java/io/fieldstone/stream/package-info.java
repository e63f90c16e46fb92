/**
 * Pipelines of overlapping stages, each with its own thread, which pass a few reusable buffers
 * along; and {@link io.fieldstone.stream.Timeline}, which records their phases.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
