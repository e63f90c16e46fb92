package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetLayout;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.rlnc.wire.SetShape;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sets that grow: layers, deleted and changed files, and what is restored in the end. */
class SetUpdateTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final int K = 64;

  private static final ProtectionParameters PARAMETERS =
      new ProtectionParameters(0.5, OptionalInt.of(8), OptionalInt.of(K), OptionalInt.empty());

  @TempDir private Path base;
  private Path parity = Path.of("");

  /** The files as the set must restore them. */
  private final Map<String, byte[]> contents = new TreeMap<>();

  private long clock = 1_000_000;

  @AfterAll
  static void close() {
    ENGINE.close();
  }

  @BeforeEach
  void setUp() {
    parity = base.resolve("parity");
  }

  private void write(String path, byte[] content) throws IOException {
    Path file = base.resolve("files").resolve(path);
    Files.createDirectories(file.getParent());
    Files.write(file, content);
    Files.setLastModifiedTime(file, FileTime.fromMillis(clock++));
    contents.put("files/" + path, content);
  }

  private void add(String path, int length, long seed) throws IOException {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    write(path, content);
  }

  private void delete(String path) throws IOException {
    Files.delete(base.resolve(path));
    contents.remove(path);
  }

  private SetUpdate.Result update(boolean isForced) throws Exception {
    try (SetUpdate update = open(isForced)) {
      return update.run(ENGINE, PARAMETERS, true, ProgressListener.NONE);
    }
  }

  private SetUpdate.Result update(boolean isStrict, ProgressListener listener) throws Exception {
    try (SetUpdate update = open(false)) {
      return update.run(ENGINE, PARAMETERS, isStrict, listener);
    }
  }

  private SetUpdate open(boolean isForced) throws IOException {
    return SetUpdate.open(List.of(base.resolve("files")), parity, isForced);
  }

  private SetUpdate.Result update() throws Exception {
    return update(false);
  }

  private SetReport verify() throws Exception {
    return SetVerifier.open(parity, 2).verify(base, ProgressListener.NONE);
  }

  private RepairResult repair() throws Exception {
    return SetRepairer.open(ENGINE, parity).repair(base, false, ProgressListener.NONE);
  }

  private void requireAsWritten() throws IOException {
    Map<String, byte[]> found = TestSet.files(base);
    found.keySet().removeIf(path -> path.startsWith("parity/"));
    assertThat(found.keySet()).isEqualTo(contents.keySet());
    found.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(contents.get(path)));
  }

  private Map<String, byte[]> volumes() throws IOException {
    return TestSet.files(parity);
  }

  @Test
  void oldVolumesStayAsTheyAre() throws Exception {
    add("a", 64 * 40, 1);
    update();
    Map<String, byte[]> before = volumes();
    add("b", 64 * 20, 2);
    SetUpdate.Result result = update();
    assertThat(result.newFiles()).isEqualTo(1);
    assertThat(result.files()).isEqualTo(2);
    assertThat(result.bytes()).isEqualTo(64 * 60);
    Map<String, byte[]> after = volumes();
    assertThat(after.keySet()).contains("parity.u1.00.fsp").hasSizeGreaterThan(before.size());
    after.keySet().retainAll(before.keySet());
    assertThat(after).usingRecursiveComparison().isEqualTo(before);
    assertThat(verify().isIntact()).isTrue();
    assertThat(verify().added()).isEmpty();
    assertThat(update().protection()).isEmpty();

    TestSet.invert(base.resolve("files/a"), 100, 101);
    TestSet.invert(base.resolve("files/b"), 100, 101);
    Files.delete(parity.resolve("parity.u1.01.fsp"));
    assertThat(verify().lost()).isEqualTo(2);
    assertThat(repair().after().isIntact()).isTrue();
    requireAsWritten();
  }

  /** A deleted file uses up parity of its layer; others of the layer are still restored. */
  @Test
  void deletedFilesAreNoDamageAndUseUpParity() throws Exception {
    add("a", 64 * 80, 1);
    add("b", 64 * 14, 2);
    update();
    delete("files/b");
    assertThat(verify().isIntact()).isFalse();
    SetUpdate.Result result = update();
    assertThat(result.goneFiles()).isEqualTo(1);
    SetReport report = verify();
    assertThat(report.isIntact()).isTrue();
    LayerReport first = report.layers().getFirst();
    assertThat(first.used()).isEqualTo(2);
    assertThat(first.spare()).isEqualTo(first.manifest().shape().parity() - 2);
    TestSet.invert(base.resolve("files/a"), 0, 64L * 20);
    assertThat(repair().after().isIntact()).isTrue();
    requireAsWritten();
  }

  /** More than half of the parity of a generation is used up: the others are protected again. */
  @Test
  void aLayerThatBecameTooWeakIsReplaced() throws Exception {
    add("a", 64 * 60, 1);
    add("b", 64 * 40, 2);
    update();
    delete("files/b");
    SetUpdate.Result result = update();
    assertThat(result.againFiles()).isEqualTo(1);
    assertThat(volumes().keySet()).allMatch(name -> name.startsWith("parity.u1."));
    assertThat(verify().layers()).hasSize(1);
    TestSet.invert(base.resolve("files/a"), 0, 64L * 20);
    assertThat(repair().after().isIntact()).isTrue();
    requireAsWritten();
  }

  /** What is damaged is not protected again as it is. */
  @Test
  void aDamagedFileOfAWeakLayerKeepsItsLayer() throws Exception {
    add("a", 64 * 60, 1);
    add("b", 64 * 30, 2);
    update();
    FileTime time = Files.getLastModifiedTime(base.resolve("files/a"));
    TestSet.invert(base.resolve("files/a"), 70, 71);
    Files.setLastModifiedTime(base.resolve("files/a"), time);
    delete("files/b");
    SetUpdate.Result result = update();
    assertThat(result.damaged()).extracting(Damage::name).containsExactly("files/a");
    assertThat(result.againFiles()).isZero();
    repair();
    requireAsWritten();
    assertThat(update().againFiles()).isEqualTo(1);
    assertThat(verify().isIntact()).isTrue();
  }

  @Test
  void aChangedFileIsRestoredAsItIsNow() throws Exception {
    add("a", 64 * 60, 1);
    add("b", 64 * 10, 2);
    update();
    add("b", 64 * 12, 3);
    assertThat(update().changedFiles()).isEqualTo(1);
    assertThat(verify().isIntact()).isTrue();
    TestSet.invert(base.resolve("files/b"), 64, 65);
    repair();
    requireAsWritten();
  }

  /** All volumes of an update in the middle are lost: its files are named, and added again. */
  @Test
  void aMissingUpdateInTheMiddle() throws Exception {
    add("a", 64 * 60, 1);
    update();
    add("b", 64 * 10, 2);
    update();
    add("c", 64 * 10, 3);
    update();
    for (String name : volumes().keySet()) {
      if (name.startsWith("parity.u1.")) {
        Files.delete(parity.resolve(name));
      }
    }
    SetReport report = verify();
    assertThat(report.missing()).containsExactly(new SetReport.MissingLayer(1, 1, false));
    assertThat(report.added()).containsExactly("files/b");
    assertThat(report.isIntact()).isFalse();
    assertThat(repair().after().missing()).hasSize(1);
    assertThat(update().newFiles()).isEqualTo(1);
    assertThat(verify().isIntact()).isTrue();
    assertThat(update().protection()).isEmpty();
  }

  /** Without the newest update, the set is as it was before. */
  @Test
  void aSetOfAnOlderUpdate() throws Exception {
    add("a", 64 * 60, 1);
    update();
    add("b", 64 * 10, 2);
    update();
    for (String name : volumes().keySet()) {
      if (name.startsWith("parity.u1.")) {
        Files.delete(parity.resolve(name));
      }
    }
    assertThat(verify().isIntact()).isTrue();
    assertThat(verify().added()).containsExactly("files/b");
    assertThat(update().newFiles()).isEqualTo(1);
  }

  @Test
  void theManifestOfTheNewestUpdateIsDamagedInEveryVolume() throws Exception {
    add("a", 64 * 60, 1);
    update();
    add("b", 64 * 10, 2);
    update();
    for (String name : volumes().keySet()) {
      if (name.startsWith("parity.u1.")) {
        TestSet.invert(parity.resolve(name), 100, 101);
      }
    }
    assertThatExceptionOfType(UnreadableSetException.class)
        .isThrownBy(this::verify)
        .withMessageContaining("the manifest of update 1 is damaged in every volume, such as ")
        .satisfies(e -> assertThat(e.isDamaged()).isTrue());
  }

  @Test
  void twoUpdatesAtOnce() throws Exception {
    add("a", 64 * 60, 1);
    List<Path> files = List.of(base.resolve("files"));
    try (SetUpdate _ = SetUpdate.open(files, parity, false)) {
      assertThatExceptionOfType(FileSystemException.class)
          .isThrownBy(() -> SetUpdate.open(files, parity, false))
          .withMessageContaining("another command writes to this folder now");
      assertThatExceptionOfType(FileSystemException.class).isThrownBy(this::update);
    }
    update();
    assertThat(volumes().keySet()).allMatch(name -> name.endsWith(".fsp"));
  }

  /**
   * Files grow, shrink, are replaced, vanish and appear while an update reads. What changed is
   * named and stays in the set as it was before; the rest is protected, and all of it by the next
   * update.
   */
  @Test
  void aFolderThatChangesDuringAnUpdate() throws Exception {
    for (String name : List.of("grown", "shrunk", "replaced", "vanished", "steady")) {
      add(name, 64 * 60, name.hashCode());
    }
    update();
    Map<String, byte[]> before = volumes();
    for (String name : List.of("grown", "shrunk", "replaced", "vanished", "new")) {
      add(name, 64 * 400, 31L * name.hashCode());
    }
    AtomicBoolean isChanged = new AtomicBoolean();
    SetUpdate.Result result =
        update(
            false,
            (_, _) -> {
              if (!isChanged.getAndSet(true)) {
                changeAll();
              }
            });
    assertThat(result.leftOut())
        .extracting(one -> Path.of(one.file()).getFileName() + ": " + one.reason())
        .satisfiesExactlyInAnyOrder(
            one -> assertThat(one).startsWith("grown: changed from 25600 to 25601 bytes while it"),
            one -> assertThat(one).startsWith("replaced: was replaced while it was read"),
            one -> assertThat(one).startsWith("shrunk: "),
            one -> assertThat(one).startsWith("vanished: "));
    assertThat(result.newFiles()).isEqualTo(1);
    assertThat(result.changedFiles()).isZero();
    assertThat(result.files()).isEqualTo(6);
    Map<String, byte[]> after = volumes();
    assertThat(after.keySet()).allMatch(name -> name.endsWith(".fsp"));
    after.keySet().retainAll(before.keySet());
    assertThat(after).usingRecursiveComparison().isEqualTo(before);
    assertThat(SetVerifier.open(parity, 2).verifyParity(ProgressListener.NONE).isIntact()).isTrue();
    assertThat(verify().files())
        .extracting(Damage::name)
        .containsExactlyInAnyOrder(
            "files/grown", "files/shrunk", "files/replaced", "files/vanished");

    SetUpdate.Result next = update();
    assertThat(next.leftOut()).isEmpty();
    assertThat(next.changedFiles()).isEqualTo(3);
    assertThat(next.goneFiles()).isEqualTo(1);
    assertThat(next.newFiles()).isEqualTo(1); // The one that appeared.
    assertThat(verify().isIntact()).isTrue();
    TestSet.invert(base.resolve("files/new"), 64, 65);
    TestSet.invert(base.resolve("files/grown"), 64, 65);
    assertThat(repair().after().isIntact()).isTrue();
    requireAsWritten();
  }

  /** Changes each file as its name says; its bytes are then what the set must restore. */
  private void changeAll() {
    try {
      Path files = base.resolve("files");
      Files.write(files.resolve("grown"), new byte[1], StandardOpenOption.APPEND);
      try (FileChannel shrunk =
          FileChannel.open(files.resolve("shrunk"), StandardOpenOption.WRITE)) {
        shrunk.truncate(100);
      }
      Files.write(base.resolve("other"), new byte[64 * 400]);
      Files.move(
          base.resolve("other"), files.resolve("replaced"), StandardCopyOption.REPLACE_EXISTING);
      delete("files/vanished");
      Files.write(files.resolve("appeared"), new byte[100]);
      for (String name : List.of("grown", "shrunk", "replaced", "appeared")) {
        contents.put("files/" + name, Files.readAllBytes(files.resolve(name)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With nothing left out, such a folder changes nothing of the set. */
  @Test
  void aStrictUpdateOfAFolderThatChangesLeavesTheSetAsItWas() throws Exception {
    add("a", 64 * 60, 1);
    update();
    Map<String, byte[]> before = volumes();
    add("a", 64 * 400, 2);
    add("b", 64 * 400, 3);
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() ->
            update(
                true,
                (_, _) -> {
                  try {
                    Files.deleteIfExists(base.resolve("files/b"));
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }))
        .withMessageContaining(
            base.toRealPath().resolve("files/b") + ": was removed while it was read");
    assertThat(volumes()).usingRecursiveComparison().isEqualTo(before);
  }

  /** All that is new changes again and again: the set is as it was, and one file is named. */
  @Test
  void anUpdateThatCannotReadAnyFileLeavesTheSetAsItWas() throws Exception {
    add("a", 64 * 60, 1);
    update();
    Map<String, byte[]> before = volumes();
    add("b", 64 * 400, 2);
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() ->
            update(
                false,
                (_, _) -> {
                  try {
                    Files.write(base.resolve("files/b"), new byte[1], StandardOpenOption.APPEND);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }))
        .withMessageContaining("changed from 25600 to ");
    assertThat(volumes()).usingRecursiveComparison().isEqualTo(before);
    assertThat(verify().isIntact()).isTrue();
  }

  /** As of a disk that is not mounted. */
  @Test
  void aFolderWithoutItsFilesIsNotTakenAsDeleted() throws Exception {
    add("a", 64 * 60, 1);
    add("folder/b", 64, 2);
    update();
    delete("files/folder/b");
    Files.delete(base.resolve("files/folder"));
    Path folder = base.resolve("files/folder");
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> SetUpdate.open(List.of(folder, base.resolve("files")), parity, false));
    Files.createDirectories(folder);
    assertThatExceptionOfType(FileSystemException.class)
        .isThrownBy(() -> SetUpdate.open(List.of(folder), parity, false))
        .withMessageContaining("has none of the 1 files that the set has there");
    assertThat(update(true).goneFiles()).isEqualTo(1);
    delete("files/a");
    assertThatExceptionOfType(NoFilesException.class).isThrownBy(this::update);
  }

  @Test
  void manyUpdatesAreMerged() throws Exception {
    add("large", 64 * 200, 1);
    update();
    for (int i = 0; i < SetUpdate.MAX_LAYERS + 2; i++) {
      add("f" + i, 64 * 2 + i, i);
      update();
      assertThat(verify().layers().size()).isLessThanOrEqualTo(SetUpdate.MAX_LAYERS);
    }
    assertThat(verify().isIntact()).isTrue();
    assertThat(volumes().keySet()).contains("parity.00.fsp").doesNotContain("parity.u1.00.fsp");
  }

  @Test
  void theParityIsVerifiedWithoutTheFiles() throws Exception {
    add("a", 64 * 60, 1);
    update();
    add("b", 64 * 10, 2);
    update();
    Files.move(base.resolve("files"), base.resolve("elsewhere"));
    SetVerifier verifier = SetVerifier.open(parity, 2);
    assertThat(verifier.verifyParity(ProgressListener.NONE).isIntact()).isTrue();
    assertThat(verifier.list().files())
        .extracting(entry -> entry.file().path() + " " + entry.update())
        .containsExactly("files/a 0", "files/b 1");
    Path volume = parity.resolve("parity.u1.00.fsp");
    TestSet.invert(volume, Files.size(volume) - 1, Files.size(volume));
    SetReport report = verifier.verifyParity(ProgressListener.NONE);
    assertThat(report.volumes()).hasSize(1);
    assertThat(report.lostParity()).isEqualTo(1);
  }

  /**
   * Random sequences of additions, changes, deletions and updates. After each update, as many
   * blocks of each generation are damaged as it has parity left; all must be restored.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomSequences(int seed) throws Exception {
    Random random = new Random(seed);
    add("first", 64 * 150, seed);
    add("second", 64 * 30, seed + 100);
    update();
    for (int step = 0; step < 8; step++) {
      for (int i = random.nextInt(4); i >= 0; i--) {
        mutate(random);
      }
      update();
      assertThat(verify().isIntact()).isTrue();
      damage(random);
      assertThat(verify().isRestorable()).isTrue();
      assertThat(repair().after().isIntact()).isTrue();
      requireAsWritten();
    }
  }

  private void mutate(Random random) throws IOException {
    List<String> paths = new ArrayList<>(contents.keySet());
    String path = paths.get(random.nextInt(paths.size()));
    switch (random.nextInt(5)) {
      case 0 -> {
        if (paths.size() > 2) {
          delete(path);
        }
      }
      case 1 -> {
        byte[] content = contents.getOrDefault(path, new byte[0]).clone();
        if (content.length > 0) {
          content[random.nextInt(content.length)] ^= 1;
        }
        write(path.substring("files/".length()), content);
      }
      case 2 -> {
        byte[] old = contents.getOrDefault(path, new byte[0]);
        byte[] content = Arrays.copyOf(old, random.nextInt(old.length + 100));
        write(path.substring("files/".length()), content);
      }
      default ->
          add(
              "d" + random.nextInt(3) + "/" + random.nextInt(1000),
              random.nextInt(64 * 40),
              random.nextLong());
    }
  }

  /**
   * Damages as many blocks of each generation as must be restorable, if all blocks of retired files
   * are lost.
   */
  private void damage(Random random) throws IOException {
    for (ParityLayer layer : ParityFolder.open(parity).layers()) {
      SetManifest manifest = layer.manifest();
      SetShape shape = manifest.shape();
      SourceBlocks pieces = new SourceBlocks(manifest.files(), K);
      for (int generation = 0; generation < shape.generations(); generation++) {
        int left = shape.parity();
        List<Integer> blocks = new ArrayList<>();
        for (int block = generation;
            block < manifest.sourceBlocks();
            block += shape.generations()) {
          if (isRetired(layer, pieces, block)) {
            left--;
          } else {
            blocks.add(block);
          }
        }
        assertThat(left).isNotNegative();
        int own = generation;
        IntStream.range(0, shape.parity())
            .map(row -> manifest.sourceBlocks() + row * shape.generations() + own)
            .forEach(blocks::add);
        Collections.shuffle(blocks, random);
        int count = Math.min(blocks.size(), random.nextInt(left + 1));
        for (int block : blocks.subList(0, count)) {
          damage(layer, pieces, block);
        }
      }
    }
  }

  private static boolean isRetired(ParityLayer layer, SourceBlocks pieces, int block) {
    SetLayout layout = layer.manifest().layout();
    return IntStream.range(layout.firstPiece(block), layout.firstPiece(block + 1))
        .anyMatch(piece -> layer.retired().get(pieces.fileOf(piece)));
  }

  private void damage(ParityLayer layer, SourceBlocks pieces, int block) throws IOException {
    SetManifest manifest = layer.manifest();
    SetShape shape = manifest.shape();
    int sources = manifest.sourceBlocks();
    if (block < sources) {
      int piece = manifest.layout().firstPiece(block);
      long at = pieces.offsetOf(piece);
      String path = manifest.files().get(pieces.fileOf(piece)).path();
      TestSet.invert(base.resolve(path), at, at + 1);
    } else {
      int row = (block - sources) / shape.generations();
      int inVolume =
          row / shape.volumes() * shape.generations() + (block - sources) % shape.generations();
      Path volume = layer.volumes().get(row % shape.volumes()).path();
      long at = layer.parityAt() + (long) inVolume * K;
      TestSet.invert(volume, at, at + 1);
    }
  }
}
