/**
 * Reads heights: tiles of SRTM and GeoTIFF, one file or a folder. Begin with {@link
 * io.fieldstone.cli.terrain.DemFiles}.
 */
@NullMarked
package io.fieldstone.cli.terrain;

import org.jspecify.annotations.NullMarked;
