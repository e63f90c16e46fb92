package io.fieldstone.field;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PhiloxTest {

  /** Known answers of the Random123 library for philox4x32-10 (its file kat_vectors). */
  @ParameterizedTest
  @CsvSource({
    "00000000 00000000 00000000 00000000, 00000000 00000000, 6627e8d5 e169c58d bc57ac4c 9b00dbd8",
    "ffffffff ffffffff ffffffff ffffffff, ffffffff ffffffff, 408f276d 41c83b0e a20bc7c6 6d5451fd",
    "243f6a88 85a308d3 13198a2e 03707344, a4093822 299f31d0, d16cfe09 94fdcceb 5001e420 24126ea1"
  })
  void matchesRandom123(String counter, String key, String expected) {
    long[] counters = pairs(counter);
    long[] block = new long[2];
    Philox.block(pairs(key)[0], counters[0], counters[1], block, 0);
    assertThat(block).isEqualTo(pairs(expected));
  }

  /** Words in order, two a long, the first in the low half. */
  private static long[] pairs(String words) {
    String[] word = words.split(" ");
    long[] pairs = new long[word.length / 2];
    for (int i = 0; i < pairs.length; i++) {
      pairs[i] = Long.parseUnsignedLong(word[2 * i + 1] + word[2 * i], 16);
    }
    return pairs;
  }

  /** Every length and offset gives the bytes of consecutive blocks; other bytes are unchanged. */
  @Test
  void fillsWithConsecutiveBlocks() {
    Random random = new Random(5);
    for (int length = 0; length <= 70; length++) {
      int offset = random.nextInt(9);
      long key = random.nextLong();
      int counter1 = random.nextInt();
      long counter23 = random.nextLong();
      byte[] expected = new byte[offset + length + 8];
      long[] block = new long[2];
      for (int i = 0; i < length; i++) {
        Philox.block(key, (long) counter1 << 32 | i / 16, counter23, block, 0);
        expected[offset + i] = (byte) (block[i % 16 / 8] >>> (i % 8 * 8));
      }
      byte[] filled = new byte[expected.length];
      Philox.fill(key, counter1, counter23, MemorySegment.ofArray(filled), offset, length);
      assertThat(filled).as("length %d", length).isEqualTo(expected);
    }
  }
}
