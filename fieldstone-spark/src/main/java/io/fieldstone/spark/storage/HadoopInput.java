package io.fieldstone.spark.storage;

import io.fieldstone.stream.file.PositionedInput;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/** A file of Hadoop's file systems that is read at positions. */
final class HadoopInput implements PositionedInput {

  private static final int CHUNK_BYTES = 1 << 20;

  private final Path path;
  private final FSDataInputStream stream;
  private final long size;

  private byte[] chunk = new byte[0];

  /** The position after the last read. */
  private long next;

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
  public synchronized long read(MemorySegment destination, long position) throws IOException {
    long bytes = Math.clamp(size - position, 0, destination.byteSize());
    if (chunk.length < Math.min(CHUNK_BYTES, bytes)) {
      chunk = new byte[(int) Math.min(CHUNK_BYTES, bytes)];
    }
    for (long done = 0; done < bytes; ) {
      int wanted = (int) Math.min(CHUNK_BYTES, bytes - done);
      int count = read(wanted, position + done);
      MemorySegment.copy(chunk, 0, destination, ValueLayout.JAVA_BYTE, done, count);
      done += count;
      if (count < wanted) {
        return done;
      }
    }
    return bytes;
  }

  /**
   * Reads some bytes to the chunk. Consecutive ones come from the stream, because HDFS opens a
   * connection for each read at a position.
   *
   * @return the number of bytes read; less than wanted only if the file became shorter
   */
  private int read(int wanted, long position) throws IOException {
    int count = wanted;
    if (position == next || wanted == CHUNK_BYTES) {
      if (position != stream.getPos()) {
        stream.seek(position);
      }
      count = stream.readNBytes(chunk, 0, wanted);
    } else {
      try {
        stream.readFully(position, chunk, 0, wanted);
      } catch (EOFException _) {
        return 0;
      }
    }
    next = position + count;
    return count;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
