package io.fieldstone.net.trust;

import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
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
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private StateFolder() {}

  /**
   * Makes a folder and its parents, if they are absent.
   *
   * @throws FileSystemException if something else has its name
   * @throws IOException if it cannot be made
   */
  public static void make(Path folder) throws IOException {
    try {
      Files.createDirectories(folder, attributes(folder, FOLDER));
    } catch (FileAlreadyExistsException e) {
      throw new FileSystemException(folder.toString(), null, "not a directory");
    }
  }

  /**
   * Makes a folder for files that nobody else needs. One that is there becomes private, if the file
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

  /** Opens a file; a new one is for its owner only. */
  public static FileChannel open(Path file, OpenOption... options) throws IOException {
    return FileChannel.open(file, Set.of(options), attributes(file, FILE));
  }

  /** Replaces a file atomically; a new one is for its owner only. */
  public static void replace(Path file, byte[] content) throws IOException {
    try (Temporaries temporaries = new Temporaries()) {
      (Files.exists(file) ? temporaries.create(file) : temporaries.createPrivate(file, true))
          .append(new ByteBuffer[] {ByteBuffer.wrap(content)});
      temporaries.commit();
    }
  }

  private static FileAttribute<?>[] attributes(Path path, Set<PosixFilePermission> permissions) {
    return isPosix(path)
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
        : new FileAttribute<?>[0];
  }

  private static boolean isPosix(Path path) {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix");
  }
}
