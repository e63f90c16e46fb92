package io.fieldstone.rlnc.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.testing.Replay;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Sections of hashes: the first byte is the number of generations. If the second is odd, the
 * manifest has the root of the hashes as they are.
 */
public class HashesSectionFuzzTest {

  /** Called by a fuzzer, too. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length < 2) {
      return;
    }
    int count = Byte.toUnsignedInt(data[0]);
    byte[] section = Arrays.copyOfRange(data, 2, data.length);
    Sha256 root = new Sha256(0, 0, 0, 0);
    long bytes = HashesSection.sectionBytes(count);
    if ((data[1] & 1) != 0 && section.length >= bytes) {
      List<Sha256> hashes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int at = (int) HashesSection.sectionBytes(i);
        hashes.add(Sha256.read(ByteBuffer.wrap(section, at, Sha256.BYTES)));
      }
      root = new HashTree().object(hashes);
    }
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, new Code.Dense(), 2, 8);
    ObjectManifest manifest = new ObjectManifest(shape, 16L * count, Optional.empty(), root);
    Optional<HashesSection> parsed = HashesSection.parse(MemorySegment.ofArray(section), manifest);
    if (parsed.isPresent()) {
      assertThat(parsed.get().toBytes()).isEqualTo(section);
      assertThat(parsed.get()).hasSize(count);
      assertThat(parsed.get().root()).isEqualTo(root);
    }
    if (section.length >= HashesSection.PREFIX_BYTES && parsed.isPresent()) {
      assertThat(HashesSection.resemblesSection(MemorySegment.ofArray(section), count)).isTrue();
    }
  }

  @Test
  void replays() throws Exception {
    Replay.run(HashesSectionFuzzTest.class, HashesSectionFuzzTest::fuzzerTestOneInput);
  }
}
