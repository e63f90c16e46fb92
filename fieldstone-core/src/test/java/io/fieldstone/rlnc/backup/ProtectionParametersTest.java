package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetShape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

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
  void largeFilesHaveAboutEightThousandBlocks() {
    assertThat(TENTH.shape(files(1, 100L << 20)).blockSize()).isEqualTo(16 << 10);
    assertThat(TENTH.shape(files(1, 4L << 30)).blockSize()).isEqualTo(64 << 10);
    assertThat(TENTH.shape(files(3, 10L << 30)).blockSize()).isEqualTo(512 << 10);
    assertThat(TENTH.shape(files(3, 100L << 30)).blockSize()).isEqualTo(1 << 20);
  }

  /** Each file begins with a block of its own, so large blocks would be mostly padding. */
  @Test
  void smallFilesHaveSmallBlocks() {
    for (long length : new long[] {1, 500, 20_000, 100_000}) {
      SetShape shape = TENTH.shape(files(100_000, length));
      assertThat(shape.blockSize()).as("%d bytes", length).isLessThanOrEqualTo(32 << 10);
    }
    List<SetFile> mixed = files(5000, 20_000);
    mixed.add(new SetFile("large", 600_000_000));
    SetShape shape = TENTH.shape(mixed);
    assertThat(parityOf(shape, 700_000_000)).isLessThan(0.12);
  }

  /** There is a shape as long as there are fewer files than blocks. */
  @Test
  void manyFilesHaveBlocksThatTheFormatCanCount() {
    SetShape shape = TENTH.shape(files(200_000, 100_000));
    assertThat(parityOf(shape, 200_000L * 100_000)).isLessThan(0.16);
    assertThat(TENTH.shape(files(900_000, 5_000)).blockSize()).isEqualTo(8 << 10);
  }
}
