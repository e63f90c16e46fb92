/**
 * Charts of figures as SVG or PNG: lines, bars and heat maps. {@link io.fieldstone.chart.Chart} is
 * the value; {@link io.fieldstone.chart.SvgCharts} and {@link io.fieldstone.chart.PngCharts} draw
 * it, with XChart.
 */
@NullMarked
package io.fieldstone.chart;

import org.jspecify.annotations.NullMarked;
