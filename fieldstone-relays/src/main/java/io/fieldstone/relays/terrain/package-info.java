/**
 * Plans of relays over terrain: stations are linked where they are in range and see each other.
 * Begin with {@link io.fieldstone.relays.terrain.TerrainPlanner}, which takes heights from {@link
 * io.fieldstone.relays.terrain.Elevation}.
 */
@NullMarked
package io.fieldstone.relays.terrain;

import org.jspecify.annotations.NullMarked;
