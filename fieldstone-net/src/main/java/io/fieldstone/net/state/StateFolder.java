package io.fieldstone.net.state;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Makes the folders in which servers, relays and clients keep their state, and the files in them.
 * New ones are for their owner only, where file systems have owners: modes 0700 and 0600.
 */
public final class StateFolder {

  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");

  private StateFolder() {}

  /**
   * Makes a folder and its parents, if they are absent.
   *
   * @throws FileSystemException if something else has its name
   * @throws IOException if it cannot be made
   */
  public static void make(Path folder) throws IOException {
    try {
      FileAttribute<?>[] attributes =
          isPosix(folder)
              ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FOLDER)}
              : new FileAttribute<?>[0];
      Files.createDirectories(folder, attributes);
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(folder.toString(), null, "not a directory");
    }
  }

  /**
   * Makes a folder that only its owner may access. One that is there becomes private, if the file
   * system and its owner allow it.
   *
   * @throws IOException as {@link #make}
   */
  public static void makePrivate(Path folder) throws IOException {
    make(folder);
    try {
      if (isPosix(folder) && !Files.getPosixFilePermissions(folder).equals(FOLDER)) {
        Files.setPosixFilePermissions(folder, FOLDER);
      }
    } catch (IOException _) {
      // The folder belongs to another user, or its file system has no modes.
    }
  }

  /** Replaces a file atomically; a new one is for its owner only. */
  public static void replace(Path file, byte[] content) throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      (Files.exists(file) ? temporaries.create(file) : temporaries.createPrivate(file, true))
          .append(new ByteBuffer[] {ByteBuffer.wrap(content)});
      temporaries.commit();
    }
  }

  /** Returns true if the file system of a path has the permissions of POSIX. */
  public static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
