package io.fieldstone.spark.weights;

/**
 * The predicted cost of the proof of a distance on a cluster.
 *
 * @param distance the weight of the lightest word that is known
 * @param sums the sums that will be tried
 * @param cores the cores of the cluster
 * @param coreHours the hours of one core
 * @param hours the hours of the cluster
 * @param description the way of the proof, in a line
 */
public record DistanceForecast(
    int distance, double sums, int cores, double coreHours, double hours, String description) {

  /** Returns the forecast in a line. */
  public String text() {
    return "d ≤ %d; %s; predicted %.3g sums, %.3g core hours, %.3g hours on %d cores"
        .formatted(distance, description, sums, coreHours, hours, cores);
  }
}
