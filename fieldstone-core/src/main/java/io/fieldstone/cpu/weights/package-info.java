/**
 * Counts of codewords, of pairs of them, and transforms on the cores: begin with {@code
 * CodeWeights}.
 */
@NullMarked
package io.fieldstone.cpu.weights;

import org.jspecify.annotations.NullMarked;
