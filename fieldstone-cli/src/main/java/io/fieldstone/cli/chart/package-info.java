/**
 * Charts of figures as SVG or PNG: lines, bars and heat maps. {@link io.fieldstone.cli.chart.Chart}
 * is the value; {@link io.fieldstone.cli.chart.SvgCharts} and {@link
 * io.fieldstone.cli.chart.PngCharts} draw it, with XChart.
 */
@NullMarked
package io.fieldstone.cli.chart;

import org.jspecify.annotations.NullMarked;
