/**
 * The ports that count words of binary codes. {@link io.fieldstone.engine.weights.WeightCounts}
 * counts words by weight, and {@link io.fieldstone.engine.weights.PairCounts} pairs by joint
 * weight. {@link io.fieldstone.engine.weights.WeightTransforms} replaces pairs by transforms. For
 * distances, {@link io.fieldstone.engine.weights.LightSums} tries sums of few rows, and {@link
 * io.fieldstone.engine.weights.InformationSetTrials} draws information sets.
 */
@NullMarked
package io.fieldstone.engine.weights;

import org.jspecify.annotations.NullMarked;
