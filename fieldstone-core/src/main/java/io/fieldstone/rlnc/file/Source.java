package io.fieldstone.rlnc.file;

import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A source of bytes to encode: a file, whose length must not change, or a stream. */
sealed interface Source {

  /** Returns the length in bytes, or {@link ProgressListener#UNKNOWN}. */
  long length();

  /**
   * Reads the next bytes until {@code buffer} is full or the source ends.
   *
   * @return the number of bytes read; less than the buffer's size only at the end
   * @throws IOException if reading fails, or the length of a file has changed
   */
  long read(MemorySegment buffer) throws IOException;

  /**
   * Returns true if all bytes have been read; may wait for the next byte of a stream.
   *
   * @throws IOException if reading fails, or the length of a file has changed
   */
  boolean isAtEnd() throws IOException;

  /** A file. */
  final class OfFile implements Source {
    private final OpenFile file;
    private final long length;
    private long position;

    OfFile(OpenFile file) throws IOException {
      this.file = file;
      this.length = file.size();
    }

    @Override
    public long length() {
      return length;
    }

    @Override
    public long read(MemorySegment buffer) throws IOException {
      long read = file.read(buffer, position);
      position += read;
      boolean ended = read < buffer.byteSize();
      if (position > length || (ended && position < length)) {
        throw new IOException(
            "%s had %d bytes and has %d now: it was changed while it was read"
                .formatted(file.name(), length, file.size()));
      }
      return read;
    }

    @Override
    public boolean isAtEnd() throws IOException {
      return position == length && read(MemorySegment.ofArray(new byte[1])) == 0;
    }
  }

  /** A stream, which the caller closes. */
  final class OfStream implements Source {

    /** Bytes read into the heap at a time; small enough to stay in the cache until copied. */
    private static final int CHUNK_BYTES = 1 << 18;

    private final PushbackInputStream stream;
    private final byte[] chunk = new byte[CHUNK_BYTES];

    OfStream(InputStream stream) {
      this.stream = new PushbackInputStream(stream);
    }

    @Override
    public long length() {
      return ProgressListener.UNKNOWN;
    }

    @Override
    public long read(MemorySegment buffer) throws IOException {
      long done = 0;
      while (done < buffer.byteSize()) {
        int wanted = (int) Math.min(chunk.length, buffer.byteSize() - done);
        int read = stream.readNBytes(chunk, 0, wanted);
        MemorySegment.copy(chunk, 0, buffer, ValueLayout.JAVA_BYTE, done, read);
        done += read;
        if (read < wanted) {
          break;
        }
      }
      return done;
    }

    @Override
    public boolean isAtEnd() throws IOException {
      int next = stream.read();
      if (next >= 0) {
        stream.unread(next);
      }
      return next < 0;
    }
  }
}
