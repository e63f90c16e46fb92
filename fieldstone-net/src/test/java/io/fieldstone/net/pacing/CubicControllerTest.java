package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CubicControllerTest {
  private static final double LINK = 50e6 / 8;

  @Test
  void fillsALinkWithoutRandomLoss() {
    assertThat(share(0)).isGreaterThan(0.95);
  }

  /** 1.2 packets / (rtt * sqrt(loss)) is the order of what TCP gets at 5 % loss. */
  @Test
  void anyLossSlowsIt() {
    assertThat(share(0.01)).isLessThan(0.6);
    assertThat(share(0.05)).isLessThan(0.15);
  }

  /** Packets that others overtake are no congestion; those that are lost beside them are. */
  @ParameterizedTest
  @CsvSource({"0.02, 5, 20", "0.1, 20, 60", "0.3, 40, 100"})
  void latePacketsAreNoLoss(double share, long minMillis, long maxMillis) {
    for (long seed = 1; seed <= 3; seed++) {
      assertThat(shareOfLate(0, share, minMillis, maxMillis, seed))
          .as("seed %d", seed)
          .isGreaterThan(0.9);
      assertThat(shareOfLate(0.01, share, minMillis, maxMillis, seed))
          .as("1 %% lost, seed %d", seed)
          .isLessThan(0.6);
    }
  }

  private static double shareOfLate(
      double loss, double late, long minMillis, long maxMillis, long seed) {
    Bottleneck link =
        new Bottleneck(LINK, 10_000_000, 125_000, loss, seed)
            .withLate(late, minMillis * 1_000_000, maxMillis * 1_000_000);
    Bottleneck.Flow flow = link.add(new CubicController(625_000));
    link.run(5);
    link.run(10);
    return flow.delivered * Bottleneck.PACKET_BYTES / 10.0 / LINK;
  }

  @Test
  void twoFlowsShare() {
    Bottleneck link = new Bottleneck(LINK, 10_000_000, 125_000, 0, 2);
    Bottleneck.Flow first = link.add(new CubicController(625_000));
    link.run(3);
    Bottleneck.Flow second = link.add(new CubicController(625_000));
    link.run(40);
    link.run(60);
    assertThat((double) first.delivered / second.delivered).isBetween(0.5, 2.0);
  }

  /** RFC 9438, section 4.2: W(t) = C (t - K)^3 + W_max, with C = 0.4 and K from W_max and beta. */
  @Test
  void theWindowReturnsToItsMaximumAfterK() {
    CubicWindow window = new CubicWindow(1000, 0);
    window.onCongestion();
    assertThat(window.packets()).isEqualTo(700);
    double plateauSeconds = Math.cbrt(1000 * 0.3 / 0.4);
    long rttNanos = 100_000_000;
    long steps = (long) (plateauSeconds * 1e9 / rttNanos);
    for (long i = 0; i <= steps; i++) {
      window.onArrived((long) window.packets(), rttNanos, i * rttNanos);
    }
    assertThat(window.packets()).isBetween(990.0, 1010.0);
    window.onCongestion();
    window.onCongestion();
    assertThat(window.packets()).isBetween(480.0, 500.0);
  }

  private static double share(double loss) {
    Bottleneck link = new Bottleneck(LINK, 10_000_000, 125_000, loss, 1);
    Bottleneck.Flow flow = link.add(new CubicController(625_000));
    link.run(5);
    link.run(30);
    return flow.delivered * Bottleneck.PACKET_BYTES / 30.0 / LINK;
  }
}
