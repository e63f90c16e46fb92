package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of a set, its shape, and the volumes that it replaces. */
class SelectionTest {

  @TempDir private Path temporary;
  private Path root = Path.of("");

  @BeforeEach
  void write() throws IOException {
    root = temporary.toRealPath();
    for (String path : List.of("photos/b", "photos/a/x", "letters/l", "tax")) {
      Path file = root.resolve(path);
      Files.createDirectories(file.getParent());
      Files.writeString(file, path);
    }
  }

  private List<String> paths(Selection selection) {
    return selection.files().stream().map(SetFile::path).toList();
  }

  @Test
  void pathsStartFromTheFolderThatContainsTheParity() throws IOException {
    Selection selection =
        Selection.of(List.of(root.resolve("tax"), root.resolve("photos")), root.resolve("parity"));
    assertThat(selection.base()).isEqualTo(root);
    assertThat(paths(selection)).containsExactly("photos/a/x", "photos/b", "tax");
    assertThat(selection.files().getLast().length()).isEqualTo(3);

    Selection inside = Selection.of(List.of(root), root.resolve("new"));
    assertThat(inside.base()).isEqualTo(root);
    assertThat(inside.files()).hasSize(4);

    Path elsewhere = root.resolve("letters/parity");
    Selection common =
        Selection.of(List.of(root.resolve("photos/a"), root.resolve("tax")), elsewhere);
    assertThat(common.base()).isEqualTo(root);
    Selection one = Selection.of(List.of(root.resolve("photos/a")), elsewhere);
    assertThat(one.base()).isEqualTo(root.resolve("photos"));
    assertThat(paths(one)).containsExactly("a/x");
  }

  @Test
  void theParityIsNotPartOfTheSetAndNoFileIsTwice() throws IOException {
    Files.createDirectory(root.resolve("parity"));
    Files.writeString(root.resolve("parity/parity.00.fsp"), "old");
    Selection selection =
        Selection.of(
            List.of(root, root.resolve("photos"), root.resolve("tax")), root.resolve("parity"));
    assertThat(paths(selection)).containsExactly("letters/l", "photos/a/x", "photos/b", "tax");
  }

  @Test
  void linksInFoldersAreNamedAndGivenOnesFollowed() throws IOException {
    Path link = Files.createSymbolicLink(root.resolve("photos/link"), root.resolve("tax"));
    Selection folder = Selection.of(List.of(root.resolve("photos")), root.resolve("parity"));
    assertThat(folder.skipped()).containsExactly(link);
    assertThat(paths(folder)).containsExactly("photos/a/x", "photos/b");
    assertThat(paths(Selection.of(List.of(link), root.resolve("parity")))).containsExactly("tax");
  }

