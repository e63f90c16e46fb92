package io.fieldstone.cli.map;

import io.fieldstone.cli.sensors.Network;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Where a network's plane is on a picture: the same scale both ways, north up.
 *
 * @param left edge of the map, in pixels
 * @param top edge of the map
 * @param width of the map
 * @param height of the map
 * @param scale pixels for a unit of the plane
 * @param middleX what is in the middle of the map
 * @param middleY what is in the middle of the map
 */
record Frame(
    double left,
    double top,
    double width,
    double height,
    double scale,
    double middleX,
    double middleY) {

  /** Flatter or taller maps would leave nothing to see. */
  private static final double MIN_RATIO = 0.3;

  private static final double MAX_RATIO = 1.25;

  /** Part of the map that its edge keeps free, on each side. */
  private static final double MARGIN = 0.04;

  /** The frame that holds all nodes. */
  static Frame around(Network network, double left, double top, double width) {
    double[] xs = bounds(network.nodes(), Network.Node::x);
    double[] ys = bounds(network.nodes(), Network.Node::y);
    // A field that is but a place is shown with the range around it.
    double wide = Math.max(xs[1] - xs[0], network.range());
    double high = Math.max(ys[1] - ys[0], network.range());
    double height = width * Math.clamp(high / wide, MIN_RATIO, MAX_RATIO);
    double scale = (1 - 2 * MARGIN) * Math.min(width / wide, height / high);
    return new Frame(left, top, width, height, scale, xs[0] / 2 + xs[1] / 2, ys[0] / 2 + ys[1] / 2);
  }

  private static double[] bounds(
      List<Network.Node> nodes, ToDoubleFunction<Network.Node> coordinate) {
    return new double[] {
      nodes.stream().mapToDouble(coordinate).min().orElse(0),
      nodes.stream().mapToDouble(coordinate).max().orElse(0)
    };
  }

  /** Where an x is on the picture. */
  double x(double planeX) {
    return left + width / 2 + scale * (planeX - middleX);
  }

  /** Where a y is on the picture, which counts downward. */
  double y(double planeY) {
    return top + height / 2 - scale * (planeY - middleY);
  }

  /** How far so many things are from each other if they are spread over the map. */
  double spacing(int things) {
    return Math.sqrt(width * height / Math.max(1, things));
  }
}
