package io.fieldstone.net.catalogue;

import io.fieldstone.net.endpoint.CatalogueEntry;
import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * A file as it was when it was hashed. Reading fails once its size has changed, and each generation
 * is hashed again when it is read: a program that writes a mapped file changes neither size nor
 * time at once. So a server sends no bytes that its hashes contradict, and no ciphertext of another
 * content under the same salt, which would reveal both.
 *
 * <p>Thread-safe.
 */
public final class Offer {

  private volatile CatalogueEntry entry;
  private final Path file;
  private volatile FileStamp stamp;
  private final GenerationContent content;
  private final HashList hashes;
  private volatile boolean isEnded;
  private volatile boolean isRemoved;
  private volatile OfferWatch watch = OfferWatch.NONE;

  /** Since when the file is away, if it is. */
  private volatile OptionalLong awaySinceNanos = OptionalLong.empty();

  /** The last scan of the catalogue that has found this file; for the thread that scans. */
  private long scan;

  /** The number of the path, among those of the catalogue, to which the file belongs; likewise. */
  private int place;

  Offer(String name, Path file, FileStamp stamp, GenerationContent content, HashList hashes) {
    this(
        new CatalogueEntry(name, content.manifest().length(), content.manifest().id()),
        file,
        stamp,
        content,
        hashes);
  }

  private Offer(
      CatalogueEntry entry,
      Path file,
      FileStamp stamp,
      GenerationContent content,
      HashList hashes) {
    this.entry = entry;
    this.file = file;
    this.stamp = stamp;
    this.content = content;
    this.hashes = hashes;
  }

  /** Makes this offer one of a catalogue. */
  void join(OfferWatch shared) {
    watch = shared;
  }

  /** Notes the scan that has found the file, and the path to which it belongs. */
  void found(long newScan, int newPlace) {
    scan = newScan;
    place = newPlace;
  }

  long scan() {
    return scan;
  }

  int place() {
    return place;
  }

  /** Returns this offer with a record of a publisher. */
  Offer signed(PublisherRecord record) {
    return new Offer(entry.withRecords(List.of(record)), file, stamp, content, hashes);
  }

  /** Returns the line of the catalogue. */
  public CatalogueEntry entry() {
    return entry;
  }

  /** Returns the file. */
  public Path file() {
    return file;
  }

  /** Returns the description of the object. */
  public ObjectManifest manifest() {
    return content.manifest();
  }

  /** Returns the hashes of all generations. */
  public List<Sha256> hashes() {
    return hashes;
  }

  HashList hashList() {
    return hashes;
  }

  /** Returns true if the file has changed, so that it is not offered any more. */
  public boolean isEnded() {
    return isEnded;
  }

  /** Returns true if there is no such file any more. */
  public boolean isRemoved() {
    return isRemoved;
  }

  FileStamp stamp() {
    return stamp;
  }

  /**
   * Takes the stamp and the records of a later offer, if both have the same file and content.
   *
   * @return true if this offer stands for the later one
   */
  boolean renew(Offer later) {
    boolean isSame = !isEnded && file.equals(later.file) && manifest().equals(later.manifest());
    if (isSame) {
      stamp = later.stamp;
      entry = later.entry;
      watch.changes().incrementAndGet();
    }
    return isSame;
  }

  /** Notes that the file has changed or is not there. */
  void end() {
    isRemoved = Files.notExists(file);
    isEnded = true;
    watch.changes().incrementAndGet();
  }

  /**
   * Notes that the file is away; returns true if it has been for so long that it counts as removed.
   */
  boolean isAwayTooLong() {
    long now = watch.nanoTime().getAsLong();
    OptionalLong since = awaySinceNanos;
    if (since.isEmpty()) {
      since = OptionalLong.of(now);
      awaySinceNanos = since;
    }
    return now - since.getAsLong() >= watch.maxAwayNanos();
  }

  /** Notes that the file is there. */
  void back() {
    if (awaySinceNanos.isPresent()) {
      awaySinceNanos = OptionalLong.empty();
    }
  }

  /**
   * Reads a generation as it is coded: encrypted if the object is, and padded with zeros.
   *
   * @param generation the number
   * @param destination n·k bytes; fewer for a shorter last generation
   * @throws FileChangedException if the generation is not the one that was hashed
   * @throws FileAwayException if the file cannot be opened now, but may be there again soon
   * @throws IOException if it cannot be read
   */
  public void read(int generation, MemorySegment destination) throws IOException {
    long bytes = stamp.bytes();
    requireSize(bytes);
    try (OpenFile opened = open();
        Arena arena = Arena.ofConfined()) {
      MemorySegment _ = new SourceReader(content, arena).read(opened, generation, destination);
    } catch (FileAwayException e) {
      throw e;
    } catch (IOException e) {
      requireSize(bytes); // names the cause if the file is gone or has another size
      throw e;
    }
    requireSize(bytes);
    int k = manifest().shape().blockSize();
    requireSame(new HashTree().generation(destination, k).equals(hashes.get(generation)));
  }

  /** Opens the file. A process that has too many files open can do so again soon. */
  private OpenFile open() throws IOException {
    OpenFile opened;
    try {
      opened = OpenFile.read(file);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      if (isAwayTooLong()) {
        throw e;
      }
      throw new FileAwayException(file, e);
    }
    back();
    return opened;
  }

  /**
   * Checks that the file has its size.
   *
   * @throws FileAwayException if the file is not there, but was a moment ago
   * @throws FileChangedException if the file is not there, or has another size
   */
  private void requireSize(long bytes) throws IOException {
    long now;
    try {
      now = FileStamp.of(file).bytes();
    } catch (IOException e) {
      requireSame(!isAwayTooLong());
      throw new FileAwayException(file, e);
    }
    requireSame(now == bytes);
  }

  private void requireSame(boolean isSame) throws FileChangedException {
    if (!isSame) {
      end();
      throw new FileChangedException(file);
    }
  }
}
