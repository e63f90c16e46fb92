package io.fieldstone.bench.live;

/** The stream of all sections: MPEG-TS in packets of UDP, 5 Mbit/s. */
final class LiveStream {

  /** Seven packets of MPEG-TS, the most that a packet of Ethernet carries. */
  static final int PACKET_BYTES = 7 * 188;

  static final double MEGABITS = 5;

  /** The distance of two packets. */
  static final long INTERVAL_NANOS = Math.round(PACKET_BYTES * 8 * 1000 / MEGABITS);

  /** The round-trip time of the path. */
  static final long ROUND_TRIP_NANOS = 100_000_000;

  static final double NANOS_PER_MILLI = 1e6;

  private LiveStream() {}

  /** Names a share in percent. */
  static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
