/**
 * The port that searches a field of points for 3-stars: begin with {@link
 * io.fieldstone.engine.stars.Stars}.
 */
@NullMarked
package io.fieldstone.engine.stars;

import org.jspecify.annotations.NullMarked;
