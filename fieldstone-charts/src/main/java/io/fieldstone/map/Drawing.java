package io.fieldstone.map;

import java.util.List;

/**
 * A picture on a white background.
 *
 * @param width the width in pixels
 * @param height the height in pixels
 * @param marks the marks, from back to front
 */
record Drawing(double width, double height, List<Mark> marks) {
  Drawing {
    marks = List.copyOf(marks);
  }
}
