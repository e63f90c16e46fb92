package io.fieldstone.chart;

import io.fieldstone.chart.drawing.ChartStyle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.internal.chartpart.IChart;

/** Draws charts as SVG documents. Thread-safe: it has no state. */
public final class SvgCharts {

  private static final Pattern PROLOG = Pattern.compile("^.*?(?=<svg[\\s>])", Pattern.DOTALL);
  private static final Pattern IDENTIFIER = Pattern.compile("\\bid=\"([^\"]+)\"");
  private static final Pattern REFERENCE = Pattern.compile("url\\(#([^)]+)\\)|href=\"#([^\"]+)\"");

  private SvgCharts() {}

  /** Draws a chart; returns empty without {@link Fonts}. */
  public static Optional<String> draw(Chart chart) {
    return Fonts.arePresent() ? Optional.of(encode(XCharts.of(chart))) : Optional.empty();
  }

  /** Draws charts one below the other as a document; returns empty without {@link Fonts}. */
  public static Optional<String> drawAll(List<Chart> charts) {
    StringBuilder drawings = new StringBuilder();
    int height = 0;
    for (int i = 0; i < charts.size(); i++) {
      Optional<String> drawn = draw(charts.get(i));
      if (drawn.isEmpty()) {
        return Optional.empty();
      }
      drawings
          .append("<g transform=\"translate(0,%d)\">\n".formatted(height))
          .append(inlined(drawn.get(), "c" + i + "-"))
          .append("\n</g>\n");
      height += XCharts.HEIGHT;
    }
    String page =
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
        width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d">
        """
            .formatted(ChartStyle.WIDTH, height);
    return Optional.of(page + drawings + "</svg>\n");
  }

  /**
   * Returns an SVG document as an element of a page, with {@code prefix} before its identifiers,
   * which must be unique in the page.
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

  private static String encode(IChart chart) {
    try {
      return new String(ChartEncoder.getBytes(chart, "svg"), StandardCharsets.UTF_8);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // a byte array does not fail
    }
  }
}
