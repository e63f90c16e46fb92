package io.fieldstone.net.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.net.carrier.Loop;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

/** The constant delay of packets, in virtual time. */
class PlayoutQueueTest {
  private static final long MILLI = 1_000_000;
  private static final long DELAY = 200 * MILLI;

  private record Task(long nanos, Runnable body) {}

  private record Played(int number, long nanos) {}

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>((a, b) -> Long.compare(a.nanos(), b.nanos()));
  private final List<Played> played = new ArrayList<>();
  private long now = 5_000 * MILLI;
  private final Loop loop =
      (task, delay) -> {
        tasks.add(new Task(now + Math.max(0, delay), task));
        return () -> {};
      };
  private final PlayoutQueue queue =
      new PlayoutQueue(
          loop,
          () -> now,
          packet -> played.add(new Played(packet.get(ValueLayout.JAVA_INT_UNALIGNED, 0), now)));

  private void add(int number, int bytes, long addedNanos) {
    byte[] packet = new byte[bytes];
    MemorySegment segment = MemorySegment.ofArray(packet);
    segment.set(ValueLayout.JAVA_INT_UNALIGNED, 0, number);
    queue.add(segment, addedNanos, DELAY);
    segment.fill((byte) -1); // the memory is another's afterwards
  }

  private void runUntil(long nanos) {
    while (!tasks.isEmpty() && tasks.peek().nanos() <= nanos) {
      Task next = tasks.remove();
      now = next.nanos();
      next.body().run();
    }
    now = nanos;
  }

  @Test
  void packetsLeaveInTheRhythmOfTheSender() {
    long start = now;
    for (int i = 0; i < 100; i++) {
      long added = start + i * 10 * MILLI;
      runUntil(added + (i % 7) * 25 * MILLI / (i % 3 + 1) + 200 * 1000L * i);
      add(i, 4, added);
    }
    runUntil(start + 3_000 * MILLI);

    assertThat(played).hasSize(100);
    for (int i = 0; i < 100; i++) {
      assertThat(played.get(i)).isEqualTo(new Played(i, start + i * 10 * MILLI + DELAY));
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void aJumpOfTheClockNeitherStopsTheOutputNorChangesTheOrder() {
    add(0, 4, now);
    add(1, 4, now + 3_600_000 * MILLI);
    add(2, 4, now - 3_600_000 * MILLI);
    add(3, 4, now + MILLI);
    long start = now;
    runUntil(start + 2 * DELAY);

    assertThat(played).extracting(Played::number).containsExactly(0, 1, 2, 3);
    assertThat(played).allMatch(each -> each.nanos() <= start + DELAY);
  }

  @Test
  void theOldestLeavesEarlyIfTooManyWait() {
    int bytes = 1 << 20;
    for (int i = 0; i < 100; i++) {
      add(i, bytes, now);
    }
    assertThat(played).hasSize(36).allMatch(each -> each.nanos() == now);
    runUntil(now + DELAY);
    assertThat(played).extracting(Played::number).isSorted().hasSize(100);
  }
}
