/**
 * The plane: exact answers about a few points with real coordinates, and the grid that finds which
 * points are near each other.
 *
 * <p>Every question here is a comparison, and every answer is that of real arithmetic on the
 * numbers given: in floating point where its error cannot matter, else by expansions.
 */
@NullMarked
package io.fieldstone.plane;

import org.jspecify.annotations.NullMarked;
