/**
 * The ports that count words of binary codes: by weight ({@link
 * io.fieldstone.engine.weights.WeightCounts}), pairs of them by joint weight ({@link
 * io.fieldstone.engine.weights.PairCounts}), and the transforms that replace pairs ({@link
 * io.fieldstone.engine.weights.WeightTransforms}).
 */
@NullMarked
package io.fieldstone.engine.weights;

import org.jspecify.annotations.NullMarked;
