package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TotalRateTest {

  private static final long SECOND = 1_000_000_000L;

  @Test
  void isNoLimitWithoutOne() {
    assertThat(new TotalRate(Long.MAX_VALUE).open().limit(1e12, 1)).isGreaterThan(1e18);
  }

  @Test
  void dividesEvenlyAmongThoseThatWantMore() {
    TotalRate total = new TotalRate(1_000);
    TotalRate.Share slow = total.open();
    TotalRate.Share one = total.open();
    TotalRate.Share two = total.open();
    assertThat(slow.limit(100, SECOND)).isEqualTo(1_000);
    assertThat(one.limit(5_000, SECOND)).isEqualTo(900);
    assertThat(two.limit(700, SECOND)).isEqualTo(450);
    assertThat(one.limit(5_000, SECOND + 1)).isEqualTo(450);
    two.close();
    assertThat(one.limit(5_000, 2 * SECOND)).isEqualTo(900);
    assertThat(one.limit(5_000, 4 * SECOND)).as("slow is idle").isEqualTo(1_000);
  }

  /** The sum of what all send is the maximum, or what they want if that is less. */
  @Test
  void givesAllThatThereIs() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 100; round++) {
      TotalRate total = new TotalRate(10_000);
      int count = 1 + random.nextInt(20);
      double[] wanted = random.doubles(count, 1, 2_000).toArray();
      List<TotalRate.Share> shares = IntStream.range(0, count).mapToObj(_ -> total.open()).toList();
      double level = 0;
      for (int i = 0; i < count; i++) {
        level = shares.get(i).limit(wanted[i], SECOND);
      }
      double sum = 0;
      double all = 0;
      for (double each : wanted) {
        sum += Math.min(each, level);
        all += each;
      }
      assertThat(sum).isCloseTo(Math.min(all, 10_000), within(1e-6));
    }
  }
}
