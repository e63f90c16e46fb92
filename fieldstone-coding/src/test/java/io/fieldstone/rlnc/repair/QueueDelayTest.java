package io.fieldstone.rlnc.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class QueueDelayTest {
  private static final long STEP = 10_000_000;

  private final QueueDelay queue = new QueueDelay();
  private final Random random = new Random(1);
  private long now;

  private void delays(int count, double least, double range) {
    for (int i = 0; i < count; i++) {
      now += STEP;
      queue.observe(least + range * random.nextDouble(), false, now);
    }
  }

  private boolean lose(double delay) {
    now += STEP;
    return queue.observeLoss(delay, 1, false, now);
  }

  @Test
  void aQueueIsFullIfPacketsAreLostAtTheGreatestDelay() {
    delays(100, 50e6, 60e6);
    assertThat(queue.isFull()).isFalse();
    boolean isNew = false;
    for (int i = 0; i < 4; i++) {
      isNew |= lose(109e6);
    }
    assertThat(isNew).isTrue();
    assertThat(queue.isFull()).isTrue();
    assertThat(queue.suspectNanos()).isEqualTo(101 * STEP);
  }

  @Test
  void randomLossOnAPathWithJitterIsNoQueue() {
    int full = 0;
    for (int i = 0; i < 1000; i++) {
      delays(5, 50e6, 10e6);
      lose(50e6 + 10e6 * random.nextDouble());
      full += queue.isFull() ? 1 : 0;
    }
    assertThat(full).isLessThan(50);
  }

  @Test
  void aSteadyDelayIsNoQueue() {
    for (int i = 0; i < 100; i++) {
      delays(5, 50e6, 1e6);
      lose(51e6);
      assertThat(queue.isFull()).isFalse();
    }
  }

  @Test
  void aPathThatBecameLongerIsNoQueueForever() {
    delays(100, 50e6, 1e6);
    for (int i = 0; i < 20; i++) {
      delays(1, 150e6, 1e6);
      lose(150e6);
    }
    assertThat(queue.isFull()).isTrue();
    for (int i = 0; i < 1000; i++) {
      delays(9, 150e6, 1e6);
      lose(150e6);
    }
    assertThat(queue.isFull()).isFalse();
  }
}
