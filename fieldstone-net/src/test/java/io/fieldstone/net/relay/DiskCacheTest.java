package io.fieldstone.net.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.field.Gf256;
import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.Code;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.crypto.SigningKey;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.object.MemoryObject;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class DiskCacheTest {

  @TempDir Path folder;

  @Test
  void aFolderIsForOneCacheAtATime() throws IOException {
    try (DiskCache _ = DiskCache.open(folder, 1 << 20)) {
      assertThatThrownBy(() -> DiskCache.open(folder, 1 << 20))
          .isInstanceOf(FileSystemException.class)
          .hasMessage("%s: is in use by another process", folder);
    }
    try (DiskCache again = DiskCache.open(folder, 1 << 20)) {
      assertThat(again.complete()).isEmpty();
    }
  }

  /** Also a folder that an earlier version has made. */
  @Test
  @EnabledOnOs({OS.LINUX, OS.MAC})
  void theCacheIsForItsOwnerOnly() throws Exception {
    Path cached = Files.createDirectory(folder.resolve("relayed"));
    Files.setPosixFilePermissions(cached, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (DiskCache cache = DiskCache.open(cached, 1 << 20)) {
      Sha256 _ = add(cache, 1);
    }
    assertThat(permissions(cached)).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(cached)) {
      assertThat(files)
          .hasSize(3)
          .allMatch(file -> "rw-------".equals(permissions(file)), "is for its owner only");
    }
  }

  private static String permissions(Path file) {
    try {
      return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final GenerationShape SHAPE =
      new GenerationShape(Gf256.DEFAULT, new Code.Systematic(), 2, 16);

  private static GenerationHashes hashes() throws MalformedDataException {
    List<Sha256> all = List.of(new Sha256(1, 2, 3, 4));
    Sha256 root = new HashTree().object(all);
    return new GenerationHashes(new ObjectManifest(SHAPE, 20, Optional.empty(), root), all);
  }

  private static CatalogueEntry entry(Sha256 id, String name, SigningKey... publishers) {
    List<PublisherRecord> records =
        Stream.of(publishers).map(key -> PublisherRecord.sign(key, name, id)).toList();
    return new CatalogueEntry(name, 20, id, 3, records);
  }

  private List<CatalogueEntry> completeAgain() throws IOException {
    try (DiskCache again = DiskCache.open(folder, 1 << 20)) {
      return again.complete();
    }
  }

  @Test
  void allNamesAndTheirRecordsAreKept() throws Exception {
    GenerationHashes hashes = hashes();
    Sha256 id = hashes.manifest().id();
    SigningKey one = SigningKey.generate();
    SigningKey two = SigningKey.generate();
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      CachedObject object = cache.create(List.of(entry(id, "b", one)), hashes);
      object.verified(0, MemorySegment.ofArray(new byte[20]));
      assertThat(cache.entries(object)).containsExactly(entry(id, "b", one).withHops(0));
      assertThat(cache.complete()).isEmpty();
    }
    assertThat(completeAgain()).containsExactly(entry(id, "b", one).withHops(0));

    List<CatalogueEntry> listed = List.of(entry(id, "a", two), entry(id, "b", two));
    List<CatalogueEntry> all =
        List.of(entry(id, "b", one, two).withHops(0), entry(id, "a", two).withHops(0));
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      CachedObject object = cache.find(id, listed).orElseThrow();
      assertThat(cache.entries(object)).isEqualTo(all);
      object.close();
      assertThat(cache.complete()).isEqualTo(all);
    }
    assertThat(completeAgain()).isEqualTo(all);
  }

  /** Its file is as long as before, but it cannot be served without a source. */
  @Test
  void anObjectWithADamagedGenerationIsNotComplete() throws Exception {
    GenerationHashes hashes = hashes();
    Sha256 id = hashes.manifest().id();
    List<CatalogueEntry> listed = List.of(entry(id, "a"));
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      CachedObject object = cache.create(listed, hashes);
      // Not the bytes of the hash.
      object.verified(0, MemorySegment.ofArray(new byte[20]));
      object.close();
      assertThat(cache.complete()).hasSize(1);

      CachedObject again = cache.find(id, listed).orElseThrow();
      assertThatThrownBy(() -> again.read(0, MemorySegment.ofArray(new byte[32])))
          .isInstanceOf(MissingGenerationException.class);
      again.close();

      assertThat(cache.complete()).isEmpty();
    }
  }

  private static MemoryObject object(int generations, int seed) {
    byte[] bytes = new byte[generations * (int) SHAPE.bytes()];
    new SplittableRandom(seed).nextBytes(bytes);
    return MemoryObject.of(SHAPE, MemorySegment.ofArray(bytes));
  }

  /** Keeps a generation in the cache. */
  private static void keep(CachedObject cached, MemoryObject object, int generation)
      throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[(int) SHAPE.bytes()]);
    object.read(generation, bytes);
    cached.verified(generation, bytes);
  }

  private static Sha256 add(DiskCache cache, int seed) throws IOException {
    MemoryObject object = object(1, seed);
    Sha256 id = object.manifest().id();
    try (CachedObject cached = cache.create(List.of(entry(id, "a")), object.hashes())) {
      keep(cached, object, 0);
    }
    return id;
  }

  private static List<Sha256> ids(DiskCache cache) {
    return cache.complete().stream().map(CatalogueEntry::id).toList();
  }

  /** The next process knows the order from the times of the files. */
  @Test
  void theObjectLeastRecentlyUsedIsRemovedFirst() throws Exception {
    Sha256 one;
    Sha256 three;
    try (DiskCache cache = DiskCache.open(folder, 150)) {
      one = add(cache, 1);
      Sha256 _ = add(cache, 2);
      cache.find(one, List.of()).orElseThrow().close();
      three = add(cache, 3);
      assertThat(ids(cache)).containsExactly(one, three);
    }
    for (List<Sha256> order : List.of(List.of(one, three), List.of(three, one))) {
      for (int i = 0; i < 2; i++) {
        Path head = folder.resolve(order.get(i) + ".head");
        Files.setLastModifiedTime(head, FileTime.fromMillis(1000 * i));
      }
      try (DiskCache cache = DiskCache.open(folder, 500)) {
        assertThat(ids(cache)).isEqualTo(order);
      }
    }
  }

  @Test
  void theGenerationLeastRecentlyUsedGivesItsSlotAway() throws Exception {
    MemoryObject object = object(CachedObject.MIN_GENERATIONS + 2, 1);
    List<Integer> removed = new ArrayList<>();
    try (DiskCache cache = DiskCache.open(folder, 1);
        CachedObject cached =
            cache.create(List.of(entry(object.manifest().id(), "a")), object.hashes())) {
      cached.onRemoved(removed::add);
      for (int g = 0; g < CachedObject.MIN_GENERATIONS; g++) {
        keep(cached, object, g);
      }
      cached.read(0, MemorySegment.ofArray(new byte[(int) SHAPE.bytes()]));
      keep(cached, object, CachedObject.MIN_GENERATIONS);
      keep(cached, object, CachedObject.MIN_GENERATIONS + 1);
      assertThat(removed).containsExactly(1, 2);
      assertThat(cached.generations().get(0)).isTrue();
    }
  }

  /** The link of the blocks leads to a disk that is always full. */
  private CachedObject onFullDisk(DiskCache cache, MemoryObject object) throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    Files.createSymbolicLink(folder.resolve(object.manifest().id() + ".blocks"), full);
    return cache.create(List.of(entry(object.manifest().id(), "a")), object.hashes());
  }

  private static void assertRead(CachedObject cached, MemoryObject object, int generation)
      throws IOException {
    MemorySegment expected = MemorySegment.ofArray(new byte[(int) SHAPE.bytes()]);
    MemorySegment read = MemorySegment.ofArray(new byte[(int) SHAPE.bytes()]);
    object.read(generation, expected);
    cached.read(generation, read);
    assertThat(read.mismatch(expected)).isEqualTo(-1);
  }

  @Test
  void aFullDiskCostsObjectsThatAreNotOpenAndThenKeepsLittleInMemory() throws Exception {
    MemoryObject object = object(CachedObject.MIN_GENERATIONS + 1, 1);
    List<Integer> removed = new ArrayList<>();
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      Sha256 other = add(cache, 2);
      Sha256 another = add(cache, 3);
      try (CachedObject cached = onFullDisk(cache, object)) {
        cached.onRemoved(removed::add);
        for (int g = 0; g < CachedObject.MIN_GENERATIONS; g++) {
          keep(cached, object, g);
        }
        // The first is removed, and does not help, so the second stays.
        assertThat(ids(cache)).containsExactly(another).doesNotContain(other);
        assertThat(cached.capacity()).isEqualTo(CachedObject.MIN_GENERATIONS);
        assertRead(cached, object, 0);

        keep(cached, object, CachedObject.MIN_GENERATIONS);

        assertThat(removed).containsExactly(1);
        assertRead(cached, object, 0);
        assertRead(cached, object, CachedObject.MIN_GENERATIONS);
      }
      assertThat(cache.complete()).noneMatch(each -> each.id().equals(object.manifest().id()));
    }
  }

  /** A folder has the name of its head. */
  @Test
  void anObjectThatCannotBeWrittenIsInMemoryWhileItIsOpen() throws Exception {
    MemoryObject object = object(2, 1);
    Sha256 id = object.manifest().id();
    Files.createDirectories(folder.resolve(id + ".head").resolve("inside"));
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      try (CachedObject cached = cache.create(List.of(entry(id, "a")), object.hashes())) {
        assertThat(cached.isKept()).isFalse();
        keep(cached, object, 1);
        assertRead(cached, object, 1);
        cache.keep(cached, List.of(entry(id, "b")));
        assertThat(cache.entries(cached)).hasSize(2);
      }
      assertThat(cache.complete()).isEmpty();
      assertThat(cache.find(id, List.of())).isEmpty();
    }
  }

  /** Any byte of the head may be wrong. */
  @Test
  void anObjectWithADamagedHeadIsNotThere() throws Exception {
    Sha256 id;
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      id = add(cache, 1);
    }
    Path head = folder.resolve(id + ".head");
    try (DiskCache cache = DiskCache.open(folder, 1 << 20)) {
      byte[] bytes = Files.readAllBytes(head);
      bytes[bytes.length - 1] ^= 1; // of a hash
      Files.write(head, bytes);
      assertThat(cache.find(id, List.of())).isEmpty();
      assertThat(cache.complete()).isEmpty();
      assertThat(head).doesNotExist();
      assertThat(add(cache, 1)).isEqualTo(id);
      Files.delete(head);
      assertThat(cache.find(id, List.of())).isEmpty();
      assertThat(cache.complete()).isEmpty();
    }
  }

  @Test
  void atMostSixteenNamesAreKept() throws Exception {
    GenerationHashes hashes = hashes();
    Sha256 id = hashes.manifest().id();
    List<CatalogueEntry> many =
        IntStream.range(0, 100).mapToObj(number -> entry(id, "name " + number)).toList();
    CacheHead head = CacheHead.of(many, hashes);
    assertThat(head.entries()).hasSize(CacheHead.MAX_NAMES);
    assertThat(CacheHead.parse(head.toBytes())).isEqualTo(head);
    assertThat(head.with(many)).isEqualTo(head);
  }

  @Test
  void damagedNamesAreRefused() throws Exception {
    GenerationHashes hashes = hashes();
    Sha256 id = hashes.manifest().id();
    CacheHead head = CacheHead.of(List.of(entry(id, "aa"), entry(id, "bb")), hashes);
    byte[] bytes = head.toBytes();
    int others = bytes.length - Sha256.BYTES - 6; // the count; then length, name and 0 records
    assertThat(bytes[others]).isEqualTo((byte) 1);
    assertRefused(bytes, others, 0, "0 other names");
    assertRefused(bytes, others, 16, "16 other names");
    assertRefused(bytes, others, 2, "the name or its records are not valid");
    assertRefused(bytes, 7, '3', "it starts neither \"FSTCACH6\" nor \"FSTCACH7\" (at byte 0)");
    bytes[others + 3] = 'a';
    assertRefused(bytes, others + 4, 'a', "a name comes twice");
  }

  private static void assertRefused(byte[] head, int at, int value, String problem) {
    byte[] damaged = head.clone();
    damaged[at] = (byte) value;
    assertThatThrownBy(() -> CacheHead.parse(damaged))
        .isInstanceOf(MalformedDataException.class)
        .hasMessageContaining(problem);
  }
}
