package io.fieldstone.sort;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Checks whether files of records are sorted. Records are little-endian keys, each followed by its
 * payload. Uses 1 MiB of memory, or the size of a record if that is more.
 *
 * <p>Immutable and thread-safe.
 */
public final class FileCheck {

  private static final long READ_AT_ONCE = 1L << 20;

  private final RecordFormat format;

  private FileCheck(RecordFormat format) {
    this.format = format;
  }

  /** Returns a check for files of a format. */
  public static FileCheck of(RecordFormat format) {
    return new FileCheck(format);
  }

  /**
   * Reads a file to its end, also after a record that is out of order.
   *
   * @param file a regular file
   * @param listener receives the progress of the pass {@link Pass#VERIFY}
   * @return the number of records, the fingerprint, and the first record out of order
   * @throws NotWholeRecordsException if the file ends within a record
   * @throws IOException if reading fails, or the file becomes shorter
   * @throws InterruptedException if the calling thread is interrupted
   */
  public RecordCheck check(Path file, SortListener listener)
      throws IOException, InterruptedException {
    requireFile(file);
    try (OpenFile open = OpenFile.read(file)) {
      return read(open, requireWhole(open, format), listener);
    } catch (ClosedByInterruptException e) {
      // An interruption is both an exception and the status of the thread.
      Thread.interrupted();
      throw new InterruptedException("verification was interrupted");
    }
  }

  RecordCheck read(OpenFile file, long size, SortListener listener)
      throws IOException, InterruptedException {
    RecordCheck check = new RecordCheck(format);
    long piece = Math.max(1, READ_AT_ONCE / format.bytes()) * format.bytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(piece, size));
      for (long at = 0; at < size; at += piece) {
        if (Thread.interrupted()) {
          throw new InterruptedException("verification was interrupted");
        }
        MemorySegment records = buffer.asSlice(0, Math.min(piece, size - at));
        file.readFully(records, at);
        check.add(records);
        listener.progress(Pass.VERIFY, at + records.byteSize(), size);
      }
    }
    return check;
  }

  /** Checks that a path is a regular file, and that this machine is little-endian. */
  static void requireFile(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException(path + ": not a regular file");
    }
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IOException(path + ": files are little-endian, this machine is not");
    }
  }

  /** Returns the size of a file after checking that it is a whole number of records. */
  static long requireWhole(OpenFile file, RecordFormat format) throws IOException {
    long size = file.size();
    if (size % format.bytes() != 0) {
      throw new NotWholeRecordsException(file.name(), size, format);
    }
    return size;
  }
}
