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

  /** Counts the bytes that are written. */
  static final class Counter implements StarFileWriter.Output {
    private long bytes;

    @Override
    public void append(ByteBuffer[] buffers) {
      for (ByteBuffer buffer : buffers) {
        bytes += buffer.remaining();
        buffer.position(buffer.limit());
      }
    }

    long bytes() {
      return bytes;
    }
  }
}
