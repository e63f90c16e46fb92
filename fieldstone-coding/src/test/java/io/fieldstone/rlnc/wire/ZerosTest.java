package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generations of zeros, known by their hashes alone. */
class ZerosTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 5, 16);

  private static ObjectManifest manifest(long length) {
    return new ObjectManifest(SHAPE, length, Optional.empty(), new Sha256(1, 2, 3, 4));
  }

  /** Hashes the bytes, padded, and compares what is found with the bytes themselves. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 16, 79, 80, 81, 160, 400, 401, 799})
  void theyAreThoseWhoseBytesAreZeros(int length) {
    ObjectManifest object = manifest(length);
    HashTree tree = new HashTree();
    for (int nonzero = -1; nonzero < length; nonzero++) {
      byte[] bytes = new byte[(int) (object.sourceBlocks() * SHAPE.blockSize())];
      BitSet expected = new BitSet();
      expected.set(0, object.generations());
      if (nonzero >= 0) {
        bytes[nonzero] = 1;
        expected.clear((int) (nonzero / SHAPE.bytes()));
      }
      List<Sha256> hashes = new ArrayList<>();
      for (int g = 0; g < object.generations(); g++) {
        MemorySegment source =
            MemorySegment.ofArray(bytes).asSlice(g * SHAPE.bytes(), object.shapeOf(g).bytes());
        hashes.add(tree.generation(source, SHAPE.blockSize()));
      }
      assertThat(tree.zeros(object, hashes)).isEqualTo(expected);
    }
  }

  @Test
  void everyGenerationNeedsAHash() {
    assertThatThrownBy(() -> new HashTree().zeros(manifest(81), List.of(new Sha256(1, 2, 3, 4))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("1 hashes for 2 generations");
  }
}
