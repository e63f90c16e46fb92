/**
 * The search for 3-stars on a GPU: begin with {@code CudaStars}. {@code CellStarSearch} has the
 * methods of the 3-star paper, {@code PairStarSearch} walks pairs.
 */
@NullMarked
package io.fieldstone.cuda.stars;

import org.jspecify.annotations.NullMarked;
