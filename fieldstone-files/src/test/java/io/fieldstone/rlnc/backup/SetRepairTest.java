package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.ManifestPage;
import io.fieldstone.rlnc.wire.SetFile;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.SavedMetadata;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Damage of every kind: what is stated as survived is repaired, and more fails cleanly. */
class SetRepairTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");

  @TempDir private Path base;
  private TestSet set = new TestSet(ENGINE, Path.of(""));

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @BeforeEach
  void setUp() {
    set = new TestSet(ENGINE, base);
  }

  private SetManifest protectSome() throws Exception {
    return set.add("a", 5000)
        .add("folder/b", 64 * 10)
        .add("folder/deeper/c", 1)
        .add("empty", 0)
        .add("z", 3001)
        .protect()
        .manifest();
  }

  /**
   * One generation of 8 blocks and 4 of parity, of which six equal ones and two others are lost.
   */
  @Test
  void equalLostBlocksCountOnce() throws Exception {
    byte[] content = new byte[8 * TestSet.K];
    new Random(3).nextBytes(content);
    for (int block = 1; block < 6; block++) {
      System.arraycopy(content, 0, content, block * TestSet.K, TestSet.K);
    }
    set.add("a", content).protect();
    Files.delete(base.resolve("a"));
    requireRepair();
  }

  /** Blocks of one value each need no parity at all. */
  @Test
  void constantLostBlocksDoNotCount() throws Exception {
    byte[] content = new byte[8 * TestSet.K];
    for (int at = 0; at < content.length; at++) {
      content[at] = (byte) (at / TestSet.K + 1);
    }
    SetManifest manifest = set.add("a", content).protect().manifest();
    for (int row = 0; row < manifest.shape().parity(); row++) {
      set.damage(manifest, 8 + row);
    }
    Files.delete(base.resolve("a"));
    requireRepair();
  }

  /** Five different blocks of 8 are more than four of parity, also if the others are equal. */
  @Test
  void moreDifferentLostBlocksThanParityAreLost() throws Exception {
    byte[] content = new byte[8 * TestSet.K];
    new Random(4).nextBytes(content);
    for (int block = 5; block < 8; block++) {
      System.arraycopy(content, 0, content, block * TestSet.K, TestSet.K);
    }
    set.add("a", content).protect();
    Files.delete(base.resolve("a"));
    SetReport report = set.verify();
    assertThat(report.isRestorable()).isFalse();
    assertThat(report.layers().getFirst().needed()).isEqualTo(1);
  }

  /**
   * Of two equal lost blocks in different generations, each counts in its own. A partial repair
   * restores the one, and the next repair copies it to where the other was.
   */
  @Test
  void equalLostBlocksOfDifferentGenerationsNeedTwoRepairs() throws Exception {
    byte[] content = new byte[80 * TestSet.K];
    new Random(5).nextBytes(content);
    System.arraycopy(content, 2 * TestSet.K, content, 13 * TestSet.K, TestSet.K);
    SetManifest manifest = set.add("a", content).protect().manifest();
    assertThat(manifest.shape().generations()).isEqualTo(10);
    for (int block : new int[] {2, 3, 13, 23, 33, 43}) {
      set.damage(manifest, block);
    }
    assertThat(set.verify().isRestorable()).isFalse();
    assertThat(set.repair(true, ProgressListener.NONE).after().isRestorable()).isTrue();
    requireRepair();
  }

  /** Repairs, and checks that the damage was reported before and is gone. */
  private void requireRepair() throws Exception {
    SetReport report = set.verify();
    assertThat(report.isIntact()).isFalse();
    assertThat(report.isRestorable()).isTrue();
    RepairResult result = set.repair();
    assertThat(result.before().lost()).isEqualTo(report.lost());
    assertThat(result.after().isIntact()).isTrue();
    assertThat(set.isAsWritten()).isTrue();
    assertThat(set.verify().isIntact()).isTrue();
  }

  @Test
  void anIntactSetIsLeftAsItIs() throws Exception {
    SetManifest manifest = protectSome();
    Map<String, byte[]> before = TestSet.files(base);
    assertThat(set.verify().isIntact()).isTrue();
    assertThat(set.verify().spare()).isEqualTo(manifest.shape().parity());
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(TestSet.files(base)).usingRecursiveComparison().isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void aBurstOfTheStatedLengthIsRepairedAnywhere(int seed) throws Exception {
    SetShape shape = set.add("film", 64 * 100 - 7).protect().manifest().shape();
    assertThat(shape.generations()).isEqualTo(13);
    Path film = base.resolve("film");
    long length = shape.burstBytes();
    Random random = new Random(seed);
    for (int trial = 0; trial < 4; trial++) {
      long at = random.nextLong(Files.size(film) - length + 1);
      TestSet.invert(film, at, at + length);
      requireRepair();
    }
  }

  @Test
  void aFileOfTheStatedLengthMayBeLost() throws Exception {
    set.add("a", 64 * 60);
    SetShape shape = set.add("b", 64 * 40).protect().manifest().shape();
    assertThat(shape.lostFileBytes()).isEqualTo(64L * 52);
    Files.delete(base.resolve("b"));
    requireRepair();
  }

  /** Any r blocks of each generation, source blocks or parity blocks. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void anyBlocksUpToTheParityOfEachGenerationAreRepaired(int seed) throws Exception {
    SetManifest manifest = protectSome();
    SetShape shape = manifest.shape();
    Random random = new Random(seed);
    for (int generation = 0; generation < shape.generations(); generation++) {
      List<Integer> own = blocksOf(manifest, generation);
      Collections.shuffle(own, random);
      for (int block : own.subList(0, shape.parity())) {
        set.damage(manifest, block);
      }
    }
    assertThat(set.verify().spare()).isNotNegative();
    requireRepair();
  }

  /** Returns the blocks of a generation, the parity last. */
  private static List<Integer> blocksOf(SetManifest manifest, int generation) {
    int sources = manifest.sourceBlocks();
    return IntStream.range(0, sources + manifest.shape().parityBlocks())
        .filter(block ->
            (block < sources ? block : block - sources) % manifest.shape().generations()
                == generation)
        .boxed()
        .collect(Collectors.toList());
  }

  /** One block more than the parity: nothing is written; the rest only if that is asked for. */
  @Test
  void oneBlockMoreFailsAndChangesNothing() throws Exception {
    SetManifest manifest = protectSome();
    int parity = manifest.shape().parity();
    blocksOf(manifest, 3).subList(0, parity + 1).forEach(this::damage);
    blocksOf(manifest, 5).subList(0, parity).forEach(this::damage);
    Files.delete(base.resolve("folder/deeper/c"));
    Map<String, byte[]> before = TestSet.files(base);

    SetReport report = set.verify();
    assertThat(report.isRestorable()).isFalse();
    assertThat(report.unrestorableGenerations()).isEqualTo(1);
    assertThat(report.spare()).isEqualTo(-1);
    assertThatExceptionOfType(NotRestorableException.class)
        .isThrownBy(() -> set.repair())
        .satisfies(e -> assertThat(e.report().lost()).isEqualTo(report.lost()));
    assertThat(TestSet.files(base)).usingRecursiveComparison().isEqualTo(before);

    RepairResult partial = set.repair(true, ProgressListener.NONE);
    assertThat(partial.after().lost()).isEqualTo(parity + 1);
    assertThat(partial.after().files()).allMatch(file -> file.lost() == file.unrestorable());
    assertThat(base.resolve("folder/deeper/c")).exists();
  }

  private void damage(int block) {
    try {
      set.damage(SetVerifier.open(set.parity(), 1).manifest(), block);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void deletedTruncatedExtendedAndEmptiedFilesAreRepaired() throws Exception {
    protectSome();
    Files.delete(base.resolve("empty"));
    Files.delete(base.resolve("folder/deeper/c"));
    Files.delete(base.resolve("folder/deeper"));
    Files.write(base.resolve("a"), new byte[100], StandardOpenOption.APPEND);
    Files.write(base.resolve("z"), Arrays.copyOf(Files.readAllBytes(base.resolve("z")), 2900));
    Files.write(base.resolve("folder/b"), new byte[0]);

    List<Damage> files = set.verify().files();
    assertThat(files.stream().map(Damage::name))
        .containsExactly("a", "empty", "folder/b", "folder/deeper/c", "z");
    assertThat(files.get(0))
        .matches(file -> file.found() == 5100 && file.lost() == 0 && !file.isMissing());
    assertThat(files.get(1)).matches(file -> file.isMissing() && file.blocks() == 0);
    assertThat(files.get(2)).matches(file -> file.lost() == 10 && file.found() == 0);
    assertThat(files.get(4).ranges()).containsExactly(new Damage.Range(45 * 64, 3001));
    requireRepair();
  }

  @Test
  void swappedFilesAreRepaired() throws Exception {
    set.add("a", 64 * 30).add("b", 64 * 4).add("c", 64 * 4).protect();
    Files.move(base.resolve("b"), base.resolve("x"));
    Files.move(base.resolve("c"), base.resolve("b"));
    Files.move(base.resolve("x"), base.resolve("c"));
    SetReport report = set.verify();
    assertThat(report.lost()).isZero();
    assertThat(report.files().get(0).shifts()).containsExactly(new Damage.Shift(0, 256, 0, "c"));
    assertThat(report.files().get(1).shifts()).containsExactly(new Damage.Shift(0, 256, 0, "b"));
    requireRepair();
  }

  /** However large it is. */
  @Test
  void renamedFilesAreFound() throws Exception {
    protectSome();
    set.add("folder/b2", 64 * 10).protect();
    Files.move(base.resolve("a"), base.resolve("folder/other name"));
    Files.move(base.resolve("folder/b"), base.resolve("folder/x"));
    Files.move(base.resolve("folder/b2"), base.resolve("folder/b3"));
    Files.write(base.resolve("unlike"), new byte[5000]);

    SetReport report = set.verify();
    assertThat(report.lost()).isZero();
    assertThat(report.files())
        .extracting(Damage::foundAs)
        .containsExactly("folder/other name", "x", "b3");
    assertThat(report.files()).noneMatch(Damage::isMissing);
    Files.delete(base.resolve("unlike"));
    requireRepair();
  }

  /** A name costs no block, so it does not wait for what is lost for good. */
  @Test
  void renamedFilesGetTheirNamesBackAlsoIfAnotherIsLost() throws Exception {
    set.add("a", 64 * 60).add("folder/b", 64 * 10).protect();
    Files.move(base.resolve("folder/b"), base.resolve("folder/x"));
    Files.delete(base.resolve("a"));

    assertThatExceptionOfType(NotRestorableException.class)
        .isThrownBy(() -> set.repair())
        .satisfies(e -> assertThat(e.renamed()).isEqualTo(1))
        .satisfies(e -> assertThat(e.report().needed()).isEqualTo(60 - 9 * 4));

    assertThat(base.resolve("folder/x")).doesNotExist();
    assertThat(set.verify().files()).extracting(Damage::name).containsExactly("a");
  }

  /** Its intact blocks are copied, so that only the others are restored. */
  @Test
  void aChangedCopyOfALostFileIsLeft() throws Exception {
    protectSome();
    Path copy = base.resolve("folder/copy");
    Files.move(base.resolve("a"), copy);
    TestSet.invert(copy, 700, 701);
    byte[] changed = Files.readAllBytes(copy);
    SetReport report = set.verify();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(report.files()).extracting(Damage::foundAs).containsExactly("folder/copy");

    assertThat(set.repair().after().isIntact()).isTrue();

    assertThat(copy).hasBinaryContent(changed);
    Files.delete(copy);
    assertThat(set.isAsWritten()).isTrue();
  }

  /** The blocks of the file that is not written again are nowhere else. */
  @Test
  void aFileWithBlocksOfOneThatIsNotWrittenIsLeft() throws Exception {
    set.add("a", 64 * 60).add("b", 64 * 10).protect();
    Path a = base.resolve("a");
    Path b = base.resolve("b");
    byte[] content = Files.readAllBytes(a);
    Files.move(a, b, StandardCopyOption.REPLACE_EXISTING);
    Files.createSymbolicLink(a, Path.of("b"));
    assertThat(set.verify().isRestorable()).isFalse();

    assertThat(set.repair(true, ProgressListener.NONE).after().isIntact()).isFalse();
    assertThat(b).hasBinaryContent(content);

    Files.delete(a);
    requireRepair();
  }

  /** In place, made again, and renamed: as protect saw them, although now is later. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void restoredFilesGetBackTheirTimesAndModes() throws Exception {
    set.add("damaged", 64 * 9).add("folder/lost", 64 * 2).add("renamed", 64 * 20);
    Map<String, SavedMetadata> stamps = new TreeMap<>();
    for (String name : List.of("damaged", "folder/lost", "renamed")) {
      Path file = base.resolve(name);
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r----x"));
      Files.setLastModifiedTime(file, FileTime.fromMillis(1_500_000_000_000L + name.length()));
      stamps.put(name, SavedMetadata.of(file));
    }
    set.protect();
    TestSet.invert(base.resolve("damaged"), 3, 4);
    Files.delete(base.resolve("folder/lost"));
    Files.move(base.resolve("renamed"), base.resolve("other"));
    Files.setPosixFilePermissions(
        base.resolve("other"), PosixFilePermissions.fromString("rw-rw-rw-"));
    Files.setLastModifiedTime(base.resolve("other"), FileTime.fromMillis(0));

    requireRepair();

    for (Map.Entry<String, SavedMetadata> each : stamps.entrySet()) {
      assertThat(SavedMetadata.of(base.resolve(each.getKey()))).isEqualTo(each.getValue());
    }
  }

  /** Its owner repairs it: in place where blocks are damaged, and again where they are shifted. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void readOnlyFilesFoldersAndVolumesAreRepaired() throws Exception {
    set.add("folder/damaged", 64 * 9).add("folder/lost", 64).add("folder/shifted", 64 * 9);
    set.protect();
    TestSet.invert(base.resolve("folder/damaged"), 3, 4);
    TestSet.invert(set.parity().resolve("parity.00.fsp"), 5000, 5001);
    Files.delete(set.parity().resolve("parity.02.fsp"));
    Path shifted = base.resolve("folder/shifted");
    byte[] content = Files.readAllBytes(shifted);
    Files.write(shifted, new byte[1]);
    Files.write(shifted, content, StandardOpenOption.APPEND);
    Files.delete(base.resolve("folder/lost"));
    Map<Path, String> modes = new LinkedHashMap<>();
    modes.put(base.resolve("folder/damaged"), "r--r--r--");
    modes.put(shifted, "r--r--r--");
    modes.put(base.resolve("folder"), "r-xr-xr-x");
    modes.put(set.parity().resolve("parity.00.fsp"), "r--r-----");
    modes.put(set.parity(), "r-xr-xr-x");
    for (Map.Entry<Path, String> each : modes.entrySet()) {
      Files.setPosixFilePermissions(
          each.getKey(), PosixFilePermissions.fromString(each.getValue()));
    }
    try {
      requireRepair();

      for (Path folder : List.of(base.resolve("folder"), set.parity())) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
            .isEqualTo("r-xr-xr-x");
      }
      Path volume = set.parity().resolve("parity.00.fsp");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(volume)))
          .isEqualTo("r--r-----");
      // These get the mode that protect saw.
      assertThat(Files.isWritable(base.resolve("folder/damaged"))).isTrue();
      assertThat(SavedMetadata.of(shifted).mode())
          .isEqualTo(SavedMetadata.of(base.resolve("folder/damaged")).mode())
          .isEqualTo(SavedMetadata.of(base.resolve("folder/lost")).mode());
    } finally {
      for (Path folder : List.of(base.resolve("folder"), set.parity())) {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  /** The lost blocks of many ranges are counted; only the first ranges are listed. */
  @Test
  void adjacentBlocksAreOneRange() throws Exception {
    set.add("a", 64 * 40).protect();
    Path file = base.resolve("a");
    TestSet.invert(file, 64, 192);
    for (int block = 4; block < 14; block += 2) {
      TestSet.invert(file, block * 64, block * 64 + 1);
    }
    Damage damage = set.verify().files().getFirst();
    assertThat(damage.lost()).isEqualTo(7);
    assertThat(damage.ranges())
        .hasSize(Damage.MAX_RANGES)
        .startsWith(new Damage.Range(64, 192), new Damage.Range(256, 320));
  }

  @Test
  void allVolumesButOneMayBeLost() throws Exception {
    protectSome();
    Files.delete(set.parity().resolve("parity.00.fsp"));
    Files.delete(set.parity().resolve("parity.02.fsp"));
    SetReport report = set.verify();
    assertThat(report.volumes()).hasSize(2).allMatch(Damage::isMissing);
    Map<String, byte[]> before = TestSet.files(set.parity());
    requireRepair();
    assertThat(TestSet.files(set.parity()))
        .hasSize(3)
        .usingRecursiveComparison()
        .ignoringFields("parity.00.fsp", "parity.02.fsp")
        .isEqualTo(before);
  }

  /** Each volume has an intact copy of another page. */
  @Test
  void intactPagesOfSeveralVolumesFormTheManifest() throws Exception {
    SetManifest manifest = set.add("a", 64 * 500).protect().manifest();
    int pages = ManifestPage.pagesOf(manifest.toBytes().length);
    assertThat(pages).isGreaterThan(3);
    for (int page = 0; page < pages; page++) {
      for (int volume = 0; volume < 3; volume++) {
        if (page % 3 != volume) {
          Path file = set.parity().resolve(ParityLayer.name(0, volume));
          TestSet.invert(file, page * 4096L + 70, page * 4096L + 71);
        }
      }
    }
    TestSet.invert(base.resolve("a"), 0, 700);
    assertThat(set.verify().volumes()).extracting(Damage::damagedPages).doesNotContain(0);
    requireRepair();

    for (int volume = 0; volume < 3; volume++) {
      TestSet.invert(set.parity().resolve(ParityLayer.name(0, volume)), 4096 + 70, 4096 + 71);
    }
    assertThatExceptionOfType(UnreadableSetException.class)
        .isThrownBy(() -> set.verify())
        .withMessage("page 1 of the manifest is damaged in every volume: " + set.parity());
  }

  @Test
  void aVolumeWithoutAnIntactPageIsKnownByItsName() throws Exception {
    SetManifest manifest = set.add("a", 64 * 20).protect().manifest();
    Path volume = set.parity().resolve("parity.01.fsp");
    TestSet.invert(volume, 0, 4096);
    Damage damage = set.verify().volumes().getFirst();
    assertThat(damage.name()).isEqualTo("parity.01.fsp");
    assertThat(damage.damagedPages()).isEqualTo(1);
    assertThat(damage.lost()).isZero();
    assertThat(manifest.shape().rowsOf(1)).isEqualTo(1);
    requireRepair();
  }

  @Test
  void volumesMayHaveOtherNamesAndEachOthers() throws Exception {
    protectSome();
    Path first = set.parity().resolve("parity.00.fsp");
    Path second = set.parity().resolve("parity.01.fsp");
    Path other = set.parity().resolve("other.fsp");
    Files.move(first, other);
    Files.move(second, first);
    Files.move(other, second);
    assertThat(set.verify().isIntact()).isTrue();

    // The first volume is gone now, and the second has its name.
    Files.delete(second);
    requireRepair();
    assertThat(set.parity().resolve("parity.03.fsp")).exists();
  }

  @Test
  void volumesOfOtherSetsAndCopiesAreNamedAndLeft() throws Exception {
    set.add("a", 64 * 20).protect();
    Path stranger = base.resolve("parity/stranger.fsp");
    Path volume = set.parity().resolve("parity.00.fsp");
    Files.copy(volume, stranger);
    set.add("a", 64 * 21);
    Path kept = Files.move(stranger, base.resolve("kept"), StandardCopyOption.REPLACE_EXISTING);
    set.protect();
    Files.delete(base.resolve("kept").resolveSibling("parity/parity.02.fsp"));
    Files.copy(kept, set.parity().resolve("parity.02.fsp"));
    Files.copy(volume, set.parity().resolve("zcopy.fsp"));
    Files.writeString(set.parity().resolve("notes.fsp"), "not a volume");

    SetReport report = set.verify();
    assertThat(report.others().stream().map(path -> path.getFileName().toString()))
        .containsExactlyInAnyOrder("parity.02.fsp", "zcopy.fsp", "notes.fsp");
    assertThat(report.volumes()).singleElement().matches(Damage::isMissing);
    byte[] before = Files.readAllBytes(set.parity().resolve("parity.02.fsp"));
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(set.parity().resolve("parity.02.fsp")).hasBinaryContent(before);
    assertThat(set.parity().resolve("parity.05.fsp")).exists();
  }

  @Test
  void twoSetsWithAsManyVolumesAreRefused() throws Exception {
    set.add("a", 64 * 20).protect();
    Map<String, byte[]> old = TestSet.files(set.parity());
    set.add("a", 64 * 21).protect();
    for (Map.Entry<String, byte[]> volume : old.entrySet()) {
      Files.write(set.parity().resolve("old " + volume.getKey()), volume.getValue());
    }
    assertThatExceptionOfType(UnreadableSetException.class)
        .isThrownBy(() -> set.repair())
        .withMessageContaining("3 volumes each of two sets, such as ")
        .withMessageContaining("old parity.00.fsp");
    Files.delete(set.parity().resolve("old parity.01.fsp"));
    assertThat(set.verify().isIntact()).isTrue();
  }

  @Test
  void theIntactOneOfTwoCopiesOfAVolumeIsTaken() throws Exception {
    set.add("a", 64 * 20).protect();
    Path volume = set.parity().resolve("parity.00.fsp");
    Path copy = Files.copy(volume, set.parity().resolve("copy of parity.00.fsp"));
    try (FileChannel cut = FileChannel.open(copy, StandardOpenOption.WRITE)) {
      cut.truncate(Files.size(copy) - 1);
    }
    SetReport report = set.verify();
    assertThat(report.isIntact()).isTrue();
    assertThat(report.others()).containsExactly(copy);
  }

  @Test
  void aVolumeWithoutReadPermissionIsALostOne() throws Exception {
    protectSome();
    Path volume = set.parity().resolve("parity.01.fsp");
    assertThat(volume.toFile().setReadable(false)).isTrue();
    assumeThat(Files.isReadable(volume)).isFalse(); // root reads all
    SetReport report = set.verify();
    assertThat(report.volumes()).extracting(Damage::problem).containsExactly("permission denied");
    assertThat(report.isRestorable()).isTrue();
    TestSet.invert(base.resolve("a"), 0, 1);
    assertThat(set.repair().after().isIntact()).isFalse();
    assertThat(set.isAsWritten()).isTrue();
    assertThat(volume.toFile().setReadable(true)).isTrue();
    assertThat(set.verify().isIntact()).isTrue();
  }

  @Test
  void theManifestIsReadOnce() throws Exception {
    set.add("a", 64 * 20).protect();
    SetVerifier verifier = SetVerifier.open(set.parity(), 1);
    for (Path volume : ParityFolder.files(set.parity())) {
      Files.delete(volume);
    }

    SetReport report = verifier.verify(base, ProgressListener.NONE);

    assertThat(report.manifest()).isSameAs(verifier.manifest());
    assertThat(report.lost()).isZero();
    assertThat(report.volumes()).hasSize(3).allMatch(Damage::isMissing);
  }

  @Test
  void foldersWithoutASetAreNamed() throws Exception {
    Path folder = Files.createDirectory(base.resolve("folder"));
    assertThatExceptionOfType(UnreadableSetException.class)
        .isThrownBy(() -> SetVerifier.open(folder, 1))
        .withMessage("has no volumes (*.fsp): " + folder);
    Files.write(folder.resolve("parity.00.fsp"), new byte[10_000]);
    assertThatExceptionOfType(UnreadableSetException.class)
        .isThrownBy(() -> SetVerifier.open(folder, 1))
        .withMessage("no page of a manifest is intact in 1 volumes: " + folder);
  }

  /** A link could lead out of the folder: it is neither followed nor replaced. */
  @Test
  void linksAndFoldersInPlaceOfFilesAreNotRestored() throws Exception {
    protectSome();
    Path elsewhere = Files.write(base.resolve("elsewhere"), new byte[10]);
    Files.delete(base.resolve("folder/b"));
    Files.createSymbolicLink(base.resolve("folder/b"), elsewhere);
    Files.delete(base.resolve("empty"));
    Files.createDirectory(base.resolve("empty"));

    SetReport report = set.verify();
    assertThat(report.unrestorableGenerations()).isZero();
    assertThat(report.isRestorable()).isFalse();
    assertThat(report.files()).extracting(Damage::problem).contains("is not a regular file");
    assertThatExceptionOfType(NotRestorableException.class).isThrownBy(() -> set.repair());
    assertThat(set.repair(true, ProgressListener.NONE).after().isIntact()).isFalse();
    assertThat(elsewhere).hasBinaryContent(new byte[10]);
    assertThat(base.resolve("folder/b")).isSymbolicLink();
  }

  /** After a stop at any generation, intact blocks are intact, and the next repair finishes. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 12})
  void aRepairThatStopsLosesNothing(int generations) throws Exception {
    SetManifest manifest = protectSome();
    for (int block = 0; block < manifest.sourceBlocks(); block += 8) {
      set.damage(manifest, block);
    }
    Files.delete(base.resolve("folder/b"));
    int lost = set.verify().lost();
    int[] calls = {0};
    long scanned = 64L * (manifest.sourceBlocks() + manifest.shape().parityBlocks());
    assertThatIllegalStateException()
        .isThrownBy(() ->
            set.repair(
                false,
                (done, total) -> {
                  if (total != scanned && ++calls[0] == generations) {
                    throw new IllegalStateException("stopped");
                  }
                }));
    SetReport stopped = set.verify();
    assertThat(stopped.lost()).isLessThanOrEqualTo(lost);
    assertThat(stopped.isRestorable()).isTrue();
    try (var left = Files.walk(base)) {
      assertThat(left.filter(path -> path.toString().contains(".fieldstone-"))).isEmpty();
    }
    requireRepair();
  }

  @Test
  void aFileThatChangesDuringProtectionIsNoticed() throws Exception {
    set.add("a", 64 * 1000);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() ->
            set.protect((done, total) -> {
              try {
                Files.write(base.resolve("a"), new byte[1], StandardOpenOption.APPEND);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            }))
        .withMessageStartingWith(base.toRealPath().resolve("a") + ": changed from 64000 to 6400")
        .withMessageContaining("while it was read");
    assertThat(set.parity()).doesNotExist();
  }

  /** Some files change or vanish while they are read; the others are protected. */
  @Test
  void filesThatFailAreLeftOutAndNamed() throws Exception {
    set.add("a", 64 * 1000).add("b", 64 * 1000).add("c", 1).add("d", 64 * 1000);
    ProtectionParameters parameters =
        new ProtectionParameters(1, OptionalInt.of(8), OptionalInt.of(64), OptionalInt.empty());
    Selection selection = Selection.of(List.of(base), set.parity());
    ProtectionResult result =
        new Protector(ENGINE, parameters, false, false)
            .protect(
                selection,
                set.parity(),
                (done, total) -> {
                  try {
                    Files.deleteIfExists(base.resolve("a"));
                    Files.write(base.resolve("b"), new byte[5]);
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    assertThat(result.manifest().files()).extracting(SetFile::path).containsExactly("c", "d");
    Path real = base.toRealPath();
    assertThat(result.leftOut())
        .extracting(Selection.LeftOut::file)
        .containsExactly(real + "/a", real + "/b");
    assertThat(set.verify().isIntact()).isTrue();
  }

  /** Four files in one block: only those that are damaged are named and written. */
  @Test
  void filesOfASharedBlockAreRestoredOneByOne() throws Exception {
    set.add("a", 10).add("b", 10).add("c", 10).add("d", 20).add("e", 640);
    ProtectionResult result = set.inVolumes(2).protect();
    assertThat(result.manifest().sourceBlocks()).isEqualTo(11);
    TestSet.invert(base.resolve("b"), 3, 4);
    Files.delete(base.resolve("d"));
    FileTime time = FileTime.fromMillis(1000);
    Files.setLastModifiedTime(base.resolve("a"), time);

    SetReport report = set.verify();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(report.files()).extracting(Damage::name).containsExactly("b", "d");
    requireRepair();
    assertThat(Files.getLastModifiedTime(base.resolve("a"))).isEqualTo(time);

    // A piece is found under another name, and used for the block of a lost one.
    Files.move(base.resolve("a"), base.resolve("other"));
    Files.delete(base.resolve("c"));
    report = set.verify();
    assertThat(report.files()).extracting(Damage::foundAs).containsExactly("other", "");
    requireRepair();
  }

  /** Sets without bytes, of one byte, and of many files smaller than a block. */
  @Test
  void smallSetsAreRepairedFromNothing() throws Exception {
    set.inVolumes(1).add("empty", 0).protect();
    Files.delete(base.resolve("empty"));
    requireRepair();

    set.add("one", 1).protect();
    Files.delete(base.resolve("one"));
    requireRepair();

    List<String> names = new ArrayList<>();
    for (int file = 0; file < 40; file++) {
      names.add("many/%d".formatted(file));
      set.add(names.getLast(), file);
    }
    set.protect();
    Collections.shuffle(names, new Random(1));
    for (String name : names.subList(0, 4)) {
      Files.delete(base.resolve(name));
    }
    requireRepair();
  }

  /** The status is set before the first file is opened, so that reading it closes it. */
  @Test
  void anInterruptionIsReportedAsOne() throws Exception {
    protectSome();
    TestSet.invert(base.resolve("a"), 100, 101);
    Map<String, byte[]> before = TestSet.files(base);
    SetVerifier verifier = SetVerifier.open(set.parity(), 2);
    SetRepairer repairer = SetRepairer.open(ENGINE, set.parity());
    assertInterrupted(() -> verifier.verify(base, ProgressListener.NONE));
    assertInterrupted(() -> repairer.repair(base, false, ProgressListener.NONE));
    assertInterrupted(() -> set.protect());
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(ClosedByInterruptException.class)
        .isThrownBy(() -> SetVerifier.open(set.parity(), 2));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(TestSet.files(base)).usingRecursiveComparison().isEqualTo(before);
  }

  private static void assertInterrupted(ThrowingCallable job) {
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(job);
    assertThat(Thread.interrupted()).isFalse();
  }
}
