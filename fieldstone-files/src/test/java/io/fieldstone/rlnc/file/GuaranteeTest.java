package io.fieldstone.rlnc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.stream.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Any K of N shards hold n blocks of every generation, and restore the file. */
class GuaranteeTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @TempDir private Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Returns the blocks of a generation in the fewest that a selection of shards can hold. */
  private static int fewest(int coded, int sufficient, int shards) {
    int held = 0;
    for (int shard = shards - sufficient; shard < shards; shard++) {
      held += Math.ceilDiv(Math.max(0, coded - shard), shards);
    }
    return held;
  }

  /** The number of blocks is the least, for the last generation too. */
  @ParameterizedTest
  @CsvSource({"11, 16", "1, 1", "1, 9", "9, 9", "2, 3", "5, 7", "7, 64", "900, 1000", "200, 256"})
  void anySelectionHoldsEnoughBlocksAndNoneToSpare(int sufficient, int shards) {
    int max = EncodingParameters.maxBlocks(sufficient, shards);
    assertThat(max).isPositive();
    EncodingParameters parameters = EncodingParameters.anyOf(max, 8, sufficient, shards, 1);
    for (int n = 1; n <= max; n++) {
      int coded = parameters.codedBlocks(n);
      assertThat(coded).isLessThanOrEqualTo(Code.Cauchy.MAX_BLOCKS);
      assertThat(fewest(coded, sufficient, shards)).as("n = %d", n).isEqualTo(n);
      assertThat(fewest(coded - 1, sufficient, shards)).as("n = %d", n).isLessThan(n);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncodingParameters.anyOf(max + 1, 8, sufficient, shards, 1))
        .withMessageContaining("generation size " + (max + 1));
  }

  @Test
  void theDefaultFits() {
    assertThat(EncodingParameters.maxBlocks(11, 16)).isEqualTo(176);
    assertThat(EncodingParameters.anyOf(128, 4096, 11, 16, 1).codedBlocks(128)).isEqualTo(188);
  }

  /** Each choice of K of N shards; the last generation is shorter, and its last block too. */
  @ParameterizedTest
  @CsvSource({"3, 6, 7, 100", "2, 5, 4, 33", "4, 4, 5, 64", "1, 4, 3, 1", "5, 8, 12, 150"})
  void everySelectionRestoresTheFile(int sufficient, int shards, int n, int length)
      throws Exception {
    byte[] content = ShardFiles.content(length);
    Path file = Files.write(directory.resolve("data"), content);
    List<Path> made =
        new FileEncoder(ENGINE, EncodingParameters.anyOf(n, 5, sufficient, shards, 1))
            .encode(file, directory.resolve("shards"), ProgressListener.NONE)
            .shards();
    int selections = 0;
    for (int bits = 0; bits < 1 << shards; bits++) {
      if (Integer.bitCount(bits) == sufficient) {
        List<Path> chosen = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
          if ((bits >> shard & 1) != 0) {
            chosen.add(made.get(shard));
          }
        }
        Path copy = directory.resolve("copy");
        new FileDecoder(ENGINE).decode(chosen, copy, ProgressListener.NONE);
        assertThat(copy).hasBinaryContent(content);
        selections++;
      }
    }
    assertThat(selections).isPositive();
  }

  @Test
  void valuesOutOfBoundsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncodingParameters.anyOf(4, 8, 0, 3, 1))
        .withMessage("any 0 is not in 1…3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EncodingParameters.maxBlocks(4, 3))
        .withMessage("any 4 is not in 1…3");
    assertThat(EncodingParameters.maxBlocks(1, 257)).isZero();
    GenerationShape systematic = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 8);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new EncodingParameters(systematic, 3, 1, OptionalInt.of(2), 1))
        .withMessageContaining("the systematic code does not guarantee");
  }
}
