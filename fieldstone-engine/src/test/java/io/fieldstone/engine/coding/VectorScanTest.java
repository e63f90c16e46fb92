package io.fieldstone.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VectorScanTest {

  /** Against the same questions asked a byte at a time, beside bytes that are none of theirs. */
  @Test
  void equalsABytewiseScan() {
    Random random = new Random(3);
    for (int trial = 0; trial < 5000; trial++) {
      int n = 1 + random.nextInt(40);
      byte[] memory = new byte[n + 20];
      random.nextBytes(memory);
      int offset = random.nextInt(20);
      for (int j = 0; j < n; j++) {
        memory[offset + j] = 0;
      }
      for (int nonzero = random.nextInt(4); nonzero > 0; nonzero--) {
        memory[offset + random.nextInt(n)] =
            random.nextBoolean() ? 1 : (byte) (1 << random.nextInt(8));
      }
      MemorySegment rows = MemorySegment.ofArray(memory);
      assertThat(VectorScan.unitIndex(rows, offset, n)).isEqualTo(unitIndex(memory, offset, n));
      assertThat(VectorScan.support(rows, offset, n)).isEqualTo(support(memory, offset, n));
      byte[] copy = new byte[n];
      System.arraycopy(memory, offset, copy, 0, n);
      long hash = VectorScan.hash(rows, offset, n);
      assertThat(VectorScan.hash(MemorySegment.ofArray(copy), 0, n)).isEqualTo(hash);
      copy[random.nextInt(n)] ^= 4;
      assertThat(VectorScan.hash(MemorySegment.ofArray(copy), 0, n)).isNotEqualTo(hash);
    }
  }

  private static int unitIndex(byte[] memory, int offset, int n) {
    int unit = VectorScan.ZERO;
    for (int j = 0; j < n; j++) {
      if (memory[offset + j] != 0) {
        unit = unit == VectorScan.ZERO && memory[offset + j] == 1 ? j : VectorScan.COMBINED;
      }
    }
    return unit;
  }

  private static int support(byte[] memory, int offset, int n) {
    int support = n;
    while (support > 0 && memory[offset + support - 1] == 0) {
      support--;
    }
    return support;
  }
}
