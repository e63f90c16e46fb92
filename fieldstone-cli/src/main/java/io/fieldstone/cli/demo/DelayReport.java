package io.fieldstone.cli.demo;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The delays of frames, in the time between two frames. A frame that is lost has none. */
public final class DelayReport {

  private final double[][] delays;
  private final double[] sorted;

  /**
   * Creates a report.
   *
   * @param delays for each generation and frame; infinite for a frame that was lost
   */
  DelayReport(double[][] delays) {
    this.delays = delays;
    this.sorted =
        Arrays.stream(delays)
            .flatMapToDouble(Arrays::stream)
            .filter(Double::isFinite)
            .sorted()
            .toArray();
  }

  /** Returns the number of frames. */
  public long frames() {
    return (long) delays.length * delays[0].length;
  }

  /** Returns the frames that did not arrive. */
  public long lost() {
    return frames() - sorted.length;
  }

  /** Returns the mean delay of the frames that arrived; 0 if there are none. */
  public double mean() {
    return DoubleStream.of(sorted).average().orElse(0);
  }

  /**
   * Returns the delay that a share of the frames that arrived does not exceed.
   *
   * @param share in 0…1
   */
  public double quantile(double share) {
    return sorted.length == 0
        ? 0
        : sorted[Math.clamp((int) Math.ceil(share * sorted.length) - 1, 0, sorted.length - 1)];
  }

  /** Returns the mean delay at each position in a generation; 0 where no frame arrived. */
  public List<Double> byPosition() {
    return IntStream.range(0, delays[0].length)
        .mapToObj(position ->
            Arrays.stream(delays)
                .mapToDouble(generation -> generation[position])
                .filter(Double::isFinite)
                .average()
                .orElse(0))
        .toList();
  }
}
