package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.crypto.GenerationContent;
import io.fieldstone.rlnc.crypto.PublisherRecord;
import io.fieldstone.rlnc.wire.HashTree;
import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
    }
    return isSame;
  }

  /** Notes that the file has changed or is not there. */
  void end() {
    isRemoved = Files.notExists(file);
    isEnded = true;
  }

  /**
   * Reads a generation as it is coded: encrypted if the object is, and padded with zeros.
   *
   * @param generation the number
   * @param destination n·k bytes; fewer for a shorter last generation
   * @throws FileChangedException if the generation is not the one that was hashed
   * @throws IOException if it cannot be read
   */
  public void read(int generation, MemorySegment destination) throws IOException {
    long bytes = stamp.bytes();
    requireSize(bytes);
    try (OpenFile opened = OpenFile.read(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment _ = new SourceReader(content, arena).read(opened, generation, destination);
    } catch (IOException e) {
      requireSize(bytes); // names the cause if the file is gone or has another size
      throw e;
    }
    requireSize(bytes);
    int k = manifest().shape().blockSize();
    requireSame(new HashTree().generation(destination, k).equals(hashes.get(generation)));
  }

  /** Checks that the file is there and has its size. */
  private void requireSize(long bytes) throws FileChangedException {
    long now = -1;
    try {
      now = FileStamp.of(file).bytes();
    } catch (IOException _) {
      // It is not there.
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
