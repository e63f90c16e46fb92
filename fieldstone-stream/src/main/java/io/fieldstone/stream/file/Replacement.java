package io.fieldstone.stream.file;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A reversible replacement or removal of a file, done together with others. Names are relative to
 * the directory; an empty name means that there is no such file.
 *
 * @param temporary the new file; empty if the target is removed
 * @param target the name of the old and the new file
 * @param kept an additional name of the old file; empty if there is no old file
 * @param bytes the size of the new file, or −1
 * @param modifiedNs the modification time of the new file in nanoseconds since 1970, or −1
 */
record Replacement(String temporary, String target, String kept, long bytes, long modifiedNs) {

  private static final String NONE = "";

  /** Returns the replacement of a target by a temporary file, which is completely written. */
  static Replacement of(Path temporary, Path target, Optional<Path> kept) throws IOException {
    BasicFileAttributes read = Files.readAttributes(temporary, BasicFileAttributes.class);
    return new Replacement(
        nameOf(temporary),
        nameOf(target),
        kept.map(Replacement::nameOf).orElse(NONE),
        read.size(),
        read.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  /** Returns the removal of a target. */
  static Replacement removing(Path target, Path kept) {
    return new Replacement(NONE, nameOf(target), nameOf(kept), -1, -1);
  }

  private static String nameOf(Path file) {
    return String.valueOf(file.getFileName());
  }

  /**
   * Reads a replacement from a journal.
   *
   * @throws IOException if the journal ends, or a name leads out of the directory
   */
  static Replacement read(DataInputStream journal) throws IOException {
    return new Replacement(
        name(journal), name(journal), name(journal), journal.readLong(), journal.readLong());
  }

  private static String name(DataInputStream journal) throws IOException {
    String name = journal.readUTF();
    if (name.contains("/") || name.contains(File.separator) || name.matches("\\.{1,2}")) {
      throw new IOException("the journal names '" + name + "', which is in another directory");
    }
    return name;
  }

  /** Writes the replacement to a journal. */
  void write(DataOutputStream journal) throws IOException {
    journal.writeUTF(temporary);
    journal.writeUTF(target);
    journal.writeUTF(kept);
    journal.writeLong(bytes);
    journal.writeLong(modifiedNs);
  }

  /** Adds the additional name to the old file as a hard link. */
  void keepByLink(Path directory) {
    if (!kept.isEmpty()) {
      try {
        Files.createLink(directory.resolve(kept), directory.resolve(target));
      } catch (IOException | UnsupportedOperationException _) {
        // Not every file system has hard links: the target is renamed before it is replaced.
      }
    }
  }

  /** Replaces or removes the target. */
  void apply(Path directory) throws IOException {
    Path old = directory.resolve(target);
    Path further = directory.resolve(kept);
    if (Files.isDirectory(old, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(old.toString(), null, "is a directory");
    }
    try {
      if (!kept.isEmpty() && !exists(further)) {
        Files.move(old, further, StandardCopyOption.ATOMIC_MOVE);
      }
      if (!temporary.isEmpty()) {
        Files.move(directory.resolve(temporary), old, StandardCopyOption.ATOMIC_MOVE);
      } else {
        Files.deleteIfExists(old);
      }
    } catch (FileSystemException e) {
      throw FileErrors.of(old, e);
    }
  }

  /**
   * Restores the old file, unless the target has since become another file. May be called before
   * {@link #apply}, after it, after a part of it, and repeatedly.
   */
  void undo(Path directory) throws IOException {
    Path now = directory.resolve(target);
    Path further = directory.resolve(kept);
    boolean isOurs = isReplaced(directory);
    if (!kept.isEmpty() && exists(further)) {
      if (isOurs || !exists(now)) {
        Files.move(further, now, StandardCopyOption.ATOMIC_MOVE);
      }
    } else if (kept.isEmpty() && isOurs) {
      Files.delete(now);
    }
  }

  /** Returns true if the target is the temporary file. */
  private boolean isReplaced(Path directory) throws IOException {
    Path now = directory.resolve(target);
    if (temporary.isEmpty() || exists(directory.resolve(temporary)) || !exists(now)) {
      return false;
    }
    BasicFileAttributes read =
        Files.readAttributes(now, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return read.size() == bytes && read.lastModifiedTime().to(TimeUnit.NANOSECONDS) == modifiedNs;
  }

  private static boolean exists(Path file) {
    return Files.exists(file, LinkOption.NOFOLLOW_LINKS);
  }
}
