package io.fieldstone.chart;

import io.fieldstone.chart.drawing.ChartStyle;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Builds XChart charts of a uniform size, with uniform colours, fonts and axes. */
final class XCharts {

  /** The height of a chart, in pixels. */
  static final int HEIGHT = 480;

  /** Of a heat map. XChart's gradient writes its legend in the colour of its last value. */
  private static final int COLOURS = 8;

  /** The greys of figures from other sources, in an order of high contrast. */
  private static final List<Color> PAPER_COLOURS =
      List.of(
          new Color(0x444444),
          new Color(0x9A9A9A),
          new Color(0x6E6E6E),
          new Color(0xC4C4C4),
          new Color(0x222222),
          new Color(0xB0B0B0));

  /** Five colours of viridis, whose brightness grows with the value. */
  private static final Color[] DARK_TO_LIGHT = {
    new Color(0x440154),
    new Color(0x3B528B),
    new Color(0x21918C),
    new Color(0x5EC962),
    new Color(0xFDE725),
  };

  private static final int MAX_LABELS = 16;

  /** The ratio of the greatest to the least height of a logarithmic axis. */
  private static final double MAX_HEIGHT = 1e24;

  private XCharts() {}

  /** Returns the chart, styled and with its data; drawing it needs fonts. */
  static IChart of(Chart chart) {
    return switch (chart) {
      case Chart.Lines lines -> lines(lines);
      case Chart.Bars bars -> bars(bars);
      case Chart.HeatMap map -> heatMap(map);
    };
  }

  private static XYChart lines(Chart.Lines lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(HEIGHT)
            .title(lines.title())
            .xAxisTitle(lines.xTitle())
            .yAxisTitle(lines.yTitle())
            .build();
    style(chart.getStyler());
    // Sizes are powers of two or of ten: a linear axis of their logarithms labels each of them.
    boolean areTens =
        lines.series().stream().flatMap(one -> one.xs().stream()).allMatch(XCharts::isPowerOfTen);
    boolean areFractions =
        lines.series().stream().flatMap(one -> one.xs().stream()).anyMatch(x -> x < 1);
    double base = areTens && !areFractions ? Math.log(10) : Math.log(2);
    chart
        .getStyler()
        .setXAxisTickLabelsFormattingFunction(
            areFractions ? XCharts::fraction : areTens ? XCharts::powerOfTen : XCharts::powerOfTwo);
    // So does one of many decades, each of which a logarithmic axis would label.
    boolean isTall = isTall(lines.series());
    if (isTall) {
      chart.getStyler().setYAxisLogarithmic(false);
      chart.getStyler().setYAxisTickLabelsFormattingFunction(y -> "10^" + Math.round(y));
    }
    int measured = 0;
    int papers = 0;
    for (Chart.Series series : lines.series()) {
      if (series.xs().isEmpty()) {
        continue;
      }
      XYSeries drawn =
          chart.addSeries(
              series.name(),
              series.xs().stream().map(x -> Math.log(x) / base).toList(),
              isTall ? series.ys().stream().map(Math::log10).toList() : series.ys());
      if (series.fromPaper()) {
        draw(
            drawn,
            PAPER_COLOURS.get(papers++ % PAPER_COLOURS.size()),
            SeriesMarkers.SQUARE,
            dashes(6f, 4f));
      } else if (measured < ChartStyle.MEASURED_COLOURS.size()) {
        draw(
            drawn,
            ChartStyle.MEASURED_COLOURS.get(measured++),
            SeriesMarkers.CIRCLE,
            new BasicStroke(2f));
      } else { // colours recur with another stroke
        draw(
            drawn,
            ChartStyle.MEASURED_COLOURS.get(measured++ % ChartStyle.MEASURED_COLOURS.size()),
            SeriesMarkers.DIAMOND,
            dashes(2f, 3f));
      }
    }
    return chart;
  }

  private static boolean isTall(List<Chart.Series> series) {
    DoubleSummaryStatistics heights =
        series.stream()
            .flatMap(one -> one.ys().stream())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    return heights.getMax() > heights.getMin() * MAX_HEIGHT;
  }

  private static void draw(XYSeries series, Color color, Marker marker, BasicStroke line) {
    series.setLineColor(color);
    series.setMarkerColor(color);
    series.setMarker(marker);
    series.setLineStyle(line);
  }

  private static BasicStroke dashes(float drawn, float left) {
    return new BasicStroke(
        1.5f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 10f, new float[] {drawn, left}, 0f);
  }

