package io.fieldstone.relays;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Path;

/**
 * How large a {@link StarFile} is.
 *
 * @param stars in it
 * @param bytes of it
 */
public record StarFileSize(long stars, long bytes) {

  /** Refuses a file for which there is no room. */
  void requireRoom(FileStore store, Path file) throws IOException {
    long room = store.getUsableSpace();
    if (bytes > room) {
      throw new IOException(
          "no room for %,d 3-stars, which take %,d bytes where there are %,d: %s"
              .formatted(stars, bytes, room, file));
    }
  }

  /** Takes what is written, and counts it. */
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
