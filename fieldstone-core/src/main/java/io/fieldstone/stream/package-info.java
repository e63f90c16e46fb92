/**
 * The overlapped pipeline: stages that each have a thread and pass a few reusable buffers along.
 */
@NullMarked
package io.fieldstone.stream;

import org.jspecify.annotations.NullMarked;
