package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.stream.ProgressListener;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of too many generations are refused with a shape that they fit. */
class EncodingParametersTest {

  private static final long MAX = ObjectManifest.MAX_GENERATIONS;
  private static final long LENGTH = 5 * MAX + 1;

  private static EncodingParameters unguaranteed(Code code, double redundancy) {
    GenerationShape shape = new GenerationShape(Gf256.DEFAULT, code, 2, 1);
    return new EncodingParameters(shape, 2, redundancy, 1);
  }

  private static void assertRefused(EncodingParameters parameters, int added, String remedy) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters.requireFits(LENGTH, MAX, added))
        .withMessage(
            "83886081 bytes are more than 16777216 generations of 2 blocks of 1 bytes; encode with "
                + remedy);
  }

  @Test
  void aLargerGenerationIsNamedIfItKeepsTheGuarantee() {
    assertRefused(EncodingParameters.anyOf(2, 1, 4, 6, 1), 0, "--generation 6");
    assertRefused(EncodingParameters.anyOf(2, 1, 4, 6, 1), 16, "--generation 22");
    assertRefused(unguaranteed(new Code.Dense(), 0), 0, "--generation 6");
    assertThatCode(() -> EncodingParameters.anyOf(6, 1, 4, 6, 1).requireFits(LENGTH, MAX, 0))
        .doesNotThrowAnyException();
    assertThatCode(() -> EncodingParameters.anyOf(22, 1, 4, 6, 1).requireFits(LENGTH, MAX, 16))
        .doesNotThrowAnyException();
  }

  @Test
  void elseLargerBlocksAreNamed() {
    assertRefused(EncodingParameters.anyOf(2, 1, 2, 100, 1), 0, "--block-size 3");
    assertRefused(unguaranteed(new Code.Cauchy(), 50), 0, "--block-size 3");
  }

  @Test
  void nothingIsWrittenOfAFileThatIsRefused(@TempDir Path folder) throws Exception {
    Path source = folder.resolve("huge");
    try (RandomAccessFile huge = new RandomAccessFile(source.toFile(), "rw")) {
      huge.setLength(LENGTH);
    }
    try (Engine engine = Engine.open("cpu")) {
      FileEncoder encoder = new FileEncoder(engine, EncodingParameters.anyOf(2, 1, 4, 6, 1));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> encoder.encode(source, folder.resolve("shards"), ProgressListener.NONE))
          .withMessageEndingWith("encode with --generation 6");
    }
    assertThat(folder.resolve("shards")).doesNotExist();
  }
}
