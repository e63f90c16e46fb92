/**
 * The overlapped pipeline: stages that each have a thread and pass a few reusable buffers along;
 * and {@link io.fieldstone.stream.Timeline}, which remembers what was worked on when.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
