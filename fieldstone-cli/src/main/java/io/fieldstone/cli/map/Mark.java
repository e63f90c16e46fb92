package io.fieldstone.cli.map;

import java.util.List;

/** Something drawn. Coordinates are pixels from the upper left, colours 0xRRGGBB. */
sealed interface Mark {

  /** An outline filled. */
  record Filled(Outline outline, int colour) implements Mark {}

  /**
   * An outline drawn with a round pen.
   *
   * @param dash length of dashes and gaps, 0 for a line without gaps
   */
  record Stroked(Outline outline, int colour, double width, double dash) implements Mark {}

  /**
   * Words on a line.
   *
   * @param y of the line they stand on
   * @param size of the letters
   */
  record Words(String text, double x, double y, double size, boolean isBold, int colour)
      implements Mark {}

  /** Marks of which only what is inside a rectangle is seen. */
  record Clipped(double x, double y, double width, double height, List<Mark> marks)
      implements Mark {
    public Clipped {
      marks = List.copyOf(marks);
    }
  }
}
