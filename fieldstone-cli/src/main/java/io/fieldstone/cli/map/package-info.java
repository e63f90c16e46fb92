/**
 * Maps of networks. {@link io.fieldstone.cli.map.RelayMap} makes a {@link
 * io.fieldstone.cli.map.Drawing} of outlines and text, which is rendered as SVG or PNG.
 *
 * <p>No library writes the SVG: 10^5 dots take VectorGraphics2D 7.5 MB and JFreeSVG 7.2, but this
 * package 2.8, and it needs no fonts.
 */
@NullMarked
package io.fieldstone.cli.map;

import org.jspecify.annotations.NullMarked;
