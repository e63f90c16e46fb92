package io.fieldstone.bench.net.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import org.junit.jupiter.api.Test;

/** Parses what the process of the router gets and prints. */
class LinkTextTest {

  @Test
  void countersAreReadAsTheyArePrinted() {
    LinkCounts one = new LinkCounts(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    LinkCounts other = new LinkCounts(11, 12, 13, 14, 15, 16, 17, 18, 19, 20);
    VirtualNetwork.Counters counters =
        VirtualNetwork.Counters.parse("counters 13 " + LinkText.of(one) + " " + LinkText.of(other));
    assertThat(counters.lateMicros()).isEqualTo(13);
    assertThat(counters.up()).containsExactly(one);
    assertThat(counters.down()).containsExactly(other);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> VirtualNetwork.Counters.parse("ready"))
        .withMessage("'ready' has no counters");
  }

  @Test
  void linksAreReadAsTheyAreWritten() {
    Impairment link =
        Impairment.NONE
            .withRate(6_187_500.5, 40_000)
            .withDelay(10_250_000, 3)
            .withLoss(Loss.bursts(0.013, 2.5))
            .withDisorder(0.1, 0.2, 0.3);
    assertThat(LinkText.impairment(LinkText.of(link))).isEqualTo(link);
    RouterEnd end = new RouterEnd(link, Impairment.NONE, "bbr").behind(2, "cubic");
    assertThat(RouterEnd.parse(end.toString())).isEqualTo(end);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LinkText.impairment("1/2/3"))
        .withMessage("'1/2/3' has no 14 fields");
  }
}
