/**
 * Binary linear codes: {@link io.fieldstone.weights.codes.BinaryCode}, the families that have
 * names, the readers of matrices and permutations.
 */
@NullMarked
package io.fieldstone.weights.codes;

import org.jspecify.annotations.NullMarked;
