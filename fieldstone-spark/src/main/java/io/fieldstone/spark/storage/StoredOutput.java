package io.fieldstone.spark.storage;

import io.fieldstone.stream.file.OpenFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A new file of a storage, or a range of one, written from its start to its end. For one thread.
 */
public interface StoredOutput extends Closeable {

  /** The maximum bytes that are copied at once. */
  int CHUNK_BYTES = 1 << 20;

  /** Writes after all bytes that were written before. */
  void write(MemorySegment bytes) throws IOException;

  /** Writes after all bytes that were written before. */
  default void write(byte[] bytes) throws IOException {
    write(MemorySegment.ofArray(bytes));
  }

  /** Closes files at once: HDFS lets a client wait, often for 400 ms, until one is complete. */
  static void closeAll(Collection<StoredOutput> files) throws IOException {
    List<Future<?>> closed = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (StoredOutput file : files) {
        closed.add(
            threads.submit(() -> {
              file.close();
              return null;
            }));
      }
    }
    for (Future<?> each : closed) {
      if (each.state() == Future.State.FAILED) {
        throw each.exceptionNow() instanceof IOException e
            ? e
            : new IOException(each.exceptionNow());
      }
    }
  }

  /** A file of this machine. */
  final class Local implements StoredOutput {
    private final OpenFile file;
    private long position;

    /** Writes from a position on. */
    Local(OpenFile file, long position) {
      this.file = file;
      this.position = position;
    }

    @Override
    public void write(MemorySegment bytes) throws IOException {
      for (long at = 0; at < bytes.byteSize(); at += CHUNK_BYTES) {
        MemorySegment chunk = bytes.asSlice(at, Math.min(CHUNK_BYTES, bytes.byteSize() - at));
        file.write(chunk, position);
        position += chunk.byteSize();
      }
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** A file of Hadoop's file systems, which take arrays only. */
  record Hadoop(OutputStream stream) implements StoredOutput {
    @Override
    public void write(MemorySegment bytes) throws IOException {
      byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, bytes.byteSize())];
      for (long at = 0; at < bytes.byteSize(); at += chunk.length) {
        int count = (int) Math.min(chunk.length, bytes.byteSize() - at);
        MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, at, chunk, 0, count);
        stream.write(chunk, 0, count);
      }
    }

    @Override
    public void write(byte[] bytes) throws IOException {
      stream.write(bytes);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
