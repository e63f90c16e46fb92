package io.fieldstone.net.relay;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.net.state.StateFolder;
import io.fieldstone.rlnc.object.GenerationHashes;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The verified generations of a relay in a folder, bounded in bytes. Each object has two files:
 * {@code ID.head} with its names, publisher records, manifest and hashes, and {@code ID.blocks}
 * (see {@link CachedObject}). Objects that no client has open are removed first, the least recently
 * used ones first.
 *
 * <p>For one thread. The folder is locked against other processes.
 */
final class DiskCache implements AutoCloseable {

  private static final Logger LOGGER = System.getLogger(DiskCache.class.getName());

  private static final String HEAD = ".head";
  private static final String BLOCKS = ".blocks";
  private static final String LOCK = "lock";

  /** The time between two reports of one problem. */
  private static final long REPORT_NANOS = 60_000_000_000L;

  /** More than the head of an object of the maximum size, whose hashes must fit in memory. */
  private static final long MAX_HEAD_BYTES = 1L << 30;

  private final Path folder;
  private final long maxBytes;
  private final FileChannel lock;

  /** The objects that are not open, by their last use. */
  private final Map<Sha256, Closed> closed = new LinkedHashMap<>();

  private final Map<Sha256, CachedObject> open = new HashMap<>();

  /** The entries of the objects that are open. */
  private final Map<Sha256, List<CatalogueEntry>> entries = new HashMap<>();

  private long closedBytes;

  /** When it was last reported that the cache cannot be written. */
  private long reportedNanos = System.nanoTime() - REPORT_NANOS;

  /** When removing an object last did not help to write another. */
  private long noRoomNanos = System.nanoTime() - REPORT_NANOS;

  private record Closed(List<CatalogueEntry> entries, long bytes, boolean isComplete) {}

