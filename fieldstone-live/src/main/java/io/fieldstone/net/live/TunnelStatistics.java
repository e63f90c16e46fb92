package io.fieldstone.net.live;

import io.fieldstone.net.dashboard.Metrics;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * The numbers of one connection of a tunnel, since its start.
 *
 * @param sent what this end sends
 * @param received what it receives
 * @param overflowed the packets of applications that were dropped because the path was slower
 * @param refused the packets that applications did not take
 */
public record TunnelStatistics(
    SenderStatistics sent, ReceiverStatistics received, long overflowed, long refused) {

  /** There is no connection. */
  public static final TunnelStatistics NONE =
      new TunnelStatistics(SenderStatistics.NONE, ReceiverStatistics.NONE, 0, 0);

  /** Returns the numbers for {@code /metrics} and {@code /status}. */
  static Metrics metrics(Supplier<TunnelStatistics> statistics, IntSupplier clients) {
    return new Metrics(
        LiveSnapshot.METRICS, Flat.GAUGES, () -> statistics.get().flat(clients.getAsInt()));
  }

  /** Returns the numbers as one record, for the pages of a status. */
  Flat flat(int clients) {
    return new Flat(
        clients,
        sent.sources(),
        sent.repairs(),
        sent.skipped(),
        received.delivered(),
        received.lost(),
        received.repaired(),
        received.late(),
        received.residual(),
        overflowed,
        refused,
        sent.lossShare(),
        sent.redundancy(),
        sent.rttNanos());
  }

  /** The numbers of {@link #flat}. */
  record Flat(
      int clients,
      long sources,
      long repairs,
      long skipped,
      long delivered,
      long lost,
      long repaired,
      long late,
      long residual,
      long overflowed,
      long refused,
      double lossShare,
      double redundancy,
      long rttNanos) {

    /** The numbers that do not only grow. */
    static final Set<String> GAUGES = Set.of("clients", "lossShare", "redundancy", "rttNanos");
  }
}
