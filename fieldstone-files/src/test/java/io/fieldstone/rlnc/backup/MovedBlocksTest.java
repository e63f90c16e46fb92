package io.fieldstone.rlnc.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.fieldstone.engine.Engine;
import io.fieldstone.rlnc.wire.SetManifest;
import io.fieldstone.stream.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that were inserted or removed cost the blocks at which they are, and no others. */
class MovedBlocksTest {

  private static final Engine ENGINE = Engine.open("cpu:scalar");
  private static final int K = TestSet.K;
  private static final int LENGTH = 100 * K - 7;

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

  /** Replaces {@code removed} bytes of a file by {@code inserted} others. */
  private void edit(String name, int at, int removed, int inserted) throws IOException {
    byte[] before = Files.readAllBytes(base.resolve(name));
    byte[] other = new byte[inserted];
    new Random(31L * at + inserted).nextBytes(other);
    ByteArrayOutputStream after = new ByteArrayOutputStream();
    after.write(before, 0, at);
    after.write(other);
    after.write(before, at + removed, before.length - at - removed);
    Files.write(base.resolve(name), after.toByteArray());
  }

  private void requireRepair() throws Exception {
    SetReport report = set.verify();
    assertThat(report.isIntact()).isFalse();
    assertThat(report.isRestorable()).isTrue();
    RepairResult result = set.repair();
    assertThat(result.before().files()).isEqualTo(report.files());
    assertThat(result.after().isIntact()).isTrue();
    assertThat(set.isAsWritten()).isTrue();
    assertThat(set.verify().isIntact()).isTrue();
  }

  /** The shift is that of the blocks after the edit; an edit inside a block costs this block. */
  @ParameterizedTest
  @CsvSource({
    "   0,    0,    8, 0",
    "   0,    0,    1, 0",
    "   0,    0, 5000, 0",
    "3000,    0,    1, 1",
    "3008,    0,    9, 0",
    "3000,    0,   64, 1",
    "6391,    0,   10, 1",
    "   0,    1,    0, 1",
    "   0,  700,    0, 11",
    "3000,    5,    0, 1",
    "3000,  640,    0, 11",
    "3000,    5,   77, 1",
  })
  void oneEdit(int at, int removed, int inserted, int lost) throws Exception {
    set.add("a", 700).add("film", LENGTH).add("z", 100).protect();
    edit("film", at, removed, inserted);
    Damage damage = set.verify().files().getFirst();
    assertThat(damage.name()).isEqualTo("film");
    assertThat(damage.found()).isEqualTo(LENGTH - removed + inserted);
    assertThat(damage.lost()).isEqualTo(lost);
    if (at < LENGTH - K) {
      assertThat(damage.shifts())
          .singleElement()
          .matches(shift -> shift.by() == inserted - removed && shift.to() == LENGTH)
          .matches(shift -> shift.in().isEmpty());
    }
    requireRepair();
  }

