package io.fieldstone.net.catalogue;

import io.fieldstone.rlnc.wire.ObjectManifest;
import io.fieldstone.rlnc.wire.Sha256;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A file as it was when it was hashed. Reading fails once its size, time or place in the file
 * system have changed, so that a server does not send bytes that its hashes contradict.
 * Thread-safe.
 */
public final class Offer {

  private final CatalogueEntry entry;
  private final Path file;
  private final FileStamp stamp;
  private final ObjectManifest manifest;
  private final HashList hashes;
  private volatile boolean isEnded;
  private volatile boolean isRemoved;

  Offer(String name, Path file, FileStamp stamp, ObjectManifest manifest, HashList hashes) {
    this.entry = new CatalogueEntry(name, manifest.length(), manifest.id());
    this.file = file;
    this.stamp = stamp;
    this.manifest = manifest;
    this.hashes = hashes;
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
    return manifest;
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

  /** Notes that the file has changed or is not there. */
  void end() {
    isRemoved = Files.notExists(file);
    isEnded = true;
  }

  /**
   * Reads a generation, padded with zeros.
   *
   * @param generation the number
   * @param destination n·k bytes; fewer for a shorter last generation
   * @throws FileChangedException if the file is not the one that was hashed
   * @throws IOException if it cannot be read
   */
  public void read(int generation, MemorySegment destination) throws IOException {
    requireUnchanged();
    try (OpenFile opened = OpenFile.read(file)) {
      read(
          opened, manifest.shape().bytes() * generation, manifest.bytesOf(generation), destination);
    } catch (IOException e) {
      requireUnchanged();
      throw e;
    }
    requireUnchanged();
  }

  /** Reads bytes at a position and fills the rest of the destination with zeros. */
  static void read(OpenFile opened, long position, long bytes, MemorySegment destination)
      throws IOException {
    opened.readFully(destination.asSlice(0, bytes), position);
    destination.asSlice(bytes).fill((byte) 0);
  }

  private void requireUnchanged() throws FileChangedException {
    boolean isSame;
    try {
      isSame = FileStamp.of(file).equals(stamp);
    } catch (IOException e) {
      isSame = false;
    }
    if (!isSame) {
      end();
      throw new FileChangedException(file);
    }
  }
}
