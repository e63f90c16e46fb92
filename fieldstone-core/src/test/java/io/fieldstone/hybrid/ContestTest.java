package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** Crews against simulated times of whole jobs. */
class ContestTest {

  private static final double WORK = 1e6;

  @Test
  void everyPartStaysThatMakesJobsFaster() {
    Contest contest = new Contest(3);
    run(contest, 100, size -> 900.0 / size);
    assertThat(contest.next()).isEqualTo(3);
  }

  /** The cores beside a GPU that fills the bus, or memory that two copies share. */
  @Test
  void aPartThatHarmsIsLeftOut() {
    Contest contest = new Contest(2);
    run(contest, 100, size -> size == 1 ? 100 : 110);
    assertThat(contest.next()).isEqualTo(1);
  }

  @Test
  void aPartThatGainsNextToNothingIsLeftOut() {
    Contest contest = new Contest(2);
    run(contest, 100, size -> size == 1 ? 100 : 98);
    assertThat(contest.next()).isEqualTo(1);
    Contest worth = new Contest(2);
    run(worth, 100, size -> size == 1 ? 100 : 95);
    assertThat(worth.next()).isEqualTo(2);
  }

  @Test
  void theBestSizeIsFoundInBetween() {
    Contest contest = new Contest(5);
    run(contest, 200, size -> 100 + 30 * Math.abs(size - 3));
    assertThat(contest.next()).isEqualTo(3);
  }

  /** While the parts find their shares, nothing is held against them. */
  @Test
  void allPartsHaveTimeToSettle() {
    Contest contest = new Contest(2);
    for (int job = 0; job < 8; job++) {
      assertThat(contest.next()).isEqualTo(2);
      contest.finished(2, WORK, 1_000_000);
    }
    run(contest, 20, size -> size == 1 ? 100 : 60);
    assertThat(contest.next()).isEqualTo(2);
  }

  /** One job that waited for a compiler, or for another process, decides nothing. */
  @Test
  void aSlowJobDecidesNothing() {
    Contest contest = new Contest(2);
    for (int job = 0; job < 40; job++) {
      int size = contest.next();
      contest.finished(size, WORK, size == 1 ? 100 : job % 5 == 0 ? 900 : 60);
    }
    assertThat(contest.next()).isEqualTo(2);
  }

  @Test
  void challengesTakeAHundredthOfTheTime() {
    Contest contest = new Contest(2);
    IntToDoubleFunction times = size -> size == 1 ? 5000 : 100;
    run(contest, 100, times);
    List<Integer> sizes = run(contest, 20_000, times);
    long alone = sizes.stream().filter(size -> size == 1).count();
    assertThat(alone).isBetween(1L, 20_000 / 5000 + 4L);
  }

  /** The cores become free, or another process takes the bus: who was better is worse now. */
  @Test
  void aChangeIsNoticed() {
    Contest contest = new Contest(2);
    run(contest, 50, size -> size == 1 ? 100 : 60);
    assertThat(contest.next()).isEqualTo(2);
    run(contest, 2_000, size -> size == 1 ? 100 : 130);
    assertThat(contest.next()).isEqualTo(1);
    run(contest, 2_000, size -> size == 1 ? 100 : 60);
    assertThat(contest.next()).isEqualTo(2);
  }

  private static List<Integer> run(Contest contest, int jobs, IntToDoubleFunction nanoseconds) {
    List<Integer> sizes = new ArrayList<>();
    for (int job = 0; job < jobs; job++) {
      int size = contest.next();
      sizes.add(size);
      contest.finished(size, WORK, (long) nanoseconds.applyAsDouble(size));
    }
    return sizes;
  }
}
