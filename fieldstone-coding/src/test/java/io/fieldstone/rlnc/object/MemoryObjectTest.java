package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.Sha256;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class MemoryObjectTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 2, 16);

  private static MemoryObject of(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return MemoryObject.of(SHAPE, MemorySegment.ofArray(bytes));
  }

  /** The object of the golden vectors in docs/format.md. */
  @Test
  void hasTheIdOfTheFormat() {
    MemoryObject object = of(100);

    assertThat(object.manifest().id())
        .isEqualTo(
            Sha256.parse("0e4d6226a9f7888f5661e64d33fd784b2d04e8aacaabd4d9506aebd76bd4ce82"));
    assertThat(object.hashes().all()).hasSize(4);
  }

  @Test
  void readsGenerationsWithPadding() {
    MemoryObject object = of(100);
    byte[] last = new byte[16];
    java.util.Arrays.fill(last, (byte) -1);

    object.read(3, MemorySegment.ofArray(last));

    assertThat(last).startsWith(96, 97, 98, 99, 0).endsWith(0, 0);
  }

  @Test
  void anEmptyObjectHasNoGenerations() {
    assertThat(of(0).manifest().generations()).isZero();
    assertThatThrownBy(() -> of(0).read(0, MemorySegment.ofArray(new byte[16])))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
