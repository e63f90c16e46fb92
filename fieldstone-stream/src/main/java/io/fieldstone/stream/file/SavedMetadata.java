package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * When a file was modified, and who may access it: the attributes that are restored with a file.
 * Set-user-ID, set-group-ID and sticky bits are not included.
 *
 * @param modifiedNs the time of modification in nanoseconds since 1970; empty if it is unknown
 * @param mode the permission bits, 0 to {@value #MAX_MODE}; empty if they are unknown, as on
 *     systems other than Unix
 */
public record SavedMetadata(OptionalLong modifiedNs, OptionalInt mode) {

  /** The maximum mode: all may read, write and execute. */
  public static final int MAX_MODE = 0777;

  /** Reads the stamp of a file, following links. */
  public static SavedMetadata of(Path file) throws IOException {
    long modified = Files.getLastModifiedTime(file).to(TimeUnit.NANOSECONDS);
    OptionalInt mode =
        FileMetadata.of(file).stream().mapToInt(read -> read.mode() & MAX_MODE).findFirst();
    return new SavedMetadata(OptionalLong.of(modified), mode);
  }

  /**
   * Gives a file its mode and its time. If that fails, as for a file of another user, the reason is
   * logged as a warning.
   *
   * @param name the name of the file in the warning
   */
  void applyTo(Path file, Path name) {
    try {
      if (mode.isPresent()) {
        FileMetadata.setPermissions(file, mode.getAsInt());
      }
      if (modifiedNs.isPresent()) {
        Files.setLastModifiedTime(
            file, FileTime.from(modifiedNs.getAsLong(), TimeUnit.NANOSECONDS));
      }
    } catch (IOException e) {
      System.getLogger(SavedMetadata.class.getName())
          .log(
              Level.WARNING,
              "{0} does not get back its mode and its time of modification: {1}",
              name,
              FileProblem.reason(e));
    }
  }

  /** Gives a file its mode and its time, or logs a warning with the reason. */
  public void applyTo(Path file) {
    applyTo(file, file);
  }
}
