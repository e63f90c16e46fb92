/**
 * Sorting: arrays, memory, and files larger than memory.
 *
 * <p>{@link io.fieldstone.sort.RadixSort} sorts arrays with one call, {@link
 * io.fieldstone.sort.Sorter} whatever is in memory on an engine of the caller's choice, {@link
 * io.fieldstone.sort.FileSorter} files, which {@link io.fieldstone.sort.FileCheck} looks through.
 * All are stable. The heavy loop is an engine's ({@link io.fieldstone.engine.sorting.Sorts}); what
 * belongs here is what surrounds it: forms of input, files, and what must be true of the result
 * ({@link io.fieldstone.sort.RecordCheck}).
 */
@NullMarked
package io.fieldstone.sort;

import org.jspecify.annotations.NullMarked;
