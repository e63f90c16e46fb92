package io.fieldstone.bench.simulation;

import java.util.Locale;

/**
 * What a simulation measured. Delays are those of sources that came in time, beside the delay of
 * the path.
 *
 * @param sources the sources whose deadline has passed
 * @param delivered the sources that were known in time, also those whose deadline has not passed
 * @param repairs the repairs that were sent
 * @param missed the sources that were not known at their deadline
 * @param payloadBytes the bytes of the sources
 * @param wireBytes the bytes of all packets of the sender, with IP and UDP headers
 * @param pathLost the sources and repairs that the path lost
 * @param queueDropped how many a queue dropped
 * @param medianMillis the median delay
 * @param p99Millis the 99th percentile of the delay
 */
public record LiveResult(
    long sources,
    long delivered,
    long repairs,
    long missed,
    long payloadBytes,
    long wireBytes,
    long pathLost,
    long queueDropped,
    double medianMillis,
    double p99Millis) {

  /** The share of sources that were missed. */
  public double residual() {
    return (double) missed / Math.max(sources, 1);
  }

  /** The bytes on the wire for each byte of payload. */
  public double bytesRatio() {
    return (double) wireBytes / Math.max(payloadBytes, 1);
  }

  /** The repairs for each source. */
  public double redundancy() {
    return (double) repairs / Math.max(sources, 1);
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "residual %.1e (%d of %d), repairs %.4f, bytes %.4f, added p50 %.1f ms, p99 %.1f ms",
        residual(),
        missed,
        sources,
        redundancy(),
        bytesRatio(),
        medianMillis,
        p99Millis);
  }
}
