package io.fieldstone.map;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Maps the plane of a network to pixels, with equal scales and north at the top.
 *
 * @param left the left edge of the map, in pixels
 * @param top the top edge of the map, in pixels
 * @param width the width of the map, in pixels
 * @param height the height of the map, in pixels
 * @param scale the pixels per unit of the plane
 * @param middleX the x of the plane at the centre of the map
 * @param middleY the y of the plane at the centre of the map
 */
record Frame(
    double left,
    double top,
    double width,
    double height,
    double scale,
    double middleX,
    double middleY) {

  /** The range of height / width that keeps maps readable. */
  private static final double MIN_RATIO = 0.3;

  private static final double MAX_RATIO = 1.25;

  /** The empty margin on each side, as a fraction of the map. */
  private static final double MARGIN = 0.04;

  /** Returns a frame that contains all nodes. */
  static Frame around(Network network, double left, double top, double width) {
    double[] xs = bounds(network.nodes(), Network.Node::x);
    double[] ys = bounds(network.nodes(), Network.Node::y);
    // A field of a single point is shown with its range.
    double planeWidth = Math.max(xs[1] - xs[0], network.range());
    double planeHeight = Math.max(ys[1] - ys[0], network.range());
    double height = width * Math.clamp(planeHeight / planeWidth, MIN_RATIO, MAX_RATIO);
    double scale = (1 - 2 * MARGIN) * Math.min(width / planeWidth, height / planeHeight);
    return new Frame(left, top, width, height, scale, xs[0] / 2 + xs[1] / 2, ys[0] / 2 + ys[1] / 2);
  }

  private static double[] bounds(
      List<Network.Node> nodes, ToDoubleFunction<Network.Node> coordinate) {
    return new double[] {
      nodes.stream().mapToDouble(coordinate).min().orElse(0),
      nodes.stream().mapToDouble(coordinate).max().orElse(0)
    };
  }

  /** Returns the pixel column of an x. */
  double x(double planeX) {
    return left + width / 2 + scale * (planeX - middleX);
  }

  /** Returns the pixel row of a y; rows count downward. */
  double y(double planeY) {
    return top + height / 2 - scale * (planeY - middleY);
  }

  /** Returns the x of a pixel column. */
  double planeX(double column) {
    return middleX + (column - left - width / 2) / scale;
  }

  /** Returns the y of a pixel row. */
  double planeY(double row) {
    return middleY - (row - top - height / 2) / scale;
  }

  /** Returns the mean distance in pixels of items spread evenly over the map. */
  double spacing(int items) {
    return Math.sqrt(width * height / Math.max(1, items));
  }
}
