/**
 * Sorts arrays, memory, and files larger than memory.
 *
 * <p>{@link io.fieldstone.sort.RadixSort} sorts arrays with one call. {@link
 * io.fieldstone.sort.Sorter} sorts arrays and memory on any engine. {@link
 * io.fieldstone.sort.FileSorter} sorts files, and {@link io.fieldstone.sort.FileCheck} checks them.
 * All sorts are stable. An engine's {@link io.fieldstone.engine.sorting.Sorts} do the work; this
 * package contains inputs, files, and the check of results ({@link
 * io.fieldstone.sort.RecordCheck}).
 */
@NullMarked
package io.fieldstone.sort;

import org.jspecify.annotations.NullMarked;