  private DiskCache(Path folder, long maxBytes, FileChannel lock) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.lock = lock;
  }

  /**
   * Opens the cache of a folder, which is created if it is not there. Files that are damaged are
   * removed.
   *
   * @throws FileSystemException if another process uses it
   */
  static DiskCache open(Path folder, long maxBytes) throws IOException {
    StateFolder.makePrivate(folder);
    FileChannel lock =
        OpenFile.openPrivately(
            folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (!OpenFile.tryLock(lock)) {
        throw new FileSystemException(folder.toString(), null, "is in use by another process");
      }
      DiskCache cache = new DiskCache(folder, maxBytes, lock);
      cache.scan();
      return cache;
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  private record Aged(Path head, long millis) {}

  private void scan() throws IOException {
    List<Aged> heads = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(HEAD)) {
          heads.add(new Aged(file, Files.getLastModifiedTime(file).toMillis()));
        } else if (name.endsWith(BLOCKS)
            && !Files.exists(folder.resolve(name.replace(BLOCKS, HEAD)))) {
          Files.delete(file);
        }
      }
    }
    heads.sort(Comparator.comparingLong(Aged::millis).thenComparing(Aged::head));
    for (Aged each : heads) {
      String digits = String.valueOf(each.head.getFileName()).replace(HEAD, "");
      try {
        CacheHead head = read(each.head);
        Sha256 id = head.manifest().id();
        if (!id.toString().equals(digits)) {
          throw new MalformedDataException(0, "the object is " + id);
        }
        long bytes = Files.exists(blocks(id)) ? Files.size(blocks(id)) : 0;
        // Damage shows when the object is read.
        boolean isComplete = bytes >= CachedObject.bytes(head.manifest());
        long allBytes = bytes + Files.size(each.head);
        closed.put(id, new Closed(head.entries(), allBytes, isComplete));
        closedBytes += allBytes;
      } catch (MalformedDataException e) {
        LOGGER.log(Level.WARNING, "removed {0}: {1}", each.head, e.getMessage());
        Files.deleteIfExists(each.head);
        Files.deleteIfExists(folder.resolve(digits + BLOCKS));
      } catch (IOException e) {
        LOGGER.log(Level.WARNING, "cannot read {0}: {1}", each.head, FileProblem.reason(e));
      }
    }
  }

  private static CacheHead read(Path file) throws IOException, MalformedDataException {
    long bytes = Files.size(file);
    if (bytes > MAX_HEAD_BYTES) {
      throw new MalformedDataException(0, bytes + " bytes");
    }
    return CacheHead.parse(Files.readAllBytes(file));
  }

  private Path head(Sha256 id) {
    return folder.resolve(id + HEAD);
  }

  private Path blocks(Sha256 id) {
    return folder.resolve(id + BLOCKS);
  }

  /** Returns all names of the objects that are complete and not open. */
  List<CatalogueEntry> complete() {
    return closed.values().stream()
        .filter(Closed::isComplete)
        .flatMap(each -> each.entries().stream())
        .toList();
  }

  /**
   * Opens an object that the cache has, and keeps names and publisher records that it does not have
   * yet. One whose files are damaged or cannot be read is not in the cache any more.
   *
   * @param id the object
   * @param listed its names, and their records of publishers
   */
  Optional<CachedObject> find(Sha256 id, List<CatalogueEntry> listed) {
    if (!closed.containsKey(id)) {
      return Optional.empty();
    }
    try {
      CacheHead head = read(head(id));
      GenerationHashes hashes = new GenerationHashes(head.manifest(), head.hashes());
      CachedObject opened = open(head.entries(), hashes);
      keep(opened, listed);
      return Optional.of(opened);
    } catch (MalformedDataException e) {
      LOGGER.log(Level.WARNING, "removed {0}: {1}", head(id), e.getMessage());
      removeOrWarn(id);
    } catch (IOException e) {
      // The files stay: another attempt, or the next start, may be able to read them.
      LOGGER.log(Level.WARNING, "cannot read the cache: {0}", FileProblem.text(e));
      forget(id);
    }
    return Optional.empty();
  }

  /**
   * Adds an object, or replaces the one that is there. One that cannot be written is in memory as
   * long as it is open.
   *
   * @param listed its names, at least one, and their records of publishers
   */
  CachedObject create(List<CatalogueEntry> listed, GenerationHashes hashes) throws IOException {
    Sha256 id = hashes.manifest().id();
    removeOrWarn(id);
    CacheHead head = CacheHead.of(listed, hashes);
    Optional<CachedObject> opened =
        written(() -> {
          write(head);
          return open(head.entries(), hashes);
        });
    if (opened.isPresent()) {
      return opened.get();
    }
    deleteIfPossible(head(id)); // blocks without their head are removed at the next start
    return add(head.entries(), new CachedObject(this, hashes, Optional.empty()));
  }

  /** Keeps names and publisher records of an object that is open, if it does not have them yet. */
  void keep(CachedObject object, List<CatalogueEntry> listed) {
    GenerationHashes hashes = object.hashes();
    CacheHead held = new CacheHead(entries(object), hashes.manifest(), hashes.all());
    CacheHead head = held.with(listed);
    if (head.entries().equals(held.entries())) {
      return;
    }
    entries.put(object.id(), head.entries());
    if (object.isKept()) {
      try {
        write(head);
      } catch (IOException e) {
        cannotWrite(e);
      }
    }
  }

  /** Writes something to the cache. */
  @FunctionalInterface
  interface Writing<T> {
    T write() throws IOException;
  }

  /**
   * Writes to the cache; if that fails, again after removing an object to make room on the disk.
   *
   * @return the result; empty if it cannot be written
   */
  <T> Optional<T> written(Writing<T> writing) {
    try {
      return Optional.of(writing.write());
    } catch (IOException e) {
      cannotWrite(e);
    }
    try {
      if (makeRoomOnDisk()) {
        return Optional.of(writing.write());
      }
    } catch (IOException _) {
      // Removing an object did not help: none is removed for a minute.
      noRoomNanos = System.nanoTime();
    }
    return Optional.empty();
  }

  /** Reports that the cache cannot be written, once a minute. */
  private void cannotWrite(IOException cause) {
    long now = System.nanoTime();
    if (now - reportedNanos >= REPORT_NANOS) {
      reportedNanos = now;
      LOGGER.log(
          Level.WARNING,
          "cannot write the cache {0}: {1}; the relay passes on what it cannot keep",
          folder,
          FileProblem.text(cause));
    }
  }

  /**
   * Makes room on a full disk: removes the object least recently used that is not open.
   *
   * @return false if there is none, or the last time did not help
   */
  private boolean makeRoomOnDisk() {
    if (closed.isEmpty() || System.nanoTime() - noRoomNanos < REPORT_NANOS) {
      return false;
    }
    removeOrWarn(closed.keySet().iterator().next());
    return true;
  }

  private void write(CacheHead head) throws IOException {
    StateFolder.replace(head(head.manifest().id()), head.toBytes());
  }

  /** Returns the names of an object that is open. */
  List<CatalogueEntry> entries(CachedObject object) {
    return entries.getOrDefault(object.id(), List.of());
  }

  private CachedObject open(List<CatalogueEntry> names, GenerationHashes hashes)
      throws IOException {
    Sha256 id = hashes.manifest().id();
    FileChannel file =
        OpenFile.openPrivately(
            blocks(id),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    try {
      return add(names, new CachedObject(this, hashes, Optional.of(file)));
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private CachedObject add(List<CatalogueEntry> names, CachedObject opened) {
    forget(opened.id());
    open.put(opened.id(), opened);
    entries.put(opened.id(), names);
    return opened;
  }

  private void forget(Sha256 id) {
    Closed before = closed.remove(id);
    closedBytes -= before == null ? 0 : before.bytes;
  }

  /** Takes back an object that was closed. */
  void closed(CachedObject object) {
    if (open.remove(object.id(), object)) {
      List<CatalogueEntry> names = Objects.requireNonNull(entries.remove(object.id()));
      if (!object.isKept()) {
        return;
      }
      boolean isComplete =
          object.generations().cardinality() == object.hashes().manifest().generations();
      closed.put(object.id(), new Closed(names, object.bytes(), isComplete));
      closedBytes += object.bytes();
      try {
        // The order of the last use, for the next process.
        Files.setLastModifiedTime(head(object.id()), FileTime.from(Instant.now()));
      } catch (IOException _) {
        // Another object may be removed first then.
      }
    }
  }

  /** Returns the bytes for each open object, if all have the same size. */
  long shareBytes() {
    return maxBytes / Math.max(1, open.size());
  }

  /** Removes objects that are not open until more bytes fit; returns false if they do not. */
  boolean makeRoom(long bytes) {
    long openBytes = open.values().stream().mapToLong(CachedObject::bytes).sum();
    Iterator<Sha256> eldest = List.copyOf(closed.keySet()).iterator();
    while (openBytes + closedBytes + bytes > maxBytes && eldest.hasNext()) {
      removeOrWarn(eldest.next());
    }
    return openBytes + closedBytes + bytes <= maxBytes;
  }

  private void removeOrWarn(Sha256 id) {
    if (closed.containsKey(id)) {
      forget(id);
      try {
        Files.deleteIfExists(blocks(id));
        Files.deleteIfExists(head(id));
      } catch (IOException e) {
        LOGGER.log(
            Level.WARNING, "cannot remove an object from the cache: {0}", FileProblem.text(e));
      }
    }
  }

  private static void deleteIfPossible(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException _) {
      // It is read again at the next start.
    }
  }

  @Override
  public void close() {
    try {
      for (CachedObject each : List.copyOf(open.values())) {
        each.close();
      }
      lock.close();
    } catch (IOException e) {
      LOGGER.log(Level.WARNING, "cannot close the cache: {0}", e.getMessage());
    }
  }
}
