package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SourceHashesTest {

  private static final long MIB = 1 << 20;

  @Test
  void hashesOfAnObjectFitInAnEighthOfTheMemory() {
    assertThat(SourceHashes.obstacle("a.bin", MIB, 0, 8 * MIB, 100 * MIB)).isEmpty();
    assertThat(SourceHashes.obstacle("a.bin", MIB + 1, 0, 8 * MIB, 100 * MIB))
        .contains("the hashes of 'a.bin' need 1048577 bytes; --memory of the relay is too small");
  }

  /** Many objects are open at once, and {@code --memory} may be larger than the heap. */
  @Test
  void hashesOfAllObjectsFitInAQuarterOfTheHeap() {
    assertThat(SourceHashes.obstacle("a.bin", MIB, 3 * MIB, 64 * MIB, 16 * MIB)).isEmpty();
    assertThat(SourceHashes.obstacle("a.bin", MIB + 1, 3 * MIB, 64 * MIB, 16 * MIB).orElseThrow())
        .contains("need 1048577 bytes twice", "other objects have 3145728", "-Xmx");
  }
}
