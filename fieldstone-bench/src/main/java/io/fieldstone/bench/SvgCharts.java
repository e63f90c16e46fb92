package io.fieldstone.bench;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws charts as SVG documents. */
final class SvgCharts {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 480;

  /** Okabe and Ito's palette, which colour-blind readers tell apart. */
  private static final List<Color> OURS =
      List.of(
          new Color(0x0072B2),
          new Color(0xD55E00),
          new Color(0x009E73),
          new Color(0xCC79A7),
          new Color(0xE69F00),
          new Color(0x56B4E9),
          new Color(0x000000));

  /** Figures that were not measured here are grey, neighbours as unlike as greys can be. */
  private static final List<Color> PAPERS =
      List.of(
          new Color(0x444444),
          new Color(0x9A9A9A),
          new Color(0x6E6E6E),
          new Color(0xC4C4C4),
          new Color(0x222222),
          new Color(0xB0B0B0));

  private static final Pattern PROLOG = Pattern.compile("^.*?(?=<svg[\\s>])", Pattern.DOTALL);
  private static final Pattern IDENTIFIER = Pattern.compile("\\bid=\"([^\"]+)\"");
  private static final Pattern REFERENCE = Pattern.compile("url\\(#([^)]+)\\)|href=\"#([^\"]+)\"");

  private SvgCharts() {}

  /**
   * Draws a chart; empty where the Java runtime lacks what drawing needs (the desktop module, or
   * fonts to measure text with): a report must not be lost for want of its pictures.
   */
  static Optional<String> draw(Chart chart) {
    try {
      return Optional.of(
          switch (chart) {
            case Chart.Lines lines -> encode(lines(lines));
            case Chart.Bars bars -> encode(bars(bars));
          });
    } catch (LinkageError | InternalError | RuntimeException cannotDraw) {
      return Optional.empty();
    }
  }

  /**
   * An SVG document as an element to stand inside a page, with {@code prefix} before its
   * identifiers so that they differ from those of its neighbours.
   */
  static String inlined(String document, String prefix) {
    String element = PROLOG.matcher(document).replaceFirst("");
    element = IDENTIFIER.matcher(element).replaceAll("id=\"" + prefix + "$1\"");
    return REFERENCE
        .matcher(element)
        .replaceAll(match ->
            match.group(1) != null
                ? "url(#" + prefix + match.group(1) + ")"
                : "href=\"#" + prefix + match.group(2) + "\"");
  }

  private static XYChart lines(Chart.Lines lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(lines.title())
            .xAxisTitle(lines.xTitle())
            .yAxisTitle(lines.yTitle())
            .build();
    style(chart.getStyler());
    // Sizes are powers of two: their logarithms to base 2 on a linear axis give each its label.
    chart.getStyler().setXAxisTickLabelsFormattingFunction(SvgCharts::powerOfTwo);
    int ours = 0;
    int papers = 0;
    for (Chart.Series series : lines.series()) {
      if (series.xs().isEmpty()) {
        continue;
      }
      XYSeries drawn =
          chart.addSeries(
              series.name(),
              series.xs().stream().map(x -> Math.log(x) / Math.log(2)).toList(),
              series.ys());
      if (series.fromPaper()) {
        draw(drawn, PAPERS.get(papers++ % PAPERS.size()), SeriesMarkers.SQUARE, dashes(6f, 4f));
      } else if (ours < OURS.size()) {
        draw(drawn, OURS.get(ours++), SeriesMarkers.CIRCLE, new BasicStroke(2f));
      } else { // the colours come again, on other lines
        draw(drawn, OURS.get(ours++ % OURS.size()), SeriesMarkers.DIAMOND, dashes(2f, 3f));
      }
    }
    return chart;
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
            .width(WIDTH)
            .height(HEIGHT)
            .title(bars.title())
            .yAxisTitle(bars.yTitle())
            .build();
    style(chart.getStyler());
    chart.getStyler().setXAxisLabelRotation(bars.labels().size() > 6 ? 30 : 0);
    chart.getStyler().setXAxisMaxLabelCount(bars.labels().size());
    chart.getStyler().setAvailableSpaceFill(0.8);
    // Bars would start at zero, which a logarithmic axis does not have.
    chart.getStyler().setYAxisMin(powerOfTenBelow(bars));
    int ours = 0;
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
                  ? PAPERS.get(papers++ % PAPERS.size())
                  : OURS.get(ours++ % OURS.size()));
    }
    return chart;
  }

  private static String powerOfTwo(double exponent) {
    return exponent == Math.rint(exponent) ? Long.toString(1L << (long) exponent) : "";
  }

  private static double powerOfTenBelow(Chart chart) {
    double least =
        chart.series().stream()
            .flatMap(series -> series.ys().stream())
            .mapToDouble(Double::doubleValue)
            .min()
            .orElse(1);
    return Math.pow(10, Math.ceil(Math.log10(least)) - 1);
  }

  private static void style(AxesChartStyler styler) {
    Font plain = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    styler.setYAxisLogarithmic(true);
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

  private static String encode(IChart chart) {
    try {
      return new String(ChartEncoder.getBytes(chart, "svg"), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // a byte array does not fail
    }
  }
}
