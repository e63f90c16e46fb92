package io.fieldstone.net.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RttVariationTest {
  private static final long REPORT_NANOS = 10_000_000;

  private final RttVariation variation = new RttVariation();
  private long now;

  private void report(double millis) {
    now += REPORT_NANOS;
    variation.observe(millis * 1e6, now);
  }

  @Test
  void aQueueThatGrowsAndShrinksIsNoVariation() {
    assertThat(variation.nanos(0)).isZero();
    for (int i = 0; i < 200; i++) {
      report(40 + Math.abs(i % 40 - 20));
    }
    assertThat(variation.nanos(now)).isZero();
  }

  @Test
  void aHiccupIsNoVariation() {
    for (int i = 0; i < 200; i++) {
      report(i % 10 == 0 ? 60 : 40);
    }
    assertThat(variation.nanos(now)).isZero();
  }

  @Test
  void jitterIsRememberedForTenSeconds() {
    for (int i = 0; i < 20; i++) {
      report(i % 2 == 0 ? 40 : 70);
    }
    assertThat(variation.nanos(now)).isEqualTo(30e6);
    for (int i = 0; i < 800; i++) {
      report(40);
    }
    assertThat(variation.nanos(now)).isEqualTo(30e6);
    for (int i = 0; i < 400; i++) {
      report(40);
    }
    assertThat(variation.nanos(now)).isZero();
  }
}
