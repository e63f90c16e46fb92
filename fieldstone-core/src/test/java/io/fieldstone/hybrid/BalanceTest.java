package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The share controller against simulated parts, whose time is computed and not measured. */
class BalanceTest {

  private static final long UNITS = 10_000;

  /**
   * A part that takes {@code start + units·each} nanoseconds, give or take noise, and each unit
   * longer the more there are.
   */
  private record Part(double start, double each, double growth) {
    double time(long units) {
      return start + units * each * (1 + growth * units / UNITS);
    }
  }

  private final SplittableRandom random = new SplittableRandom(1);
  private double noise;

  @Test
  void partsFinishTogetherWhateverTheirStart() {
    for (double start : new double[] {0, 1e5, 1e6}) {
      List<Part> parts = List.of(new Part(start, 100, 0), new Part(0, 700, 0));
      Balance balance = sampled(parts, 100);
      Shares division = jobs(balance, parts, 60).getLast();
      double first = parts.get(0).time(division.to(0));
      double second = parts.get(1).time(UNITS - division.to(0));
      assertThat(first / second).isCloseTo(1, within(0.06));
    }
  }

  /**
   * The faster a part with a long start gets, the more it gets: that must not go back and forth.
   */
  @Test
  void sharesApproachTheirPlaceFromOneSide() {
    List<Part> parts = List.of(new Part(2e6, 100, 0), new Part(0, 700, 0));
    Balance balance = sampled(parts, 100);
    assertThat(isMonotone(shares(jobs(balance, parts, 80)))).isTrue();
  }

  /** Rates that fall as the share grows are what makes a naive controller swing. */
  @Test
  void sharesSettleWhereMoreWorkMakesAPartSlower() {
    List<Part> parts = List.of(new Part(0, 100, 6), new Part(0, 150, 6));
    Balance balance = sampled(parts, 100);
    List<Long> shares = shares(jobs(balance, parts, 120));
    assertThat(shares.subList(80, 120)).containsOnly(shares.getLast());
    assertThat(turns(shares)).isLessThanOrEqualTo(1);
  }

  @Test
  void noiseDoesNotMoveThem() {
    noise = 0.03;
    List<Part> parts = List.of(new Part(0, 100, 0), new Part(0, 300, 0));
    Balance balance = sampled(parts, 1000);
    List<Long> shares = shares(jobs(balance, parts, 2_000));
    assertThat(shares.stream().distinct().count()).isLessThanOrEqualTo(4);
    assertThat(shares.getLast()).isCloseTo(7_500L, within(200L));
  }

  @Test
  void oneOddMeasurementMovesThemLittle() {
    List<Part> parts = List.of(new Part(0, 100, 0), new Part(0, 100, 0));
    Balance balance = sampled(parts, 100);
    jobs(balance, parts, 10);
    balance.worked(0, 5_000, 1_000_000_000);
    long share = jobs(balance, parts, 1).getFirst().to(0);
    assertThat(share).isBetween(4_400L, 5_000L);
    assertThat(jobs(balance, parts, 40).getLast().to(0)).isCloseTo(5_000L, within(150L));
  }

  /** The first whole job of a part may load code, or allocate: nothing that lasts follows. */
  @Test
  void noFirstImpressionLasts() {
    List<Part> parts = List.of(new Part(0, 100, 0), new Part(0, 100, 0));
    Balance balance = sampled(parts, 100);
    balance.worked(0, 5_000, 100 * 500_000);
    balance.worked(1, 5_000, 500_000);
    balance.finished(balance.divide(UNITS, 1, 2), 100 * 500_000);
    assertThat(balance.divide(UNITS, 1, 2).to(0)).isLessThan(200);
    assertThat(jobs(balance, parts, 8).getLast().to(0)).isBetween(4_000L, 5_000L);
  }

  @Test
  void theFastestAreTheCrew() {
    Balance balance = new Balance(3);
    balance.sampled(0, 100, 1, 5);
    balance.sampled(1, 300, 1, 5);
    balance.sampled(2, 200, 1, 5);
    assertThat(balance.divide(600, 1, 3)).hasToString("17:50:33");
    assertThat(balance.divide(600, 1, 2)).hasToString("0:60:40");
    assertThat(balance.divide(600, 1, 1)).hasToString("0:100:0");
  }

  @Test
  void aChangeOfSpeedIsFollowedWithoutOvershoot() {
    Balance balance = sampled(List.of(new Part(0, 100, 0), new Part(0, 100, 0)), 100);
    jobs(balance, List.of(new Part(0, 100, 0), new Part(0, 100, 0)), 20);
    List<Part> slower = List.of(new Part(0, 900, 0), new Part(0, 100, 0));
    List<Long> shares = shares(jobs(balance, slower, 80));
    assertThat(isMonotone(shares)).isTrue();
    assertThat(shares.getLast()).isCloseTo(1_000L, within(50L));
  }

  @Test
  void anIdlePartIsDueAgainAfterAHundredTimesItsSample() {
    Balance balance = new Balance(2);
    assertThat(balance.isDue(0)).isTrue();
    balance.sampled(0, 1000, 1, 5);
    balance.sampled(1, 1, 1, 5);
    Shares division = balance.divide(10, 10, 2);
    assertThat(division.isIdle(1)).isTrue();
    balance.finished(division, 499);
    assertThat(balance.isDue(1)).isFalse();
    balance.finished(division, 1);
    assertThat(balance.isDue(1)).isTrue();
    assertThat(balance.isDue(0)).isFalse();
    balance.sampled(1, 1, 1, 5);
    assertThat(balance.isDue(1)).isFalse();
  }

  private static Balance sampled(List<Part> parts, long units) {
    Balance balance = new Balance(parts.size());
    for (int part = 0; part < parts.size(); part++) {
      long time = Math.round(parts.get(part).time(units));
      balance.sampled(part, units, time, 2 * time);
    }
    return balance;
  }

  private List<Shares> jobs(Balance balance, List<Part> parts, int jobs) {
    List<Shares> divisions = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      Shares division = balance.divide(UNITS, 1, parts.size());
      long most = 0;
      for (int part = 0; part < parts.size(); part++) {
        if (!division.isIdle(part)) {
          long units = division.to(part) - division.from(part);
          double odd = noise == 0 ? 1 : random.nextDouble(1 - noise, 1 + noise);
          long time = Math.round(parts.get(part).time(units) * odd);
          balance.worked(part, units, time);
          most = Math.max(most, time);
        }
      }
      balance.finished(division, most);
      divisions.add(division);
    }
    return divisions;
  }

  private static List<Long> shares(List<Shares> divisions) {
    return divisions.stream().map(division -> division.to(0)).toList();
  }

  private static boolean isMonotone(List<Long> shares) {
    return turns(shares) == 0;
  }

  /** How often the shares change direction. */
  private static int turns(List<Long> shares) {
    int turns = 0;
    int direction = 0;
    for (int i = 1; i < shares.size(); i++) {
      int step = Long.compare(shares.get(i), shares.get(i - 1));
      if (step != 0) {
        turns += direction != 0 && step != direction ? 1 : 0;
        direction = step;
      }
    }
    return turns;
  }
}
