/**
 * The search for 3-stars on the cores: begin with {@code CpuStars}. {@code StarPairSearch} walks
 * pairs of points, {@code VectorStars} tests them in vectors.
 */
@NullMarked
package io.fieldstone.cpu.stars;

import org.jspecify.annotations.NullMarked;
