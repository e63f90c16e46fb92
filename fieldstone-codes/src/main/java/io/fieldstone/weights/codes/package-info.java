/**
 * Binary linear codes: {@link io.fieldstone.weights.codes.BinaryCode}, named families, and parsers
 * of matrices and permutations.
 */
@NullMarked
package io.fieldstone.weights.codes;

import org.jspecify.annotations.NullMarked;
