/**
 * The sorting port, for records with binary keys: start with {@link
 * io.fieldstone.engine.sorting.Sorts}. {@link io.fieldstone.engine.sorting.RecordFormat} defines
 * the order of keys for every engine.
 */
@NullMarked
package io.fieldstone.engine.sorting;

import org.jspecify.annotations.NullMarked;
