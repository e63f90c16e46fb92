/**
 * What charts and maps are drawn with: {@link io.fieldstone.chart.drawing.SvgDocument} writes SVG,
 * {@link io.fieldstone.chart.drawing.PngImage} PNG.
 */
@NullMarked
package io.fieldstone.chart.drawing;

import org.jspecify.annotations.NullMarked;
