/**
 * The port that sorts records with binary keys: begin with {@link
 * io.fieldstone.engine.sorting.Sorts}. {@link io.fieldstone.engine.sorting.RecordFormat} defines
 * the order of keys, and thus of every engine.
 */
@NullMarked
package io.fieldstone.engine.sorting;

import org.jspecify.annotations.NullMarked;
