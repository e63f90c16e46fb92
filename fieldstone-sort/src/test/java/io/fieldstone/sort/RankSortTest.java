package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.engine.sorting.Sorting;
import io.fieldstone.sort.RecordLayout.ByteString;
import io.fieldstone.sort.RecordLayout.Numeric;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records of any layout, in memory and in files. The oracle is the JDK's stable sort of objects.
 */
class RankSortTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));
  private static final long PLENTY = 1L << 28;
  private static final ThreadMXBean HEAP = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  private static RecordLayout strings(int record, int offset, int length) {
    return new RecordLayout(record, offset, new ByteString(length), Direction.ASCENDING);
  }

  private static RecordLayout descending(RecordLayout layout) {
    return new RecordLayout(
        layout.recordBytes(), layout.keyOffset(), layout.key(), Direction.DESCENDING);
  }

  /**
   * Makes random records. Keys begin with {@code common} equal bytes, and each other byte has
   * {@code values} values.
   */
  private static byte[] records(RecordLayout layout, int count, int common, int values) {
    SplittableRandom random = new SplittableRandom(count + 31L * common + values);
    byte[] bytes = new byte[count * layout.recordBytes()];
    random.nextBytes(bytes);
    for (int i = 0; i < count; i++) {
      int key = i * layout.recordBytes() + layout.keyOffset();
      for (int j = 0; j < layout.key().bytes(); j++) {
        bytes[key + j] = (byte) (j < common ? 0x80 : 0x7F + random.nextInt(values));
      }
    }
    return bytes;
  }

  private static byte[] expected(RecordLayout layout, byte[] records, Comparator<byte[]> order) {
    int bytes = layout.recordBytes();
    byte[][] each = new byte[records.length / bytes][];
    Arrays.setAll(each, i -> Arrays.copyOfRange(records, i * bytes, (i + 1) * bytes));
    Arrays.sort(each, layout.direction() == Direction.ASCENDING ? order : order.reversed());
    ByteArrayOutputStream sorted = new ByteArrayOutputStream();
    for (byte[] record : each) {
      sorted.writeBytes(record);
    }
    return sorted.toByteArray();
  }

  private static Comparator<byte[]> byString(RecordLayout layout) {
    int from = layout.keyOffset();
    int to = from + layout.key().bytes();
    return (a, b) -> Arrays.compareUnsigned(a, from, to, b, from, to);
  }

  private static byte[] sorted(RecordLayout layout, byte[] records) throws Exception {
    byte[] copy = records.clone();
    RadixSort.with(ENGINE).sort(MemorySegment.ofArray(copy), layout);
    return copy;
  }

  @ParameterizedTest
  @CsvSource({
    // record, offset, length, common, values
    "1, 0, 1, 0, 2",
    "5, 1, 3, 0, 200",
    "8, 0, 8, 0, 3",
    "17, 2, 9, 0, 2",
    "40, 3, 33, 0, 2",
    "40, 3, 33, 30, 2",
    "40, 3, 33, 33, 1",
    "100, 0, 10, 0, 256",
    "100, 90, 10, 8, 256",
  })
  void stringsHaveTheOrderOfUnsignedBytes(
      int record, int offset, int length, int common, int values) throws Exception {
    for (int count : new int[] {0, 1, 2, 30, 3000}) {
      for (RecordLayout layout :
          new RecordLayout[] {
            strings(record, offset, length), descending(strings(record, offset, length))
          }) {
        byte[] records = records(layout, count, common, values);
        byte[] expected = expected(layout, records, byString(layout));

        assertThat(sorted(layout, records)).isEqualTo(expected);
        RecordCheck check = new RecordCheck(layout);
        check.add(MemorySegment.ofArray(expected));
        assertThat(check.outOfOrder()).isEmpty();
        check.add(MemorySegment.ofArray(records));
        assertThat(check.records()).isEqualTo(2L * count);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void numbersMayBeAnywhereInEitherOrderOfBytes(KeyType type) throws Exception {
    for (ByteOrder bytes : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
      RecordLayout ascending =
          new RecordLayout(type.bytes() + 5, 3, new Numeric(type, bytes), Direction.ASCENDING);
      for (RecordLayout layout : new RecordLayout[] {ascending, descending(ascending)}) {
        byte[] records = records(layout, 5000, 0, 256);
        Comparator<byte[]> order =
            (a, b) -> {
              ByteBuffer first = ByteBuffer.wrap(a).order(bytes);
              ByteBuffer second = ByteBuffer.wrap(b).order(bytes);
              return switch (type) {
                case U32 -> Integer.compareUnsigned(first.getInt(3), second.getInt(3));
                case I32 -> Integer.compare(first.getInt(3), second.getInt(3));
                case U64 -> Long.compareUnsigned(first.getLong(3), second.getLong(3));
                case I64 -> Long.compare(first.getLong(3), second.getLong(3));
                case F32 -> Float.compare(first.getFloat(3), second.getFloat(3));
                case F64 -> Double.compare(first.getDouble(3), second.getDouble(3));
              };
            };

        assertThat(sorted(layout, records)).isEqualTo(expected(layout, records, order));
      }
    }
  }

  /** A layout that engines sort directly is sorted by them. */
  @Test
  void aLayoutMayBeAFormat() throws Exception {
    RecordFormat format = RecordFormat.of(KeyType.I64).withPayload(3).descending();
    RecordLayout layout = RecordLayout.of(format);
    byte[] records = records(layout, 500, 0, 200);
    byte[] expected = records.clone();
    ENGINE.sorts().sorting(format).sort(MemorySegment.ofArray(expected));

    assertThat(layout.format()).contains(format);
    assertThat(sorted(layout, records)).isEqualTo(expected);
    assertThat(layout).hasToString(format.toString());
  }

  /** The least memory that the plan accepts gives many runs; the most gives one. */
  @ParameterizedTest
  @CsvSource({"0, 2", "20, 2", "0, 256", "25, 1"})
  void filesAreSortedInMemoryAndByRuns(int common, int values) throws Exception {
    RecordLayout layout = strings(60, 7, 25);
    byte[] records = records(layout, 60_000, common, values);
    byte[] expected = expected(layout, records, byString(layout));
    Path input = Files.write(directory.resolve("records"), records);
    Path output = directory.resolve("sorted");
    for (long memory : new long[] {PLENTY, leastMemory(layout, input)}) {
      SortResult result =
          FileSorter.of(ENGINE, layout, memory).verifying().sort(input, output, SortListener.NONE);

      assertThat(Files.readAllBytes(output)).isEqualTo(expected);
      assertThat(result.records()).isEqualTo(60_000);
      assertThat(result.runs() == 1).isEqualTo(memory == PLENTY);
      assertThat(result.fingerprint()).isPresent();
      assertThat(result.methods()).isNotEmpty();
      assertThat(result.profile()).isNotEmpty();
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files).containsExactlyInAnyOrder(input, output);
      }
    }
    FileSorter.of(ENGINE, layout, leastMemory(layout, input)).sort(input, input, SortListener.NONE);
    assertThat(Files.readAllBytes(input)).isEqualTo(expected);
  }

  /** Returns the minimum that the error names. */
  private static long leastMemory(RecordLayout layout, Path input) throws InterruptedException {
    try {
      FileSorter.of(ENGINE, layout, 0).sort(input, input, SortListener.NONE);
      throw new AssertionError("sorted without memory");
    } catch (InsufficientMemoryException e) {
      return Long.parseLong(String.valueOf(e.getMessage()).replaceAll(".* ", ""));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lsd", "msd-lsd", "comparison"})
  void filesAreSortedByANamedMethod(String method) throws Exception {
    RecordLayout layout = strings(12, 2, 10);
    byte[] records = records(layout, 2000, 0, 3);
    Path file = Files.write(directory.resolve("records"), records);

    FileSorter sorter = FileSorter.of(ENGINE, layout, method, PLENTY);
    SortResult result = sorter.sort(file, file, SortListener.NONE);

    assertThat(sorter.method()).isEqualTo(method);
    assertThat(result.methods()).containsExactly(method);
    assertThat(Files.readAllBytes(file)).isEqualTo(expected(layout, records, byString(layout)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FileSorter.of(ENGINE, layout, "bogo", PLENTY))
        .withMessageStartingWith(
            "no method 'bogo' for 10-byte string at byte 2 in records of 12 bytes on cpu");
  }

  /** As many groups of equal ranks as there can be. */
  @Test
  void groupsOfEqualRanksTakeNoHeap() throws Exception {
    RecordLayout layout = strings(16, 0, 16);
    int count = 100_000;
    ByteBuffer records = ByteBuffer.allocate(count * 16);
    for (int i = 0; i < count; i++) {
      records.putLong(i / 2).putLong(count - i);
    }
    RankSort sort = new RankSort(ENGINE.sorts().sorting(RankSort.PAIR), layout, 1);
    MemorySegment pairs = MemorySegment.ofArray(new long[2 * count]);
    long before = 0;
    for (int i = 0; i < 2; i++) { // the JVM allocates for the first time it runs code
      before = HEAP.getCurrentThreadAllocatedBytes();
      sort.order(MemorySegment.ofArray(records.array()), pairs);
    }

    assertThat(HEAP.getCurrentThreadAllocatedBytes() - before).isLessThan(2L * count);
    assertThat(RankSort.index(pairs, 0)).isEqualTo(1);
    assertThat(RankSort.index(pairs, count - 1)).isEqualTo(count - 2);
  }

  @Test
  void anInterruptionLeavesTheFileAsItIs() throws Exception {
    RecordLayout layout = strings(16, 0, 16);
    byte[] records = records(layout, 2000, 0, 3);
    Path file = Files.write(directory.resolve("records"), records);
    Thread.currentThread().interrupt();

    assertThatThrownBy(
            () -> FileSorter.of(ENGINE, layout, PLENTY).sort(file, file, SortListener.NONE))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(Files.readAllBytes(file)).isEqualTo(records);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> sorted(layout, records)).isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
  }

  /** The engine names its method before the first call returns, when many ranks are equal. */
  @Test
  void anInterruptionAmongEqualRanksIsNoLongerTheStatus() {
    RecordLayout layout = strings(16, 0, 16);
    byte[] records = records(layout, 2000, 10, 3);
    MemorySegment sorted = MemorySegment.ofArray(records.clone());
    Sorting interrupting =
        ENGINE
            .sorts()
            .sorting(RankSort.PAIR)
            .withMethodListener(_ -> Thread.currentThread().interrupt());
    assertThatThrownBy(() -> new RankSort(interrupting, layout, 2).sort(sorted))
        .isInstanceOf(InterruptedException.class);
    assertThat(Thread.interrupted()).isFalse();
    assertThat(sorted.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(records);
  }

  @Test
  void checksItsArguments() throws IOException {
    RecordLayout layout = strings(10, 2, 8);
    byte[] odd = new byte[25];
    Path file = Files.write(directory.resolve("odd"), odd);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> sorted(layout, odd))
        .withMessageContaining("size 25 is not a multiple of 10, the bytes of a record");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            RadixSort.with(ENGINE).sort(MemorySegment.ofArray(new byte[20]).asReadOnly(), layout))
        .withMessageContaining("read-only");
    assertThatThrownBy(
            () -> FileSorter.of(ENGINE, layout, PLENTY).sort(file, file, SortListener.NONE))
        .isInstanceOf(NotWholeRecordsException.class)
        .hasMessageContaining("8-byte string at byte 2 in records of 10 bytes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strings(10, 3, 8))
        .withMessage("a key of 8 bytes at byte 3 is not in a record of 10 bytes");
    assertThatIllegalArgumentException().isThrownBy(() -> strings(10, -1, 8));
    assertThatIllegalArgumentException().isThrownBy(() -> strings(10, 0, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> strings(RecordLayout.MAX_RECORD_BYTES + 1, 0, 1))
        .withMessageContaining("are not within 1 … ");
    assertThatIllegalArgumentException().isThrownBy(() -> strings(0, 0, 1));
    assertThat(descending(strings(10, 0, 8)))
        .hasToString("8-byte string in records of 10 bytes, descending");
    assertThat(
            new RecordLayout(
                4, 0, new Numeric(KeyType.U32, ByteOrder.BIG_ENDIAN), Direction.ASCENDING))
        .hasToString("u32, big-endian in records of 4 bytes");
  }

  /** The first record out of order is found wherever a thread begins. */
  @Test
  void checksFiles() throws Exception {
    RecordLayout layout = strings(24, 4, 20);
    byte[] records = expected(layout, records(layout, 100_000, 12, 5), byString(layout));
    Path file = Files.write(directory.resolve("sorted"), records);
    assertThat(FileCheck.of(layout).check(file, SortListener.NONE).outOfOrder()).isEmpty();

    Arrays.fill(records, 70_000 * 24 + 4, 70_000 * 24 + 24, (byte) 0);
    Files.write(file, records);
    assertThat(FileCheck.of(layout).withThreads(2).check(file, SortListener.NONE).outOfOrder())
        .hasValue(70_000);
  }
}
