/**
 * The 3-star search on the CPU; the entry point is {@code CpuStars}. {@code StarPairSearch}
 * enumerates pairs of points, {@code VectorStars} tests them in vectors.
 *
 * <p>{@code FloatStarPairs} and {@code DoubleStarPairs} are two classes because their proofs
 * differ: floats decide each pair of small integers, doubles leave some to an exact test.
 */
@NullMarked
package io.fieldstone.cpu.stars;

import org.jspecify.annotations.NullMarked;
