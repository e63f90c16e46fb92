package io.fieldstone.net.carrier;

/**
 * The state of a connection's path, as its sender knows it.
 *
 * @param rttNanos the smoothed round-trip time; 0 if unknown
 * @param minRttNanos the least {@code rttNanos} that was seen; 0 if unknown
 * @param sentPackets packets of all kinds that were sent
 * @param lostPackets packets that count as lost
 * @param deliveryRateBytes the rate at which bytes are acknowledged, in bytes per second; 0 if
 *     unknown
 * @param windowBytes the congestion window
 * @param mtuBytes the largest UDP payload that is sent
 */
public record PathStats(
    long rttNanos,
    long minRttNanos,
    long sentPackets,
    long lostPackets,
    long deliveryRateBytes,
    long windowBytes,
    int mtuBytes) {
  /** Nothing is known yet. */
  public static final PathStats UNKNOWN = new PathStats(0, 0, 0, 0, 0, 0, 0);
}