  /** Also if the length is the same as before. */
  @ParameterizedTest
  @CsvSource({"10, 20", "10, -4", "10, -10", "-64, 64", "-1, 1"})
  void twoEdits(int first, int second) throws Exception {
    set.add("film", LENGTH).protect();
    edit("film", 4400, Math.max(0, -second), Math.max(0, second));
    edit("film", 1000, Math.max(0, -first), Math.max(0, first));
    Damage damage = set.verify().files().getFirst();
    assertThat(damage.lost()).isBetween(2, 4);
    assertThat(damage.shifts().getFirst().by()).isEqualTo(first);
    if (first + second != 0) {
      assertThat(damage.shifts().getLast().by()).isEqualTo(first + second);
    }
    requireRepair();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void manyEditsOfAFileLargerThanABuffer(int seed) throws Exception {
    int length = 3_000_000 + seed;
    set.add("film", length).protect();
    Random random = new Random(seed);
    for (int edit = 0; edit < 20; edit++) {
      int at = random.nextInt(length - 1000);
      edit("film", at, random.nextInt(3), random.nextInt(5));
    }
    Damage damage = set.verify().files().getFirst();
    assertThat(damage.lost()).isLessThanOrEqualTo(40);
    assertThat(damage.shifts()).hasSize(Damage.MAX_RANGES);
    requireRepair();
  }

  /** A missing file is found between the bytes of another. */
  @Test
  void aFileIsFoundInsideAnother() throws Exception {
    set.add("a", 10 * K + 3).add("b", 90 * K).protect();
    byte[] a = Files.readAllBytes(base.resolve("a"));
    Files.delete(base.resolve("a"));
    byte[] b = Files.readAllBytes(base.resolve("b"));
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.write(b, 0, 2000);
    both.write(a);
    both.write(b, 2000, b.length - 2000);
    Files.write(base.resolve("b"), both.toByteArray());

    SetReport report = set.verify();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(report.files().get(0).isMissing()).isTrue();
    assertThat(report.files().get(0).shifts())
        .containsExactly(new Damage.Shift(0, a.length, 2000, "b"));
    assertThat(report.files().get(1).shifts())
        .containsExactly(new Damage.Shift(2048, b.length, a.length, ""));
    requireRepair();
  }

  /** A block that occurs often is found wherever one of them is left. */
  @Test
  void equalBlocksAreRestoredFromOne() throws Exception {
    byte[] zeros = new byte[LENGTH];
    Files.write(base.resolve("zeros"), zeros);
    set.add("b", 10 * K).protect();
    Files.write(base.resolve("zeros"), Arrays.copyOf(new byte[] {1, 2, 3}, 3 * K));
    assertThat(set.verify().lost()).isZero();
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(base.resolve("zeros")).hasBinaryContent(zeros);
  }

  /** A block with the content of an intact one has lost nothing, and costs no parity. */
  @Test
  void aLostFileIsRestoredFromAnEqualOne() throws Exception {
    byte[] content = new byte[LENGTH];
    new Random(5).nextBytes(content);
    Files.write(base.resolve("a"), content);
    Files.write(base.resolve("b"), content);
    Files.write(base.resolve("start"), Arrays.copyOf(content, 3 * K + 5));
    set.add("c", 2 * K).protect();
    Files.delete(base.resolve("b"));
    Files.delete(base.resolve("start"));
    SetReport report = set.verify();
    assertThat(report.lost()).isEqualTo(1);
    assertThat(report.files().getFirst().shifts())
        .containsExactly(new Damage.Shift(0, LENGTH, 0, "a"));
    set.repair();
    assertThat(base.resolve("a")).hasBinaryContent(content);
    assertThat(base.resolve("b")).hasBinaryContent(content);
    assertThat(base.resolve("start")).hasBinaryContent(Arrays.copyOf(content, 3 * K + 5));
  }

  /** Its changed block is equal to others of it, so nothing is lost; yet it is a changed copy. */
  @Test
  void aRenamedCopyThatWasChangedIsLeft() throws Exception {
    byte[] content = new byte[8 * K];
    new Random(6).nextBytes(content);
    Arrays.fill(content, K, 7 * K, (byte) 0);
    Path file = Files.write(base.resolve("file"), content);
    set.add("other", 2 * K).protect();
    Path draft = Files.move(file, base.resolve("draft"));
    TestSet.invert(draft, 3 * K, 3 * K + 5);
    byte[] changed = Files.readAllBytes(draft);
    assertThat(set.verify().lost()).isZero();
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(file).hasBinaryContent(content);
    assertThat(draft).hasBinaryContent(changed);
  }

  /** The last block of a file is expected after the one before it, also where it moved to. */
  @Test
  void theIntactPlaceOfALastBlockCounts() throws Exception {
    Random random = new Random(1);
    byte[][] files = {new byte[10 * K], new byte[5 * K - 10], new byte[10 * K], new byte[10 * K]};
    for (byte[] each : files) {
      random.nextBytes(each);
    }
    byte[] last = Arrays.copyOfRange(files[1], 4 * K, 5 * K);
    System.arraycopy(last, 0, files[3], 9 * K, K);
    String[] names = {"a", "b", "c", "d"};
    for (int i = 0; i < names.length; i++) {
      Files.write(base.resolve(names[i]), files[i]);
    }
    set.protect();
    System.arraycopy(files[1], 3 * K, files[0], 5 * K, K);
    System.arraycopy(files[1], 3 * K, files[2], 5 * K, K);
    System.arraycopy(last, 0, files[2], 6 * K, K - 10);
    Arrays.fill(files[1], 3 * K, files[1].length, (byte) 1);
    // Of the generation of the last block, which is restored after the others.
    Arrays.fill(files[3], 4 * K, 5 * K, (byte) 1);
    for (int i = 0; i < names.length; i++) {
      Files.write(base.resolve(names[i]), files[i]);
    }
    assertThat(set.verify().isRestorable()).isTrue();
    assertThat(set.repair().after().isIntact()).isTrue();
  }

  @Test
  void equalBlocksOfDifferentLengths() throws Exception {
    byte[] padded = Arrays.copyOf("hello".getBytes(StandardCharsets.UTF_8), K);
    Files.write(base.resolve("a"), Arrays.copyOf(padded, 5));
    Files.write(base.resolve("b"), padded);
    Files.write(base.resolve("c"), Arrays.copyOf(padded, 5));
    set.add("z", 20 * K).protect();
    Files.delete(base.resolve("b"));
    Files.delete(base.resolve("c"));
    assertThat(set.verify().lost()).isEqualTo(1);
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(base.resolve("b")).hasBinaryContent(padded);
  }

  /** A file with equal blocks is written in place, and only where it is damaged. */
  @Test
  void aDamagedBlockIsRestoredFromAnEqualOneInPlace() throws Exception {
    Path zeros = Files.write(base.resolve("zeros"), new byte[LENGTH]);
    set.add("b", 10 * K).protect();
    TestSet.invert(zeros, 5 * K, 6 * K);
    TestSet.invert(zeros, LENGTH - 1, LENGTH);
    Files.write(zeros, new byte[] {1, 2, 3}, StandardOpenOption.APPEND);
    Object key = Files.readAttributes(zeros, BasicFileAttributes.class).fileKey();
    SetReport report = set.verify();
    assertThat(report.lost()).isZero();
    assertThat(report.files().getFirst().shifts()).extracting(Damage.Shift::in).contains("zeros");
    assertThat(set.repair().after().isIntact()).isTrue();
    assertThat(zeros).hasBinaryContent(new byte[LENGTH]);
    assertThat(Files.readAttributes(zeros, BasicFileAttributes.class).fileKey()).isEqualTo(key);
  }

  /** The same place is read when blocks are copied and when a generation is decoded. */
  @Test
  void shiftedAndDamagedBlocksAndParity() throws Exception {
    SetManifest manifest = set.add("film", LENGTH).add("z", 700).protect().manifest();
    edit("film", 100, 0, 3);
    TestSet.invert(base.resolve("film"), 2000, 2200);
    set.damage(manifest, 105);
    set.damage(manifest, manifest.sourceBlocks() + 5);
    assertThat(set.verify().lost()).isEqualTo(6);
    requireRepair();
  }

  /** A file that would stay incomplete is left; others are restored, from its blocks, too. */
  @Test
  void aPartialRepairLeavesAShiftedFileThatStaysIncomplete() throws Exception {
    SetManifest manifest = set.add("a", 30 * K).add("b", 70 * K).protect().manifest();
    edit("b", 0, 0, 5);
    int d = manifest.shape().generations();
    for (int i = 0; i <= manifest.shape().parity(); i++) {
      int at = 5 + (4 + i * d) * K;
      TestSet.invert(base.resolve("b"), at, at + 1);
    }
    TestSet.invert(base.resolve("a"), 0, 1);
    Map<String, byte[]> before = TestSet.files(base);
    SetReport report = set.verify();
    assertThat(report.unrestorableGenerations()).isEqualTo(1);
    assertThatExceptionOfType(NotRestorableException.class).isThrownBy(() -> set.repair());
    assertThat(TestSet.files(base)).usingRecursiveComparison().isEqualTo(before);

    RepairResult partial = set.repair(true, ProgressListener.NONE);
    assertThat(partial.after().files()).extracting(Damage::name).containsExactly("b");
    assertThat(base.resolve("b")).hasBinaryContent(before.get("b"));
  }

  /** A repair that stops before its end leaves the shifted file as it was. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aRepairThatStopsLosesNothing(int steps) throws Exception {
    SetManifest manifest = set.add("film", LENGTH).add("z", 20 * K).protect().manifest();
    edit("film", 70, 1, 3);
    TestSet.invert(base.resolve("film"), 3000, 3001);
    set.damage(manifest, 110);
    Map<String, byte[]> before = new TreeMap<>(TestSet.files(base));
    long scanned = (long) K * (manifest.sourceBlocks() + manifest.shape().parityBlocks());
    int[] calls = {0};
    assertThatIllegalStateException()
        .isThrownBy(() ->
            set.repair(
                false,
                (done, total) -> {
                  if (total != scanned && ++calls[0] == steps) {
                    throw new IllegalStateException("stopped");
                  }
                }));
    assertThat(TestSet.files(base).get("film")).isEqualTo(before.get("film"));
    requireRepair();
  }
}
