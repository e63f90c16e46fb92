package io.fieldstone.cli.net;

import io.fieldstone.net.live.TunnelStatistics;

/** The line of a second of a tunnel: what this end sends, and what it receives. */
record TunnelLine(
    int clients,
    long sent,
    long repairs,
    long overflowed,
    double lossPercent,
    double redundancyPercent,
    double rttMillis,
    long received,
    long lost,
    long repaired,
    long late,
    long residual,
    long refused,
    double delayMillis50,
    double delayMillis99)
    implements LiveLines.Line {

  static TunnelLine of(int clients, TunnelStatistics both) {
    return new TunnelLine(
        clients,
        both.sent().packets(),
        both.sent().repairs(),
        both.overflowed() + both.sent().skipped(),
        100 * both.sent().lossShare(),
        100 * both.sent().redundancy(),
        both.sent().rttNanos() / 1e6,
        both.received().packets(),
        both.received().lost(),
        both.received().repaired(),
        both.received().late(),
        both.received().residual(),
        both.refused(),
        both.received().delayMillis50(),
        both.received().delayMillis99());
  }

  @Override
  public String text() {
    return ("sent %d, %d repairs, %d too fast; loss %.2f %%, redundancy %.1f %%, rtt %.1f ms;"
            + " received %d, %d lost, %d repaired, %d residual, delay %.1f ms, 99 %% %.1f ms")
        .formatted(
            sent,
            repairs,
            overflowed,
            lossPercent,
            redundancyPercent,
            rttMillis,
            received,
            lost,
            repaired,
            residual,
            delayMillis50,
            delayMillis99);
  }
}
