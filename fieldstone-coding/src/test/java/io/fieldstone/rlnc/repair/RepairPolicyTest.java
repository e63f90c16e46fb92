package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** A sender whose packets take 20 ms, or are lost as a test says; reports come back in 20 ms. */
class RepairPolicyTest {
  private static final long MILLI = 1_000_000;
  private static final long WAY = 20 * MILLI;

  private record Repair(long nanos, long first, long end) {}

  private final List<Repair> repairs = new ArrayList<>();
  private final List<Long> sentNanos = new ArrayList<>();
  private final LossCounter counter = new LossCounter();
  private final List<Runnable> tasks = new ArrayList<>();
  private final List<Long> times = new ArrayList<>();
  private RepairPolicy policy = new RepairPolicy(30 * MILLI, DeliveryTime.AT_DEADLINE, 256);
  private long now;

  private void at(long nanos, Runnable task) {
    int place = times.size();
    while (place > 0 && times.get(place - 1) > nanos) {
      place--;
    }
    times.add(place, nanos);
    tasks.add(place, task);
  }

  private void runTo(long nanos) {
    while (true) {
      long next = Math.min(policy.nextNanos(), times.isEmpty() ? Long.MAX_VALUE : times.getFirst());
      if (next > nanos) {
        break;
      }
      now = Math.max(now, next);
      while (!times.isEmpty() && times.getFirst() <= now) {
        times.removeFirst();
        tasks.removeFirst().run();
      }
      sendRepairs();
    }
    now = nanos;
  }

  private void sendRepairs() {
    while (policy.isDue(now)) {
      repairs.add(new Repair(now, policy.first(), policy.end()));
      policy.onRepair(now);
    }
  }

  /** Sends a source every interval; nothing repairs what is lost. */
  private void send(int count, long intervalNanos, LongPredicate isLost) {
    for (int i = 0; i < count; i++) {
      runTo(now + intervalNanos);
      long number = sentNanos.size();
      sentNanos.add(now);
      policy.onSource(number, now);
      if (!isLost.test(number)) {
        long arrival = now + WAY;
        at(
            arrival,
            () -> {
              counter.onSource(number, arrival);
              ReceiverReport report = counter.report(0, 0, arrival);
              at(
                  arrival + WAY,
                  () ->
                      policy.onReport(counterless(report, report.decidedEnd(), 0), arrival + WAY));
            });
      }
      sendRepairs();
    }
  }

  private static ReceiverReport counterless(ReceiverReport report, long firstMissing, int deficit) {
    return new ReceiverReport(
        report.highest(),
        report.arrivalNanos(),
        report.heldNanos(),
        report.decidedEnd(),
        report.lost(),
        report.lossRuns(),
        report.beforeLoss(),
        report.beforeLossNanos(),
        firstMissing,
        deficit,
        -1);
  }

  @Test
  void withoutLossThereAreNoRepairs() {
    send(500, 2 * MILLI, number -> false);
    repairs.clear();
    send(5000, 2 * MILLI, number -> false);
    runTo(now + 1000 * MILLI);
    assertThat(repairs).isEmpty();
    assertThat(policy.redundancy()).isZero();
  }

  @Test
  void beforeTheFirstReportLossIsAssumed() {
    send(15, 2 * MILLI, number -> true);
    assertThat(policy.lossShare()).isPositive();
    assertThat(repairs).isNotEmpty();
  }

  @Test
  void repairsAreSpreadAndCoverNoSourceBeyondItsDeadline() {
    send(2000, 2 * MILLI, number -> number % 10 == 3);
    assertThat(policy.redundancy()).isBetween(0.2, 0.8);
    repairs.clear();
    int before = sentNanos.size();
    send(1000, 2 * MILLI, number -> number % 10 == 3);
    assertThat((double) repairs.size() / (sentNanos.size() - before))
        .isBetween(0.9 * policy.redundancy(), 1.1 * policy.redundancy());
    for (int i = 1; i < repairs.size(); i++) {
      assertThat(repairs.get(i).nanos()).isGreaterThan(repairs.get(i - 1).nanos());
    }
    for (Repair repair : repairs) {
      long age = repair.nanos() - sentNanos.get((int) repair.first());
      assertThat(age).isLessThanOrEqualTo(30 * MILLI);
      assertThat(repair.end() - repair.first()).isBetween(1L, 256L);
    }
  }

