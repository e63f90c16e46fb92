package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JobSharesTest {

  @Test
  void everyUnitIsAssignedOnceInWholeGranules() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      long units = random.nextLong(random.nextInt(4) == 0 ? 1L << 40 : 500);
      long granule = random.nextLong(1, 130);
      JobShares division = JobShares.of(units, granule, rates(random));
      long at = 0;
      for (int part = 0; part < division.parts(); part++) {
        assertThat(division.from(part)).isEqualTo(at);
        assertThat(division.to(part)).isGreaterThanOrEqualTo(at);
        assertThat(division.isIdle(part)).isEqualTo(division.to(part) == at);
        at = division.to(part);
        assertThat(at % granule == 0 || at == units).isTrue();
      }
      assertThat(at).isEqualTo(units);
    }
  }

  /** No other division of granules between two parts completes earlier. */
  @Test
  void partsFinishAsEarlyAsGranulesAllow() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 2_000; i++) {
      long granules = random.nextLong(1, 100);
      double[] rates = {random.nextDouble(0.01, 1), random.nextDouble(0.01, 1)};
      JobShares division = JobShares.of(granules, 1, rates);
      double best =
          IntStream.rangeClosed(0, (int) granules)
              .mapToDouble(first -> Math.max(first / rates[0], (granules - first) / rates[1]))
              .min()
              .orElseThrow();
      double actual = Math.max(division.to(0) / rates[0], (granules - division.to(0)) / rates[1]);
      assertThat(actual).isLessThanOrEqualTo(best * (1 + 1e-9));
    }
  }

  @Test
  void partsTooSlowToHelpGetNoUnits() {
    JobShares division = JobShares.of(128, 32, new double[] {1000, 1, 0});
    assertThat(division.to(0)).isEqualTo(128);
    assertThat(division.isIdle(1)).isTrue();
    assertThat(division.isIdle(2)).isTrue();
  }

  @Test
  void aSingleGranuleGoesToTheFastest() {
    JobShares division = JobShares.of(7, 7, new double[] {1, 3, 2});
    assertThat(division.to(1) - division.from(1)).isEqualTo(7);
  }

  @Test
  void allPartsOfAnEmptyJobAreIdle() {
    JobShares division = JobShares.of(0, 1, new double[] {1, 1});
    assertThat(division.isIdle(0)).isTrue();
    assertThat(division.isIdle(1)).isTrue();
  }

  @Test
  void sharesReadInPercent() {
    assertThat(JobShares.of(7168, 1, new double[] {54, 46})).hasToString("54:46");
  }

  private static double[] rates(SplittableRandom random) {
    double[] rates = new double[random.nextInt(1, 9)];
    Arrays.setAll(rates, _ -> random.nextInt(5) == 0 ? 0 : Math.pow(10, random.nextDouble(-6, 6)));
    rates[random.nextInt(rates.length)] = 1;
    return rates;
  }
}
