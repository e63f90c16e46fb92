package io.fieldstone.chart.drawing;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Encodes images as PNG. */
public final class PngImage {

  /** Pixels of the image for each of the drawing, as fine screens have them. */
  public static final int SCALE = 2;

  private PngImage() {}

  /** Returns an image as a PNG file. */
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
