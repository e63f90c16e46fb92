package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.RecordFormat.Direction;
import io.fieldstone.sort.SortListener.Pass;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileSorterTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));
  private static final long PLENTY = 1L << 30;
  private static final RecordFormat PAIRS = RecordFormat.of(KeyType.U32).withPayload(4);

  @TempDir Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Random records, of few keys now and then so that runs share many. */
  private static byte[] records(RecordFormat format, int count, long seed, long keyMask) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[count * format.bytes()];
    random.nextBytes(bytes);
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < format.key().bytes(); j++) {
        bytes[i * format.bytes() + j] &= (byte) (keyMask >>> (j * Byte.SIZE));
      }
    }
    return bytes;
  }

  private static byte[] expected(RecordFormat format, byte[] records) {
    byte[] sorted = records.clone();
    try (Engine oracle = Engine.open("cpu:scalar")) {
      oracle.sorts().sorting(format).sort(MemorySegment.ofArray(sorted));
    }
    return sorted;
  }

  private Path file(byte[] content) throws IOException {
    return Files.write(directory.resolve("records.bin"), content);
  }

  private void assertNothingBeside(String... names) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(names);
    }
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void inMemoryAndOutOfItTheResultIsTheOracles(KeyType key) throws Exception {
    for (int payload : new int[] {0, 3, key.bytes()}) {
      for (Direction direction : Direction.values()) {
        RecordFormat format = new RecordFormat(key, payload, direction);
        byte[] content = records(format, 30_000, payload, -1);
        Path input = file(content);
        byte[] expected = expected(format, content);
        for (long memory : new long[] {PLENTY, 2L * content.length}) {
          Path output = directory.resolve("sorted.bin");
          SortResult result =
              FileSorter.of(ENGINE, format, memory)
                  .verifying()
                  .sort(input, output, SortListener.NONE);
          assertThat(Files.readAllBytes(output)).isEqualTo(expected);
          assertThat(Files.readAllBytes(input)).isEqualTo(content);
          assertThat(result.records()).isEqualTo(30_000);
          assertThat(result.runs() == 1).isEqualTo(memory == PLENTY);
          assertNothingBeside("records.bin", "sorted.bin");
        }
      }
    }
  }

  /** Runs that share keys, or have only one: stability decides where every record goes. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 0x0F, 0x8000_0000L, 0xFF00_0000L, 0xFFFF})
  void recordsOfEqualKeysStayInOrderAcrossRuns(long keyMask) throws Exception {
    byte[] content = records(PAIRS, 50_000, keyMask, keyMask);
    Path input = file(content);
    SortResult result = FileSorter.of(ENGINE, PAIRS, 300_000).sort(input, input, SortListener.NONE);
    assertThat(result.runs()).isGreaterThan(5);
    assertThat(Files.readAllBytes(input)).isEqualTo(expected(PAIRS, content));
    assertNothingBeside("records.bin");
  }

  @Test
  void randomSizesInTheLeastMemoryThatDoes() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    for (int trial = 0; trial < 25; trial++) {
      RecordFormat format =
          RecordFormat.of(KeyType.values()[random.nextInt(6)]).withPayload(random.nextInt(20));
      byte[] content = records(format, random.nextInt(20_000), trial, random.nextLong());
      Path input = file(content);
      Path output = directory.resolve("sorted.bin");
      long least = 0;
      try {
        FileSorter.of(ENGINE, format, 0).sort(input, output, SortListener.NONE);
        assertThat(content).isEmpty();
      } catch (InsufficientMemoryException e) {
        least = e.leastBytes();
        assertThat(e).hasMessageContaining("records.bin").hasMessageContaining("" + least);
      }
      FileSorter.of(ENGINE, format, least).sort(input, output, SortListener.NONE);
      assertThat(Files.readAllBytes(output))
          .as("%s in %d", format, least)
          .isEqualTo(expected(format, content));
    }
  }

  @Test
  void progressGoesFromNothingToAll() throws Exception {
    byte[] content = records(PAIRS, 40_000, 3, -1);
    for (long memory : new long[] {PLENTY, 400_000}) {
      Map<Pass, Long> last = new LinkedHashMap<>();
      FileSorter.of(ENGINE, PAIRS, memory)
          .verifying()
          .sort(
              file(content),
              directory.resolve("sorted.bin"),
              (pass, done, all) -> {
                assertThat(all).isEqualTo(content.length);
                assertThat(done).isGreaterThanOrEqualTo(last.getOrDefault(pass, 0L));
                last.put(pass, done);
              });
      assertThat(last.keySet())
          .containsExactly(Pass.SORT, memory == PLENTY ? Pass.WRITE : Pass.MERGE, Pass.VERIFY);
      assertThat(last.values()).containsOnly((long) content.length);
    }
  }

  @Test
  void aFileThatEndsWithinARecordIsNamed() throws Exception {
    Path input = file(new byte[8 * 10 + 3]);
    assertThatThrownBy(
            () -> FileSorter.of(ENGINE, PAIRS, PLENTY).sort(input, input, SortListener.NONE))
        .isInstanceOf(NotWholeRecordsException.class)
        .hasMessageContaining("records.bin")
        .hasMessageContaining("83 bytes")
        .hasMessageContaining("3 are left after the last at byte 80");
    assertThat(Files.size(input)).isEqualTo(83);
    assertNothingBeside("records.bin");
  }

  @Test
  void tooLittleSpaceIsSaidBeforeAnythingIsDone() throws Exception {
    Path input = directory.resolve("records.bin");
    long size = 1L << 43;
    try (RandomAccessFile sparse = new RandomAccessFile(input.toFile(), "rw")) {
      sparse.setLength(size);
    }
    assertThatThrownBy(() ->
            FileSorter.of(ENGINE, PAIRS, PLENTY << 10)
                .sort(input, directory.resolve("sorted.bin"), SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("" + 2 * size);
    assertNothingBeside("records.bin");
  }

  @Test
  void directoriesThatDoNotDoAreNamed() throws Exception {
    Path input = file(records(PAIRS, 40_000, 1, -1));
    FileSorter sorter = FileSorter.of(ENGINE, PAIRS, 400_000);
    Path missing = directory.resolve("missing");
    assertThatThrownBy(() -> sorter.sort(input, missing.resolve("out"), SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
    assertThatThrownBy(() -> sorter.withScratchIn(missing).sort(input, input, SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
    assertThatThrownBy(() -> sorter.sort(input, directory, SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is a directory");
    assertThatThrownBy(() -> sorter.sort(directory, input, SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a regular file");
    assertThatThrownBy(() -> sorter.sort(missing, input, SortListener.NONE))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("missing");
    assertNothingBeside("records.bin");
  }

  /** The engine's threads end, or the file shrinks, in the middle: the input is as it was. */
  @Test
  void afterAFailureNothingStays() throws Exception {
    byte[] content = records(PAIRS, 40_000, 1, -1);
    Path input = file(content);
    for (long memory : new long[] {PLENTY, 400_000}) {
      Engine closed = Engine.open("cpu", new EngineOptions(2));
      closed.close();
      assertThatThrownBy(
              () -> FileSorter.of(closed, PAIRS, memory).sort(input, input, SortListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThat(Files.readAllBytes(input)).isEqualTo(content);
      assertNothingBeside("records.bin");
    }
    assertThatThrownBy(() ->
            FileSorter.of(ENGINE, PAIRS, 400_000)
                .sort(
                    input,
                    directory.resolve("sorted.bin"),
                    (_, _, _) -> {
                      try (RandomAccessFile file = new RandomAccessFile(input.toFile(), "rw")) {
                        file.setLength(8);
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("cut short");
    assertNothingBeside("records.bin");
  }

  @ParameterizedTest
  @ValueSource(longs = {PLENTY, 400_000})
  void anInterruptionLeavesNothing(long memory) throws Exception {
    byte[] content = records(PAIRS, 40_000, 1, -1);
    Path input = file(content);
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> FileSorter.of(ENGINE, PAIRS, memory).sort(input, input, SortListener.NONE))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(Files.readAllBytes(input)).isEqualTo(content);
    assertNothingBeside("records.bin");
  }
}
