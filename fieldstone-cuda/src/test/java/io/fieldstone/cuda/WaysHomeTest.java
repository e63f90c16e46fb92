package io.fieldstone.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.cuda.WaysHome.Load;
import org.junit.jupiter.api.Test;

class WaysHomeTest {

  private static final long BYTES = 16_000;
  private static final long PACKED = 6_000;

  /** What the bus saves is worth it while there is much more to bring, however busy cores are. */
  @Test
  void coresAreBusyWhileMuchIsToCome() {
    WaysHome ways = new WaysHome(50, 100);
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(0, 0, 1_000_000))).isTrue();
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(20_000, 90_000, 1_000_000))).isTrue();
  }

  /** At the end cores would be at it when all the rest is home. */
  @Test
  void theLastBucketsComeAsTheyAreIfCoresHaveEnough() {
    WaysHome ways = new WaysHome(50, 100);
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(0, 90_000, 20_000))).isFalse();
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(0, 0, 0))).isTrue();
  }

  /** What comes last is unpacked when the bus is done already. */
  @Test
  void theLastBucketComesAsItIsIfCoresAreSlow() {
    WaysHome ways = new WaysHome(50, 40);
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(0, 0, 0))).isFalse();
    assertThat(ways.isSoonerPacked(BYTES, PACKED, new Load(0, 0, 100_000))).isTrue();
  }
}
