package io.fieldstone.cli;

import io.fieldstone.cli.chart.Chart;
import io.fieldstone.cli.chart.SeriesBuilder;
import io.fieldstone.weights.BitErrors;
import io.fieldstone.weights.DecodingTrials;
import io.fieldstone.weights.ErrorBounds;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.codes.BinaryCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The decoding errors of one and of two receivers by the probability of a wrong bit and the
 * correlation of the receivers' errors: bounds, and shares of simulated words.
 */
final class WeightsCurve {

  /** The number of probabilities of a range. */
  static final int STEPS = 12;

  /** The correlations of the curves for both receivers. */
  static final List<Double> CORRELATIONS = List.of(0.0, 0.5, 0.9);

  private static final int MAX_TRIALS = 20_000;

  /** The maximum number of words that a receiver compares at a point. */
  private static final int MAX_COMPARISONS = 1 << 27;

  /** The minimum number of failures of a simulated point in the chart. */
  private static final int MIN_FAILURES = 10;

  private static final long SEED = 1;

  /**
   * A point of the curves.
   *
   * @param bitError the probability of a wrong bit at each receiver
   * @param correlation the correlation of both receivers' errors
   * @param oneBound the bound on the decoding error of one receiver, at most 1
   * @param oneSimulated its share in trials; empty if there were none
   * @param bothBound the bound on both decoding wrongly, at most 1
   * @param bothSimulated its share in trials; empty if there were none
   */
  record Point(
      double bitError,
      double correlation,
      double oneBound,
      Optional<Double> oneSimulated,
      double bothBound,
      Optional<Double> bothSimulated) {}

  private final BinaryCode code;
  private final JointWeightDistribution joint;
  private final Optional<DecodingTrials> simulation;
  private final int trials;
  private final SplittableRandom random = new SplittableRandom(SEED);

  WeightsCurve(BinaryCode code, JointWeightDistribution joint) {
    this.code = code;
    this.joint = joint;
    boolean isSimulated = code.dimension() <= DecodingTrials.MAX_DIMENSION;
    this.trials = isSimulated ? Math.min(MAX_TRIALS, MAX_COMPARISONS >> code.dimension()) : 0;
    this.simulation = isSimulated ? Optional.of(new DecodingTrials(code)) : Optional.empty();
  }

  BinaryCode code() {
    return code;
  }

  /** Returns the trials at each point; 0 if the code has too many words. */
  int trials() {
    return trials;
  }

  /** Returns probabilities at equal ratios, from the first to the last. */
  static List<Double> range(double from, double to) {
    return IntStream.range(0, STEPS)
        .mapToObj(i -> from * Math.pow(to / from, (double) i / (STEPS - 1)))
        .toList();
  }

  Point point(double bitError, double correlation) {
    BitErrors errors = BitErrors.correlated(bitError, correlation);
    Optional<DecodingTrials.Failures> failures =
        simulation.map(each -> each.run(errors, trials, random));
    return new Point(
        bitError,
        correlation,
        Math.min(1, ErrorBounds.oneReceiver(joint.single(), bitError)),
        failures.map(DecodingTrials.Failures::firstRate),
        Math.min(1, ErrorBounds.bothReceivers(joint, errors)),
        failures.map(DecodingTrials.Failures::bothRate));
  }

  static String csv(List<Point> points) {
    StringBuilder csv =
        new StringBuilder(
            "bit_error,correlation,one_bound,one_simulated,both_bound,both_simulated\n");
    for (Point point : points) {
      csv.append(point.bitError()).append(',').append(point.correlation()).append(',');
      csv.append(point.oneBound()).append(',').append(text(point.oneSimulated())).append(',');
      csv.append(point.bothBound()).append(',').append(text(point.bothSimulated())).append('\n');
    }
    return csv.toString();
  }

  private static String text(Optional<Double> share) {
    return share.map(String::valueOf).orElse("");
  }

  /** Returns the chart: for one receiver, and for both by correlation; simulations in grey. */
  Chart chart(List<Point> points) {
    List<Chart.Series> series = new ArrayList<>();
    SeriesBuilder one = new SeriesBuilder();
    SeriesBuilder oneSimulated = new SeriesBuilder();
    of(points, CORRELATIONS.getFirst())
        .forEach(point -> {
          one.add(point.bitError(), point.oneBound());
          add(oneSimulated, point.bitError(), point.oneSimulated());
        });
    addTo(series, one, "one receiver", false);
    addTo(series, oneSimulated, "one receiver, simulated", true);
    for (double correlation : CORRELATIONS) {
      SeriesBuilder both = new SeriesBuilder();
      SeriesBuilder bothSimulated = new SeriesBuilder();
      for (Point point : of(points, correlation)) {
        both.add(point.bitError(), point.bothBound());
        add(bothSimulated, point.bitError(), point.bothSimulated());
      }
      String name = "both, correlation %.1f".formatted(correlation);
      addTo(series, both, name, false);
      addTo(series, bothSimulated, name + ", simulated", true);
    }
    return new Chart.Lines(
        "curve",
        "Decoding errors of the " + code + " code: bounds, and simulations in grey",
        "probability of a wrong bit",
        "probability of a decoding error",
        series);
  }

  private static List<Point> of(List<Point> points, double correlation) {
    return points.stream().filter(point -> point.correlation() == correlation).toList();
  }

  /** Adds a simulated point unless it has too few failures to say much. */
  private void add(SeriesBuilder series, double x, Optional<Double> y) {
    y.filter(share -> share * trials >= MIN_FAILURES).ifPresent(share -> series.add(x, share));
  }

  private static void addTo(
      List<Chart.Series> all, SeriesBuilder points, String name, boolean isSimulated) {
    Chart.Series series = points.series(name, isSimulated);
    if (!series.xs().isEmpty()) {
      all.add(series);
    }
  }
}
