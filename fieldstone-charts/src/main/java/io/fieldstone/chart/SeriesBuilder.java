package io.fieldstone.chart;

import java.util.ArrayList;
import java.util.List;

/** Collects the points of a series of a chart. Not thread-safe. */
public final class SeriesBuilder {

  private final List<Double> xs = new ArrayList<>();
  private final List<Double> ys = new ArrayList<>();

  public void add(double x, double y) {
    xs.add(x);
    ys.add(y);
  }

  public Chart.Series series(String name, boolean fromPaper) {
    return new Chart.Series(name, xs, ys, fromPaper);
  }
}
