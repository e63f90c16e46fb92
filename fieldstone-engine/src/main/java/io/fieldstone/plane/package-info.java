/**
 * Exact geometric predicates for points in the plane, and the grid that finds nearby points.
 *
 * <p>Every result is that of real arithmetic: computed in floating point where the error bound
 * allows, else by expansions.
 */
@NullMarked
package io.fieldstone.plane;

import org.jspecify.annotations.NullMarked;
