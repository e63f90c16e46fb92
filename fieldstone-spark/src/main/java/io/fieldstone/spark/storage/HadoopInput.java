package io.fieldstone.spark.storage;

import io.fieldstone.stream.file.PositionedInput;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** A file of Hadoop's file systems that is read at positions. */
public final class HadoopInput implements PositionedInput {

  private static final int CHUNK_BYTES = 1 << 20;

  private final Path path;
  private final FSDataInputStream stream;
  private final long size;

  HadoopInput(Path path, FSDataInputStream stream, long size) {
    this.path = path;
    this.stream = stream;
    this.size = size;
  }

  @Override
  public java.nio.file.Path name() {
    return nameOf(path.toString());
  }

  /** Returns a name for messages; of a file of this machine without the scheme. */
  static java.nio.file.Path nameOf(String path) {
    return java.nio.file.Path.of(
        path.startsWith("file:") ? new Path(path).toUri().getPath() : path);
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long read(MemorySegment destination, long position) throws IOException {
    long bytes = Math.max(0, Math.min(destination.byteSize(), size - position));
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, bytes)];
    for (long done = 0; done < bytes; done += chunk.length) {
      int count = (int) Math.min(chunk.length, bytes - done);
      try {
        stream.readFully(position + done, chunk, 0, count);
      } catch (EOFException e) {
        throw new IOException(path + ": became shorter while it was read", e);
      }
      MemorySegment.copy(chunk, 0, destination, ValueLayout.JAVA_BYTE, done, count);
    }
    return bytes;
  }

  /**
   * Reads from {@code position} on until {@code destination} is full.
   *
   * @throws IOException if reading fails, or the file is too short
   */
  public void readFully(MemorySegment destination, long position) throws IOException {
    if (read(destination, position) < destination.byteSize()) {
      throw new IOException(path + ": became shorter while it was read");
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }

  /**
   * Opens files of a storage again and again, as shards are.
   *
   * @param storage the storage
   * @param path the qualified path
   */
  public record Opener(Storage storage, String path) implements PositionedInput.Opener {
    @Override
    public java.nio.file.Path name() {
      return nameOf(path);
    }

    @Override
    public PositionedInput open() throws IOException {
      return storage.open(path);
    }
  }
}
