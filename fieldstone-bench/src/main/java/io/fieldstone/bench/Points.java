package io.fieldstone.bench;

import java.util.ArrayList;
import java.util.List;

/** Collects a series of a chart, point by point. */
final class Points {

  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();

  void add(double x, double y) {
    xs.add(x);
    ys.add(y);
  }

  Chart.Series series(String name, boolean fromPaper) {
    return new Chart.Series(name, xs, ys, fromPaper);
  }
}
