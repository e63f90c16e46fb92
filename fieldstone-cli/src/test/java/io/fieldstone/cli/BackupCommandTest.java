package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.rlnc.backup.SetUpdate;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The messages and exit statuses of protect, verify and repair. */
class BackupCommandTest {

  @TempDir private Path temporary;
  private TestFolder folder = new TestFolder(Path.of(""));
  private byte[] film = {};

  /** 256 KiB in 64 blocks, and a letter: one generation of 65 + 7 blocks. */
  @BeforeEach
  void write() throws IOException {
    folder = new TestFolder(temporary.toRealPath());
    film = folder.write("film", 64 * 4096);
    Files.createDirectories(folder.path().resolve("letters"));
    folder.write("letters/one", 100);
  }

  private String protect(String... options) {
    String[] words = {"protect", "./film", "./letters", "-o", "./parity"};
    return folder.succeed(TestFolder.join(words, options)).out();
  }

  private void change(String name, int at) throws IOException {
    byte[] bytes = folder.read(name);
    bytes[at] ^= 1;
    Files.write(folder.path().resolve(name), bytes);
  }

  @Test
  void protectStatesWhatIsSurvived() throws Exception {
    assertThat(protect())
        .contains(
            "2 files of 256.1 KiB, paths from " + folder.path() + "\n",
            "parity/parity.00.fsp … parity.03.fsp: 44.0 KiB, 17.2 % of the files\n",
            "  damage of up to 24.0 KiB in one place\n",
            "  the loss of a file of up to 28.0 KiB\n",
            "  the loss of any 3 of 4 volumes\n")
        .containsPattern("check with: fieldstone verify parity\n");
    assertThat(folder.namesIn("parity")).hasSize(4);
    assertThat(folder.read("film")).isEqualTo(film);
  }

  @Test
  void anUpdateAddsWhatIsNew() throws Exception {
    protect();
    assertThat(folder.succeed("protect", "./film", "./letters", "-o", "./parity", "--update").out())
        .isEqualTo("2 files of 256.1 KiB: nothing to add\n");
    folder.write("letters/two", 5000);
    change("letters/one", 3);
    String[] update = {"protect", "./film", "./letters", "-o", "./parity", "--update"};
    assertThat(folder.succeed(update).out())
        .contains(
            "update 1: 1 new file, 1 changed, 0 deleted;" + " 3 files of 261.0 KiB in all\n",
            "parity/parity.u1.00.fsp: 8.0 KiB of parity for 5.0 KiB\n");
    assertThat(folder.succeed("verify", "./parity").out())
        .contains(
            "3 files of 261.0 KiB, protected by 2 runs\n",
            "  first run: 1 file of 256.0 KiB;"
                + " deleted and changed files use up 14.3 % of its parity\n",
            "  update 1: 2 files of 5.0 KiB\n",
            "all files and all parity are intact\n");
    assertThat(folder.succeed("verify", "./parity", "--parity-only").out())
        .endsWith("all parity is intact; the files were not read\n");
    assertThat(folder.succeed("list", "./parity").out())
        .containsPattern(
            "\\n262,144 +\\S+ +first run +film\\n +100 +\\S+ +update 1 +letters/one\\n")
        .containsPattern("\\nupdate 1 +2 +4.0 KiB +parity.u1.00.fsp\\n")
        .endsWith("\n3 files of 261.0 KiB\n");
    assertThat(folder.succeed("list", "./parity", "-v").out())
        .contains("4.0 KiB: 1 generation of 3 + 1 blocks of 4.0 KiB");
  }

