package io.fieldstone.spark.sort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.FileSorter;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.sort.SortListener;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.LocalSpark;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SortJobTest {

  private static final RecordLayout TERASORT =
      new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);

  private static final long TASK_BYTES = 100_000;

  @TempDir Path folder;

  private static RecordLayout number(KeyType type, int record, int offset, Direction direction) {
    return new RecordLayout(
        record, offset, new RecordLayout.Numeric(type, ByteOrder.LITTLE_ENDIAN), direction);
  }

  static Stream<RecordLayout> layouts() {
    return Stream.of(
        TERASORT,
        number(KeyType.U32, 4, 0, Direction.ASCENDING),
        number(KeyType.I64, 24, 0, Direction.DESCENDING),
        number(KeyType.F32, 8, 0, Direction.ASCENDING),
        new RecordLayout(
            13,
            3,
            new RecordLayout.Numeric(KeyType.U32, ByteOrder.BIG_ENDIAN),
            Direction.DESCENDING));
  }

  private Path random(String name, int records, int recordBytes, int values) throws IOException {
    byte[] bytes = new byte[records * recordBytes];
    Random random = new Random(records);
    random.nextBytes(bytes);
    if (values < 256) { // many equal keys; the last byte of a record stays different
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (i + 1) % recordBytes == 0 ? bytes[i] : (byte) Math.floorMod(bytes[i], values);
      }
    }
    return Files.write(folder.resolve(name), bytes);
  }

  private static SortJob job(RecordLayout layout) {
    return SortJob.of(LocalSpark.CONTEXT, layout).withTaskBytes(TASK_BYTES);
  }

  private byte[] sortedPlainly(RecordLayout layout, Path input) throws Exception {
    Path output = folder.resolve("plain");
    try (Engine engine = Engine.open("cpu")) {
      FileSorter.of(engine, layout, 1 << 28).sort(input, output, SortListener.NONE);
    }
    return Files.readAllBytes(output);
  }

  private static byte[] joined(SortReport report) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String part : report.written()) {
      all.write(Files.readAllBytes(Path.of(part.replaceFirst("^file:", ""))));
    }
    return all.toByteArray();
  }

  @ParameterizedTest
  @MethodSource("layouts")
  void partsHaveTheBytesOfThePlainCommand(RecordLayout layout) throws Exception {
    int records = 400_000 / layout.recordBytes() + 1;
    for (int values : new int[] {256, 2}) {
      Path input = random("in" + values, records, layout.recordBytes(), values);
      Path output = folder.resolve("out" + values);
      SortReport report = job(layout).run(List.of(input.toString()), output.toString());
      assertThat(report.records()).isEqualTo(records);
      assertThat(report.written()).hasSizeGreaterThan(3);
      assertThat(joined(report)).isEqualTo(sortedPlainly(layout, input));
    }
  }

  @Test
  void equalKeysAreDividedToo() throws Exception {
    Path input = random("equal", 10_000, 100, 1);
    SortReport report =
        job(TERASORT).run(List.of(input.toString()), folder.resolve("out").toString());
    assertThat(joined(report)).isEqualTo(Files.readAllBytes(input));
    for (String part : report.written()) {
      assertThat(Files.size(Path.of(part.replaceFirst("^file:", "")))).isLessThan(2 * TASK_BYTES);
    }
  }

  @Test
  void severalFilesAreSortedToOne() throws Exception {
    Path parts = Files.createDirectories(folder.resolve("in"));
    byte[] all = Files.readAllBytes(random("all", 6_000, 100, 256));
    Files.write(parts.resolve("part-00000"), Arrays.copyOf(all, 250_000));
    Files.write(parts.resolve("part-00001"), new byte[0]);
    Files.write(parts.resolve("part-00002"), Arrays.copyOfRange(all, 250_000, all.length));
    Path output = folder.resolve("out");
    SortReport report = job(TERASORT).toOneFile().run(List.of(parts.toString()), output.toString());
    assertThat(report.written()).hasSize(1);
    assertThat(Files.readAllBytes(output))
        .isEqualTo(sortedPlainly(TERASORT, folder.resolve("all")));
  }

  @Test
  void theResultIsAnRddToo() throws Exception {
    Path input = random("in", 5_000, 100, 256);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : job(TERASORT).sorted(List.of(input.toString())).collect()) {
      all.write(part);
    }
    assertThat(all.toByteArray()).isEqualTo(sortedPlainly(TERASORT, input));
  }

  @Test
  void noRecordsGiveAnEmptyPart() throws Exception {
    Path input = Files.createFile(folder.resolve("empty"));
    SortReport report =
        job(TERASORT).run(List.of(input.toString()), folder.resolve("out").toString());
    assertThat(report.written()).hasSize(1);
    assertThat(joined(report)).isEmpty();
  }

  @Test
  void aResultIsReplacedOnRequestOnly() throws Exception {
    Path input = random("in", 3_000, 100, 256);
    String output = folder.resolve("out").toString();
    job(TERASORT).withTaskBytes(20_000).run(List.of(input.toString()), output);
    assertThatThrownBy(() -> job(TERASORT).run(List.of(input.toString()), output))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("already exists");
    SortReport report = job(TERASORT).replacing().run(List.of(input.toString()), output);
    try (Stream<Path> files = Files.list(Path.of(output))) {
      assertThat(files).hasSize(report.written().size());
    }
    assertThatThrownBy(
            () -> job(TERASORT).replacing().run(List.of(input.toString()), folder.toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("not the result of a sort");
    assertThat(input).exists();
  }

  @Test
  void aFolderIsNotReplacedByAFile() throws Exception {
    Path input = random("in", 3_000, 100, 256);
    Path other = Files.writeString(Files.createDirectory(folder.resolve("out")).resolve("a"), "b");
    SortJob job = job(TERASORT).replacing().toOneFile();
    assertThatThrownBy(() -> job.run(List.of(input.toString()), other.getParent().toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessage("is a directory: file:" + other.getParent());
    assertThat(other.getParent()).isDirectoryContaining(other::equals);
  }

  @Test
  void tasksHaveAtLeastARecord() throws Exception {
    Path input = random("in", 5, 100, 256);
    SortReport report =
        job(TERASORT)
            .withTaskBytes(1)
            .run(List.of(input.toString()), folder.resolve("out").toString());
    assertThat(report.written()).hasSize(5);
    assertThat(joined(report)).isEqualTo(sortedPlainly(TERASORT, input));
  }

  @Test
  void aPartOfARecordIsNamed() throws Exception {
    Path input = Files.write(folder.resolve("in"), new byte[250]);
    assertThatThrownBy(
            () -> job(TERASORT).run(List.of(input.toString()), folder.resolve("out").toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessage("250 bytes are not a whole number of records of 100 bytes: " + input);
  }
}
