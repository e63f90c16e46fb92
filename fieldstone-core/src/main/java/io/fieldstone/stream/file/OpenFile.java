package io.fieldstone.stream.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A file read and written at positions, whose errors name it. A file that is truncated while it is
 * read is short, which is an error and not a crash as it may be where files are mapped.
 *
 * <p>Reading and writing at positions is thread-safe; appending is for one thread.
 */
public final class OpenFile implements AutoCloseable {

  /** A byte buffer has at most 2^31 − 1 bytes; larger transfers go piecewise. */
  private static final long PIECE_BYTES = 1L << 30;

  private final Path name;
  private final FileChannel channel;

  private OpenFile(Path name, FileChannel channel) {
    this.name = name;
    this.channel = channel;
  }

  /** Opens a file that is there, for reading. */
  public static OpenFile read(Path path) throws IOException {
    return open(path, path, StandardOpenOption.READ);
  }

  /** Creates {@code path}, which must not exist; errors name {@code target}. */
  public static OpenFile create(Path path, Path target) throws IOException {
    return open(
        path,
        target,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.CREATE_NEW);
  }

  /**
   * Creates a file of no name in a directory, for reading and writing. It is gone when it is closed
   * or the process ends, in whatever way. Errors name the directory.
   */
  public static OpenFile scratch(Path directory) throws IOException {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    return open(
        directory.resolve(".fieldstone-" + random + ".tmp"),
        directory,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.CREATE_NEW,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static OpenFile open(Path path, Path name, OpenOption... options) throws IOException {
    try {
      return new OpenFile(name, FileChannel.open(path, options));
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  /** The file, as errors name it. */
  public Path name() {
    return name;
  }

  /** Its length in bytes. */
  public long size() throws IOException {
    try {
      return channel.size();
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  /**
   * Fills {@code destination} from {@code position} on.
   *
   * @return bytes read: less than its size only where the file ends
   */
  public long read(MemorySegment destination, long position) throws IOException {
    long done = 0;
    while (done < destination.byteSize()) {
      int read = read(piece(destination, done), position + done);
      if (read < 0) {
        break;
      }
      done += read;
    }
    return done;
  }

  /**
   * Fills {@code destination} from {@code position} on.
   *
   * @throws IOException if reading fails, or the file ends before: it was cut short
   */
  public void readFully(MemorySegment destination, long position) throws IOException {
    if (read(destination, position) < destination.byteSize()) {
      throw new IOException(
          "%s: ends before byte %d: it was cut short while it was read"
              .formatted(name, position + destination.byteSize()));
    }
  }

  private int read(ByteBuffer piece, long position) throws IOException {
    try {
      return channel.read(piece, position);
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  /** Writes all of {@code source} at {@code position}. */
  public void write(MemorySegment source, long position) throws IOException {
    try {
      for (long done = 0; done < source.byteSize(); ) {
        done += channel.write(piece(source, done), position + done);
      }
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  /** Sets where {@link #append} starts. */
  public void position(long position) throws IOException {
    try {
      channel.position(position);
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  /** Writes all of the buffers after what was appended before. */
  public void append(ByteBuffer[] buffers) throws IOException {
    try {
      for (int first = 0; first < buffers.length; ) {
        channel.write(buffers, first, buffers.length - first);
        while (first < buffers.length && !buffers[first].hasRemaining()) {
          first++;
        }
      }
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } catch (IOException e) {
      throw named(name, e);
    }
  }

  private static ByteBuffer piece(MemorySegment segment, long from) {
    long bytes = Math.min(PIECE_BYTES, segment.byteSize() - from);
    return segment.asSlice(from, bytes).asByteBuffer();
  }

  /** Most errors of the system do not say which file; a cancelled transfer needs no name. */
  private static IOException named(Path name, IOException e) {
    boolean complete = e instanceof FileSystemException || e instanceof ClosedChannelException;
    return complete ? e : new IOException(name + ": " + e.getMessage(), e);
  }
}
