/**
 * Minimum distances of binary linear codes and of quantum codes: {@link
 * io.fieldstone.weights.distance.InformationSetSearch} finds light words, {@link
 * io.fieldstone.weights.distance.DistanceProof} proves that none is lighter. Both take a {@link
 * io.fieldstone.weights.distance.WordSpace}; read it first.
 */
@NullMarked
package io.fieldstone.weights.distance;

import org.jspecify.annotations.NullMarked;
