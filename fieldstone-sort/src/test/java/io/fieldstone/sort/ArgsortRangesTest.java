package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

class ArgsortRangesTest {

  @Test
  void givesPositionsInTheArray() {
    int[] order = {3, 5, 2, 4};
    assertThat(RadixSort.argsort(new int[] {0, 9, 7, 5, 8, 6, 1}, 2, 6)).isEqualTo(order);
    assertThat(RadixSort.argsort(new long[] {0, 9, 7, 5, 8, 6, 1}, 2, 6)).isEqualTo(order);
    assertThat(RadixSort.argsort(new float[] {0, 9, 7, 5, 8, 6, 1}, 2, 6)).isEqualTo(order);
    assertThat(RadixSort.argsort(new double[] {0, 9, 7, 5, 8, 6, 1}, 2, 6)).isEqualTo(order);
    assertThat(RadixSort.argsort(new int[3], 3, 3)).isEmpty();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> RadixSort.argsort(new int[3], 2, 4));
  }
}
