package io.fieldstone.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RandomCoefficientsTest {

  private static final RandomCoefficients DRAWS =
      new RandomCoefficients(0x299f31d0_a4093822L, 0x03707344, 0x85a308d3L, 0x13198a2eL, 2, 3, 40);

  private static byte[] written(RandomCoefficients draws) {
    byte[] bytes = new byte[(int) draws.count() * draws.rows() * draws.columns()];
    draws.write(
        ByteMatrices.packed(
            MemorySegment.ofArray(bytes), draws.count(), draws.rows(), draws.columns()));
    return bytes;
  }

  /** Matrix 1, row 2: counter words 1 and 2 have moved on, 0 and 3 have not. */
  @Test
  void beginsWithTheBlockOfItsCounter() {
    long[] block = new long[2];
    Philox.block(DRAWS.seed(), 0x85a308d4L << 32, 0x03707344_13198a30L, block, 0);
    ByteBuffer row = ByteBuffer.wrap(written(DRAWS)).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(row.getLong((3 + 2) * 40)).isEqualTo(block[0]);
    assertThat(row.getLong((3 + 2) * 40 + 8)).isEqualTo(block[1]);
  }

  @Test
  void partsAreDrawnAsTheyAreInTheWhole() {
    byte[] whole = written(DRAWS);
    byte[] part = written(DRAWS.matrices(1, 1).rows(1, 2));
    assertThat(part).isEqualTo(Arrays.copyOfRange(whole, 4 * 40, 6 * 40));
    assertThat(written(DRAWS.matrices(2, 0))).isEmpty();
    assertThat(written(DRAWS.rows(3, 0))).isEmpty();
  }

  @Test
  void countersReachTheirLastWordAndNoFurther() {
    long last = 0xFFFF_FFFFL;
    assertThat(written(new RandomCoefficients(1, -1, last, last, 1, 1, 17))).hasSize(17);
    assertThat(new RandomCoefficients(1, 0, last - 3, last - 3, 4, 4, 1).matrices(4, 0).count())
        .isZero();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, last, 0, 2, 1, 1))
        .withMessageContaining("generation 4294967295");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, 0, last, 1, 2, 1))
        .withMessageContaining("index 4294967295");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, -1, 0, 1, 1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, 0, 0, -1, 1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, 0, 0, 1, -1, 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RandomCoefficients(1, 0, 0, 0, 1, 1, -1));
  }

  @Test
  void aTargetOfAnotherShapeIsRefused() {
    ByteMatrices target = ByteMatrices.packed(MemorySegment.ofArray(new byte[300]), 2, 3, 41);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> DRAWS.write(target))
        .withMessageContaining("3×41");
  }
}