  @Test
  void whatAnUpdateCannotKnowIsSaid() throws Exception {
    protect();
    Files.delete(folder.path().resolve("letters/one"));
    String[] update = {"protect", "./film", "./letters", "-o", "./parity", "--update"};
    RunOf refused = folder.run(update);
    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err())
        .isEqualTo(
            "fieldstone: has none of the 1 files that the set has there; with --force they are"
                + " taken as deleted on purpose: letters\n");
    assertThat(folder.succeed(TestFolder.join(update, "--force")).out())
        .contains("update 1: 0 new files, 0 changed, 1 deleted");
    folder.write("letters/two", 5000);
    folder.succeed(update);
    folder.write("letters/three", 5000);
    folder.succeed(update);
    for (String name : folder.namesIn("parity")) {
      if (name.startsWith("parity.u2.")) {
        Files.delete(folder.path().resolve("parity").resolve(name));
      }
    }
    RunOf missing = folder.run("verify", "./parity");
    assertThat(missing.status()).isEqualTo(3);
    assertThat(missing.out())
        .contains(
            "update 2 has no volumes: 1 file not protected;"
                + " 'fieldstone protect --update' protects it again\n")
        .endsWith("all other files and their parity are intact\n");
    assertThat(missing.err()).startsWith("fieldstone: update 2 has no volumes: 1 file not");
    assertThat(folder.run("repair", "./parity").status()).isEqualTo(3);
    folder.succeed(update);
    folder.succeed("verify", "./parity");
  }

  @Test
  void aSecondUpdateAtTheSameTimeIsRefused() throws Exception {
    protect();
    Path parity = folder.path().resolve("parity");
    try (SetUpdate _ = SetUpdate.open(List.of(folder.path().resolve("letters")), parity, false)) {
      for (String option : new String[] {"--update", "--force"}) {
        RunOf refused = folder.run("protect", "./film", "./letters", "-o", "./parity", option);
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err())
            .isEqualTo(
                "fieldstone: another command writes to this folder now; wait for its end:"
                    + " parity\n");
      }
    }
    assertThat(folder.namesIn("parity")).hasSize(4);
    folder.succeed("verify", "./parity");
  }

  @Test
  void aShareOfMoreThanAskedForIsWarnedOf() throws Exception {
    Files.createDirectories(folder.path().resolve("small"));
    for (int file = 0; file < 500; file++) {
      folder.write("small/file%d".formatted(file), 4);
    }
    RunOf run = folder.run("protect", "./small", "-o", "./parity");
    assertThat(run.status()).isZero();
    assertThat(run.out()).contains("500 files of 2.0 KiB,").doesNotContain("any 0 of", "e+");
    assertThat(run.err())
        .containsPattern(
            "^warning: the parity is [0-9.e+]+ % of the files, not 10.0 %: small files");
  }

  /** A name of bytes that are not text is left out, all others are protected. */
  @Test
  void whatCannotBeProtectedIsNamed() throws Exception {
    for (String name : new String[] {"%FF", "%FE"}) {
      Files.createFile(Path.of(URI.create(folder.path().resolve("letters").toUri() + "/" + name)));
    }
    RunOf strict = folder.run("protect", "./letters", "-o", "./parity", "--strict");
    RunOf run = folder.run("protect", "./letters", "-o", "./parity", "--json");
    assertThat(strict.status()).isEqualTo(1);
    assertThat(strict.err().lines()).hasSize(2).allMatch(line -> line.contains("not protected: "));
    assertThat(run.err()).isEqualTo(strict.err());
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("\"leftOut\"", "letters/\\\\xff", "2 not protected");
    assertThat(folder.succeed("verify", "./parity").out()).startsWith("1 file of 100 B");
  }

  @Test
  void anIntactSetIsVerified() {
    protect("-q");
    assertThat(folder.succeed("verify", "./parity").out())
        .isEqualTo("2 files of 256.1 KiB\n" + "all files and all parity are intact\n");
    assertThat(folder.succeed("repair", "./parity").out()).endsWith("parity are intact\n");
  }

  @Test
  void damageIsNamedAndRepaired() throws Exception {
    protect("-q");
    change("film", 5000);
    Files.delete(folder.path().resolve("letters/one"));
    change("parity/parity.01.fsp", 4096);
    change("parity/parity.02.fsp", 100);

    RunOf found = folder.run("verify", "./parity");
    assertThat(found.status()).isEqualTo(1);
    assertThat(found.out().lines())
        .containsExactly(
            "2 files of 256.1 KiB",
            "",
            "file           state                           lost         of  where",
            "film           damaged                          4.0  256.0 KiB  bytes 4096 … 8191",
            "letters/one    missing                          100      100 B",
            "parity.01.fsp  damaged                          4.0   12.0 KiB  bytes 4096 … 8191",
            "parity.02.fsp  1 page of the manifest damaged   0.0   12.0 KiB",
            "",
            "all can be restored: 8.0 KiB of files and 4.0 KiB of parity are lost; 16.0 KiB more"
                + " may be lost anywhere");
    assertThat(folder.run("verify", "./parity", "--verbose").out())
        .contains("damaged                            1  64 blocks  bytes 4096 … 8191")
        .contains(
            "all can be restored: 2 lost blocks of files and 1 of parity; at least 4 blocks to"
                + " spare");
    RunOf quiet = folder.run("verify", "./parity", "--quiet");
    assertThat(quiet.status()).isEqualTo(1);
    assertThat(quiet.out()).isEmpty();
    assertThat(quiet.err())
        .isEqualTo(
            "fieldstone: 2 files and 2 volumes are damaged or missing; 'fieldstone repair' restores"
                + " all: parity\n");
    assertThat(folder.succeed("repair", "./parity").out())
        .contains("restored 12.0 KiB in ")
        .endsWith("verified: all files and all parity are intact\n");
    assertThat(folder.read("film")).isEqualTo(film);
    assertThat(folder.succeed("verify", "./parity", "--quiet").out()).isEmpty();
  }

  @Test
  void shiftedBytesAreNamedAndRepaired() throws Exception {
    protect("-q");
    ByteArrayOutputStream shifted = new ByteArrayOutputStream();
    shifted.write(film, 0, 5000);
    shifted.write(new byte[8]);
    shifted.write(film, 5000, film.length - 5000);
    Files.write(folder.path().resolve("film"), shifted.toByteArray());

    assertThat(folder.run("verify", "./parity").out())
        .containsPattern(
            "film +8 bytes too long, shifted by \\+8 bytes +4.0  256.0 KiB  bytes 4096 …");
    assertThat(folder.succeed("repair", "./parity").out()).contains("restored 4.0 KiB in ");
    assertThat(folder.read("film")).isEqualTo(film);
  }

  @Test
  void moreDamageThanParityIsAFailure() throws Exception {
    protect("-q");
    for (int block = 0; block < 8; block++) {
      change("film", block * 8192);
    }
    byte[] damaged = folder.read("film");
    for (String command : new String[] {"verify", "repair"}) {
      RunOf run = folder.run(command, "./parity");
      assertThat(run.status()).isEqualTo(3);
      assertThat(run.out())
          .contains("damaged, 32.0 KiB not restorable")
          .contains("and perhaps others\n")
          .endsWith(
              "not all can be restored: 4.0 KiB more are needed, of files or parity; with --also, a"
                  + " folder is searched for them\n");
      assertThat(run.err())
          .isEqualTo(
              "fieldstone: 1 file lost bytes for good, 4.0 KiB more are needed;"
                  + " 'fieldstone repair --partial' restores the rest: parity\n");
    }
    assertThat(folder.read("film")).isEqualTo(damaged);
    RunOf partial = folder.run("repair", "./parity", "--partial");
    assertThat(partial.status()).isEqualTo(3);
    assertThat(partial.err()).doesNotContain("--partial");
    assertThat(partial.out()).contains("restored 0 B");
    assertThat(folder.read("film")).isEqualTo(damaged);
  }

  @Test
  void jsonHasEveryPart() throws Exception {
    JsonNode made = new JsonMapper().readTree(protect("--json"));
    assertThat(made.get("parity").intValue()).isEqualTo(7);
    assertThat(made.get("volumes").size()).isEqualTo(4);
    assertThat(made.get("burstBytes").intValue()).isEqualTo(6 * 4096 + 1);
    change("film", 0);
    Files.write(folder.path().resolve("parity/notes.fsp"), new byte[5]);
    JsonNode state = new JsonMapper().readTree(folder.run("verify", "./parity", "--json").out());
    assertThat(state.get("exit").intValue()).isEqualTo(1);
    assertThat(state.get("neededBlocks").intValue()).isZero();
    assertThat(state.get("isIntact").booleanValue()).isFalse();
    assertThat(state.get("isRestorable").booleanValue()).isTrue();
    assertThat(state.get("damagedFiles").get(0).get("name").stringValue()).isEqualTo("film");
    assertThat(state.get("damagedFiles").get(0).get("ranges").get(0).get("to").intValue())
        .isEqualTo(4096);
    assertThat(state.get("otherFiles").size()).isEqualTo(1);
    JsonNode repaired =
        new JsonMapper().readTree(folder.succeed("repair", "./parity", "--json").out());
    assertThat(repaired.get("before").get("lostBlocks").intValue()).isEqualTo(1);
    assertThat(repaired.get("after").get("isIntact").booleanValue()).isTrue();
  }

  @Test
  void parityElsewhereNeedsTheBase() throws Exception {
    Files.createDirectories(folder.path().resolve("usb/backup"));
    RunOf made = folder.succeed("protect", "./letters", "-o", "./usb/backup/parity");
    assertThat(made.out()).contains("usb/backup/parity --base " + folder.path() + "\n");
    RunOf lost = folder.run("verify", "./usb/backup/parity");
    assertThat(lost.status()).isEqualTo(1);
    assertThat(lost.err())
        .isEqualTo(
            "fieldstone: has none of the files; name their folder with --base, or this one"
                + " if all are lost: usb/backup\n");
    assertThat(folder.succeed("verify", "./usb/backup/parity", "--base", "./").out())
        .endsWith("are intact\n");
    Files.delete(folder.path().resolve("letters/one"));
    assertThat(folder.succeed("repair", "./usb/backup/parity", "--base", "./").out())
        .endsWith("are intact\n");
    assertThat(folder.path().resolve("letters/one")).isRegularFile();
  }

  @Test
  void aSetOfWhichAllFilesAreLostIsRestored() throws Exception {
    folder.succeed("protect", "./film", "-o", "./parity", "--redundancy", "1");
    Files.delete(folder.path().resolve("film"));
    assertThat(folder.run("verify", "./parity", "--base", "./").out())
        .contains("all can be restored");
    folder.succeed("repair", "./parity", "--base", "./");
    assertThat(folder.read("film")).isEqualTo(film);
  }

  @Test
  void aSetWhoseOnlyFileWasRenamedIsRepaired() throws Exception {
    folder.succeed("protect", "./film", "-o", "./parity");
    Files.move(folder.path().resolve("film"), folder.path().resolve("f2"));
    assertThat(folder.run("verify", "./parity").out()).containsPattern("film +found as f2 ");
    folder.succeed("repair", "./parity");
    assertThat(folder.read("film")).isEqualTo(film);
  }

  @Test
  void theBaseIsNamedIfAFolderOfTheSetIsGiven() {
    protect("-q");
    RunOf run = folder.run("verify", "./parity", "--base", "./letters");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            "fieldstone: is inside the folder that the paths of the files start from; give --base "
                + folder.path()
                + ": letters\n");
  }

  @Test
  void furtherFoldersAreSearchedAndNewFilesNamed() throws Exception {
    protect("-q");
    Files.createDirectory(folder.path().resolve("old"));
    Files.move(folder.path().resolve("film"), folder.path().resolve("old/x"));
    for (int i = 1; i < 7; i++) {
      folder.write("letters/new" + i, 10);
    }
    assertThat(folder.run("verify", "./parity").status()).isEqualTo(3);
    RunOf found = folder.run("verify", "./parity", "--also", "./old");
    assertThat(found.status()).isEqualTo(1);
    assertThat(found.out())
        .containsPattern("film +found as old/x ")
        .contains(
            "6 new files not protected: letters/new1, letters/new2, letters/new3, letters/new4"
                + " and 2 others\n");
    folder.succeed("repair", "./parity", "--also", "./old");
    assertThat(folder.read("film")).isEqualTo(film);
    assertThat(folder.read("old/x")).isEqualTo(film);
    assertThat(folder.run("verify", "./parity", "--also", "./none").err())
        .isEqualTo("fieldstone: no such file or directory: none\n");
  }

  @Test
  void whatStandsInThePlaceOfAFileIsNamed() throws Exception {
    protect("-q");
    Files.delete(folder.path().resolve("film"));
    Files.createDirectory(folder.path().resolve("film"));
    RunOf run = folder.run("repair", "./parity");
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo("fieldstone: film cannot be repaired: is not a regular file: parity\n");
  }

  /** Without its description, nothing of a set can be restored. */
  @Test
  void aSetWithoutADescriptionIsNotRestorable() throws Exception {
    protect("-q", "--volumes", "1");
    change("parity/parity.00.fsp", 100);
    RunOf run = folder.run("verify", "./parity", "-q", "--json");
    assertThat(run.status()).isEqualTo(3);
    assertThat(new JsonMapper().readTree(run.out()).get("exit").intValue()).isEqualTo(3);
    assertThat(folder.run("repair", "./parity").status()).isEqualTo(3);
  }

  @Test
  void existingParityIsReplacedByForceOnly() throws Exception {
    protect("-q");
    RunOf again = folder.run("protect", "./film", "-o", "./parity", "--volumes", "1");
    assertThat(again.status()).isEqualTo(1);
    assertThat(again.err())
        .isEqualTo("fieldstone: already exists (--force replaces it): parity/parity.00.fsp\n");
    folder.succeed("protect", "./film", "-o", "./parity", "--volumes", "1", "--force");
    assertThat(folder.namesIn("parity")).containsExactly("parity.00.fsp");
  }

  @Test
  void linksAreNamed() throws Exception {
    Files.createSymbolicLink(folder.path().resolve("letters/link"), Path.of("one"));
    RunOf run = folder.run("protect", "./letters", "-o", "./parity", "--json");
    assertThat(run.status()).isZero();
    assertThat(run.err()).isEqualTo("warning: not protected, not a file: letters/link\n");
    Files.delete(folder.path().resolve("letters/one"));
    Files.createSymbolicLink(folder.path().resolve("letters/one"), Path.of("../film"));
    RunOf repair = folder.run("repair", "./parity", "--partial");
    assertThat(repair.status()).isEqualTo(1);
    assertThat(repair.out()).contains("letters/one  is a symbolic link");
    assertThat(folder.read("film")).isEqualTo(film);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "protect ./film                               | 2 | missing required option:"
            + " '--output=DIR'",
        "protect ./film -o ./p --redundancy 0         | 2 | --redundancy 0.0 is not in (0, 256)",
        "protect ./film -o ./p --generation 256       | 2 | --generation 256 is not in 1…255",
        "protect ./film -o ./p --generation 233       | 2 | generation size 233 is not in 1…232",
        "protect ./film -o ./p --volumes 8            | 2 | --volumes 8 is more than 7: each volume"
            + " needs a parity block of every generation",
        "protect ./film -o ./p --block-size 2M        | 2 | --block-size 2097152 is not in",
        "protect ./film -o ./p --block-size 1 --redundancy 4 | 2 | 262144 source blocks of 1 byte"
            + " and",
        "protect ./none -o ./p                        | 1 | no such file or directory: none",
        "protect ./empty -o ./p                       | 1 | no files to protect: empty",
        "protect ./letters -o ./film                  | 1 | not a directory: film",
        "protect ./empty -o ./p --update              | 1 | no files to protect: empty",
        "protect ./none -o ./p --update               | 1 | no such file or directory: none",
        "list ./letters                               | 1 | has no volumes (*.fsp): letters",
        "verify ./none                                | 1 | no such file or directory: none",
        "verify ./film                                | 1 | not a directory: film",
        "verify ./letters                             | 1 | has no volumes (*.fsp): letters",
        "repair ./letters                             | 1 | has no volumes (*.fsp): letters",
        "verify ./letters --base ./none               | 1 | no such file or directory: none",
      })
  void mistakesAreNamed(String line, int status, String problem) throws Exception {
    Files.createDirectory(folder.path().resolve("empty"));
    RunOf run = folder.run(line.strip().split(" +"));
    assertThat(run.err()).startsWith("fieldstone: " + problem.strip());
    assertThat(run.status()).isEqualTo(status);
    assertThat(folder.path().resolve("p")).doesNotExist();
  }
}
