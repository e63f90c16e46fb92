package io.fieldstone.rlnc.file;

import io.fieldstone.stream.ProgressListener;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** What is encoded: a file whose length is known and must stay, or a stream. */
sealed interface Source {

  /** Its length, or {@link ProgressListener#UNKNOWN}. */
  long length();

  /**
   * Fills {@code buffer} with what comes next.
   *
   * @return bytes read: less than its size only at the end
   * @throws IOException if reading fails, or a file has not the length it had
   */
  long read(MemorySegment buffer) throws IOException;

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
  }

  /** A stream, which the caller closes. */
  final class OfStream implements Source {
    private final InputStream stream;
    private byte[] bytes = {};

    OfStream(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public long length() {
      return ProgressListener.UNKNOWN;
    }

    @Override
    public long read(MemorySegment buffer) throws IOException {
      int size = Math.toIntExact(buffer.byteSize());
      if (bytes.length < size) {
        bytes = new byte[size];
      }
      int read = stream.readNBytes(bytes, 0, size);
      MemorySegment.copy(bytes, 0, buffer, ValueLayout.JAVA_BYTE, 0, read);
      return read;
    }
  }
}
