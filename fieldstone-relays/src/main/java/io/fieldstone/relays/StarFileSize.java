package io.fieldstone.relays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Path;

/**
 * The size of a {@link StarFile}.
 *
 * @param stars the number of stars
 * @param bytes the bytes of the file
 */
public record StarFileSize(long stars, long bytes) {

  /** Checks that a file store has space for the file. */
  void requireSpace(FileStore store, Path file) throws IOException {
    long usable = store.getUsableSpace();
    if (bytes > usable) {
      throw new IOException(
          "not enough space for %,d 3-stars: %,d bytes are needed, %,d are free: %s"
              .formatted(stars, bytes, usable, file));
    }
  }

  /** Checks that a file store has space for the least size of a file. */
  static void requireSpace(StarEstimate estimate, FileStore store, Path file) throws IOException {
    long usable = store.getUsableSpace();
    if (estimate.leastBytes() > usable) {
      throw new IOException(
          "not enough space for %s%,d 3-stars: at least %,d bytes are needed, %,d are free: %s"
              .formatted(
                  estimate.kind() == StarEstimate.Kind.EXACT ? "" : "at least ",
                  estimate.stars(),
                  estimate.leastBytes(),
                  usable,
                  file));
    }
  }

  /** Counts the bytes that are written. */
  static final class Counter implements StarFileWriter.Output {
    private final Path file;
    private final long usable;
    private long bytes;

    /**
     * Creates a counter.
     *
     * @param usable the space of the store; more bytes fail
     */
    Counter(Path file, long usable) {
      this.file = file;
      this.usable = usable;
    }

    @Override
    public void append(ByteBuffer[] buffers) throws IOException {
      for (ByteBuffer buffer : buffers) {
        bytes += buffer.remaining();
        buffer.position(buffer.limit());
      }
      if (bytes > usable) {
        throw new IOException(
            "not enough space for all 3-stars: more than %,d bytes are needed, which are free: %s"
                .formatted(usable, file));
      }
    }

    long bytes() {
      return bytes;
    }
  }
}
