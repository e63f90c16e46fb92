package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Checks how commands replace output files. */
@EnabledOnOs(OS.LINUX)
class OutputTest {

  private static final RunOf SILENT = new RunOf(0, "", "");

  @TempDir Path directory;

  private TestFolder folder;

  @BeforeEach
  void makeFolder() {
    folder = new TestFolder(directory);
  }

  private Path path(String name) {
    return directory.resolve(name);
  }

  @Test
  void aSortedFileKeepsItsModeAndLinksStay() throws Exception {
    folder.write("keys", 4000);
    Path keys = path("keys");
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    Files.createSymbolicLink(path("link"), keys);

    assertThat(folder.run("sort", "./link", "-o", "./link", "--type", "u32", "-q"))
        .isEqualTo(SILENT);
    assertThat(folder.run("sort", "./keys", "--check", "--type", "u32", "-q")).isEqualTo(SILENT);

    assertThat(path("link")).isSymbolicLink();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keys)))
        .isEqualTo("rw-------");
    assertThat(folder.namesIn(".")).containsExactly("keys", "link");
  }

  @Test
  void codingCommandsReplaceWithForceOnly() throws Exception {
    folder.write("file", 50_000);
    folder.encode("file", "shards", "--shards", "6");
    byte[] shard = folder.read("shards/file.00.fst");
    byte[] content = folder.write("file", 40_000);

    assertThat(folder.run("encode", "./file", "-o", "./shards", "--shards", "4", "-q"))
        .isEqualTo(
            new RunOf(
                1, "", "fieldstone: already exists (--force replaces it): shards/file.00.fst\n"));
    assertThat(path("shards/file.00.fst")).hasBinaryContent(shard);

    Files.writeString(path("shards/file.note"), "another file");
    Files.writeString(path("shards/file.x.00.fst"), "another name");
    folder.encode("file", "shards", "--shards", "4", "--force");
    assertThat(folder.namesIn("shards"))
        .containsExactly(
            "file.00.fst",
            "file.01.fst",
            "file.02.fst",
            "file.03.fst",
            "file.note",
            "file.x.00.fst");

    for (String command : List.of("decode", "recode")) {
      Files.writeString(path("out"), "mine");
      assertThat(onShards(command, "-o", "./out", "-q"))
          .isEqualTo(new RunOf(1, "", "fieldstone: already exists (--force replaces it): out\n"));
      assertThat(path("out")).hasContent("mine");
      assertThat(onShards(command, "-o", "./out", "-q", "--force")).isEqualTo(SILENT);
    }
    assertThat(onShards("decode", "-o", "./copy", "-q")).isEqualTo(SILENT);
    assertThat(path("copy")).hasBinaryContent(content);
  }

  private RunOf onShards(String command, String... options) {
    List<String> words = new ArrayList<>(List.of(command));
    for (int shard = 0; shard < 4; shard++) {
      words.add("./shards/file.0%d.fst".formatted(shard));
    }
    words.addAll(List.of(options));
    return folder.run(words.toArray(String[]::new));
  }

  /** A stale shard counts even if no new shard would replace it. */
  @Test
  void aShardOfANumberThatIsNotMadeIsNotLeftAmongNewOnes() throws Exception {
    folder.write("file", 5000);
    Files.createDirectory(path("shards"));
    Files.writeString(path("shards/file.17.fst"), "of an older run");

    assertThat(folder.run("encode", "./file", "-o", "./shards", "-q").err())
        .contains("exists")
        .contains("file.17.fst");
    assertThat(folder.namesIn("shards")).containsExactly("file.17.fst");
  }

  @Test
  void aDirectoryInTheWayOfAShardStopsThemAll() throws Exception {
    folder.write("file", 50_000);
    folder.encode("file", "shards", "--shards", "6");
    Files.delete(path("shards/file.04.fst"));
    Files.createDirectory(path("shards/file.04.fst"));
    List<byte[]> before = otherShards();

    RunOf run =
        folder.run(
            "encode", "./file", "-o", "./shards", "--shards", "6", "--seed", "2", "--force", "-q");

    assertThat(run).isEqualTo(new RunOf(1, "", "fieldstone: is a directory: shards/file.04.fst\n"));
    List<byte[]> after = otherShards();
    for (int i = 0; i < before.size(); i++) {
      assertThat(after.get(i)).isEqualTo(before.get(i));
    }
    assertThat(folder.namesIn("shards")).hasSize(6);
  }

  private List<byte[]> otherShards() throws IOException {
    List<byte[]> shards = new ArrayList<>();
    for (int shard : new int[] {0, 1, 2, 3, 5}) {
      shards.add(folder.read("shards/file.0%d.fst".formatted(shard)));
    }
    return shards;
  }

  /** Reading the sparse file to its end would take hours. */
  @Test
  void shardsThatDoNotFitAreRefusedBeforeTheWork() throws Exception {
    assumeThat(makeSparseFile(8L << 40)).as("sparse files of 8 TiB").isTrue();

    RunOf run = folder.run("encode", "./huge", "-o", "./shards", "--block-size", "64K", "-q");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).matches("fieldstone: [0-9]+ bytes are needed, [0-9]+ are free: [^\n]+\n");
    assertThat(path("shards")).doesNotExist();
  }

  private boolean makeSparseFile(long length) {
    try (RandomAccessFile file = new RandomAccessFile(path("huge").toFile(), "rw")) {
      file.setLength(length);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
