package io.fieldstone.net.catalogue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.fieldstone.engine.Engine;
import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.endpoint.OfferOptions;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.GenerationCipher;
import io.fieldstone.rlnc.crypto.MasterKey;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.file.EncodingParameters;
import io.fieldstone.rlnc.file.EncodingResult;
import io.fieldstone.rlnc.file.FileEncoder;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CatalogueTest {

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 10);

  private static final OfferOptions PLAIN = OfferOptions.of(SHAPE);

  @TempDir Path folder;

  private Catalogue scanned(Path... paths) throws Exception {
    return scanned(PLAIN, paths);
  }

  private Catalogue scanned(OfferOptions options, Path... paths) throws Exception {
    Catalogue catalogue = new Catalogue(List.of(paths), options, 3, Optional.empty());
    catalogue.scan(ProgressListener.NONE);
    return catalogue;
  }

  @Test
  void hashesByGenerations() throws Exception {
    byte[] bytes = new byte[95];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    Path file = Files.write(folder.resolve("a"), bytes);
    List<Long> progress = new ArrayList<>();
    try (Catalogue catalogue = new Catalogue(List.of(file), PLAIN, 3, Optional.empty())) {
      catalogue.scan((done, total) -> progress.add(total - done));

      Offer offer = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      assertThat(offer.manifest().generations()).isEqualTo(3);
      byte[] last = new byte[20];
      System.arraycopy(bytes, 80, last, 0, 15);
      assertThat(offer.hashes().get(2))
          .isEqualTo(new HashTree().generation(MemorySegment.ofArray(last), 10));
      assertThat(new HashTree().object(offer.hashes())).isEqualTo(offer.manifest().root());
      MemorySegment read = MemorySegment.ofArray(new byte[20]);
      read.fill((byte) 9);
      offer.read(2, read);
      assertThat(read.mismatch(MemorySegment.ofArray(last))).isEqualTo(-1);
      assertThat(progress).isSortedAccordingTo((x, y) -> Long.compare(y, x)).endsWith(0L);
    }
  }

  @Test
  void theFirstOfTwoEqualNamesCounts() throws Exception {
    Path one = Files.write(Files.createDirectory(folder.resolve("one")).resolve("a"), new byte[1]);
    Path two = Files.write(Files.createDirectory(folder.resolve("two")).resolve("a"), new byte[2]);
    try (Catalogue catalogue = scanned(one.getParent(), two.getParent());
        Catalogue reversed = scanned(two, one)) {
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(1L);
      assertThat(reversed.entries()).extracting(CatalogueEntry::length).containsExactly(2L);
    }
  }

  @Test
  void secretsAreLeftOut() throws Exception {
    Files.write(folder.resolve("a"), new byte[1]);
    Path key = Files.write(folder.resolve("key"), new byte[1]);
    Path state = Files.createDirectories(folder.resolve("b/state"));
    Files.write(state.resolve("identity.pem"), new byte[1]);
    Path link = Files.createSymbolicLink(folder.resolve("link"), key);
    OfferOptions options = PLAIN.withSecrets(List.of(link, folder.resolve("missing")));
    try (Catalogue catalogue =
        new Catalogue(List.of(folder, key), options, 1, Optional.of(state))) {
      catalogue.scan(ProgressListener.NONE);
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("a");
    }
  }

  @Test
  void namesThatAreNotTextAreLeftOut() throws Exception {
    Files.write(folder.resolve("a"), new byte[1]);
    Files.write(Path.of(URI.create(folder.toUri() + "b%FF")), new byte[1]);
    Path inner = Files.createDirectory(Path.of(URI.create(folder.toUri() + "c%FF")));
    Files.write(inner.resolve("d"), new byte[1]);
    try (Catalogue catalogue = scanned(folder)) {
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("a");
    }
  }

  @Test
  void noticesChanges() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    try (Catalogue catalogue = scanned(folder)) {
      Offer before = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      assertThat(catalogue.rescan()).isFalse();

      Files.write(file, new byte[51]);
      assertThatThrownBy(() -> before.read(0, MemorySegment.ofArray(new byte[40])))
          .isInstanceOf(FileChangedException.class)
          .hasMessage(file + " has changed since it was hashed");
      assertThat(before.isEnded()).isTrue();
      // It is not listed either, so that no client asks for it before the next scan of the file.
      assertThat(catalogue.entries()).isEmpty();
      assertThat(catalogue.find("a")).isEmpty();
      assertThat(catalogue.find(before.entry().id().toString())).isEmpty();
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(51L);
      assertThat(catalogue.offer(before.entry().id())).isEmpty();

      Files.delete(file);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEmpty();
    }
  }

  /** The content decides, and not the time of the file. */
  @Test
  void aFileThatIsTouchedStaysOnOffer() throws Exception {
    byte[] bytes = new byte[95];
    Path file = Files.write(folder.resolve("a"), bytes);
    try (Catalogue catalogue = scanned(folder)) {
      Offer offer = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      MemorySegment read = MemorySegment.ofArray(new byte[40]);
      Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
      offer.read(0, read);
      assertThat(catalogue.rescan()).isFalse();
      offer.read(0, read);
      assertThat(catalogue.offer(offer.entry().id())).containsSame(offer);
      assertThat(offer.isEnded()).isFalse();

      bytes[50] = 1;
      Files.write(file, bytes);
      Files.setLastModifiedTime(file, FileTime.fromMillis(2000));
      offer.read(0, read);
      assertThatThrownBy(() -> offer.read(1, read)).isInstanceOf(FileChangedException.class);
      assertThat(offer.isEnded()).isTrue();
    }
  }

  @Test
  void aFileThatIsTouchedIsSignedAgain() throws Exception {
    SigningKey key = SigningKey.generate();
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    try (Catalogue catalogue = scanned(PLAIN.withSigning(Optional.of(key)), file)) {
      Offer offer = offer(catalogue, "a");
      Files.setLastModifiedTime(file, FileTime.fromMillis(5000));
      assertThat(catalogue.rescan()).isTrue();
      assertThat(offer(catalogue, "a")).isSameAs(offer);
      assertThat(offer.entry().records())
          .containsExactly(PublisherRecord.sign(key, "a", offer.entry().id(), 5));
    }
  }

  @Test
  void aFileThatIsNotOfferedIsNoChange() throws Exception {
    Files.write(folder.resolve("a"), new byte[50]);
    try (RandomAccessFile huge = new RandomAccessFile(folder.resolve("huge").toFile(), "rw")) {
      huge.setLength(1L << 40); // more generations than an object has
    }
    try (Catalogue catalogue = scanned(folder)) {
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("a");
      assertThat(catalogue.rescan()).isFalse();
    }
  }

  @Test
  void aPathThatIsNoFileAnyMoreIsNotOpened() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    try (Catalogue catalogue = scanned(file)) {
      Files.delete(file);
      assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEmpty();
    }
  }

  /** Only the first write to a page of a mapped file changes the time of the file. */
  @Test
  void contentThatChangesAloneEndsTheOfferAndIsHashedAgain() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    Supplier<Instant> later = () -> Instant.now().plusSeconds(10); // its hashes are kept
    Optional<Path> state = Optional.of(folder.resolve("state"));
    try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
        Catalogue catalogue =
            new Catalogue(List.of(file), PLAIN, 1, state, Duration.ZERO, later, System::nanoTime)) {
      ByteBuffer mapped = opened.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 95);
      mapped.put(45, (byte) 1);
      catalogue.scan(ProgressListener.NONE);
      Offer offer = offer(catalogue, "a");
      mapped.put(45, (byte) 2);
      assumeThat(FileStamp.of(file)).isEqualTo(offer.stamp());
      MemorySegment read = MemorySegment.ofArray(new byte[40]);

      offer.read(0, read);
      assertThatThrownBy(() -> offer.read(1, read)).isInstanceOf(FileChangedException.class);

      assertThat(catalogue.entries()).isEmpty();
      assertThat(catalogue.rescan()).isTrue();
      Offer after = offer(catalogue, "a");
      assertThat(after.entry().id()).isNotEqualTo(offer.entry().id());
      after.read(1, read);
      assertThat(catalogue.rescan()).isFalse();
    }
  }

  @Test
  void anotherFileOfTheSameBytesIsReadWhenOneHasChanged() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    Files.write(folder.resolve("b"), new byte[50]);
    try (Catalogue catalogue = scanned(folder)) {
      Offer first = catalogue.offer(catalogue.entries().getFirst().id()).orElseThrow();
      Files.write(file, new byte[51]);
      assertThatThrownBy(() -> first.read(0, MemorySegment.ofArray(new byte[40])))
          .isInstanceOf(FileChangedException.class);

      Offer other = catalogue.offer(first.entry().id()).orElseThrow();
      assertThat(other.entry().name()).isEqualTo("b");
      other.read(0, MemorySegment.ofArray(new byte[40]));
    }
  }

  @Test
  void findsNamesBeforeIds() throws Exception {
    Path file = Files.write(folder.resolve("deadbeef"), new byte[50]);
    try (Catalogue catalogue = scanned(file)) {
      CatalogueEntry entry = catalogue.entries().getFirst();
      String id = entry.id().toString();
      assertThat(catalogue.find("deadbeef")).containsExactly(entry);
      assertThat(catalogue.find(id.toUpperCase(java.util.Locale.ROOT))).containsExactly(entry);
      assertThat(catalogue.find(id.substring(0, 8))).containsExactly(entry);
      assertThat(catalogue.find(id.substring(0, 7))).isEmpty();
      assertThat(catalogue.find("other")).isEmpty();
    }
  }

  @Test
  void aMissingPathIsAnError() {
    assertThatThrownBy(() -> scanned(folder.resolve("none")))
        .isInstanceOf(NoSuchFileException.class);
  }

  private static OfferOptions encrypting(MasterKey key) {
    return PLAIN.withEncryption(Optional.of(key));
  }

  private static Offer offer(Catalogue catalogue, String name) {
    Sha256 id = catalogue.find(name).getFirst().id();
    return catalogue.offer(id).orElseThrow();
  }

  /** So shards and servers of one file, key and shape are of one object. */
  @Test
  void anEncryptedOfferIsTheObjectThatEncodeMakes() throws Exception {
    MasterKey key = MasterKey.generate();
    Path files = Files.createDirectory(folder.resolve("files"));
    for (int length : new int[] {0, 1, 24, 25, 95}) {
      byte[] bytes = new byte[length];
      new SplittableRandom(length).nextBytes(bytes);
      Files.write(files.resolve("" + length), bytes);
    }
    try (Engine engine = Engine.open("cpu:scalar");
        Catalogue catalogue = scanned(encrypting(key), files)) {
      FileEncoder encoder =
          new FileEncoder(engine, new EncodingParameters(SHAPE, 2, 0, 1)).encrypting(key);
      for (CatalogueEntry entry : catalogue.entries()) {
        EncodingResult encoded =
            encoder.encode(
                files.resolve(entry.name()), folder.resolve("shards"), ProgressListener.NONE);
        assertThat(encoded.descriptor().idText()).isEqualTo(entry.id().toString());
        assertThat(encoded.descriptor().length()).isEqualTo(entry.length());
      }
    }
  }

  @Test
  void readsCiphertextByGenerations() throws Exception {
    MasterKey key = MasterKey.generate();
    byte[] bytes = new byte[50];
    new SplittableRandom(1).nextBytes(bytes);
    Path file = Files.write(folder.resolve("a"), bytes);
    List<Long> progress = new ArrayList<>();
    try (Catalogue catalogue = new Catalogue(List.of(file), encrypting(key), 1, Optional.empty())) {
      catalogue.scan((done, total) -> progress.add(total - done));
      Offer offer = offer(catalogue, "a");

      assertThat(offer.manifest().generations()).isEqualTo(3);
      assertThat(offer.manifest().length()).isEqualTo(50 + 3 * 16);
      MemorySegment source = MemorySegment.ofArray(new byte[20]);
      source.fill((byte) 9);
      offer.read(2, source);
      assertThat(source.get(ValueLayout.JAVA_BYTE, 18)).isZero();
      assertThat(source.get(ValueLayout.JAVA_BYTE, 19)).isZero();
      byte[] last = new byte[2];
      GenerationCipher.of(key, offer.manifest().encryption().orElseThrow())
          .decrypt(2, true, source.asSlice(0, 18), MemorySegment.ofArray(last));
      assertThat(last).isEqualTo(Arrays.copyOfRange(bytes, 48, 50));
      // The file was read twice.
      assertThat(progress).hasSize(6).endsWith(0L).contains(50L);
    }
  }

  /** Writes other content of the same size, time and inode. */
  private static void disguise(Path file, int at) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    byte[] bytes = Files.readAllBytes(file);
    bytes[at] ^= 1;
    Files.write(file, bytes);
    Files.setLastModifiedTime(file, time);
  }

  /** Its ciphertext would have the salt of the first content, and reveal both. */
  @Test
  void changedContentIsNeverEncryptedWithTheOldSalt() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    try (Catalogue catalogue = scanned(encrypting(MasterKey.generate()), file)) {
      Offer offer = offer(catalogue, "a");
      disguise(file, 30);

      offer.read(0, MemorySegment.ofArray(new byte[40]));
      assertThatThrownBy(() -> offer.read(1, MemorySegment.ofArray(new byte[40])))
          .isInstanceOf(FileChangedException.class);
      assertThat(offer.isEnded()).isTrue();
      assertThat(catalogue.rescan()).isTrue();
      assertThat(offer(catalogue, "a").manifest().encryption().orElseThrow().salt())
          .isNotEqualTo(offer.manifest().encryption().orElseThrow().salt());
    }
  }

  @Test
  void aFileThatChangesBetweenTheTwoPassesIsNotOffered() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[95]);
    try (Catalogue catalogue =
        new Catalogue(List.of(file), encrypting(MasterKey.generate()), 1, Optional.empty())) {
      catalogue.scan((done, _) -> {
        if (done == 95) {
          try {
            disguise(file, 60);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      });
      assertThat(catalogue.entries()).isEmpty();

      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).hasSize(1);
    }
  }

  @Test
  void shapesThatCannotBeEncryptedAreRefused() {
    GenerationShape small = new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 4, 4);
    assertThatThrownBy(
            () -> OfferOptions.of(small).withEncryption(Optional.of(MasterKey.generate())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("generations of 16 bytes cannot be encrypted");
  }

  @Test
  void namesIdsAndTimesOfFilesAreSigned() throws Exception {
    SigningKey key = SigningKey.generate();
    Path files = Files.createDirectories(folder.resolve("files/sub")).getParent();
    Files.write(files.resolve("a"), new byte[50]);
    Files.write(files.resolve("b"), new byte[50]);
    Files.write(files.resolve("sub/c"), new byte[50]);
    Map<String, String> times =
        Map.of(
            "a",
            "2026-01-02T03:04:05.9Z",
            "b",
            "2026-01-01T00:00:00Z",
            "sub/c",
            "1969-01-01T00:00:00Z");
    for (var each : times.entrySet()) {
      Files.setLastModifiedTime(
          files.resolve(each.getKey()), FileTime.from(Instant.parse(each.getValue())));
    }
    try (Catalogue catalogue = scanned(PLAIN.withSigning(Optional.of(key)), files)) {
      for (CatalogueEntry entry : catalogue.entries()) {
        assertThat(entry.records()).hasSize(1);
        for (PublisherRecord each : entry.records()) {
          long seconds = Instant.parse(times.get(entry.name())).getEpochSecond();
          assertThat(each)
              .isEqualTo(PublisherRecord.sign(key, entry.name(), entry.id(), Math.max(0, seconds)));
        }
      }
      assertThat(catalogue.entries()).hasSize(3);
      // All names of an id are found by it.
      assertThat(catalogue.find(catalogue.entries().getFirst().id().toString())).hasSize(3);
    }
  }

  /** Others print these names. A warning names each file, also after several scans once. */
  @Test
  void namesThatTerminalsObeyAreNotOffered() throws Exception {
    Path files = Files.createDirectories(folder.resolve("files/sub\tx")).getParent();
    List<String> refused = List.of("a\\x2db", "a\u001b[2J", "b\n", "\u009b1m", "sub\tx/c");
    for (String name : refused) {
      Files.write(files.resolve(name), new byte[50]);
    }
    Files.write(files.resolve("an offer"), new byte[50]);
    List<String> warnings = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            warnings.add(new SimpleFormatter().formatMessage(entry));
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(Catalogue.class.getName());
    logger.addHandler(handler);
    try (Catalogue catalogue =
        scanned(PLAIN.withSigning(Optional.of(SigningKey.generate())), files)) {
      assertThat(catalogue.rescan()).isFalse();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("an offer");
    } finally {
      logger.removeHandler(handler);
    }
    for (String name : refused) {
      assertThat(warnings)
          .filteredOn(each -> each.startsWith(files.resolve(name) + " is not offered"))
          .singleElement(STRING)
          .contains("the file name has U+00");
    }
  }

  /** As a file system that is mounted again, a second later. */
  @Test
  void aFolderThatIsAwayForAShortTimeStaysOnOffer() throws Exception {
    Path files = Files.createDirectories(folder.resolve("files"));
    Files.write(files.resolve("a"), new byte[50]);
    AtomicLong now = new AtomicLong();
    try (Catalogue catalogue = watched(Duration.ofSeconds(10), now, files)) {
      List<CatalogueEntry> entries = catalogue.entries();
      Offer offer = offer(catalogue, "a");
      MemorySegment read = MemorySegment.ofArray(new byte[40]);
      Path away = Files.move(files, folder.resolve("away"));
      assertThat(catalogue.rescan()).isFalse();
      assertThat(catalogue.entries()).isEqualTo(entries);
      assertThatThrownBy(() -> offer.read(0, read)).isInstanceOf(FileAwayException.class);
      now.addAndGet(9_000_000_000L);
      Files.createDirectories(files); // the empty folder below
      assertThat(catalogue.rescan()).isFalse();
      Files.delete(files);
      Files.move(away, files);

      offer.read(0, read);
      assertThat(catalogue.rescan()).isFalse();
      assertThat(offer(catalogue, "a")).isSameAs(offer);

      // The time begins again with each absence.
      Files.move(files, away);
      now.addAndGet(9_000_000_000L);
      assertThat(catalogue.rescan()).isFalse();
      now.addAndGet(10_000_000_000L);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEmpty();
      assertThat(offer.isRemoved()).isTrue();
      assertThatThrownBy(() -> offer.read(0, read)).isInstanceOf(FileChangedException.class);

      Files.move(away, files);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEqualTo(entries);
    }
  }

  private Catalogue watched(Duration maxAway, AtomicLong now, Path... paths) throws Exception {
    Catalogue catalogue =
        new Catalogue(List.of(paths), PLAIN, 1, Optional.empty(), maxAway, Instant::now, now::get);
    catalogue.scan(ProgressListener.NONE);
    return catalogue;
  }

  @Test
  void anotherFileUnderTheNameReplacesOneThatIsAway() throws Exception {
    Path one = Files.write(Files.createDirectory(folder.resolve("one")).resolve("a"), new byte[1]);
    Path two = Files.write(Files.createDirectory(folder.resolve("two")).resolve("a"), new byte[2]);
    try (Catalogue catalogue = watched(Duration.ofDays(1), new AtomicLong(), one, two)) {
      Files.delete(one);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(2L);
      Files.write(one, new byte[1]);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::length).containsExactly(1L);
    }
  }

  /** Clients and the loop that serves them ask often, and the catalogue may be long. */
  @Test
  void entriesAreListedOnceUntilSomethingChanges() throws Exception {
    Files.write(folder.resolve("b"), new byte[50]);
    Path file = Files.write(folder.resolve("a"), new byte[51]);
    try (Catalogue catalogue = scanned(folder)) {
      List<CatalogueEntry> entries = catalogue.entries();
      assertThat(entries).extracting(CatalogueEntry::name).containsExactly("a", "b");
      assertThat(catalogue.rescan()).isFalse();
      assertThat(catalogue.entries()).isSameAs(entries);
      offer(catalogue, "a").end();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("b");
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).isEqualTo(entries);
      Files.write(folder.resolve("c"), new byte[1]);
      Files.delete(file);
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.entries()).extracting(CatalogueEntry::name).containsExactly("b", "c");
    }
  }

  /** With a list that is copied for each offer, this would take minutes. */
  @Test
  @Timeout(60)
  void manyFilesOfTheSameBytesAreListedQuickly() throws Exception {
    Path file = Files.write(folder.resolve("a"), new byte[50]);
    try (Catalogue catalogue = scanned(file)) {
      Offer one = offer(catalogue, "a");
      Map<String, Offer> equal = new LinkedHashMap<>();
      for (int i = 0; i < 400_000; i++) {
        equal.put("file " + i, one);
      }
      Catalogue.Snapshot snapshot = Catalogue.Snapshot.of(equal);
      assertThat(snapshot.byId().get(one.entry().id())).hasSize(equal.size());
    }
  }

  @Test
  void aFolderTellsOfNewAndRemovedNames() throws Exception {
    Path inner = Files.createDirectories(folder.resolve("inner"));
    Files.setLastModifiedTime(inner, FileTime.fromMillis(1000));
    try (Catalogue catalogue = scanned(folder)) {
      assertThat(catalogue.hasNewNames()).isFalse();
      Path file = Files.write(inner.resolve("a"), new byte[1]);
      assertThat(catalogue.hasNewNames()).isTrue();
      assertThat(catalogue.rescan()).isTrue();
      assertThat(catalogue.hasNewNames()).isFalse();
      Files.setLastModifiedTime(inner, FileTime.fromMillis(1000));
      assertThat(catalogue.rescan()).isFalse();
      Files.delete(file);
      assertThat(catalogue.hasNewNames()).isTrue();
    }
  }
}
