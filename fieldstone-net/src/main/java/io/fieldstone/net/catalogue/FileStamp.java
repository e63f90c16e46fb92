package io.fieldstone.net.catalogue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a file of which one changes if it is written or replaced.
 *
 * @param bytes the size
 * @param modifiedNanos the time of the last modification, in nanoseconds since 1970
 * @param key the identity of the file in its file system, if that has one
 */
record FileStamp(long bytes, long modifiedNanos, @Nullable Object key) {

  static FileStamp of(Path file) throws IOException {
    return of(Files.readAttributes(file, BasicFileAttributes.class));
  }

  static FileStamp of(BasicFileAttributes attributes) {
    return new FileStamp(
        attributes.size(),
        attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
        attributes.fileKey());
  }

  /** Returns the last modification in seconds since 1970, but neither before that nor after now. */
  long pastSeconds() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(modifiedNanos);
    return Math.max(0, Math.min(seconds, Instant.now().getEpochSecond()));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FileStamp stamp
        && bytes == stamp.bytes
        && modifiedNanos == stamp.modifiedNanos
        && Objects.equals(key, stamp.key);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bytes, modifiedNanos, key);
  }
}