  @Test
  void theEndOfABurstOfTrafficIsRepairedAndThenNothing() {
    send(2000, 2 * MILLI, number -> number % 5 == 3);
    repairs.clear();
    long last = now;
    runTo(now + 1000 * MILLI);
    assertThat(repairs).isNotEmpty();
    assertThat(repairs.getLast().end()).isEqualTo(sentNanos.size());
    assertThat(repairs.getLast().nanos()).isLessThanOrEqualTo(last + 30 * MILLI);
    assertThat(policy.isDue(now)).isFalse();
    assertThat(policy.firstWanted()).isEqualTo(sentNanos.size());
  }

  @Test
  void aSourceOfWhichNothingIsHeardIsProbedFor() {
    policy = new RepairPolicy(200 * MILLI, DeliveryTime.AT_ONCE, 256);
    send(100, 100 * MILLI, number -> false);
    repairs.clear();
    send(1, 100 * MILLI, number -> true);
    long sent = now;
    runTo(now + 1000 * MILLI);
    assertThat(repairs).isNotEmpty();
    assertThat(repairs.getFirst().nanos()).isBetween(sent + 2 * WAY, sent + 2 * WAY + 20 * MILLI);
    assertThat(repairs.getFirst().end()).isEqualTo(sentNanos.size());
    assertThat(repairs.getLast().nanos()).isLessThanOrEqualTo(sent + 200 * MILLI);
  }

  @Test
  void repairsThatAreAskedForCoverWhatTheReportDid() {
    policy = new RepairPolicy(500 * MILLI, DeliveryTime.AT_DEADLINE, 256);
    send(1000, 2 * MILLI, number -> false);
    runTo(now + 100 * MILLI);
    repairs.clear();
    send(30, 2 * MILLI, number -> true);
    ReceiverReport report = counter.report(1000, 0, now);
    ReceiverReport lacking =
        new ReceiverReport(
            report.highest(), report.arrivalNanos(), 0, 1010, 10, 1, 999, now, 1000, 10, -1);
    assertThat(policy.onReport(lacking, now)).isTrue();
    runTo(now + 40 * MILLI);
    assertThat(repairs).hasSize(10);
    assertThat(repairs).allMatch(repair -> repair.first() == 1000 && repair.end() == 1010);
    for (int i = 1; i < repairs.size(); i++) {
      assertThat(repairs.get(i).nanos()).isGreaterThan(repairs.get(i - 1).nanos());
    }
  }

  @Test
  void reportsThatAreOldOrOfUnsentPacketsAreIgnored() {
    send(10, 2 * MILLI, number -> false);
    assertThat(policy.onReport(new ReceiverReport(10, 0, 0, 5, 0, 0, -1, 0, 0, 0, -1), now))
        .isFalse();
    assertThat(policy.onReport(new ReceiverReport(5, 0, 0, 11, 0, 0, -1, 0, 0, 0, -1), now))
        .isFalse();
    assertThat(policy.onReport(new ReceiverReport(5, 0, 0, 5, 0, 0, -1, 0, 11, 0, -1), now))
        .isFalse();
    assertThat(policy.onReport(new ReceiverReport(5, 0, 0, 5, 0, 0, -1, 0, 0, 0, 99), now))
        .isFalse();
    assertThat(policy.onReport(new ReceiverReport(5, 0, 0, 6, 0, 0, -1, 0, 0, 0, -1), now))
        .isTrue();
    assertThat(policy.onReport(new ReceiverReport(4, 0, 0, 5, 0, 0, -1, 0, 0, 0, -1), now))
        .isFalse();
  }

  @Test
  void refusesWhatIsOutOfRange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RepairPolicy(0, DeliveryTime.AT_ONCE, 16))
        .withMessageContaining("deadline 0 ns");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RepairPolicy(1, DeliveryTime.AT_ONCE, 4096))
        .withMessageContaining("4096");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> policy.onSource(3, 0))
        .withMessageContaining("source 3: want 0");
  }
}
