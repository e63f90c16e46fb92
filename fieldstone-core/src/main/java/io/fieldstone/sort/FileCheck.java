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
 * Reads files of records, little-endian keys each with its payload after it, and says whether they
 * are in order. Takes a mebibyte of memory, or a record of it if that is more.
 *
 * <p>Immutable and thread-safe.
 */
public final class FileCheck {

  private static final long READ_AT_ONCE = 1L << 20;

  private final RecordFormat format;

  private FileCheck(RecordFormat format) {
    this.format = format;
  }

  /** A check for files of a format. */
  public static FileCheck of(RecordFormat format) {
    return new FileCheck(format);
  }

  /**
   * Reads a file from beginning to end, also where something is out of order.
   *
   * @param file a regular file
   * @param listener hears of a pass to {@link Pass#VERIFY verify}
   * @return what was found: records, fingerprint, and the first that is out of order
   * @throws NotWholeRecordsException if the file ends within a record
   * @throws IOException if reading fails, or the file becomes shorter meanwhile
   * @throws InterruptedException if the calling thread was interrupted
   */
  public RecordCheck check(Path file, SortListener listener)
      throws IOException, InterruptedException {
    requireFile(file);
    try (OpenFile open = OpenFile.read(file)) {
      return read(open, requireWhole(open, format), listener);
    } catch (ClosedByInterruptException e) {
      // It says so by an exception and by the status of the thread.
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

  /** Refuses what is there and no file, and a machine that numbers in files are not those of. */
  static void requireFile(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new IOException(path + ": not a regular file");
    }
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new IOException(path + ": files are little-endian, this machine is not");
    }
  }

  /** The size of a file, which must be one of whole records. */
  static long requireWhole(OpenFile file, RecordFormat format) throws IOException {
    long size = file.size();
    if (size % format.bytes() != 0) {
      throw new NotWholeRecordsException(file.name(), size, format);
    }
    return size;
  }
}
