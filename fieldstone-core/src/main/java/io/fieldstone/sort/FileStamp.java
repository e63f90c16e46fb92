package io.fieldstone.sort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a file was when it was looked at: which file, how long, and when it was last written. By
 * that one knows whether another process has changed it since. Immutable.
 *
 * @param path as errors name the file
 * @param size in bytes
 * @param modified when it was last written
 * @param key what tells it from other files of the system, where there is such a thing
 */
record FileStamp(Path path, long size, FileTime modified, @Nullable Object key) {

  /** Systems tell the time of files by a clock that goes forward in steps of up to so much. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(20);

  /** Steps that are waited for a file to be left alone. */
  private static final int MAX_STEPS = 5;

  /**
   * Looks at a file. One that was written a moment ago is looked at again a moment later: it could
   * be written once more at what the system takes for the same time.
   *
   * @throws IOException if there is none
   * @throws InterruptedException if the calling thread was interrupted
   */
  static FileStamp of(Path path) throws IOException, InterruptedException {
    FileStamp stamp = now(path);
    for (int step = 0; step < MAX_STEPS && stamp.isYoung(); step++) {
      Thread.sleep(CLOCK_STEP);
      stamp = now(path);
    }
    return stamp;
  }

  private static FileStamp now(Path path) throws IOException {
    BasicFileAttributes found = Files.readAttributes(path, BasicFileAttributes.class);
    return new FileStamp(path, found.size(), found.lastModifiedTime(), found.fileKey());
  }

  private boolean isYoung() {
    Duration age = Duration.between(modified.toInstant(), Instant.now());
    return !age.isNegative() && age.compareTo(CLOCK_STEP) < 0;
  }

  /**
   * Checks that the file is as it was.
   *
   * @throws IOException if it has been written since, or is another, or gone
   */
  void requireUnchanged() throws IOException {
    FileStamp now;
    try {
      now = now(path);
    } catch (NoSuchFileException e) {
      throw new IOException(path + ": was removed while it was sorted; the result is not kept", e);
    }
    if (!Objects.equals(now.key, key)) {
      throw new IOException(path + ": was replaced while it was sorted; the result is not kept");
    }
    if (now.size != size) {
      throw new IOException(
          "%s: changed from %d to %d bytes while it was sorted; the result is not kept"
              .formatted(path, size, now.size));
    }
    if (!now.modified.equals(modified)) {
      throw new IOException(
          "%s: was written at %s, while it was sorted; the result is not kept"
              .formatted(path, now.modified));
    }
  }
}
