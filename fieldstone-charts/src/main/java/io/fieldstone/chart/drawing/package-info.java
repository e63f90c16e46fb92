/**
 * Writers of pictures for charts and maps: {@link io.fieldstone.chart.drawing.SvgDocument} writes
 * SVG, {@link io.fieldstone.chart.drawing.PngImage} PNG.
 */
@NullMarked
package io.fieldstone.chart.drawing;

import org.jspecify.annotations.NullMarked;
