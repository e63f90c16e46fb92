/**
 * Weight distributions of binary linear codes, joint weight distributions of pairs of codewords,
 * and bounds on decoding errors derived from them.
 *
 * <p>Start with {@link io.fieldstone.weights.codes.BinaryCode}, then {@link
 * io.fieldstone.weights.JointWeights}, which computes the same exact numbers by several methods.
 * Engines do the compute-intensive work. This package contains codes, their symmetries, plans, and
 * the identities that every result is checked by.
 */
@NullMarked
package io.fieldstone.weights;

import org.jspecify.annotations.NullMarked;
