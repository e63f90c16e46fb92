package io.fieldstone.map;

import java.util.List;

/** A graphic element. Coordinates are pixels from the upper left corner, colours 0xRRGGBB. */
sealed interface Mark {

  /** A filled outline. */
  record Filled(Outline outline, int colour) implements Mark {}

  /**
   * An outline drawn with a round pen.
   *
   * @param dash the length of dashes and gaps in pixels, 0 for a solid line
   */
  record Stroked(Outline outline, int colour, double width, double dash) implements Mark {}

  /**
   * A line of text.
   *
   * @param y the y of the baseline
   * @param size the font size in pixels
   */
  record Text(String text, double x, double y, double size, boolean isBold, int colour)
      implements Mark {}

  /**
   * A text that appears while the pointer is near a point, in documents that have a pointer.
   *
   * @param radius the distance of the pointer at which it appears, in pixels
   */
  record Title(String text, double x, double y, double radius) implements Mark {}

  /** Marks clipped to a rectangle. */
  record Clipped(double x, double y, double width, double height, List<Mark> marks)
      implements Mark {
    public Clipped {
      marks = List.copyOf(marks);
    }
  }
}
