package io.fieldstone.sort;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.SortListener.Pass;
import io.fieldstone.stream.Interruptions;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Checks whether files of records are sorted. Records are of one {@link RecordLayout} or {@link
 * RecordFormat}. Each thread uses 1 MiB of memory, or the size of two records if that is more.
 *
 * <p>Immutable and thread-safe.
 */
public final class FileCheck {

  private static final long READ_AT_ONCE = 1L << 20;

  private final RecordLayout layout;
  private final int threads;
  private final boolean isNpy;

  private FileCheck(RecordLayout layout, int threads, boolean isNpy) {
    this.layout = layout;
    this.threads = threads;
    this.isNpy = isNpy;
  }

  /** Returns a check for files of a format, with a thread for each processor. */
  public static FileCheck of(RecordFormat format) {
    return of(RecordLayout.of(format));
  }

  /** Returns a check for files of a layout, with a thread for each processor. */
  public static FileCheck of(RecordLayout layout) {
    return new FileCheck(layout, Runtime.getRuntime().availableProcessors(), false);
  }

  /** Returns this check with a number of threads, ≥ 1. */
  public FileCheck withThreads(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("%d threads are fewer than 1".formatted(count));
    }
    return new FileCheck(layout, count, isNpy);
  }

  /** Returns this check for {@code .npy} files, which {@link NpyHeader} describes. */
  public FileCheck ofNpy() {
    return new FileCheck(layout, threads, true);
  }

  /**
   * Reads a file to its end, also after a record that is out of order.
   *
   * @param file a regular file
   * @param listener receives the progress of the pass {@link Pass#VERIFY}
   * @return the number of records, the fingerprint, and the first record out of order
   * @throws NotWholeRecordsException if the file ends within a record
   * @throws IOException if reading fails, or the file changes meanwhile
   * @throws InterruptedException if the calling thread is interrupted
   */
  public RecordCheck check(Path file, SortListener listener)
      throws IOException, InterruptedException {
    requireFile(file);
    return Interruptions.report(() -> {
      FileStamp stamp = FileStamp.of(file);
      try (OpenFile open = OpenFile.read(file)) {
        RecordInputFile input = RecordInputFile.of(open, file, Optional.of(stamp), layout, isNpy);
        RecordCheck checked = read(open, input.start(), input.size(), listener);
        stamp.requireUnchanged();
        return checked;
      }
    });
  }

  /** Returns the memory of a thread in bytes: records, and the record before them. */
  static long threadBytes(RecordLayout layout) {
    int bytes = layout.recordBytes();
    return (Math.max(1, READ_AT_ONCE / bytes) + 1) * bytes;
  }

  /**
   * Checks records of a file.
   *
   * @param start the bytes before the first record
   * @param size the bytes of the records
   */
  RecordCheck read(OpenFile file, long start, long size, SortListener listener)
      throws IOException, InterruptedException {
    RecordCheck all = new RecordCheck(layout);
    long pieceBytes = threadBytes(layout) - layout.recordBytes();
    try (Buffers buffers = new Buffers(Math.min(pieceBytes, size) + layout.recordBytes())) {
      Pieces.forEach(
          "check",
          threads,
          size,
          pieceBytes,
          (position, bytes) -> {
            MemorySegment buffer = buffers.take();
            RecordCheck piece = read(file, start, position, bytes, buffer);
            buffers.giveBack(buffer);
            synchronized (all) {
              all.add(piece, position / layout.recordBytes());
              listener.progress(Pass.VERIFY, all.records() * layout.recordBytes(), size);
            }
          });
    }
    return all;
  }

  /** Checks a piece of a file, and its order after the record before it. */
  private RecordCheck read(
      OpenFile file, long start, long position, long bytes, MemorySegment buffer)
      throws IOException {
    long before = position == 0 ? 0 : layout.recordBytes();
    MemorySegment records = buffer.asSlice(0, before + bytes);
    file.readFully(records, start + position - before);
    RecordCheck check = RecordCheck.after(records.asSlice(0, before), layout);
    check.add(records.asSlice(before));
    return check;
  }

  /** Buffers that threads take in turn, freed together. */
  private static final class Buffers implements AutoCloseable {
    private final Arena arena = new CountedArena();
    private final Queue<MemorySegment> idle = new ConcurrentLinkedQueue<>();
    private final long bytes;

    Buffers(long bytes) {
      this.bytes = bytes;
    }

    MemorySegment take() {
      MemorySegment buffer = idle.poll();
      return buffer == null ? arena.allocate(bytes) : buffer;
    }

    void giveBack(MemorySegment buffer) {
      idle.add(buffer);
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  /** Checks that a path is a regular file, and that this machine is little-endian. */
  static void requireFile(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path)) {
      throw new FileSystemException(path.toString(), null, "not a regular file");
    }
    if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
      throw new FileSystemException(
          path.toString(), null, "files are little-endian, this machine is not");
    }
  }
}
