package io.fieldstone.spark.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.file.FileDecoder;
import io.fieldstone.spark.JobFailedException;
import io.fieldstone.spark.LocalSpark;
import io.fieldstone.spark.PlainShards;
import io.fieldstone.spark.Problem;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class CodingJobsTest {

  /** Generations of 8 KiB: the largest file has 25, and tasks have eight. */
  private static final CodingOptions OPTIONS = new CodingOptions(16, 512, 2, 3, 7);

  private static final long TASK_BYTES = 64 << 10;

  private static final List<String> NAMES = List.of("large", "empty", "deep/whole", "deep/small");

  @TempDir Path folder;
  private Path source;
  private List<String> paths;

  @BeforeEach
  void writeFiles() throws IOException {
    source = Files.createDirectories(folder.resolve("source/deep")).getParent();
    write("large", 200_001);
    write("deep/whole", 64 << 10);
    write("deep/small", 100);
    write("empty", 0);
    paths = LocalSpark.folders(folder, "one", "two", "three");
  }

  private void write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    Files.write(source.resolve(name), bytes);
  }

  private static EncodeJob encodeJob() {
    return EncodeJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(TASK_BYTES);
  }

  private static DecodeJob decodeJob() {
    return DecodeJob.of(LocalSpark.CONTEXT).withTaskBytes(TASK_BYTES);
  }

  private static RepairJob repairJob() {
    return RepairJob.of(LocalSpark.CONTEXT, OPTIONS).withTaskBytes(TASK_BYTES);
  }

  /** Returns the relative names and the bytes of all files in a folder. */
  private static TreeMap<String, List<Byte>> contents(Path root) throws IOException {
    TreeMap<String, List<Byte>> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        Byte[] boxed = new Byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
          boxed[i] = bytes[i];
        }
        contents.put(root.relativize(file).toString(), List.of(boxed));
      }
    }
    return contents;
  }

  /** Encodes all files with the encoder of the plain command, into one folder. */
  private Path encodePlainly() throws Exception {
    Path plain = folder.resolve("plain");
    PlainShards.encode(OPTIONS, source, NAMES, plain);
    return plain;
  }

  private Path path(int index) {
    return Path.of(paths.get(index));
  }

  @Test
  void shardsHaveTheBytesOfThePlainCommand() throws Exception {
    CodingReport report = encodeJob().run(source.toString(), paths);
    assertThat(report.objects()).isEqualTo(4);
    assertThat(report.written()).hasSize(12);
    requirePlainShards();
    for (int i = 0; i < paths.size(); i++) {
      assertThat(contents(path(i))).hasSize(4);
    }
  }

  private void requirePlainShards() throws Exception {
    PlainShards.requireEqual(
        OPTIONS, source, NAMES, folder, paths, path -> Files.readAllBytes(Path.of(path)));
  }

  /** As on S3: tasks write the ranges of the large file, and then others copy them together. */
  @Test
  void rangesAreCopiedTogetherWhereTheyAreNotSharedOrJoined() throws Exception {
    List<String> copying = paths.stream().map(path -> "copying:" + path).toList();
    encodeJob().run(source.toString(), copying);
    requirePlainShards();
    LocalSpark.delete(path(1));
    repairJob().run(copying);
    requirePlainShards();
    decodeJob().run(copying, "copying:" + folder.resolve("restored"));
    assertThat(contents(folder.resolve("restored"))).isEqualTo(contents(source));
  }

  @Test
  void shardsAreDecodedByThePlainCommandAndTheOtherWayRound() throws Exception {
    encodeJob().run(source.toString(), paths);
    Path decoded = folder.resolve("decoded");
    try (Engine engine = Engine.open("cpu")) {
      new FileDecoder(engine)
          .decode(
              List.of(path(0).resolve("large.00.fst"), path(2).resolve("large.02.fst")),
              decoded,
              ProgressListener.NONE);
    }
    assertThat(decoded).hasSameBinaryContentAs(source.resolve("large"));

    decodeJob().run(List.of(encodePlainly().toString()), folder.resolve("restored").toString());
    assertThat(contents(folder.resolve("restored"))).isEqualTo(contents(source));
  }

  @Test
  void anyTwoOfThreePathsRestoreAllFiles() throws Exception {
    encodeJob().run(source.toString(), paths);
    for (int lost = 0; lost < 3; lost++) {
      Path target = folder.resolve("without" + lost);
      Path moved = folder.resolve("moved");
      Files.move(path(lost), moved);
      decodeJob().run(paths, target.toString());
      Files.move(moved, path(lost));
      assertThat(contents(target)).isEqualTo(contents(source));
    }
  }

  @Test
  void aLostPathIsMadeAgain() throws Exception {
    encodeJob().run(source.toString(), paths);
    TreeMap<String, List<Byte>> before = contents(path(1));
    LocalSpark.delete(path(1));
    CodingReport report = repairJob().run(paths);
    assertThat(report.written()).hasSize(4);
    assertThat(contents(path(1))).isEqualTo(before);
    assertThat(repairJob().run(paths).written()).isEmpty();
  }

  @Test
  void damagedBlocksAreReplacedByThoseOfOtherShards() throws Exception {
    encodeJob().run(source.toString(), paths);
    Path shard = path(0).resolve("large.00.fst");
    byte[] bytes = Files.readAllBytes(shard);
    for (int i = 1000; i < bytes.length / 2; i += 700) {
      bytes[i] ^= 1;
    }
    Files.write(shard, bytes);
    decodeJob().run(paths, folder.resolve("restored").toString());
    assertThat(contents(folder.resolve("restored"))).isEqualTo(contents(source));
  }

  @Test
  void tooFewShardsLeaveNothing() throws Exception {
    encodeJob().run(source.toString(), paths);
    Path target = folder.resolve("restored");
    assertThatThrownBy(() -> decodeJob().run(paths.subList(0, 1), target.toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessageMatching("not enough blocks: (deep/small|deep/whole|large): .*short of rank.*")
        .satisfies(e -> assertThat(Problem.isNotRestorable(e)).isTrue());
    assertThat(contents(target)).isEmpty();
  }

  @Test
  void shardsOfTwoVersionsOfAFileAreRefused() throws Exception {
    encodeJob().run(source.toString(), paths);
    Path old = path(0).resolve("large.00.fst");
    byte[] bytes = Files.readAllBytes(old);
    write("large", 200_002);
    encodeJob().replacing().run(source.toString(), paths);
    Files.write(old, bytes);
    assertThatThrownBy(() -> decodeJob().run(paths, folder.resolve("restored").toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("large.0");
  }

  @Test
  void existingShardsAndFilesAreKept() throws Exception {
    encodeJob().run(source.toString(), paths);
    assertThatThrownBy(() -> encodeJob().run(source.toString(), paths))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("already exists");
    assertThatThrownBy(() -> decodeJob().run(paths, source.toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("already exists");
  }

  @Test
  void aFolderIsNotReplacedByAFile() throws Exception {
    encodeJob().run(source.toString(), paths);
    Path target = folder.resolve("restored");
    Files.createDirectories(target.resolve("large"));
    assertThatThrownBy(() -> decodeJob().replacing().run(paths, target.toString()))
        .isInstanceOf(JobFailedException.class)
        .hasMessage("is a directory: file:" + target.resolve("large"));
    assertThat(contents(target)).isEmpty();
  }

  @Test
  void aPathThatIsAFileIsNamed() throws Exception {
    Path file = Files.writeString(folder.resolve("two"), "a file");
    assertThatThrownBy(() -> encodeJob().run(source.toString(), paths))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("not a directory: file:" + file);
    assertThat(contents(path(0))).isEmpty();
  }

  /** In this folder nobody can create files, not even the user root. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aReadOnlyPathIsNamed() {
    assertThatThrownBy(
            () -> encodeJob().run(source.toString(), List.of(paths.getFirst(), "/proc/sys/user")))
        .satisfies(e ->
            assertThat(Problem.of(e)).isEqualTo("no files can be created in: file:/proc/sys/user"));
    assertThat(path(0)).isEmptyDirectory();
  }

  @Test
  void repairWithOtherOptionsIsRefused() throws Exception {
    encodeJob().run(source.toString(), paths);
    LocalSpark.delete(path(1));
    assertThatThrownBy(
            () -> RepairJob.of(LocalSpark.CONTEXT, new CodingOptions(16, 512, 2, 3, 8)).run(paths))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("was not encoded with");
    assertThat(path(1)).doesNotExist();
  }

  @Test
  void theWorstPathsAreCounted() {
    assertThat(OPTIONS.sufficientPaths(3)).isEqualTo(2);
    assertThat(CodingOptions.DEFAULT.sufficientPaths(3)).isEqualTo(3);
    assertThat(CodingOptions.DEFAULT.sufficientPaths(16)).isEqualTo(11);
  }
}
