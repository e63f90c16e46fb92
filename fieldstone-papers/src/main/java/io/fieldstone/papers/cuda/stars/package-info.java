/**
 * The 3-star search by cells, as in the paper: {@link io.fieldstone.papers.cuda.stars.CellStars}
 * adds its methods to every GPU.
 */
@NullMarked
package io.fieldstone.papers.cuda.stars;

import org.jspecify.annotations.NullMarked;
