/**
 * Maps of networks. {@link io.fieldstone.cli.map.RelayMap} makes a {@link
 * io.fieldstone.cli.map.Drawing} of outlines and words, which is written as SVG, or painted into a
 * PNG: both show the same.
 */
@NullMarked
package io.fieldstone.cli.map;

import org.jspecify.annotations.NullMarked;
