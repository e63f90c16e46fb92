package io.fieldstone.weights;

import io.fieldstone.weights.codes.BinaryCode;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The decoding errors of one and of two receivers by the probability of a wrong bit and the
 * correlation of the receivers' errors: bounds, and shares of simulated words. For one thread:
 * simulations draw from one generator, whose seed is fixed.
 *
 * {@snippet :
 * ErrorCurve curve = new ErrorCurve(code, joint);
 * List<ErrorCurve.Point> points = curve.points(ErrorCurve.range(0.001, 0.1));
 * Files.writeString(file, ErrorCurve.csv(points));
 * }
 */
public final class ErrorCurve {

  /** The number of probabilities of a range. */
  public static final int STEPS = 12;

  /** The correlations of the curves for both receivers. */
  public static final List<Double> CORRELATIONS = List.of(0.0, 0.5, 0.9);

  private static final int MAX_TRIALS = 20_000;

  /** The maximum number of words that a receiver compares at a point. */
  private static final int MAX_COMPARISONS = 1 << 27;

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
  public record Point(
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

  /**
   * Creates the curve of a code.
   *
   * @param code the code; its words are simulated if its dimension is at most {@link
   *     DecodingTrials#MAX_DIMENSION}
   * @param joint the joint weights of its words
   */
  public ErrorCurve(BinaryCode code, JointWeightDistribution joint) {
    this.code = code;
    this.joint = joint;
    boolean isSimulated = code.dimension() <= DecodingTrials.MAX_DIMENSION;
    this.trials = isSimulated ? Math.min(MAX_TRIALS, MAX_COMPARISONS >> code.dimension()) : 0;
    this.simulation = isSimulated ? Optional.of(new DecodingTrials(code)) : Optional.empty();
  }

  /** Returns the code. */
  public BinaryCode code() {
    return code;
  }

  /** Returns the trials at each point; 0 if the code has too many words. */
  public int trials() {
    return trials;
  }

  /**
   * Returns {@link #STEPS} probabilities at equal ratios, from the first to the last.
   *
   * @throws IllegalArgumentException unless 0 &lt; {@code from} &lt; {@code to} &lt; 1
   */
  public static List<Double> range(double from, double to) {
    if (!(from > 0 && from < to && to < 1)) {
      throw new IllegalArgumentException(
          "probabilities from %s to %s are not ascending between 0 and 1".formatted(from, to));
    }
    return IntStream.range(0, STEPS)
        .mapToObj(i -> from * Math.pow(to / from, (double) i / (STEPS - 1)))
        .toList();
  }

  /** Returns the points of probabilities of a wrong bit, each with all {@link #CORRELATIONS}. */
  public List<Point> points(List<Double> bitErrors) {
    return bitErrors.stream()
        .flatMap(bitError -> CORRELATIONS.stream().map(correlation -> point(bitError, correlation)))
        .toList();
  }

  /**
   * Returns a point.
   *
   * @param bitError the probability of a wrong bit at each receiver
   * @param correlation the correlation of both receivers' errors
   * @throws IllegalArgumentException as {@link BitErrors#correlated}
   */
  public Point point(double bitError, double correlation) {
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

  /** Returns the points as CSV, a row for each after a header; an empty field was not simulated. */
  public static String csv(List<Point> points) {
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
}
