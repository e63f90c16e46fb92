package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class LossCounterTest {
  private static final long MILLI = 1_000_000;

  private final LossCounter counter = new LossCounter();

  private ReceiverReport report(long nowNanos) {
    return counter.report(0, 0, nowNanos);
  }

  @Test
  void anEmptyReportSaysNothing() {
    assertThat(counter.report(0, 0, 0)).isEqualTo(ReceiverReport.NONE);
  }

  @Test
  void countsLossesInRunsAtOnceIfNoneWasLate() {
    for (long number : new long[] {0, 1, 4, 5, 7}) {
      assertThat(counter.onSource(number, number * MILLI)).isTrue();
    }
    ReceiverReport report = report(7 * MILLI);
    assertThat(report.highest()).isEqualTo(7);
    assertThat(report.decidedEnd()).isEqualTo(8);
    assertThat(report.lost()).isEqualTo(3);
    assertThat(report.lossRuns()).isEqualTo(2);
    assertThat(report.beforeLoss()).isEqualTo(5);
    assertThat(report.beforeLossNanos()).isEqualTo(5 * MILLI);
  }

  @Test
  void whatIsLateIsNotLostOnceSourcesWereLate() {
    counter.onSource(0, 0);
    counter.onSource(2, 2 * MILLI);
    assertThat(counter.onSource(1, 6 * MILLI)).isTrue();
    counter.onSource(4, 7 * MILLI);
    ReceiverReport soon = counter.report(3, 1, 8 * MILLI);
    assertThat(soon.decidedEnd()).isEqualTo(3);
    assertThat(soon.lost()).isZero();
    assertThat(soon.deficit()).isZero();
    ReceiverReport later = counter.report(3, 1, 13 * MILLI);
    assertThat(later.decidedEnd()).isEqualTo(5);
    assertThat(later.lost()).isEqualTo(1);
    assertThat(later.deficit()).isEqualTo(1);
  }

  @Test
  void duplicatesAreNotCounted() {
    counter.onSource(0, 0);
    assertThat(counter.onSource(0, MILLI)).isFalse();
    counter.onSource(1, MILLI);
    assertThat(report(2 * MILLI).lost()).isZero();
  }

  @Test
  void aRepairTellsOfSourcesBeyondTheHighest() {
    counter.onSource(0, 0);
    counter.onRepair(3, 4, MILLI);
    ReceiverReport report = report(MILLI);
    assertThat(report.highest()).isZero();
    assertThat(report.highestRepair()).isEqualTo(3);
    assertThat(report.decidedEnd()).isEqualTo(4);
    assertThat(report.lost()).isEqualTo(3);
    assertThat(report.lossRuns()).isEqualTo(1);
  }

  @Test
  void aJumpFarBeyondTheMemoryIsOneRun() {
    counter.onSource(0, 0);
    counter.onSource(1L << 40, MILLI);
    ReceiverReport report = report(MILLI);
    assertThat(report.decidedEnd()).isEqualTo((1L << 40) + 1);
    assertThat(report.lost()).isEqualTo((1L << 40) - 1);
    assertThat(report.lossRuns()).isEqualTo(1);
    assertThat(counter.onSource(5, 2 * MILLI)).isFalse();
  }

  @Test
  void manySourcesWithoutAReportAreAllCounted() {
    for (long number = 0; number < 100_000; number++) {
      if (number % 10 != 3) {
        counter.onSource(number, number * 1000);
      }
    }
    ReceiverReport report = report(100_000_000);
    assertThat(report.decidedEnd()).isEqualTo(100_000);
    assertThat(report.lost()).isEqualTo(10_000);
    assertThat(report.lossRuns()).isEqualTo(10_000);
  }

  @Test
  void refusesNegativeNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> counter.onSource(-1, 0))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiverReport(5, 0, 0, 6, 7, 1, -1, 0, 0, 0, -1))
        .withMessageContaining("7 lost of 6");
  }
}
