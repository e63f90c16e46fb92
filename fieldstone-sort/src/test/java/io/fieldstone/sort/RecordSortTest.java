package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.CompositeKey.Part;
import io.fieldstone.sort.RecordLayout.ByteString;
import io.fieldstone.sort.RecordLayout.Numeric;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All that a file sorter does with records of any layout, against a sort of arrays of bytes. */
class RecordSortTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));
  private static final int COUNT = 20_000;
  private static final long PLENTY = 1L << 28;

  @TempDir Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static Numeric number(KeyType type, ByteOrder order) {
    return new Numeric(type, order);
  }

  private static RecordLayout keys(int bytes, Direction direction, Part... parts) {
    return new RecordLayout(bytes, 0, CompositeKey.of(parts), direction);
  }

  /** Layouts whose records are packed, and others. */
  static List<RecordLayout> layouts() {
    Numeric i32 = number(KeyType.I32, ByteOrder.LITTLE_ENDIAN);
    Numeric u32 = number(KeyType.U32, ByteOrder.LITTLE_ENDIAN);
    Numeric i64 = number(KeyType.I64, ByteOrder.BIG_ENDIAN);
    Numeric f32 = number(KeyType.F32, ByteOrder.BIG_ENDIAN);
    Numeric f64 = number(KeyType.F64, ByteOrder.LITTLE_ENDIAN);
    Direction up = Direction.ASCENDING;
    Direction down = Direction.DESCENDING;
    List<RecordLayout> layouts = new ArrayList<>();
    for (int bytes : new int[] {1, 4, 7, 8, 9}) {
      layouts.add(new RecordLayout(bytes + bytes / 3, bytes / 4, new ByteString(bytes), up));
    }
    layouts.add(new RecordLayout(7, 2, u32, up));
    layouts.add(new RecordLayout(11, 2, i32, down));
    layouts.add(new RecordLayout(6, 1, f32, up));
    layouts.add(new RecordLayout(12, 3, f32, up));
    layouts.add(new RecordLayout(13, 5, f64, down));
    layouts.add(new RecordLayout(8, 0, i64, up));
    layouts.add(new RecordLayout(16, 0, i64, down));
    layouts.add(keys(8, up, new Part(0, i32, up), new Part(4, u32, down)));
    layouts.add(keys(8, down, new Part(4, u32, up), new Part(0, i32, down)));
    layouts.add(keys(9, up, new Part(6, new ByteString(2), down), new Part(1, u32, up)));
    layouts.add(keys(20, up, new Part(8, f64, down), new Part(0, f32, up)));
    layouts.add(keys(24, up, new Part(4, new ByteString(10), down), new Part(14, i64, up)));
    layouts.add(keys(12, up, new Part(2, f32, down)));
    return layouts;
  }

  private static Comparator<byte[]> order(RecordLayout layout) {
    List<Part> parts =
        layout.key() instanceof CompositeKey keys
            ? keys.parts()
            : List.of(new Part(0, layout.key(), Direction.ASCENDING));
    Comparator<byte[]> order = (a, b) -> 0;
    for (Part part : parts) {
      int at = layout.keyOffset() + part.offset();
      Comparator<byte[]> own =
          switch (part.key()) {
            case Numeric number -> (a, b) -> compare(number, a, b, at);
            case ByteString string ->
                (a, b) ->
                    Arrays.compareUnsigned(a, at, at + string.bytes(), b, at, at + string.bytes());
            case CompositeKey _ -> throw new AssertionError();
          };
      order = order.thenComparing(part.direction() == Direction.ASCENDING ? own : own.reversed());
    }
    return layout.direction() == Direction.ASCENDING ? order : order.reversed();
  }

  private static int compare(Numeric number, byte[] a, byte[] b, int at) {
    ByteBuffer first = ByteBuffer.wrap(a).order(number.order());
    ByteBuffer second = ByteBuffer.wrap(b).order(number.order());
    return switch (number.type()) {
      case U32 -> Integer.compareUnsigned(first.getInt(at), second.getInt(at));
      case I32 -> Integer.compare(first.getInt(at), second.getInt(at));
      case U64 -> Long.compareUnsigned(first.getLong(at), second.getLong(at));
      case I64 -> Long.compare(first.getLong(at), second.getLong(at));
      case F32 -> Float.compare(first.getFloat(at), second.getFloat(at));
      case F64 -> Double.compare(first.getDouble(at), second.getDouble(at));
    };
  }

  /** Random records, half of which have one of few keys. */
  private static byte[][] records(RecordLayout layout, int count) {
    SplittableRandom random = new SplittableRandom(layout.toString().hashCode());
    byte[][] records = new byte[count][layout.recordBytes()];
    int from = layout.keyOffset();
    for (byte[] record : records) {
      random.nextBytes(record);
      if (random.nextBoolean()) {
        for (int i = from; i < from + layout.key().bytes(); i++) {
          record[i] = (byte) (record[i] & 1);
        }
      }
    }
    return records;
  }

  private static byte[] joined(byte[]... records) {
    int bytes = records.length == 0 ? 0 : records[0].length;
    ByteBuffer all = ByteBuffer.allocate(records.length * bytes);
    Arrays.stream(records).forEach(all::put);
    return all.array();
  }

  private static byte[][] distinct(byte[][] sorted, Comparator<byte[]> order) {
    return IntStream.range(0, sorted.length)
        .filter(i -> i == 0 || order.compare(sorted[i - 1], sorted[i]) != 0)
        .mapToObj(i -> sorted[i])
        .toArray(byte[][]::new);
  }

  private Path file(byte[]... records) throws IOException {
    return Files.write(directory.resolve("in"), joined(records));
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static long littleMemory(RecordLayout layout) {
    return 1_400_000 + 2L * layout.recordBytes() * COUNT / 3;
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void sortsFilesAndMemory(RecordLayout layout) throws Exception {
    byte[][] records = records(layout, COUNT);
    Path input = file(records);
    byte[][] sorted = records.clone();
    Arrays.sort(sorted, order(layout));
    byte[] expected = joined(sorted);
    Path output = directory.resolve("out");
    for (long memory : new long[] {PLENTY, littleMemory(layout)}) {
      SortResult result =
          FileSorter.of(ENGINE, layout, memory).verifying().sort(input, output, SortListener.NONE);
      assertThat(Files.readAllBytes(output)).isEqualTo(expected);
      assertThat(result.written()).isEqualTo(COUNT);
    }
    MemorySegment memory = MemorySegment.ofArray(joined(records));
    RadixSort.with(ENGINE).sort(memory, layout);
    assertThat(memory.mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
    assertThat(names()).containsExactly("in", "out");
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void keepsTheFirstRecordOfEachKeyAndTheFirstOfAll(RecordLayout layout) throws Exception {
    byte[][] records = records(layout, COUNT);
    Path input = file(records);
    Comparator<byte[]> order = order(layout);
    byte[][] sorted = records.clone();
    Arrays.sort(sorted, order);
    byte[][] distinct = distinct(sorted, order);
    Path output = directory.resolve("out");
    FileSorter sorter = FileSorter.of(ENGINE, layout, PLENTY);

    SortResult result = sorter.distinct().verifying().sort(input, output, SortListener.NONE);
    assertThat(Files.readAllBytes(output)).isEqualTo(joined(distinct));
    assertThat(result.records()).isEqualTo(COUNT);
    assertThat(result.written()).isEqualTo(distinct.length);
    // Found in one pass, or by sorting all.
    for (int most : new int[] {100, COUNT / 2}) {
      sorter.first(most).sort(input, output, SortListener.NONE);
      byte[][] least = Arrays.copyOf(sorted, Math.min(most, COUNT));
      assertThat(Files.readAllBytes(output)).isEqualTo(joined(least));
      sorter.first(most).distinct().sort(input, output, SortListener.NONE);
      least = Arrays.copyOf(distinct, Math.min(most, distinct.length));
      assertThat(Files.readAllBytes(output)).isEqualTo(joined(least));
    }
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void theOrderIsThatOfTheIndices(RecordLayout layout) throws Exception {
    byte[][] records = records(layout, COUNT);
    Path input = file(records);
    Comparator<byte[]> order = order(layout);
    long[] expected =
        IntStream.range(0, COUNT)
            .boxed()
            .sorted((a, b) -> order.compare(records[a], records[b]))
            .mapToLong(Integer::longValue)
            .toArray();
    Path output = directory.resolve("out");
    for (long memory : new long[] {PLENTY, littleMemory(layout) + 400_000}) {
      FileSorter.of(ENGINE, layout, memory).argsorting().sort(input, output, SortListener.NONE);
      long[] indices = new long[COUNT];
      ByteBuffer.wrap(Files.readAllBytes(output))
          .order(ByteOrder.LITTLE_ENDIAN)
          .asLongBuffer()
          .get(indices);
      assertThat(indices).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void mergesSortedFiles(RecordLayout layout) throws Exception {
    byte[][] records = records(layout, 3000);
    Comparator<byte[]> order = order(layout);
    List<Path> inputs = new ArrayList<>();
    byte[][] runs = records.clone();
    int[] ends = {0, 1000, 1000, 1001, 3000};
    for (int i = 1; i < ends.length; i++) {
      Arrays.sort(runs, ends[i - 1], ends[i], order);
      byte[][] run = Arrays.copyOfRange(runs, ends[i - 1], ends[i]);
      inputs.add(Files.write(directory.resolve("run" + i), joined(run)));
    }
    Arrays.sort(records, order);
    FileSorter sorter = FileSorter.of(ENGINE, layout, 1 << 20);
    // In place of one of them.
    Path output = inputs.getLast();

    sorter.distinct().merge(inputs, directory.resolve("distinct"), SortListener.NONE);
    SortResult result = sorter.verifying().merge(inputs, output, SortListener.NONE);

    assertThat(result.runs()).isEqualTo(4);
    assertThat(Files.readAllBytes(output)).isEqualTo(joined(records));
    assertThat(Files.readAllBytes(directory.resolve("distinct")))
        .isEqualTo(joined(distinct(records, order)));
  }

  @Test
  void aFileThatIsNotSortedIsNotMerged() throws Exception {
    RecordLayout layout = new RecordLayout(2, 0, new ByteString(2), Direction.ASCENDING);
    Path sorted = Files.writeString(directory.resolve("a"), "aabbccdd");
    Path other = Files.writeString(directory.resolve("b"), "aaccbbdd");

    assertThat(
            catchThrowableOfType(
                IOException.class,
                () ->
                    FileSorter.of(ENGINE, layout, PLENTY)
                        .merge(List.of(sorted, other), sorted, SortListener.NONE)))
        .hasMessage(other + ": record 2, at byte 4, is out of order; only sorted files are merged");
    assertThat(sorted).hasContent("aabbccdd");
    assertThat(names()).containsExactly("a", "b");
  }

  @Test
  void sortsAStream() throws Exception {
    RecordLayout layout = new RecordLayout(3, 1, new ByteString(2), Direction.ASCENDING);
    byte[][] records = records(layout, 500_000);
    Path output = directory.resolve("out");
    FileSorter sorter = FileSorter.of(ENGINE, layout, PLENTY);

    sorter.sort(
        new ByteArrayInputStream(joined(records)), "standard input", output, SortListener.NONE);

    Arrays.sort(records, order(layout));
    assertThat(Files.readAllBytes(output)).isEqualTo(joined(records));
    assertThat(names()).containsExactly("out");
    assertThat(
            catchThrowableOfType(
                NotWholeRecordsException.class,
                () ->
                    sorter.sort(
                        new ByteArrayInputStream(new byte[4]),
                        "standard input",
                        output,
                        SortListener.NONE)))
        .hasMessageStartingWith("standard input: size 4 is not a multiple of 3");
  }

  @Test
  void keysMayNotOverlapOrLeaveTheRecord() {
    Numeric u32 = number(KeyType.U32, ByteOrder.LITTLE_ENDIAN);
    Part first = new Part(0, u32, Direction.ASCENDING);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CompositeKey.of(new Part(2, u32, Direction.DESCENDING), first))
        .withMessage("the keys 'u32 at byte 0' and 'u32 at byte 2 descending' overlap in byte 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> keys(7, Direction.ASCENDING, first, new Part(4, u32, Direction.ASCENDING)))
        .withMessage("a key of 8 bytes at byte 0 is not in a record of 7 bytes");
    assertThatIllegalArgumentException().isThrownBy(() -> CompositeKey.of());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Part(0, CompositeKey.of(first), Direction.ASCENDING));
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            FileSorter.of(ENGINE, keys(4, Direction.ASCENDING, first), PLENTY)
                .argsorting()
                .verifying());
  }
}
