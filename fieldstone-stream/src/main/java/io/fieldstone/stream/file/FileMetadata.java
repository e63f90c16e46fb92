package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The permissions, owner and group of a file, which a file that replaces it receives. Access
 * control lists and extended attributes are not included.
 *
 * @param mode the permission bits, including set-user-ID, set-group-ID and sticky
 * @param uid the number of the owner
 * @param gid the number of the group
 * @param links the number of hard links
 */
record FileMetadata(int mode, int uid, int gid, int links) {

  private static final String UNIX = "unix";
  private static final int PERMISSIONS = 07777;
  private static final int ANY_WRITE = 0222;

  /** Reads the metadata of a file, following links; empty on systems other than Unix. */
  static Optional<FileMetadata> of(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains(UNIX)) {
      return Optional.empty();
    }
    Map<String, Object> read = Files.readAttributes(file, "unix:mode,uid,gid,nlink");
    return Optional.of(
        new FileMetadata(
            number(read, "mode") & PERMISSIONS,
            number(read, "uid"),
            number(read, "gid"),
            number(read, "nlink")));
  }

  private static int number(Map<String, Object> read, String name) {
    return read.get(name) instanceof Number number ? number.intValue() : 0;
  }

  /** Returns true if two files have the same owner; always true on systems other than Unix. */
  static boolean haveOneOwner(Path file, Path other) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains(UNIX)) {
      return true;
    }
    Object owner = Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    return owner.equals(Files.getAttribute(other, "unix:uid", LinkOption.NOFOLLOW_LINKS));
  }

  /**
   * Sets the bits of a mode that say who may access a file; set-user-ID, set-group-ID and sticky
   * bits stay. Has no effect on systems other than Unix.
   */
  static void setPermissions(Path file, int mode) throws IOException {
    Optional<FileMetadata> now = of(file);
    if (now.isPresent()) {
      int wanted = (now.get().mode & ~SavedMetadata.MAX_MODE) | (mode & SavedMetadata.MAX_MODE);
      if (wanted != now.get().mode) {
        Files.setAttribute(file, "unix:mode", wanted);
      }
    }
  }

  /**
   * Checks that a part file is of this user alone: a regular file without other hard links, whose
   * owner is that of a file of this process, or that of the file to be replaced. Another user may
   * have made it to keep it open, or to have a linked file overwritten.
   *
   * @param name the name in exceptions
   * @param own a file that this process has made in the same directory
   * @param replaced the metadata of the file to be replaced, if there is one
   */
  static void requireOwn(Path part, Path name, Path own, Optional<FileMetadata> replaced)
      throws IOException {
    if (!Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileSystemException(name.toString(), null, "is not a regular file; remove it");
    }
    Optional<FileMetadata> metadata = of(part);
    if (metadata.isEmpty()) {
      return;
    }
    int links = metadata.get().links;
    int owner = metadata.get().uid;
    if (links > 1) {
      throw new FileSystemException(
          name.toString(),
          null,
          "has %d hard links, so it is not continued; remove it".formatted(links));
    }
    boolean isOfReplaced = replaced.isPresent() && replaced.get().uid == owner;
    if (!isOfReplaced && !haveOneOwner(part, own)) {
      throw new FileSystemException(
          name.toString(),
          null,
          "belongs to user %d, so it is not continued; remove it".formatted(owner));
    }
  }

  /** Returns true if no user may write the file. */
  boolean isReadOnly() {
    return (mode & ANY_WRITE) == 0;
  }

  /**
   * Applies the permissions, owner and group to a new file.
   *
   * @param target the path in error messages
   */
  void applyTo(Path file, Path target) throws IOException {
    Optional<FileMetadata> made = of(file);
    if (made.isEmpty()) {
      return;
    }
    try {
      if (uid != made.get().uid) {
        Files.setAttribute(file, "unix:uid", uid);
      }
      if (gid != made.get().gid) {
        Files.setAttribute(file, "unix:gid", gid);
      }
    } catch (FileSystemException e) {
      FileSystemException named =
          new FileSystemException(
              target.toString(),
              null,
              "belongs to user %d and group %d; only root can keep them in a replacement"
                  .formatted(uid, gid));
      named.initCause(e);
      throw named;
    }
    if (mode != of(file).map(FileMetadata::mode).orElse(mode)) {
      Files.setAttribute(file, "unix:mode", mode);
    }
  }
}
