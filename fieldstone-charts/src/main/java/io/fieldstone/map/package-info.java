/**
 * Plans of relays as files and pictures. {@link io.fieldstone.map.Network} is what is written: as
 * GeoJSON ({@link io.fieldstone.map.PlanGeoJson}), as CSV ({@link io.fieldstone.map.PlanCsv}), or
 * as a map in SVG or PNG ({@link io.fieldstone.map.RelayMap}) or for a browser ({@link
 * io.fieldstone.map.HtmlMap}).
 *
 * <p>No library writes the SVG: 10^5 dots take VectorGraphics2D 7.5 MB and JFreeSVG 7.2, but this
 * package 2.8, and it needs no fonts.
 */
@NullMarked
package io.fieldstone.map;

import org.jspecify.annotations.NullMarked;
