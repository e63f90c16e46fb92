package io.fieldstone.map;

import io.fieldstone.chart.Fonts;
import io.fieldstone.chart.drawing.PngImage;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Optional;

/** Renders drawings as PNG. */
final class PngDrawing {

  private final Graphics2D graphics;

  private PngDrawing(Graphics2D graphics) {
    this.graphics = graphics;
  }

  /**
   * Renders a drawing, without text if there are no {@link Fonts}; returns empty if the Java
   * runtime lacks the desktop module.
   */
  static Optional<byte[]> of(Drawing drawing) {
    try {
      BufferedImage image =
          new BufferedImage(
              (int) Math.ceil(PngImage.SCALE * drawing.width()),
              (int) Math.ceil(PngImage.SCALE * drawing.height()),
              BufferedImage.TYPE_INT_RGB);
      Graphics2D graphics = image.createGraphics();
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      graphics.scale(PngImage.SCALE, PngImage.SCALE);
      new PngDrawing(graphics).paint(drawing.marks());
      graphics.dispose();
      return Optional.of(PngImage.encoded(image));
    } catch (LinkageError noDesktopModule) {
      return Optional.empty();
    }
  }

  private void paint(List<Mark> marks) {
    for (Mark mark : marks) {
      switch (mark) {
        case Mark.Filled filled -> {
          graphics.setColor(new Color(filled.colour()));
          graphics.fill(path(filled.outline()));
        }
        case Mark.Stroked stroked -> {
          graphics.setColor(new Color(stroked.colour()));
          graphics.setStroke(stroke(stroked));
          graphics.draw(path(stroked.outline()));
        }
        case Mark.Text text -> {
          if (Fonts.arePresent()) {
            paint(text);
          }
        }
        case Mark.Title _ -> {}
        case Mark.Clipped clipped -> {
          Shape before = graphics.getClip();
          graphics.clip(
              new Rectangle2D.Double(clipped.x(), clipped.y(), clipped.width(), clipped.height()));
          paint(clipped.marks());
          graphics.setClip(before);
        }
      }
    }
  }

  private void paint(Mark.Text text) {
    Font font = new Font(Font.SANS_SERIF, text.isBold() ? Font.BOLD : Font.PLAIN, 1);
    graphics.setFont(font.deriveFont((float) text.size()));
    graphics.setColor(new Color(text.colour()));
    graphics.drawString(text.text(), (float) text.x(), (float) text.y());
  }

  private static BasicStroke stroke(Mark.Stroked stroked) {
    float width = (float) stroked.width();
    return stroked.dash() == 0
        ? new BasicStroke(width, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND)
        : new BasicStroke(
            width,
            BasicStroke.CAP_ROUND,
            BasicStroke.JOIN_ROUND,
            1,
            new float[] {(float) stroked.dash()},
            0);
  }

  private static Path2D path(Outline outline) {
    Path2D path = new Path2D.Double(Path2D.WIND_NON_ZERO);
    outline.draw(
        new Outline.Pen() {
          @Override
          public void move(double x, double y) {
            path.moveTo(x, y);
          }

          @Override
          public void line(double x, double y) {
            path.lineTo(x, y);
          }

          @Override
          public void close() {
            path.closePath();
          }
        });
    return path;
  }
}
