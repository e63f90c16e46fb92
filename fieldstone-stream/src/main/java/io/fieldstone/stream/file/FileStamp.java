package io.fieldstone.stream.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
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
 * The identity, size and modification time of a file, with which a change is detected while it is
 * read. Immutable.
 *
 * @param path the file, as named in messages
 * @param size the bytes of the file
 * @param modified the modification time
 * @param key the identity of the file in the file system, if it has one
 */
public record FileStamp(Path path, long size, FileTime modified, @Nullable Object key) {

  /** The maximum step of the clock of file systems. */
  private static final Duration CLOCK_STEP = Duration.ofMillis(20);

  /** The maximum number of steps to wait for a file to become unchanged. */
  private static final int MAX_STEPS = 5;

  /**
   * Reads the stamp of a file, before it is opened. A file modified within the last clock step is
   * read again after a step, because a later change could have the same time. So every change after
   * this call is seen, in whatever way the file is read.
   *
   * @throws IOException if the file does not exist
   * @throws InterruptedException if the calling thread is interrupted
   */
  public static FileStamp of(Path path) throws IOException, InterruptedException {
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
   * Checks that the file is unchanged.
   *
   * @throws IOException if it was modified, replaced or removed
   */
  public void requireUnchanged() throws IOException {
    FileStamp now;
    try {
      now = now(path);
    } catch (NoSuchFileException e) {
      FileSystemException removed = changed("was removed");
      removed.initCause(e);
      throw removed;
    }
    if (!Objects.equals(now.key, key)) {
      throw changed("was replaced");
    }
    if (now.size != size) {
      throw changed("changed from %d to %d bytes".formatted(size, now.size));
    }
    if (!now.modified.equals(modified)) {
      throw changed("was written at %s,".formatted(now.modified));
    }
  }

  private FileSystemException changed(String how) {
    return new FileSystemException(
        path.toString(), null, how + " while it was read; the result is not kept");
  }
}
