package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class FileCheckTest {

  private static final RecordFormat PAIRS = RecordFormat.of(KeyType.I32).withPayload(4);

  /** More than are read at once. */
  private static final int COUNT = 300_001;

  @TempDir Path directory;

  private Path ascending(int swapped) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(COUNT * 8).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < COUNT; i++) {
      int key = i == swapped ? i - 1 : i == swapped - 1 ? i + 1 : i;
      bytes.putInt(key - COUNT / 2).putInt(7 * (key - COUNT / 2));
    }
    return Files.write(directory.resolve("records.bin"), bytes.array());
  }

  @Test
  void theFirstRecordOutOfOrderIsFoundAndTheOthersAreStillCounted() throws Exception {
    RecordCheck good = FileCheck.of(PAIRS).check(ascending(-1), SortListener.NONE);
    assertThat(good.records()).isEqualTo(COUNT);
    assertThat(good.outOfOrder()).isEmpty();
    for (int swapped : new int[] {1, 131_072, COUNT - 1}) {
      RecordCheck bad = FileCheck.of(PAIRS).check(ascending(swapped), SortListener.NONE);
      assertThat(bad.outOfOrder()).hasValue(swapped);
      assertThat(bad.records()).isEqualTo(COUNT);
    }
    assertThat(
            FileCheck.of(PAIRS.descending()).check(ascending(-1), SortListener.NONE).outOfOrder())
        .hasValue(1);
  }

  @Test
  void anyNumberOfThreadsFindsTheSame() throws Exception {
    Path file = ascending(262_145);
    List<Long> progress = new ArrayList<>();
    for (int threads : new int[] {1, 2, 7}) {
      RecordCheck found =
          FileCheck.of(PAIRS).withThreads(threads).check(file, (_, done, _) -> progress.add(done));
      assertThat(found.outOfOrder()).hasValue(262_145);
      assertThat(found.records()).isEqualTo(COUNT);
      assertThat(progress).isSorted().last().isEqualTo(8L * COUNT);
      progress.clear();
    }
    assertThatThrownBy(() -> FileCheck.of(PAIRS).withThreads(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 threads are fewer than 1");
  }

  /** Files of the kernel state the size 0, and would be in order. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileOfSizeZeroWithContentIsRefused() {
    assertThatThrownBy(() -> FileCheck.of(PAIRS).check(Path.of("/proc/version"), SortListener.NONE))
        .hasMessage("/proc/version: has more bytes than its size, which is 0");
  }

  @Test
  void aFileThatIsOverwrittenWhileItIsReadIsRefused() throws Exception {
    Path file = ascending(-1);
    SortListener overwriting =
        (_, _, _) -> {
          try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(0));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    assertThatThrownBy(() -> FileCheck.of(PAIRS).check(file, overwriting))
        .hasMessageContaining("while it was read; the result is not kept");
  }

  @Test
  void theFingerprintIsThatOfTheRecordsInAnyOrder() throws Exception {
    long good = FileCheck.of(PAIRS).check(ascending(-1), SortListener.NONE).fingerprint();
    Path file = ascending(-1);
    byte[] bytes = Files.readAllBytes(file);
    byte[] turned = new byte[bytes.length];
    for (int i = 0; i < COUNT; i++) {
      System.arraycopy(bytes, 8 * i, turned, 8 * (COUNT - 1 - i), 8);
    }
    Files.write(file, turned);
    assertThat(FileCheck.of(PAIRS).check(file, SortListener.NONE).fingerprint()).isEqualTo(good);
    turned[1_000_003] ^= 1;
    Files.write(file, turned);
    assertThat(FileCheck.of(PAIRS).check(file, SortListener.NONE).fingerprint()).isNotEqualTo(good);
  }

  @Test
  void filesWithoutWholeRecordsAreNamed() throws Exception {
    Path file = Files.write(directory.resolve("odd.bin"), new byte[12]);
    assertThatThrownBy(() -> FileCheck.of(PAIRS).check(file, SortListener.NONE))
        .isInstanceOf(NotWholeRecordsException.class)
        .hasMessageContaining("odd.bin")
        .hasMessageContaining("size 12 is not a multiple of 8");
    assertThatThrownBy(() -> FileCheck.of(PAIRS).check(directory, SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file");
    Path whole = ascending(-1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> FileCheck.of(PAIRS).check(whole, SortListener.NONE))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }
}
