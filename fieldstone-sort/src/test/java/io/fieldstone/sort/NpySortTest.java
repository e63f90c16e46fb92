package io.fieldstone.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files in the format of NumPy; those of the resources were written by NumPy 2.4.6. */
class NpySortTest {

  private static final Engine ENGINE = Engine.open("cpu", new EngineOptions(2));
  private static final int HEADER_BYTES = 128;

  @TempDir Path directory;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  /** Copies a file of NumPy. */
  private Path numpy(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            NpySortTest.class.getResourceAsStream("/fuzz/NpyHeaderFuzzTest/" + name))) {
      return Files.write(directory.resolve(name + ".npy"), in.readAllBytes());
    }
  }

  private static FileSorter sorter(Path file, Direction direction) throws IOException {
    RecordLayout layout = NpyHeader.read(file).layout(direction);
    return FileSorter.of(ENGINE, layout, 1 << 24).fromNpy().toNpy();
  }

  private static ByteBuffer elements(Path file, ByteOrder order) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return ByteBuffer.wrap(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES).slice().order(order);
  }

  @Test
  void theArrayIsSortedAndItsHeaderStays() throws Exception {
    Path file = numpy("f8");
    byte[] before = Files.readAllBytes(file);

    sorter(file, Direction.ASCENDING).verifying().sort(file, file, SortListener.NONE);

    ByteBuffer sorted = elements(file, ByteOrder.LITTLE_ENDIAN);
    assertThat(List.of(sorted.getDouble(), sorted.getDouble(), sorted.getDouble()))
        .containsExactly(-1.0, 2.5, Double.NaN);
    assertThat(Files.readAllBytes(file)).startsWith(Arrays.copyOf(before, HEADER_BYTES));
    assertThat(FileCheck.of(RecordFormat.of(KeyType.F64)).ofNpy().check(file, SortListener.NONE))
        .satisfies(check -> assertThat(check.outOfOrder()).isEmpty());
  }

  @Test
  void arraysMayBeBigEndianOrStrings() throws Exception {
    Path numbers = numpy("u4-big-endian");
    sorter(numbers, Direction.DESCENDING).sort(numbers, numbers, SortListener.NONE);
    assertThat(NpyHeader.read(numbers).toString()).contains("u32, big-endian");
    ByteBuffer sorted = elements(numbers, ByteOrder.BIG_ENDIAN);
    assertThat(List.of(sorted.getInt(), sorted.getInt(), sorted.getInt())).containsExactly(3, 2, 1);

    Path strings = numpy("bytes");
    sorter(strings, Direction.ASCENDING).sort(strings, strings, SortListener.NONE);
    assertThat(elements(strings, ByteOrder.BIG_ENDIAN))
        .isEqualTo(ByteBuffer.wrap("fig\0pear".getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theHeaderCountsWhatIsKept() throws Exception {
    Path file = numpy("version-2");
    Path output = directory.resolve("out.npy");

    sorter(file, Direction.DESCENDING).first(2).sort(file, output, SortListener.NONE);

    assertThat(NpyHeader.read(output).count()).isEqualTo(2);
    assertThat(elements(output, ByteOrder.LITTLE_ENDIAN).getInt()).isEqualTo(2);
  }

  @Test
  void theOrderIsAnArrayOfIntegers() throws Exception {
    Path file = numpy("f8");
    Path output = directory.resolve("order.npy");

    sorter(file, Direction.ASCENDING).argsorting().sort(file, output, SortListener.NONE);

    assertThat(NpyHeader.read(output).layout(Direction.ASCENDING).toString()).isEqualTo("i64");
    ByteBuffer order = elements(output, ByteOrder.LITTLE_ENDIAN);
    assertThat(List.of(order.getLong(), order.getLong(), order.getLong()))
        .containsExactly(1L, 0L, 2L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "two-dimensions | an array of shape (2, 3); sorted are arrays of one dimension",
        "fortran-order | an array of shape (2, 3); sorted are arrays of one dimension",
        "complex | elements of type '<c16'; sorted are u4, i4, u8, i8, f4 and f8",
        "structure | elements of type '[('a', '<i4'), ('b', '<f8')]'; sorted are",
        "version-3 | elements of type",
        "truncated | 21 bytes of elements, not 3 × 8 as its header says: it was truncated",
        "truncated-header | ends within its .npy header",
      })
  void refusesOtherArrays(String name, String problem) throws Exception {
    Path file = numpy(name);
    MalformedNpyException failure =
        catchThrowableOfType(MalformedNpyException.class, () -> NpyHeader.read(file));
    assertThat(failure).hasMessageStartingWith(file + ": " + problem);
  }

  @Test
  void refusesOtherVersionsAndFiles() throws Exception {
    byte[] bytes = Files.readAllBytes(numpy("f8"));
    bytes[6] = 9;
    assertThat(
            catchThrowableOfType(
                MalformedNpyException.class,
                () -> NpyHeader.parse(Path.of("x"), bytes, bytes.length)))
        .hasMessage("x: .npy version 9.0 is not one of 1.0, 2.0, 3.0 (at byte 6)");
    bytes[0] = 0;
    assertThat(
            catchThrowableOfType(
                MalformedNpyException.class,
                () -> NpyHeader.parse(Path.of("x"), bytes, bytes.length)))
        .hasMessage("x: not a .npy file: it does not begin with \\x93NUMPY (at byte 0)");
    Path empty = numpy("empty");
    assertThat(
            catchThrowableOfType(
                IOException.class,
                () ->
                    FileSorter.of(ENGINE, RecordFormat.of(KeyType.U32), 1 << 24)
                        .fromNpy()
                        .sort(empty, empty, SortListener.NONE)))
        .hasMessage(empty + ": an array of i64, not of u32");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            FileSorter.of(ENGINE, RecordFormat.of(KeyType.U32).withPayload(4), 1 << 24).toNpy());
  }
}
