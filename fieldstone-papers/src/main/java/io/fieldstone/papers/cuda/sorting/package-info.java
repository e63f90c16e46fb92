/**
 * The baseline of the radix paper: {@link io.fieldstone.papers.cuda.sorting.RadixSorts} adds it to
 * every GPU.
 */
@NullMarked
package io.fieldstone.papers.cuda.sorting;

import org.jspecify.annotations.NullMarked;
