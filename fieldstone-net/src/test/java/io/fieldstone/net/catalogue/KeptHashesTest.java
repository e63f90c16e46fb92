package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.stream.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hashes that a server keeps for its next start. To see whether they are used, these tests change
 * one of them in the file.
 */
class KeptHashesTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10);

  /** The files of these tests are new, so the clock is ahead. */
  private static final long AGE_SECONDS = 10;

  @TempDir Path folder;

  private Catalogue scanned(GenerationShape shape, long ageSeconds, Path... paths)
      throws Exception {
    Catalogue catalogue =
        new Catalogue(
            List.of(paths),
            OfferOptions.of(shape),
            2,
            Optional.of(state()),
            Duration.ZERO,
            () -> Instant.now().plusSeconds(ageSeconds),
            System::nanoTime);
    catalogue.scan(ProgressListener.NONE);
    return catalogue;
  }

  private Path state() throws Exception {
    return Files.createDirectories(folder.resolve("state"));
  }

  private String id(Path file) throws Exception {
    try (Catalogue catalogue = scanned(SHAPE, AGE_SECONDS, file)) {
      return catalogue.entries().getFirst().id().toString();
    }
  }

  @Test
  void hashesThatCouldNotBeWrittenAreWrittenLater() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    Path later = folder.resolve("later");
    try (Catalogue catalogue =
        new Catalogue(
            List.of(file),
            OfferOptions.of(SHAPE),
            2,
            Optional.of(later),
            Duration.ZERO,
            () -> Instant.now().plusSeconds(AGE_SECONDS),
            System::nanoTime)) {
      catalogue.scan(ProgressListener.NONE);
      assertThat(later).doesNotExist();
      Files.createDirectory(later);
    }
    assertThat(later.resolve(KeptHashes.FILE)).exists();
  }

  /** Writes other hashes in place of those of a file, which only a new hash would correct. */
  private void forge(Path file) throws Exception {
    Path hashes = state().resolve(KeptHashes.FILE);
    List<HashFile.Entry> entries;
    try (var in = Files.newInputStream(hashes)) {
      entries = HashFile.read(in, Files.size(hashes));
    }
    assertThat(entries).hasSize(1);
    HashFile.Entry entry = entries.getFirst();
    assertThat(entry.path()).isEqualTo(file.toAbsolutePath().toString());
    io.fieldstone.rlnc.wire.ObjectManifest forged =
        new io.fieldstone.rlnc.wire.ObjectManifest(
            SHAPE, entry.bytes(), Optional.empty(), new io.fieldstone.rlnc.wire.Sha256(1, 2, 3, 4));
    try (var out = Files.newOutputStream(hashes)) {
      HashFile.write(
          out,
          List.of(
              new HashFile.Entry(
                  entry.path(),
                  entry.bytes(),
                  entry.modifiedNanos(),
                  entry.changedNanos(),
                  entry.key(),
                  forged,
                  entry.hashes())));
    }
  }

  @Test
  void anUnchangedFileIsNotHashedAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(file);
    assertThat(id(file)).isEqualTo(hashed);

    forge(file);

    assertThat(id(file)).isNotEqualTo(hashed);
  }

  @Test
  void aChangedFileIsHashedAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(file);
    FileTime time = Files.getLastModifiedTime(file);
    forge(file);
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(100)));
    assertThat(id(file)).isEqualTo(hashed);

    forge(file);
    Files.copy(file, folder.resolve("b"));
    Files.move(folder.resolve("b"), file, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(file, time);
    assertThat(id(file)).isEqualTo(hashed);

    forge(file);
    Files.write(file, new byte[96]);
    assertThat(id(file)).isNotEqualTo(hashed);
  }

  /** A program that sets the time back cannot hide that it wrote. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void aFileWhoseTimeWasSetBackIsHashedAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(file);
    FileTime time = Files.getLastModifiedTime(file);
    byte[] other = new byte[95];
    other[7] = 1;

    Files.write(file, other);
    Files.setLastModifiedTime(file, time);

    assertThat(id(file)).isNotEqualTo(hashed);
  }

  @Test
  void anotherShapeIsHashedAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(file);
    GenerationShape other = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 11);
    try (Catalogue catalogue = scanned(other, AGE_SECONDS, file)) {
      assertThat(catalogue.entries().getFirst().id().toString()).isNotEqualTo(hashed);
      Offer offer = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      assertThat(offer.manifest().shape()).isEqualTo(other);
    }
  }

  /** Such a file may change within one step of the clock of its file system. */
  @Test
  void theHashesOfANewFileAreNotKept() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    try (Catalogue catalogue = scanned(SHAPE, -100, file)) {
      assertThat(catalogue.entries()).hasSize(1);
    }
    assertThat(state().resolve(KeptHashes.FILE)).doesNotExist();
  }

  @Test
  void aDamagedFileIsIgnoredAndReplaced() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(file);
    Path hashes = state().resolve(KeptHashes.FILE);
    byte[] whole = Files.readAllBytes(hashes);
    for (int at = 0; at < whole.length; at += 7) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 4;
      Files.write(hashes, damaged);
      assertThat(id(file)).isEqualTo(hashed);
      assertThat(hashes).hasBinaryContent(whole);
    }
    Files.write(hashes, java.util.Arrays.copyOf(whole, whole.length - 40));
    assertThat(id(file)).isEqualTo(hashed);
    assertThat(hashes).hasBinaryContent(whole);
  }

  @Test
  void aStateThatCannotBeWrittenIsNoReasonToFail() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    Files.createDirectory(state().resolve(KeptHashes.FILE));

    assertThat(id(file)).hasSize(64);
    assertThat(id(file)).hasSize(64);
  }

  @Test
  void hashesOfOtherFilesAreKeptToo() throws Exception {
    Path first = Files.write(folder.resolve("a"), new byte[95]);
    String hashed = id(first);
    String other = id(Files.write(folder.resolve("b"), new byte[50]));
    Path hashes = state().resolve(KeptHashes.FILE);
    byte[] both = Files.readAllBytes(hashes);

    assertThat(id(first)).isEqualTo(hashed).isNotEqualTo(other);
    assertThat(hashes).hasBinaryContent(both);
    try (var in = Files.newInputStream(hashes)) {
      assertThat(HashFile.read(in, both.length)).hasSize(2);
    }
  }
}
