package io.fieldstone.cpu.weights;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SumKernelTest {

  /** All widths of words, against the oracle. */
  @Test
  void vectorLoopsAgreeWithTheOracle() {
    SplittableRandom random = new SplittableRandom(9);
    for (int parts = 1; parts <= 32; parts++) {
      long[][] table = new long[parts][];
      for (int part = 0; part < parts; part++) {
        table[part] = random.longs(2500).map(word -> word & random.nextLong()).toArray();
      }
      long[] base = random.longs(parts).toArray();
      for (int round = 0; round < 20; round++) {
        int first = random.nextInt(2500);
        int end = round == 0 ? first : first + random.nextInt(2501 - first);
        assertThat(new VectorizedSums().least(table, parts, first, end, base))
            .isEqualTo(new ScalarSums().least(table, parts, first, end, base));
      }
    }
  }

  @Test
  void fewPartsDecideIfWordsAreLong() {
    assertThat(PartTable.decisive(12, 14)).isEqualTo(1);
    assertThat(PartTable.decisive(12, 22)).isEqualTo(2);
    assertThat(PartTable.decisive(12, 700)).isEqualTo(12);
    assertThat(PartTable.decisive(1, 30)).isEqualTo(1);
  }
}
