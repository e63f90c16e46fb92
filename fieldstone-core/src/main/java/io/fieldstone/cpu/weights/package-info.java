/**
 * Counts of codewords and of pairs of them, and weight transforms, on the CPU; the entry point is
 * {@code CodeWeights}.
 */
@NullMarked
package io.fieldstone.cpu.weights;

import org.jspecify.annotations.NullMarked;
