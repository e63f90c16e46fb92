package io.fieldstone.sort;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.memory.Phase;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.Timeline;
import io.fieldstone.testing.ChildJvm;
import io.fieldstone.testing.TestLength;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileSorterTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));
  private static final long PLENTY = 1L << 30;

  /** An upper bound of the memory that the JVM takes for classes and compiled code. */
  private static final int MEBIBYTES_OF_THE_JVM = 100;

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

  private void assertNoOtherFiles(String... names) throws IOException {
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
        for (long memory : new long[] {PLENTY, 300_000 + 2L * content.length}) {
          Path output = directory.resolve("sorted.bin");
          SortResult result =
              FileSorter.of(ENGINE, format, memory)
                  .verifying()
                  .sort(input, output, SortListener.NONE);
          assertThat(Files.readAllBytes(output)).isEqualTo(expected);
          assertThat(Files.readAllBytes(input)).isEqualTo(content);
          assertThat(result.records()).isEqualTo(30_000);
          assertThat(result.runs() == 1).isEqualTo(memory == PLENTY);
          assertNoOtherFiles("records.bin", "sorted.bin");
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
    assertNoOtherFiles("records.bin");
  }

  /** Of runs that are merged by several threads, and of few keys that occur in every run. */
  @ParameterizedTest
  @ValueSource(longs = {-1, 0x0F, 0, 0xFFFF, 0x8000_0000L})
  void rangesThatThreadsMergeAreTheResultTogether(long keyMask) throws Exception {
    byte[] content = records(PAIRS, 3_000_000, keyMask, keyMask);
    Path input = file(content);
    Timeline timeline = new Timeline();
    SortResult result;
    try (Engine four = Engine.open("cpu", new EngineOptions(4))) {
      result =
          FileSorter.of(four, PAIRS, 20 << 20)
              .withPhaseListener(timeline)
              .verifying()
              .sort(input, input, SortListener.NONE);
    }
    assertThat(result.runs()).isGreaterThan(5);
    List<Phase> merges =
        timeline.phases().stream().filter(phase -> phase.name().equals("merge")).toList();
    assertThat(merges)
        .allSatisfy(phase -> assertThat(phase.track()).startsWith("fieldstone-merge-"))
        .allSatisfy(phase -> assertThat(phase.bytes()).isLessThanOrEqualTo(1 << 20));
    assertThat(merges.stream().mapToLong(Phase::bytes).sum()).isEqualTo(content.length);
    ENGINE.sorts().sorting(PAIRS).sort(MemorySegment.ofArray(content));
    assertThat(Files.readAllBytes(input)).isEqualTo(content);
  }

  /** Random records, with and without NaN, which threads read again and write without a copy. */
  @ParameterizedTest
  @EnumSource(KeyType.class)
  void filesThatFitTwiceAreSortedWhileTheyAreRead(KeyType key) throws Exception {
    for (int payload : new int[] {0, key.bytes()}) {
      for (Direction direction : Direction.values()) {
        RecordFormat format = new RecordFormat(key, payload, direction);
        long numbers = key.bytes() == 4 ? 0xBFFF_FFFFL : 0xBFFF_FFFF_FFFF_FFFFL;
        for (long mask : new long[] {numbers, -1}) {
          byte[] content = records(format, 1_000_000, payload, mask);
          Path input = file(content);
          long memory = content.length * 5L / 2 + (16 << 20);
          SortResult result =
              FileSorter.of(ENGINE, format, memory)
                  .verifying()
                  .sort(input, input, SortListener.NONE);
          assertThat(result.runs()).isEqualTo(1);
          assertThat(result.profile().getFirst().bytes()).isGreaterThan(content.length);
          ENGINE.sorts().sorting(format, "lsd").sort(MemorySegment.ofArray(content));
          assertThat(Files.readAllBytes(input)).as("%s", format).isEqualTo(content);
        }
      }
    }
  }

  /** All threads sort a bucket with most of the keys, and give back its first buffer in parts. */
  @Test
  void skewedFilesAreSortedWhileTheyAreRead() throws Exception {
    RecordFormat format = RecordFormat.of(KeyType.F32);
    SplittableRandom random = new SplittableRandom(13);
    byte[] content = new byte[2_000_000 * format.bytes()];
    MemorySegment records = MemorySegment.ofArray(content);
    for (int i = 0; i < 2_000_000; i++) {
      float key = i % 10 == 0 ? random.nextInt() : 1 + (float) random.nextDouble();
      records.set(JAVA_INT_UNALIGNED, i * 4L, Float.floatToRawIntBits(key));
    }
    Path input = file(content);

    SortResult result = FileSorter.of(ENGINE, format, PLENTY).sort(input, input, SortListener.NONE);

    assertThat(result.profile().getFirst().bytes()).isGreaterThan(content.length);
    ENGINE.sorts().sorting(format, "lsd").sort(records);
    assertThat(Arrays.equals(Files.readAllBytes(input), content)).isTrue();
  }

  /** NaNs of either sign, alone, at the ends and among numbers in order. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F64"})
  void filesOfNanKeepTheirOrder(KeyType key) throws Exception {
    SplittableRandom random = new SplittableRandom(12);
    for (int numbers : new int[] {0, 1, 200_000}) {
      for (Direction direction : Direction.values()) {
        RecordFormat format = new RecordFormat(key, 0, direction);
        MemorySegment records = MemorySegment.ofArray(new byte[200_000 * format.bytes()]);
        for (int i = 0; i < 200_000; i++) {
          boolean isNan = i >= numbers || i == 100_000;
          int nan = random.nextInt(1 << 20) | (random.nextBoolean() ? 1 << 31 : 0);
          if (key == KeyType.F32) {
            int bits = isNan ? nan | 0x7FC0_0000 : Float.floatToRawIntBits(i);
            records.set(JAVA_INT_UNALIGNED, i * 4L, bits);
          } else {
            long bits =
                isNan ? (long) nan << 32 | 0x7FF8_0000_0000_0001L : Double.doubleToRawLongBits(i);
            records.set(JAVA_LONG_UNALIGNED, i * 8L, bits);
          }
        }
        byte[] content = records.toArray(JAVA_BYTE);
        Path input = file(content);

        FileSorter.of(ENGINE, format, PLENTY).verifying().sort(input, input, SortListener.NONE);

        assertThat(Files.readAllBytes(input))
            .as("%s, %d numbers", format, numbers)
            .isEqualTo(expected(format, content));
      }
    }
  }

  @Test
  void randomSizesInTheLeastMemoryThatDoes() throws Exception {
    SplittableRandom random = new SplittableRandom(11);
    for (int trial = 0; trial < 25; trial += TestLength.oneIn(3)) {
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
        least = e.minBytes();
        assertThat(e).hasMessageContaining("records.bin").hasMessageContaining("" + least);
      }
      FileSorter.of(ENGINE, format, least).sort(input, output, SortListener.NONE);
      assertThat(Files.readAllBytes(output))
          .as("%s in %d", format, least)
          .isEqualTo(expected(format, content));
    }
  }

  @Test
  void progressGoesFromZeroToTheTotal() throws Exception {
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
          .containsExactly(
              memory == PLENTY
                  ? new Pass[] {Pass.READ, Pass.SORT, Pass.WRITE, Pass.VERIFY}
                  : new Pass[] {Pass.SORT, Pass.MERGE, Pass.VERIFY});
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
        .hasMessageContaining("size 83 is not a multiple of 8");
    assertThat(Files.size(input)).isEqualTo(83);
    assertNoOtherFiles("records.bin");
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
    assertNoOtherFiles("records.bin");
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
    assertNoOtherFiles("records.bin");
  }

  /** The engine's threads end, or the file shrinks, in the middle: the input is as it was. */
  @Test
  void noFileRemainsAfterAFailure() throws Exception {
    byte[] content = records(PAIRS, 40_000, 1, -1);
    Path input = file(content);
    for (long memory : new long[] {PLENTY, 400_000}) {
      Engine closed = Engine.open("cpu", new EngineOptions(2));
      closed.close();
      assertThatThrownBy(
              () -> FileSorter.of(closed, PAIRS, memory).sort(input, input, SortListener.NONE))
          .isInstanceOf(IllegalStateException.class);
      assertThat(Files.readAllBytes(input)).isEqualTo(content);
      assertNoOtherFiles("records.bin");
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
        .hasMessageContaining("truncated while it was read");
    assertNoOtherFiles("records.bin");
  }

  /** A change by another process to a file while it is sorted. */
  private enum Change {
    WRITE("was written at"),
    APPEND("from 320000 to 320008 bytes"),
    REPLACE("was replaced"),
    REMOVE("was removed");

    private final String message;

    Change(String message) {
      this.message = message;
    }

    void apply(Path file) {
      try {
        switch (this) {
          case WRITE -> write(file, 8);
          case APPEND -> write(file, Files.size(file));
          case REPLACE -> {
            Path other = file.resolveSibling("other");
            Files.copy(file, other);
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
          }
          case REMOVE -> Files.delete(file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private static void write(Path file, long position) throws IOException {
      try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
        open.seek(position);
        open.writeLong(7);
      }
    }
  }

  /** Records that were appended, for one, would be gone with the file that is replaced. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void aFileThatChangesMeanwhileIsNotReplaced(Change change) throws Exception {
    for (long memory : new long[] {PLENTY, 400_000}) {
      byte[] content = records(PAIRS, 40_000, 1, -1);
      for (Pass pass : memory == PLENTY ? List.of(Pass.READ, Pass.WRITE) : List.of(Pass.MERGE)) {
        Path input = file(content);
        List<Pass> changed = new ArrayList<>();
        SortListener changing =
            (now, _, _) -> {
              if (now == pass && changed.isEmpty()) {
                changed.add(now);
                change.apply(input);
              }
            };
        assertThatThrownBy(() -> FileSorter.of(ENGINE, PAIRS, memory).sort(input, input, changing))
            .as("%s in pass %s", change, pass)
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith(input + ": ")
            .hasMessageContaining(change.message)
            .hasMessageEndingWith("the result is not kept");
        if (change == Change.REMOVE) {
          assertNoOtherFiles();
        } else {
          assertNoOtherFiles("records.bin");
          assertThat(Files.readAllBytes(input)).isNotEqualTo(expected(PAIRS, content));
        }
      }
    }
  }

  /** A change while the file is read, so that the records are of neither content. */
  @ParameterizedTest
  @EnumSource(Change.class)
  void aFileThatChangesWhileItIsReadHasNoResult(Change change) throws Exception {
    for (long memory : new long[] {PLENTY, 400_000}) {
      Path input = file(records(PAIRS, 40_000, 1, -1));
      Path output = directory.resolve("sorted.bin");
      List<Pass> changed = new ArrayList<>();
      SortListener changing =
          (now, _, _) -> {
            if (changed.isEmpty()) {
              changed.add(now);
              change.apply(input);
            }
          };
      assertThatThrownBy(() -> FileSorter.of(ENGINE, PAIRS, memory).sort(input, output, changing))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(change.message);
      assertThat(changed).containsExactly(memory == PLENTY ? Pass.READ : Pass.SORT);
      assertThat(output).doesNotExist();
    }
  }

  /** A result that goes elsewhere is that of the file as it was read. */
  @Test
  void aFileMayChangeOnceItHasBeenRead() throws Exception {
    byte[] content = records(PAIRS, 40_000, 1, -1);
    Path input = file(content);
    Path output = directory.resolve("sorted.bin");
    SortListener changing =
        (pass, _, _) -> {
          if (pass == Pass.WRITE) {
            Change.APPEND.apply(input);
          }
        };
    FileSorter.of(ENGINE, PAIRS, PLENTY).sort(input, output, changing);
    assertThat(Files.readAllBytes(output)).isEqualTo(expected(PAIRS, content));
    assertThat(Files.size(input)).isGreaterThan(content.length);
  }

  /**
   * In a process whose heap is there from the beginning, so that it grows by other memory only:
   * with a workbench for each thread, by four gigabytes.
   */
  @EnabledOnOs(OS.LINUX)
  @ParameterizedTest
  @CsvSource({
    "u32, 0, auto, 24",
    "u32, 0, auto, 200",
    "u64, 8, msd-lsd, 24",
    "f32, 3, auto, 24",
    "i32, 4, lsd, 24"
  })
  void memoryIsBoundedForAnyNumberOfThreads(String key, int payload, String method, int mebibytes)
      throws Exception {
    RecordFormat format = RecordFormat.of(KeyType.of(key)).withPayload(payload);
    Path input = file(records(format, 3_000_000, 2, -1));
    List<String> flags = List.of("-Xms64m", "-Xmx64m", "-XX:+AlwaysPreTouch");
    String printed =
        ChildJvm.run(
            flags,
            BoundedSort.class,
            input.toString(),
            key,
            "" + payload,
            method,
            "" + ((long) mebibytes << 20));
    Matcher grown = Pattern.compile("sorted 3000000 records in (\\d+) KiB").matcher(printed);
    assertThat(grown.find()).as(printed).isTrue();
    assertThat(Long.parseLong(grown.group(1)) >> 10).isLessThan(mebibytes + MEBIBYTES_OF_THE_JVM);
  }

  /** Sorts a file in its place by very many threads. */
  static final class BoundedSort {

    private BoundedSort() {}

    /** Takes the file, the type of keys, bytes of payload, a method and bytes of memory. */
    public static void main(String... arguments) throws Exception {
      Path file = Path.of(arguments[0]);
      RecordFormat format =
          RecordFormat.of(KeyType.of(arguments[1])).withPayload(Integer.parseInt(arguments[2]));
      try (Engine engine = Engine.open("cpu", new EngineOptions(1024))) {
        Sorting sorting =
            arguments[3].equals("auto")
                ? engine.sorts().sorting(format)
                : engine.sorts().sorting(format, arguments[3]);
        long before = kibibytes("VmRSS");
        SortResult result =
            FileSorter.of(engine, sorting, Long.parseLong(arguments[4]))
                .verifying()
                .sort(file, file, SortListener.NONE);
        long grown = kibibytes("VmHWM") - before;
        System.out.printf("sorted %d records in %d KiB%n", result.records(), grown);
      }
    }

    /** Memory of this process, by the name that Linux has for it. */
    private static long kibibytes(String name) throws IOException {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith(name + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
          .findFirst()
          .orElseThrow();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {PLENTY, 400_000})
  void noFileRemainsAfterAnInterruption(long memory) throws Exception {
    byte[] content = records(PAIRS, 40_000, 1, -1);
    Path input = file(content);
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () -> FileSorter.of(ENGINE, PAIRS, memory).sort(input, input, SortListener.NONE))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(Files.readAllBytes(input)).isEqualTo(content);
    assertNoOtherFiles("records.bin");
  }
}
