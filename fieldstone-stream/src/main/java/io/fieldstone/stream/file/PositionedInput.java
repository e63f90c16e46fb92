package io.fieldstone.stream.file;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * Bytes of fixed length that are read at positions: a file of this machine ({@link OpenFile}), or
 * of a distributed file system. Its exceptions name it. Reading is thread-safe.
 */
public interface PositionedInput extends Closeable {

  /** Returns the name in messages. */
  Path name();

  /** Returns the size in bytes. */
  long size() throws IOException;

  /**
   * Reads from {@code position} on until {@code destination} is full or the bytes end.
   *
   * @return the number of bytes read; less than the destination's size only at the end
   */
  long read(MemorySegment destination, long position) throws IOException;

  /**
   * Reads from {@code position} on until {@code destination} is full.
   *
   * @throws IOException if reading fails, or the bytes end before
   */
  default void readFully(MemorySegment destination, long position) throws IOException {
    if (read(destination, position) < destination.byteSize()) {
      throw new FileSystemException(
          name().toString(),
          null,
          "ends before byte %d: it was truncated while it was read"
              .formatted(position + destination.byteSize()));
    }
  }

  /** Opens an input, more than once if need be. */
  interface Opener {

    /** Returns the name in messages. */
    Path name();

    /** Opens the input, which the caller closes. */
    PositionedInput open() throws IOException;
  }
}
