package io.fieldstone.cli.chart;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Paints charts as PNG images. */
public final class PngCharts {

  /** Pixels of the image for each of the chart, as fine screens have them. */
  public static final int SCALE = 2;

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
    int width = SCALE * XCharts.WIDTH;
    int height = SCALE * XCharts.HEIGHT;
    BufferedImage image =
        new BufferedImage(width, charts.size() * height, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < charts.size(); i++) {
      Graphics2D graphics = image.createGraphics();
      graphics.translate(0, i * height);
      graphics.scale(SCALE, SCALE);
      XCharts.of(charts.get(i)).paint(graphics, XCharts.WIDTH, XCharts.HEIGHT);
      graphics.dispose();
    }
    return Optional.of(encoded(image));
  }

  /** An image as a PNG file. */
  public static byte[] encoded(BufferedImage image) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageIO.write(image, "png", out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // memory does not fail
    }
    return bytes.toByteArray();
  }
}
