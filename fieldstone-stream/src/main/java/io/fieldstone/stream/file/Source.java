package io.fieldstone.stream.file;

import io.fieldstone.stream.ProgressListener;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystemException;

/**
 * A source of bytes: a file, which must not change, or a stream. Bytes are claimed in order; those
 * of a file are then read by several threads.
 */
public sealed interface Source {

  /** Returns the length in bytes, or {@link ProgressListener#UNKNOWN}. */
  long length();

  /**
   * Claims the next bytes, at most the buffer's size; a stream is read into the buffer. For one
   * thread at a time.
   *
   * @return the number of bytes claimed; less than the buffer's size only at the end
   */
  long claim(MemorySegment buffer) throws IOException;

  /** Returns true if all bytes have been claimed; may wait for the next byte of a stream. */
  boolean isAtEnd() throws IOException;

  /**
   * Reads claimed bytes of a file; those of a stream are in their buffer. Thread-safe.
   *
   * @param buffer as claimed, without the rest
   * @param position the number of bytes claimed before
   * @throws IOException if reading fails, or the file has become shorter
   */
  void read(MemorySegment buffer, long position) throws IOException;

  /**
   * Checks that a file has not changed, and that it ends at its length.
   *
   * @throws IOException if it has
   */
  void requireUnchanged() throws IOException;

  /** A file. */
  final class OfFile implements Source {
    private final OpenFile file;
    private final FileStamp stamp;
    private final long length;
    private long claimed;

    /**
     * Creates a source at the start of a file.
     *
     * @param stamp of the file, read before it was opened
     * @throws IOException if its length cannot be read
     */
    public OfFile(OpenFile file, FileStamp stamp) throws IOException {
      this(file, stamp, file.size());
    }

    private OfFile(OpenFile file, FileStamp stamp, long length) {
      this.file = file;
      this.stamp = stamp;
      this.length = length;
    }

    /** Returns a source at the start of this file, with the length that it has here. */
    public OfFile again() {
      return new OfFile(file, stamp, length);
    }

    @Override
    public long length() {
      return length;
    }

    /** Returns the number of bytes claimed, for the thread that claims. */
    public long claimed() {
      return claimed;
    }

    @Override
    public long claim(MemorySegment buffer) {
      long bytes = Math.min(buffer.byteSize(), length - claimed);
      claimed += bytes;
      return bytes;
    }

    @Override
    public boolean isAtEnd() {
      return claimed == length;
    }

    @Override
    public void read(MemorySegment buffer, long position) throws IOException {
      if (file.read(buffer, position) < buffer.byteSize()) {
        requireUnchanged();
        throw FileProblem.changed(file.name().toString());
      }
    }

    @Override
    public void requireUnchanged() throws IOException {
      long now = file.size();
      if (now != length) {
        throw new FileSystemException(
            file.name().toString(),
            null,
            "had %d bytes and has %d now: it was changed while it was read".formatted(length, now));
      }
      stamp.requireUnchanged();
      file.requireEnd(length);
    }
  }

  /** A stream, which the caller closes. */
  final class OfStream implements Source {

    /** Bytes read into the heap at a time; small enough to stay in the cache until copied. */
    private static final int CHUNK_BYTES = 1 << 18;

    private final PushbackInputStream stream;
    private final byte[] chunk = new byte[CHUNK_BYTES];

    /** Creates a source of the bytes that a stream has left. */
    public OfStream(InputStream stream) {
      this.stream = new PushbackInputStream(stream);
    }

    @Override
    public long length() {
      return ProgressListener.UNKNOWN;
    }

    @Override
    public long claim(MemorySegment buffer) throws IOException {
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

    @Override
    public void read(MemorySegment buffer, long position) {
      // The claim has read it.
    }

    @Override
    public void requireUnchanged() {
      // A stream has no length.
    }
  }
}
