package io.fieldstone.cli.demo;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;

/** The content of a source, which can be read repeatedly. */
public sealed interface Content {

  /** Returns the length in bytes. */
  long length();

  /** Opens a stream of all bytes. */
  InputStream open() throws IOException;

  /**
   * A file.
   *
   * @param length its length in bytes when it was opened first
   */
  record OfFile(Path path, long length) implements Content {
    private static final int BUFFER_BYTES = 1 << 18;

    @Override
    public InputStream open() throws IOException {
      return new BufferedInputStream(Files.newInputStream(path), BUFFER_BYTES);
    }
  }

  /** Random bytes that depend only on the seed. */
  record Generated(long length, long seed) implements Content {
    @Override
    public InputStream open() {
      return new RandomBytes(length, new SplittableRandom(seed));
    }
  }

  /** Random bytes, drawn by the buffer so that they do not depend on the sizes of reads. */
  final class RandomBytes extends InputStream {
    private static final int BUFFER_BYTES = 1 << 16;

    private final SplittableRandom random;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position = BUFFER_BYTES;
    private long remaining;

    private RandomBytes(long length, SplittableRandom random) {
      this.remaining = length;
      this.random = random;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) {
      if (count == 0) {
        return 0;
      }
      if (remaining == 0) {
        return -1;
      }
      if (position == BUFFER_BYTES) {
        random.nextBytes(buffer);
        position = 0;
      }
      int taken = (int) Math.min(remaining, Math.min(count, BUFFER_BYTES - position));
      System.arraycopy(buffer, position, bytes, offset, taken);
      position += taken;
      remaining -= taken;
      return taken;
    }
  }
}
