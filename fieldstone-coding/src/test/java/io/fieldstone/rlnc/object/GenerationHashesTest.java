package io.fieldstone.rlnc.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GenerationHashesTest {

  @Test
  void areReadAsTheyAreWritten() throws Exception {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 16);
    GenerationHashes hashes = MemoryObject.of(shape, MemorySegment.ofArray(new byte[300])).hashes();
    byte[] bytes = hashes.toBytes();
    assertThat(bytes).hasSize(5 * 32);
    assertThat(GenerationHashes.parse(hashes.manifest(), bytes).all()).isEqualTo(hashes.all());
    assertThat(bytes).startsWith(hashes.of(0).bytes());

    assertThatThrownBy(() -> GenerationHashes.parse(hashes.manifest(), Arrays.copyOf(bytes, 159)))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("159 bytes of hashes for 5 generations");
    bytes[100] ^= 1;
    assertThatThrownBy(() -> GenerationHashes.parse(hashes.manifest(), bytes))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining("root");
  }
}
