package io.fieldstone.cli.map;

import java.util.List;

/**
 * A picture, on white.
 *
 * @param width in pixels
 * @param height in pixels
 * @param marks the first of them lowest
 */
record Drawing(double width, double height, List<Mark> marks) {
  Drawing {
    marks = List.copyOf(marks);
  }
}
