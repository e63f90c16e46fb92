/**
 * Decodes sorted keys that were downloaded as delta-compressed blocks. The entry point is {@code
 * DeltaDecoder}; there is one {@code DeltaKernel} per instruction set.
 */
@NullMarked
package io.fieldstone.cuda.sorting.delta;

import org.jspecify.annotations.NullMarked;
