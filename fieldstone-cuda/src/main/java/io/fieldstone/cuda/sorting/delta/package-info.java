/**
 * Decodes sorted keys that were downloaded as compressed differences: begin with {@code
 * DeltaDecoder}. One kernel for each instruction set writes past the caches.
 */
@NullMarked
package io.fieldstone.cuda.sorting.delta;

import org.jspecify.annotations.NullMarked;
