/**
 * Maps of networks. {@link io.fieldstone.cli.map.RelayMap} makes a {@link
 * io.fieldstone.cli.map.Drawing} of outlines and text, which is rendered as SVG or PNG.
 */
@NullMarked
package io.fieldstone.cli.map;

import org.jspecify.annotations.NullMarked;
