package io.fieldstone.net.catalogue;

import io.fieldstone.net.catalogue.HashFile.Entry;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.stream.file.FileProblem;
import io.fieldstone.stream.file.OpenFile;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The hashes of files, which a file keeps for the next start of a server. They count only for a
 * file whose path, size, times and identity in the file system are those of the hashed file. The
 * time of the last change, which no program can set, is one of them where the system has it.
 *
 * <p>Hashes of files that this server does not offer are kept up to {@value #MAX_UNUSED_BYTES}
 * bytes. A damaged file is ignored, and replaced later. Thread-safe.
 */
final class KeptHashes {

  /** The name of the file in the folder of the state. */
  static final String FILE = "hashes";

  /** The maximum bytes of hashes that were not used since the start. */
  static final long MAX_UNUSED_BYTES = 16L << 20;

  private static final Logger LOGGER = System.getLogger(KeptHashes.class.getName());

  /**
   * A file that was changed less than this before it was hashed may change again without a new
   * time, because clocks of file systems have steps of up to 2 s.
   */
  private static final long MIN_AGE_NANOS = 2_000_000_000;

  private static final long SAVE_NANOS = 60_000_000_000L;

  private final Path file;
  private final Supplier<Instant> clock;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> used = new HashSet<>();
  private boolean isChanged;
  private long savedNanos = System.nanoTime();

  /** Reads the file of a folder, which need not exist. */
  KeptHashes(Path folder, Supplier<Instant> clock) {
    this.file = folder.resolve(FILE);
    this.clock = clock;
    try (InputStream in = Files.newInputStream(file)) {
      HashFile.read(in, Files.size(file)).forEach(entry -> entries.put(entry.path(), entry));
    } catch (NoSuchFileException e) {
      // The first start.
    } catch (IOException | MalformedDataException e) {
      LOGGER.log(
          Level.WARNING,
          "{0} is ignored, and all files are hashed: {1}",
          file,
          FileProblem.reason(e));
    }
  }

  /** A file before it is hashed. */
  record Before(FileStamp stamp, long changedNanos, boolean isOld) {}

  /** Notes the state of a file, before it is hashed. */
  Before before(Path path) throws IOException {
    FileStamp stamp = FileStamp.of(path);
    long changedNanos = changedNanos(path);
    Instant now = clock.get();
    long nowNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
    long latest = Math.max(stamp.modifiedNanos(), changedNanos);
    return new Before(stamp, changedNanos, nowNanos - latest >= MIN_AGE_NANOS);
  }

  private static long changedNanos(Path path) throws IOException {
    if (!path.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return 0;
    }
    return Files.getAttribute(path, "unix:ctime") instanceof FileTime time
        ? time.to(TimeUnit.NANOSECONDS)
        : 0;
  }

  /** Returns the offer of a file whose hashes are known. */
  synchronized Optional<Offer> find(String name, Path path, Before now, GenerationShape shape) {
    Entry entry = entries.get(path.toAbsolutePath().toString());
    if (entry == null
        || entry.bytes() != now.stamp.bytes()
        || entry.modifiedNanos() != now.stamp.modifiedNanos()
        || entry.changedNanos() != now.changedNanos
        || !entry.key().equals(String.valueOf(now.stamp.key()))
        || !entry.manifest().shape().equals(shape)) {
      return Optional.empty();
    }
    used.add(entry.path());
    return Optional.of(
        new Offer(
            name,
            path,
            now.stamp,
            FileHasher.content(entry.manifest(), Optional.empty()),
            entry.hashes()));
  }

  /** Keeps the hashes of a file. */
  synchronized void keep(Before before, Offer offer) {
    String path = offer.file().toAbsolutePath().toString();
    isChanged |= entries.remove(path) != null;
    Entry entry =
        new Entry(
            path,
            before.stamp.bytes(),
            before.stamp.modifiedNanos(),
            before.changedNanos,
            String.valueOf(before.stamp.key()),
            offer.manifest(),
            offer.hashList());
    if (before.isOld && before.stamp.equals(offer.stamp()) && entry.isWritable()) {
      entries.put(path, entry);
      used.add(path);
      isChanged = true;
    }
  }

  /** Writes the file if it has not been written for a minute. */
  synchronized void saveSometimes() {
    if (System.nanoTime() - savedNanos >= SAVE_NANOS) {
      save();
    }
  }

  /** Writes the file if there is something new; warns if it cannot, and tries again later. */
  synchronized void save() {
    if (!isChanged) {
      return;
    }
    isChanged = false;
    savedNanos = System.nanoTime();
    forgetUnused();
    try (Temporaries temporaries = new Temporaries()) {
      OpenFile out = temporaries.createPrivate(file, true);
      HashFile.write(
          new OutputStream() {
            @Override
            public void write(int value) throws IOException {
              write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
              out.append(new ByteBuffer[] {ByteBuffer.wrap(bytes, from, count)});
            }
          },
          entries.values());
      temporaries.commit();
    } catch (IOException e) {
      isChanged = true;
      LOGGER.log(
          Level.WARNING,
          "cannot keep the hashes, so the next start hashes all files: {0}",
          FileProblem.text(e));
    }
  }

  /** Removes the oldest entries that were not used, as far as they are too many. */
  private void forgetUnused() {
    List<Entry> unused = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : entries.values()) {
      if (!used.contains(entry.path())) {
        unused.add(entry);
        bytes += entry.size();
      }
    }
    for (Entry entry : unused) {
      if (bytes <= MAX_UNUSED_BYTES) {
        return;
      }
      entries.remove(entry.path());
      bytes -= entry.size();
    }
  }
}
