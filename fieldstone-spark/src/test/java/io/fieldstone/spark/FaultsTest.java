package io.fieldstone.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.crc.CrcCatalogue;
import io.fieldstone.engine.sorting.RecordFormat.Direction;
import io.fieldstone.sort.RecordLayout;
import io.fieldstone.spark.coding.CodingOptions;
import io.fieldstone.spark.coding.DecodeJob;
import io.fieldstone.spark.coding.EncodeJob;
import io.fieldstone.spark.coding.RepairJob;
import io.fieldstone.spark.crc.ChecksumJob;
import io.fieldstone.spark.sort.SortJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose tasks fail: after they have written all their output, and when they read again. */
class FaultsTest {

  private static final CodingOptions OPTIONS = new CodingOptions(16, 512, 2, 3, 7);
  private static final RecordLayout RECORDS =
      new RecordLayout(100, 0, new RecordLayout.ByteString(10), Direction.ASCENDING);

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void writeFile() throws IOException {
    byte[] bytes = new byte[100_000];
    new Random(1).nextBytes(bytes);
    file = Files.write(Files.createDirectory(folder.resolve("in")).resolve("file"), bytes);
  }

  private static String flaky(Path path) {
    return "flaky:" + path;
  }

  /** Returns all files in a folder, also those that a job should have deleted. */
  private static TreeSet<String> files(Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return new TreeSet<>(
          files
              .filter(each -> !each.equals(root))
              .map(each -> root.relativize(each).toString())
              .toList());
    }
  }

  @Test
  void codingIsExactAndLeavesOnlyItsResults() throws Exception {
    List<String> flaky =
        LocalSpark.folders(folder, "0", "1", "2").stream().map(each -> "flaky:" + each).toList();
    List<String> plain = LocalSpark.folders(folder, "p0", "p1", "p2");
    EncodeJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(20_000).run(file.toString(), plain);
    EncodeJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(20_000).run(flaky(file), flaky);
    for (int shard = 0; shard < 3; shard++) {
      Path made = folder.resolve(Integer.toString(shard));
      assertThat(files(made)).containsExactly("file.0" + shard + ".fst");
      assertThat(made.resolve("file.0" + shard + ".fst"))
          .hasSameBinaryContentAs(folder.resolve("p" + shard + "/file.0" + shard + ".fst"));
    }
    Files.delete(folder.resolve("1/file.01.fst"));
    RepairJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(20_000).run(flaky);
    assertThat(files(folder.resolve("1"))).containsExactly("file.01.fst");
    assertThat(folder.resolve("1/file.01.fst"))
        .hasSameBinaryContentAs(folder.resolve("p1/file.01.fst"));

    DecodeJob.of(LocalSpark.CONTEXT).withTaskBytes(20_000).run(flaky, flaky(folder.resolve("out")));
    assertThat(files(folder.resolve("out"))).containsExactly("file");
    assertThat(folder.resolve("out/file")).hasSameBinaryContentAs(file);
  }

  /** Several batches for each of two tasks, the second of which fails after its first. */
  private Path largeFile(String name) throws IOException {
    byte[] bytes = new byte[6 << 20];
    new Random(2).nextBytes(bytes);
    return Files.write(folder.resolve(name), bytes);
  }

  @Test
  void aTaskThatFailsAfterSomeRecordsWritesThemAgainToTheSameFile() throws Exception {
    Path torn = largeFile("torn");
    List<String> paths = LocalSpark.folders(folder, "0", "1", "2");
    EncodeJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(3 << 20).run(flaky(torn), paths);
    PlainShards.requireEqual(
        OPTIONS, folder, List.of("torn"), folder, paths, path -> Files.readAllBytes(Path.of(path)));
    for (String path : paths) {
      assertThat(files(Path.of(path))).hasSize(1);
    }
  }

  @Test
  void aJobThatFailsAfterSomeRecordsLeavesNothing() throws Exception {
    Path lost = largeFile("lost");
    List<String> paths = LocalSpark.folders(folder, "0", "1", "2");
    EncodeJob job = EncodeJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(3 << 20);
    assertThatThrownBy(() -> job.run(flaky(lost), paths)).hasMessageContaining("connection reset");
    for (String path : paths) {
      assertThat(files(Path.of(path))).isEmpty();
    }
  }

  @Test
  void sortIsExactAndLeavesOnlyItsResults() throws Exception {
    SortJob job = SortJob.of(LocalSpark.CONTEXT, RECORDS).withTaskBytes(20_000).toOneFile();
    job.run(List.of(flaky(file)), flaky(folder.resolve("flaky")));
    job.run(List.of(file.toString()), folder.resolve("plain").toString());
    assertThat(folder.resolve("flaky")).hasSameBinaryContentAs(folder.resolve("plain"));
    assertThat(files(folder)).containsExactly("flaky", "in", "in/file", "plain");
  }

  @Test
  void checksumsAreExact() throws Exception {
    ChecksumJob job =
        ChecksumJob.of(LocalSpark.CONTEXT, CrcCatalogue.model("CRC-64/XZ")).withTaskBytes(20_000);
    Path torn = Files.copy(file, folder.resolve("torn"));
    assertThat(job.run(List.of(flaky(torn))).getFirst().checksum())
        .isPresent()
        .isEqualTo(job.run(List.of(file.toString())).getFirst().checksum());
  }
}