  @Test
  void missingFilesAreRefused() {
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Selection.of(List.of(root.resolve("none")), root.resolve("parity")));
  }

  @Test
  void namesMayHaveAnyCharacters() throws Exception {
    for (String name :
        List.of("system-a\\x2db.slice", "tab\t", "a\nb\r", "\u001B[1m", "\u007F\u0085")) {
      Files.writeString(root.resolve("photos").resolve(name), name);
    }
    Path parity = root.resolve("parity");
    Selection selection = Selection.of(List.of(root), parity);
    assertThat(selection.leftOut()).isEmpty();
    assertThat(selection.files()).hasSize(9);
    try (Engine engine = Engine.open("cpu:scalar")) {
      new Protector(engine, parameters(1, 0, 0), false)
          .protect(selection, parity, ProgressListener.NONE);
      Files.delete(root.resolve("photos/tab\t"));
      Files.delete(root.resolve("photos/system-a\\x2db.slice"));
      SetRepairer.open(engine, parity).repair(root, false, ProgressListener.NONE);
    }
    assertThat(root.resolve("photos/tab\t")).hasContent("tab\t");
    assertThat(root.resolve("photos/system-a\\x2db.slice")).hasContent("system-a\\x2db.slice");
  }

  @Test
  void namesThatAreNotTextAreLeftOutAndNamed() throws IOException {
    Files.createFile(Path.of(URI.create(root.resolve("photos/a").toUri() + "%FF")));
    Files.createDirectory(Path.of(URI.create(root.resolve("photos").toUri() + "/%FE")));
    Selection selection = Selection.of(List.of(root), root.resolve("parity"));
    assertThat(selection.files()).hasSize(4);
    assertThat(selection.leftOut())
        .extracting(Selection.LeftOut::file)
        .containsExactlyInAnyOrder(root + "/photos/a/\\xff", root + "/photos/\\xfe");
    assertThat(selection.leftOut().getFirst().reason())
        .startsWith("name is not valid in the encoding");
  }

  /** Files of the kernel state the size 0, with which a set would not have their content. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void aFileOfSizeZeroWithContentIsLeftOut() throws IOException {
    Selection selection = Selection.of(List.of(Path.of("/proc/version")), root.resolve("parity"));
    assertThat(selection.files()).isEmpty();
    assertThat(selection.leftOut())
        .containsExactly(
            new Selection.LeftOut("/proc/version", "has more bytes than its size, which is 0"));
  }

  private static ProtectionParameters parameters(double redundancy, int generation, int volumes) {
    return new ProtectionParameters(
        redundancy,
        generation == 0 ? OptionalInt.empty() : OptionalInt.of(generation),
        OptionalInt.empty(),
        volumes == 0 ? OptionalInt.empty() : OptionalInt.of(volumes));
  }

  /** The block size grows with the set; generations are as large as the code allows, and equal. */
  @ParameterizedTest
  @CsvSource({
    "0.1,          1,    4096,   1,   1,   1, 1",
    "0.1,     900000,    8192, 110,  11,   1, 4",
    "0.1,  100000000,   16384, 227,  23,  27, 4",
    "0.1,  1000000000,   65536, 228,  23, 67, 4",
    "0.1, 20000000000,  524288, 230,  23, 166, 4",
    "1,      4096000,    4096, 125, 125,   8, 4",
    "200,      12288,    4096,   1, 200,   3, 4",
  })
  void shapesFollowTheSize(
      double redundancy, long length, int k, int n, int parity, int generations, int volumes) {
    SetShape shape = parameters(redundancy, 0, 0).shape(List.of(new SetFile("a", length)));
    assertThat(shape).isEqualTo(new SetShape(k, n, parity, generations, volumes));
  }

  @Test
  void parametersThatDoNotFitAreNamed() {
    List<SetFile> files = List.of(new SetFile("a", 1_000_000));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters(0, 0, 0))
        .withMessage("redundancy 0.0 is not in (0, 256)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters(0.5, 171, 0).shape(files))
        .withMessage("generation size 171 is not in 1…170, with redundancy 0.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parameters(0.1, 10, 2).shape(files))
        .withMessage(
            "volumes 2 is more than 1: each volume needs a parity block of every generation");
    ProtectionParameters tiny =
        new ProtectionParameters(0.1, OptionalInt.empty(), OptionalInt.of(1), OptionalInt.empty());
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tiny.shape(List.of(new SetFile("a", 1 << 20))))
        .withMessageContaining("more than 1048576 blocks");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new ProtectionParameters(
                    1, OptionalInt.empty(), OptionalInt.of(1 << 21), OptionalInt.empty())
                .shape(files))
        .withMessage("block size 2097152 is not in 1…1048576");
  }

  @Test
  void volumesAreReplacedTogetherOrNotAtAll() throws Exception {
    Path parity = root.resolve("parity");
    Selection selection = Selection.of(List.of(root.resolve("photos")), parity);
    try (Engine engine = Engine.open("cpu:scalar")) {
      new Protector(engine, parameters(3, 0, 3), false)
          .protect(selection, parity, ProgressListener.NONE);
      assertThat(ParityFolder.files(parity)).hasSize(3);
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() ->
              new Protector(engine, parameters(1, 0, 1), false)
                  .protect(selection, parity, ProgressListener.NONE));
      assertThat(ParityFolder.files(parity)).hasSize(3);
      new Protector(engine, parameters(1, 0, 1), true)
          .protect(selection, parity, ProgressListener.NONE);
      assertThat(ParityFolder.files(parity)).containsExactly(parity.resolve("parity.00.fsp"));
    }
  }
}
