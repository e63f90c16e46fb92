package io.fieldstone.cuda.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.sorting.DownloadPolicy.Load;
import org.junit.jupiter.api.Test;

class DownloadPolicyTest {

  private static final long BYTES = 16_000;
  private static final long PACKED = 6_000;

  /** What the bus saves is worth it while there is much more to bring, however busy cores are. */
  @Test
  void coresAreBusyWhileMuchIsToCome() {
    DownloadPolicy ways = new DownloadPolicy(50, 100);
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(0, 0, 1_000_000))).isTrue();
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(20_000, 90_000, 1_000_000))).isTrue();
  }

  /** At the end cores would be at it when all the rest is home. */
  @Test
  void theLastBucketsComeAsTheyAreIfCoresHaveEnough() {
    DownloadPolicy ways = new DownloadPolicy(50, 100);
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(0, 90_000, 20_000))).isFalse();
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(0, 0, 0))).isTrue();
  }

  /** What comes last is unpacked when the bus is done already. */
  @Test
  void theLastBucketComesAsItIsIfCoresAreSlow() {
    DownloadPolicy ways = new DownloadPolicy(50, 40);
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(0, 0, 0))).isFalse();
    assertThat(ways.shouldCompress(BYTES, PACKED, new Load(0, 0, 100_000))).isTrue();
  }
}
