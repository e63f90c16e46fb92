/**
 * Counts of codewords and of pairs of them, and weight transforms, on the CPU; the entry point is
 * {@code CodeWeights}.
 *
 * <p>{@code Butterflies} has a loop for each width of numbers: one over {@code Vector<E>} is 9 to
 * 16 times slower, because its species is no constant when it is compiled for several.
 */
@NullMarked
package io.fieldstone.cpu.weights;

import org.jspecify.annotations.NullMarked;
