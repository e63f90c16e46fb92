/**
 * How words of a binary linear code differ: weight distributions, joint weight distributions of
 * pairs of codewords, and the decoding-error figures that follow from them.
 *
 * <p>Begin with {@link io.fieldstone.weights.codes.BinaryCode}, then {@link
 * io.fieldstone.weights.JointWeights}, which has one method after another for the same exact
 * numbers. Heavy loops are the engine's; here are codes, their symmetries, what is counted of them,
 * and the identities that every result is checked by.
 */
@NullMarked
package io.fieldstone.weights;

import org.jspecify.annotations.NullMarked;
