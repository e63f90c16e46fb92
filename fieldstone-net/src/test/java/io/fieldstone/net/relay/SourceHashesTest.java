package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.relay.SourceHashes.Limits;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SourceHashesTest {

  private static final long MIB = 1 << 20;
  private static final long LARGE = 1L << 40;
  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 64, 1152);

  /** The generations whose hashes have a mebibyte. */
  private static final int GENERATIONS = 1 << 15;

  private static Optional<String> obstacle(int generations, long others, Limits limits) {
    ObjectManifest announced =
        new ObjectManifest(
            SHAPE, generations * SHAPE.bytes(), Optional.empty(), Sha256.of(new byte[32]));
    return SourceHashes.obstacle("a.bin", announced, others, limits);
  }

  @Test
  void hashesOfAnObjectFitInAnEighthOfTheMemory() {
    Limits limits = new Limits(8 * MIB, LARGE, LARGE);
    assertThat(obstacle(GENERATIONS, 0, limits)).isEmpty();
    assertThat(obstacle(GENERATIONS + 1, 0, limits))
        .contains("the hashes of 'a.bin' need 1048608 bytes; --memory of the relay is too small");
  }

  /** Many objects are open at once, and {@code --memory} may be larger than the heap. */
  @Test
  void hashesOfAllObjectsFitInAQuarterOfTheHeap() {
    Limits limits = new Limits(LARGE, 16 * MIB, LARGE);
    assertThat(obstacle(GENERATIONS, 3 * MIB, limits)).isEmpty();
    assertThat(obstacle(GENERATIONS + 1, 3 * MIB, limits).orElseThrow())
        .contains("need 1048608 bytes twice", "other objects have 3145728", "-Xmx");
  }

  /** The hash of a generation has 32 bytes, and its place in the table 4. */
  @Test
  void anObjectWithoutGenerationsFitsInAQuarterOfTheCache() {
    Limits limits = new Limits(LARGE, LARGE, 4 * 36L * GENERATIONS);
    assertThat(obstacle(GENERATIONS, 0, limits)).isEmpty();
    assertThat(obstacle(GENERATIONS + 1, 0, limits).orElseThrow())
        .contains("needs 1179684 bytes for 'a.bin'", "--cache of the relay is 4718592 bytes");
  }
}
