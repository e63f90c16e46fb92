/**
 * The port that searches points in the plane for 3-stars: start with {@link
 * io.fieldstone.engine.stars.Stars}.
 */
@NullMarked
package io.fieldstone.engine.stars;

import org.jspecify.annotations.NullMarked;
