package io.fieldstone.engine.sorting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RecordFormatTest {

  @Test
  void ranksAreInTheOrderOfTheLanguage() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      long a = random.nextLong() << (random.nextInt(3) * 16);
      long b = random.nextInt(5) == 0 ? a ^ 1L << random.nextInt(64) : random.nextLong();
      int x = (int) a;
      int y = (int) b;
      assertThat(order(KeyType.U32, a, b)).isEqualTo(sign(Integer.compareUnsigned(x, y)));
      assertThat(order(KeyType.I32, a, b)).isEqualTo(sign(Integer.compare(x, y)));
      assertThat(order(KeyType.U64, a, b)).isEqualTo(sign(Long.compareUnsigned(a, b)));
      assertThat(order(KeyType.I64, a, b)).isEqualTo(sign(Long.compare(a, b)));
      assertThat(order(KeyType.F32, a, b))
          .isEqualTo(sign(Float.compare(Float.intBitsToFloat(x), Float.intBitsToFloat(y))));
      assertThat(order(KeyType.F64, a, b))
          .isEqualTo(sign(Double.compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b))));
    }
  }

  private static int order(KeyType type, long a, long b) {
    RecordFormat rising = RecordFormat.of(type);
    int order = sign(Long.compareUnsigned(rising.bitOrdered(a), rising.bitOrdered(b)));
    RecordFormat falling = rising.descending();
    assertThat(sign(Long.compareUnsigned(falling.bitOrdered(b), falling.bitOrdered(a))))
        .isEqualTo(order);
    assertThat(Long.compareUnsigned(falling.bitOrdered(a), rising.maxBitOrdered())).isNotPositive();
    return order;
  }

  private static int sign(int comparison) {
    return Integer.signum(comparison);
  }

  @Test
  void sizesAndNames() {
    RecordFormat format = RecordFormat.of(KeyType.F64).withPayload(12).descending();
    assertThat(format.bytes()).isEqualTo(20);
    assertThat(format).hasToString("f64, 12 bytes of payload, descending");
    assertThat(RecordFormat.of(KeyType.of("U32"))).hasToString("u32");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RecordFormat.of(KeyType.U32).withPayload(-1))
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyType.of("u16"))
        .withMessageContaining("'u16'")
        .withMessageContaining("u32, i32, u64, i64, f32, f64");
  }
}
