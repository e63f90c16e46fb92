/**
 * The 3-star search on the CPU; the entry point is {@code CpuStars}. {@code StarPairSearch}
 * enumerates pairs of points, {@code VectorStars} tests them in vectors.
 */
@NullMarked
package io.fieldstone.cpu.stars;

import org.jspecify.annotations.NullMarked;
