package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetShape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtectionParametersTest {

  private static final ProtectionParameters TENTH =
      new ProtectionParameters(0.1, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());

  private static List<SetFile> files(int count, long length) {
    List<SetFile> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add(new SetFile("file" + i, length));
    }
    return files;
  }

  private static double parityOf(SetShape shape, long length) {
    return (double) shape.generations() * shape.parity() * shape.blockSize() / length;
  }

  @Test
  void blocksGrowWithTheSet() {
    assertThat(TENTH.shape(files(1, 100L << 20)).blockSize()).isEqualTo(16 << 10);
    assertThat(TENTH.shape(files(1, 4L << 30)).blockSize()).isLessThanOrEqualTo(128 << 10);
    assertThat(TENTH.shape(files(3, 10L << 30)).blockSize()).isEqualTo(512 << 10);
    assertThat(TENTH.shape(files(3, 100L << 30)).blockSize()).isEqualTo(1 << 20);
  }

  /** With 64 KiB, 5087 generations of 12 + 240 would be too many blocks. */
  @Test
  void muchParityHasLargeBlocks() {
    ProtectionParameters twenty =
        new ProtectionParameters(20, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty());
    assertThat(twenty.shape(files(1, 4_000_000_000L)).blockSize()).isEqualTo(128 << 10);
  }

  /** 107 blocks would need one parity block less in all, and be too many with their padding. */
  @Test
  void aDivisionThatFitsIsKept() {
    ProtectionParameters parameters =
        new ProtectionParameters(
            0.9905, OptionalInt.of(108), OptionalInt.of(4096), OptionalInt.empty());
    SetShape shape = parameters.shape(files(1, 526_716L * 4096));
    assertThat(shape.generations()).isEqualTo(4877);
    assertThat(shape.parity()).isEqualTo(107);
  }

  /** To compare all divisions of 2^40 blocks would take minutes. */
  @Test
  void tooManyBlocksAreRefusedAtOnce() {
    ProtectionParameters tiny =
        new ProtectionParameters(0.1, OptionalInt.of(1), OptionalInt.of(1), OptionalInt.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tiny.shape(files(1, 1L << 40)))
        .withMessageContaining("1099511627776 source blocks");
  }

  /** Volumes, with all copies of the manifest, are about as large as asked for. */
  @ParameterizedTest
  @CsvSource({
    "1, 1000000, 1.2",
    "1, 100000000, 1.12",
    "4000, 5400, 1.2",
    "100000, 1000, 1.6", // a tenth of the bytes are names, times and modes
    "100000, 20000, 1.2",
    "3000, 70000, 1.2",
  })
  void theShareIsThatAskedFor(int count, long length, double most) {
    List<SetFile> files = files(count, length);
    SetShape shape = TENTH.shape(files);
    assertThat(TENTH.excess(shape, files)).isBetween(0.85, most);
    assertThat(parityOf(shape, count * length)).isGreaterThan(0.045);
  }

  /** One block of parity would be one volume, which a damaged page can cost. */
  @Test
  void aSmallTreeHasManyBlocksAndSeveralVolumes() {
    SetShape shape = TENTH.shape(files(850, 4000));
    assertThat(shape.blocks() * shape.generations()).isGreaterThan(64);
    assertThat(shape.volumes()).isGreaterThan(1);
  }

  /** Names alone are more than a tenth, but the blocks are shared. */
  @Test
  void tinyFilesShareBlocks() {
    List<SetFile> files = files(2000, 4);
    SetShape shape = TENTH.shape(files);
    assertThat(shape.blocks() * shape.generations()).isEqualTo(2);
    assertThat(TENTH.excess(shape, files)).isGreaterThan(1.5);
  }

  /** Sets of very many files have a shape, and no blocks that are mostly padding. */
  @Test
  void manyFilesHaveBlocksThatTheFormatCanCount() {
    SetShape shape = TENTH.shape(files(200_000, 100_000));
    assertThat(parityOf(shape, 200_000L * 100_000)).isLessThan(0.12);
    assertThat(TENTH.shape(files(900_000, 5_000)).blockSize()).isLessThanOrEqualTo(128 << 10);
  }
}
