/**
 * Searches for 3-stars on a GPU. The entry point is {@code CudaStars}; {@code CellStarSearch} has
 * the methods of the 3-star paper, {@code PairStarSearch} tests the pairs of each point.
 */
@NullMarked
package io.fieldstone.cuda.stars;

import org.jspecify.annotations.NullMarked;
