package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are not at their places: where they are searched for, and when a base is refused. */
class RenamedFilesTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @TempDir private Path temporary;
  private Path base = Path.of("");
  private Path elsewhere = Path.of("");
  private TestSet set = new TestSet(ENGINE, Path.of(""));

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @BeforeEach
  void setUp() throws Exception {
    base = Files.createDirectory(temporary.resolve("base"));
    elsewhere = Files.createDirectory(temporary.resolve("elsewhere"));
    set = new TestSet(ENGINE, base);
  }

  private SetReport verify(SetPlaces places) throws Exception {
    return SetVerifier.open(set.parity(), 2).verify(places, ProgressListener.NONE);
  }

  private SetReport repair(SetPlaces places) throws Exception {
    return SetRepairer.open(ENGINE, set.parity())
        .repair(places, false, ProgressListener.NONE)
        .after();
  }

  private SetPlaces unsure(Path folder, Path... also) {
    return new SetPlaces(folder, List.of(also), false);
  }

  @Test
  void aSetWhoseOnlyFileWasRenamedIsFound() throws Exception {
    set.add("film", 64 * 50).protect();
    Files.move(base.resolve("film"), base.resolve("film 2"));
    assertThat(verify(unsure(base)).files()).extracting(Damage::foundAs).containsExactly("film 2");
    assertThat(repair(unsure(base)).isIntact()).isTrue();
    assertThat(set.isAsWritten()).isTrue();
  }

  /** Its files are searched in the whole base, and the folder that becomes empty is removed. */
  @Test
  void aRenamedFolderIsFound() throws Exception {
    set.add("photos/2024/a", 64 * 30).add("photos/b", 64 * 20).protect();
    Files.move(base.resolve("photos"), base.resolve("pictures"));
    assertThat(verify(unsure(base)).files())
        .extracting(Damage::foundAs)
        .containsExactly("pictures/2024/a", "pictures/b");
    assertThat(repair(unsure(base)).isIntact()).isTrue();
    assertThat(set.isAsWritten()).isTrue();
    assertThat(base.resolve("pictures")).doesNotExist();
  }

  /** If no folder of the set is missing, other folders may have copies, which are not moved. */
  @Test
  void copiesInOtherFoldersAreNotSearched() throws Exception {
    set.add("photos/a", 64 * 3).add("photos/b", 64 * 20).protect();
    Path copy = Files.createDirectory(base.resolve("copies")).resolve("a");
    Files.move(base.resolve("photos/a"), copy);
    assertThat(verify(unsure(base)).files()).allMatch(Damage::isMissing);
    assertThat(repair(unsure(base)).isIntact()).isTrue();
    assertThat(copy).hasSameBinaryContentAs(base.resolve("photos/a"));
  }

  @Test
  void theParentIsNamedIfAFolderOfTheSetIsGivenAsBase() throws Exception {
    set.add("photos/2024/a", 64 * 30).add("photos/b", 64 * 20).protect();
    for (SetPlaces places :
        List.of(
            SetPlaces.of(base.resolve("photos")),
            SetPlaces.of(base.resolve("photos/2024")),
            unsure(base.resolve("photos")))) {
      Map<String, byte[]> before = TestSet.files(base);
      assertThatExceptionOfType(NoFilesException.class)
          .isThrownBy(() -> verify(places))
          .satisfies(e -> assertThat(e.parent()).isEqualTo(Optional.of(base)));
      assertThatExceptionOfType(NoFilesException.class).isThrownBy(() -> repair(places));
      assertThat(TestSet.files(base)).usingRecursiveComparison().isEqualTo(before);
    }
  }

  /** Only a user can know that all is lost. */
  @Test
  void aBaseWithoutFilesMustBeGiven() throws Exception {
    set.inVolumes(1).add("photos/a", 64).add("photos/b", 0).protect();
    Path other = Files.createDirectory(temporary.resolve("other"));
    assertThatExceptionOfType(NoFilesException.class)
        .isThrownBy(() -> verify(unsure(other)))
        .satisfies(e -> assertThat(e.parent()).isEmpty());
    assertThat(repair(SetPlaces.of(other)).isIntact()).isTrue();
    assertThat(other.resolve("photos/a")).hasSameBinaryContentAs(base.resolve("photos/a"));
  }

  @Test
  void filesInFurtherFoldersAreCopied() throws Exception {
    set.add("photos/a", 64 * 60).add("photos/b", 64 * 2).protect();
    Path moved = Files.createDirectory(elsewhere.resolve("deep")).resolve("x");
    Files.move(base.resolve("photos/a"), moved);
    SetPlaces places = unsure(base, elsewhere);
    assertThat(verify(places).files())
        .extracting(Damage::foundAs)
        .containsExactly(moved.toString());
    assertThat(repair(places).isIntact()).isTrue();
    assertThat(set.isAsWritten()).isTrue();
    assertThat(moved).hasSameBinaryContentAs(base.resolve("photos/a"));
  }

  /** One file in two parts, and two behind each other in one. */
  @Test
  void splitAndJoinedFilesAreFoundInFurtherFolders() throws Exception {
    set.add("a", 64 * 40).add("b", 64 * 20).add("c", 64 * 20 + 5).protect();
    byte[] a = Files.readAllBytes(base.resolve("a"));
    Files.write(elsewhere.resolve("a.1"), Arrays.copyOf(a, 64 * 15));
    Files.write(elsewhere.resolve("a.2"), Arrays.copyOfRange(a, 64 * 15, a.length));
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    joined.write(new byte[100]);
    joined.write(Files.readAllBytes(base.resolve("b")));
    joined.write(Files.readAllBytes(base.resolve("c")));
    Files.write(elsewhere.resolve("joined"), joined.toByteArray());
    for (String name : List.of("a", "b", "c")) {
      Files.delete(base.resolve(name));
    }
    Map<String, byte[]> left = TestSet.files(elsewhere);
    SetPlaces places = new SetPlaces(base, List.of(elsewhere), true);

    SetReport report = verify(places);
    assertThat(report.lost()).isZero();
    assertThat(report.files().getFirst().shifts())
        .extracting(Damage.Shift::in)
        .containsExactly(elsewhere.resolve("a.1").toString(), elsewhere.resolve("a.2").toString());
    assertThat(repair(places).isIntact()).isTrue();

    assertThat(set.isAsWritten()).isTrue();
    assertThat(TestSet.files(elsewhere)).usingRecursiveComparison().isEqualTo(left);
  }

  /** A folder that has other files, too, such as that of the user, is not searched for new ones. */
  @Test
  void newFilesInTheFoldersOfTheSetAreNamed() throws Exception {
    set.add("photos/2024/a", 64).add("photos/2023/b", 640).add("letter", 64).protect();
    Files.write(base.resolve("other"), new byte[1]);
    Files.createDirectories(base.resolve("others/2025"));
    Files.write(base.resolve("others/2025/x"), new byte[1]);
    assertThat(verify(unsure(base)).added()).isEmpty();
    Files.createDirectories(base.resolve("photos/2025"));
    Files.write(base.resolve("photos/2025/c"), new byte[1]);
    Files.write(base.resolve("photos/2024/d"), new byte[1]);
    SetReport report = verify(unsure(base));
    assertThat(report.added()).containsExactly("photos/2024/d", "photos/2025/c");
    assertThat(report.isIntact()).isTrue();
  }
}
