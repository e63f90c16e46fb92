package io.fieldstone.cuda.sorting;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.sorting.DownloadPolicy.Load;
import org.junit.jupiter.api.Test;

class DownloadPolicyTest {

  private static final long RAW_BYTES = 16_000;
  private static final long COMPRESSED_BYTES = 6_000;

  /** With much left to download, compression pays off even if the decoding threads are busy. */
  @Test
  void coresAreBusyWhileMuchIsToCome() {
    DownloadPolicy policy = new DownloadPolicy(50, 100);
    assertThat(policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(0, 0, 1_000_000)))
        .isTrue();
    assertThat(
            policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(20_000, 90_000, 1_000_000)))
        .isTrue();
  }

  /** At the end, busy threads would decode longer than the remaining downloads take. */
  @Test
  void theLastBucketsComeAsTheyAreIfCoresHaveEnough() {
    DownloadPolicy policy = new DownloadPolicy(50, 100);
    assertThat(policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(0, 90_000, 20_000)))
        .isFalse();
    assertThat(policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(0, 0, 0))).isTrue();
  }

  /** The last bucket is decoded after the bus has finished. */
  @Test
  void theLastBucketComesAsItIsIfCoresAreSlow() {
    DownloadPolicy policy = new DownloadPolicy(50, 40);
    assertThat(policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(0, 0, 0))).isFalse();
    assertThat(policy.shouldCompress(RAW_BYTES, COMPRESSED_BYTES, new Load(0, 0, 100_000)))
        .isTrue();
  }
}