  private static CategoryChart bars(Chart.Bars bars) {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(HEIGHT)
            .title(bars.title())
            .yAxisTitle(bars.yTitle())
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisLabelRotation(bars.labels().size() > 6 ? 30 : 0);
    chart.getStyler().setXAxisMaxLabelCount(bars.labels().size());
    chart.getStyler().setAvailableSpaceFill(0.8);
    // A logarithmic axis has no zero for bars to start at.
    chart.getStyler().setYAxisMin(powerOfTenBelow(bars));
    int measured = 0;
    int papers = 0;
    for (Chart.Series series : bars.series()) {
      if (series.xs().isEmpty()) {
        continue;
      }
      List<Double> heights = new ArrayList<>();
      for (int label = 0; label < bars.labels().size(); label++) {
        int at = series.xs().indexOf((double) label);
        heights.add(at < 0 ? Double.NaN : series.ys().get(at));
      }
      chart
          .addSeries(series.name(), bars.labels(), heights)
          .setFillColor(
              series.fromPaper()
                  ? PAPER_COLOURS.get(papers++ % PAPER_COLOURS.size())
                  : ChartStyle.MEASURED_COLOURS.get(
                      measured++ % ChartStyle.MEASURED_COLOURS.size()));
    }
    return chart;
  }

  private static HeatMapChart heatMap(Chart.HeatMap map) {
    HeatMapChart chart =
        new HeatMapChartBuilder()
            .width(ChartStyle.WIDTH)
            .height(HEIGHT)
            .title(map.title())
            .xAxisTitle(map.xTitle())
            .yAxisTitle(map.yTitle())
            .build();
    styleAnyAxes(chart.getStyler());
    chart.getStyler().setPlotGridLinesVisible(false);
    chart.getStyler().setShowValue(false);
    chart.getStyler().setHeatMapDecimalValueFormatter("%.1f"::formatted);
    chart.getStyler().setRangeColors(DARK_TO_LIGHT);
    chart.getStyler().setPiecewise(true);
    chart.getStyler().setSplitNumber(COLOURS);
    // XChart would spread its choice of labels evenly, whichever cells they are of. So each cell
    // has
    // a label, most of them blank; marks beside blank ones would only be noise.
    chart.getStyler().setXAxisMaxLabelCount(Math.max(map.xs().size(), map.ys().size()));
    chart.getStyler().setAxisTicksMarksVisible(false);
    chart.addSeries(
        map.title(),
        labels(map.xs()),
        labels(map.ys()),
        map.points().stream()
            .map(cell -> new Number[] {cell.column(), cell.row(), cell.value()})
            .toList());
    return chart;
  }

  /** A label for each number; those that are not multiples of a round step are blank. */
  private static List<String> labels(List<Integer> numbers) {
    int step = labelStep(numbers.size());
    return numbers.stream()
        .map(number -> number % step == 0 ? String.valueOf(number) : "")
        .toList();
  }

  /**
   * Returns the smallest of 1, 2, 5, 10, 20, 50 … that leaves at most {@link #MAX_LABELS} labels.
   */
  private static int labelStep(int numbers) {
    int power = 1;
    while (true) {
      for (int factor : new int[] {1, 2, 5}) {
        if (numbers <= MAX_LABELS * factor * power) {
          return factor * power;
        }
      }
      power *= 10;
    }
  }

  private static boolean isPowerOfTen(double x) {
    return x == Math.pow(10, Math.rint(Math.log10(x)));
  }

  /** Returns a label for a power of ten, and none for other numbers. */
  static String powerOfTen(double exponent) {
    return isWhole(exponent) ? "10^" + Math.round(exponent) : "";
  }

  private static String powerOfTwo(double exponent) {
    return isWhole(exponent) ? Long.toString(1L << Math.round(exponent)) : "";
  }

  /** Returns whether a logarithm is a whole number, but for rounding: that of 10^6 is 5.99…9. */
  private static boolean isWhole(double exponent) {
    return Math.abs(exponent - Math.rint(exponent)) < 1e-9;
  }

  /** Returns 2 to the power of an exponent with two digits. */
  static String fraction(double exponent) {
    return new BigDecimal(Math.pow(2, exponent)).round(new MathContext(2)).toPlainString();
  }

  private static double powerOfTenBelow(Chart.Bars chart) {
    double min =
        chart.series().stream()
            .flatMap(series -> series.ys().stream())
            .mapToDouble(Double::doubleValue)
            .min()
            .orElse(1);
    return Math.pow(10, Math.ceil(Math.log10(min)) - 1);
  }

  private static void style(AxesChartStyler styler) {
    styler.setYAxisLogarithmic(true);
    styleAnyAxes(styler);
  }

  private static void styleAnyAxes(AxesChartStyler styler) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setPlotGridLinesStroke(new BasicStroke(0.7f)); // dashes would be drawn one by one
    styler.setPlotGridLinesColor(new Color(0xDDDDDD));
    styler.setChartTitleBoxVisible(false);
    styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 15));
    styler.setAxisTitleFont(plain);
    styler.setAxisTickLabelsFont(plain);
    styler.setLegendFont(plain);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendPosition(LegendPosition.OutsideE);
  }
}
