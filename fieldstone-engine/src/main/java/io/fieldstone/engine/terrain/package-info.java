/**
 * The port for lines of sight over terrain: start with {@link
 * io.fieldstone.engine.terrain.LinesOfSight}.
 */
@NullMarked
package io.fieldstone.engine.terrain;

import org.jspecify.annotations.NullMarked;
