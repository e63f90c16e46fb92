package io.fieldstone.chart;

import io.fieldstone.weights.ErrorCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The chart of an {@link ErrorCurve}: bounds for one receiver, and for both by correlation, with
 * simulations in grey.
 *
 * {@snippet :
 * Chart chart = ErrorCurveChart.of(curve, points);
 * Optional<byte[]> png = PngCharts.drawAll(List.of(chart));
 * }
 */
public final class ErrorCurveChart {

  /** The minimum number of failures of a simulated point in the chart. */
  private static final int MIN_FAILURES = 10;

  private ErrorCurveChart() {}

  /**
   * Returns the chart of points. A simulated point with fewer than ten failures says little, and is
   * left out.
   *
   * @param curve the curve of the points
   * @param points the points, of which those with a correlation of {@link ErrorCurve#CORRELATIONS}
   *     are drawn
   */
  public static Chart of(ErrorCurve curve, List<ErrorCurve.Point> points) {
    List<Chart.Series> series = new ArrayList<>();
    SeriesBuilder one = new SeriesBuilder();
    SeriesBuilder oneSimulated = new SeriesBuilder();
    at(points, ErrorCurve.CORRELATIONS.getFirst())
        .forEach(point -> {
          one.add(point.bitError(), point.oneBound());
          add(oneSimulated, curve, point.bitError(), point.oneSimulated());
        });
    addTo(series, one, "one receiver", false);
    addTo(series, oneSimulated, "one receiver, simulated", true);
    for (double correlation : ErrorCurve.CORRELATIONS) {
      SeriesBuilder both = new SeriesBuilder();
      SeriesBuilder bothSimulated = new SeriesBuilder();
      for (ErrorCurve.Point point : at(points, correlation)) {
        both.add(point.bitError(), point.bothBound());
        add(bothSimulated, curve, point.bitError(), point.bothSimulated());
      }
      String name = "both, correlation " + correlation;
      addTo(series, both, name, false);
      addTo(series, bothSimulated, name + ", simulated", true);
    }
    return new Chart.Lines(
        "curve",
        "Decoding errors of the " + curve.code() + " code: bounds, and simulations in grey",
        "probability of a wrong bit",
        "probability of a decoding error",
        series);
  }

  private static List<ErrorCurve.Point> at(List<ErrorCurve.Point> points, double correlation) {
    return points.stream().filter(point -> point.correlation() == correlation).toList();
  }

  private static void add(SeriesBuilder series, ErrorCurve curve, double x, Optional<Double> y) {
    y.filter(share -> share * curve.trials() >= MIN_FAILURES)
        .ifPresent(share -> series.add(x, share));
  }

  private static void addTo(
      List<Chart.Series> all, SeriesBuilder points, String name, boolean isSimulated) {
    Chart.Series series = points.series(name, isSimulated);
    if (!series.xs().isEmpty()) {
      all.add(series);
    }
  }
}
