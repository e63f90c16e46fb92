package io.fieldstone.net.carrier.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatagramBacklogTest {
  /** The header, frame header and tag of the longest packet, for a connection id of 8 bytes. */
  private static final int OVERHEAD_BYTES = 32;

  private static DatagramBacklog backlog(int maxDatagrams) {
    DatagramBacklog backlog = new DatagramBacklog(maxDatagrams);
    backlog.maxOverhead(OVERHEAD_BYTES);
    return backlog;
  }

  /** An estimate that only falls too slowly would refuse for ever. */
  @ParameterizedTest
  @ValueSource(ints = {0, 8, 20})
  void anyLengthOfThePeersConnectionIdIsCounted(int idBytes) {
    int overhead = 1 + idBytes + 4 + 16 + 3;
    DatagramBacklog backlog = new DatagramBacklog(4);
    backlog.maxOverhead(overhead);
    for (int i = 1; i <= 1000; i++) {
      backlog.add(1200);
      assertThat(backlog.observe(i, (long) i * (1200 + overhead - 3))).isTrue();
      assertThat(backlog.size()).isZero();
    }
  }

  @Test
  void withoutAnAnnouncementTheEstimateIsLow() {
    DatagramBacklog backlog = new DatagramBacklog(4);
    backlog.add(1200);
    assertThat(backlog.observe(1, 1200 + 21)).isTrue();
    assertThat(backlog.size()).isZero();
  }

  @Test
  void countsWhatWasSent() {
    DatagramBacklog backlog = backlog(4);
    for (int i = 0; i < 4; i++) {
      backlog.add(1000);
    }
    assertThat(backlog.isFull()).isTrue();
    assertThatThrownBy(() -> backlog.add(1)).isInstanceOf(IllegalStateException.class);
    assertThat(backlog.observe(2, 2 * (1000 + OVERHEAD_BYTES))).isTrue();
    assertThat(backlog.size()).isEqualTo(2);
    assertThat(backlog.observe(2, 2 * (1000 + OVERHEAD_BYTES))).isFalse();
  }

  @Test
  void acknowledgementsAreNotDatagrams() {
    DatagramBacklog backlog = backlog(4);
    backlog.add(1000);
    assertThat(backlog.observe(20, 20 * 38)).isFalse();
    assertThat(backlog.size()).isEqualTo(1);
  }

  @Test
  void severalSmallDatagramsShareAPacket() {
    DatagramBacklog backlog = backlog(8);
    for (int i = 0; i < 8; i++) {
      backlog.add(40);
    }
    backlog.observe(1, OVERHEAD_BYTES - 3 + 8 * 42);
    assertThat(backlog.size()).isZero();
  }

  /** An estimate above the truth would refuse for ever; one far below would overflow the queue. */
  @Test
  void staysBelowTheTruthAndNearIt() {
    Random random = new Random(1);
    DatagramBacklog backlog = backlog(64);
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    long packets = 0;
    long bytes = 0;
    for (int i = 0; i < 100_000; i++) {
      if (!backlog.isFull() && random.nextBoolean()) {
        int size = 1 + random.nextInt(1400);
        backlog.add(size);
        queue.add(size);
      } else if (!queue.isEmpty()) {
        packets++;
        bytes += queue.poll() + OVERHEAD_BYTES - random.nextInt(4);
      } else {
        packets++;
        bytes += OVERHEAD_BYTES - 3 + random.nextInt(20);
      }
      backlog.observe(packets, bytes);
      assertThat(backlog.size()).isLessThanOrEqualTo(queue.size());
      assertThat(queue.size()).isLessThan(2 * 64);
    }
  }

  @Test
  void forgets() {
    DatagramBacklog backlog = new DatagramBacklog(2);
    backlog.add(1);
    backlog.add(2);
    backlog.dropFirst();
    assertThat(backlog.size()).isEqualTo(1);
    backlog.clear();
    backlog.dropFirst();
    assertThat(backlog.size()).isZero();
  }
}
