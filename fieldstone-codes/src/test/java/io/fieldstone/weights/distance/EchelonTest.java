package io.fieldstone.weights.distance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares spans with all sums, formed one by one. */
class EchelonTest {

  private static final int BITS = 70;

  @Test
  void knowsEveryWordOfTheSpanAndItsLabel() {
    Random random = new Random(11);
    for (int round = 0; round < 50; round++) {
      Echelon echelon = new Echelon();
      // The label of a word by its bits; labels are the indices of the words that were added.
      Map<String, Long> span = new HashMap<>(Map.of(text(new long[2]), 0L));
      for (int index = 0; index < 6; index++) {
        long[] word = new long[2];
        for (int ones = random.nextInt(4); ones > 0; ones--) {
          int bit = BITS - 1 - random.nextInt(10);
          word[bit / Long.SIZE] ^= 1L << bit;
        }
        long label = 1L << index;
        boolean isNew = !span.containsKey(text(word));
        assertThat(echelon.add(word, new long[] {label})).isEqualTo(isNew);
        if (isNew) {
          for (Map.Entry<String, Long> each : Map.copyOf(span).entrySet()) {
            span.put(text(sum(parse(each.getKey()), word)), each.getValue() ^ label);
          }
        }
      }
      for (int value = 0; value < 1 << 10; value++) {
        long[] word = {(long) value << 60, value >>> 4};
        long[] label = {0};
        assertThat(echelon.contains(word, label)).isEqualTo(span.containsKey(text(word)));
        if (span.containsKey(text(word))) {
          assertThat(label).containsExactly(span.get(text(word)));
        }
      }
    }
  }

  private static long[] sum(long[] a, long[] b) {
    return new long[] {a[0] ^ b[0], a[1] ^ b[1]};
  }

  private static String text(long[] word) {
    return Long.toHexString(word[0]) + "," + Long.toHexString(word[1]);
  }

  private static long[] parse(String text) {
    int comma = text.indexOf(',');
    return new long[] {
      Long.parseUnsignedLong(text.substring(0, comma), 16),
      Long.parseUnsignedLong(text.substring(comma + 1), 16)
    };
  }
}
