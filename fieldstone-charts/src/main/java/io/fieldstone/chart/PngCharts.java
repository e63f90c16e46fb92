package io.fieldstone.chart;

import io.fieldstone.chart.drawing.ChartStyle;
import io.fieldstone.chart.drawing.PngImage;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

/** Paints charts as PNG images. */
public final class PngCharts {

  private PngCharts() {}

  /**
   * Renders charts one below the other as a PNG file; returns empty without {@link Fonts}.
   *
   * @param charts at least one
   */
  public static Optional<byte[]> drawAll(List<Chart> charts) {
    if (!Fonts.arePresent()) {
      return Optional.empty();
    }
    int width = PngImage.SCALE * ChartStyle.WIDTH;
    int height = PngImage.SCALE * XCharts.HEIGHT;
    BufferedImage image =
        new BufferedImage(width, charts.size() * height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < charts.size(); i++) {
      Graphics2D graphics = image.createGraphics();
      graphics.translate(0, i * height);
      graphics.scale(PngImage.SCALE, PngImage.SCALE);
      XCharts.of(charts.get(i)).paint(graphics, ChartStyle.WIDTH, XCharts.HEIGHT);
      graphics.dispose();
    }
    return Optional.of(PngImage.encoded(image));
  }
}
