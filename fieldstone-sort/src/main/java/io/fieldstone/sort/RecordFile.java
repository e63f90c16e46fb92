package io.fieldstone.sort;

import io.fieldstone.engine.memory.CountedArena;
import io.fieldstone.stream.file.FileStamp;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The records of a file, which may follow a header, as they are sorted. Positions are those of
 * sorted records. Thread-safe; closing frees buffers, and leaves the file open.
 */
final class RecordFile implements AutoCloseable {

  /** The maximum bytes of records that are converted at once: they stay in cache. */
  private static final long PIECE_BYTES = 1L << 18;

  private final OpenFile file;
  private final long start;
  private final Optional<FileStamp> stamp;
  private final Optional<RecordCodec> codec;
  private final Arena arena = new CountedArena();
  private final Queue<MemorySegment> idle = new ConcurrentLinkedQueue<>();

  /**
   * Creates a view.
   *
   * @param start the bytes of the file before its first record
   * @param stamp the stamp of the file, if it may change
   * @param codec converts records; none if they are sorted as they are
   */
  RecordFile(OpenFile file, long start, Optional<FileStamp> stamp, Optional<RecordCodec> codec) {
    this.file = file;
    this.start = start;
    this.stamp = stamp;
    this.codec = codec;
  }

  /** Returns a view of a file of records that does not change. */
  static RecordFile of(OpenFile file) {
    return new RecordFile(file, 0, Optional.empty(), Optional.empty());
  }

  OpenFile file() {
    return file;
  }

  /** Checks that the file is unchanged. */
  void requireUnchanged() throws IOException {
    if (stamp.isPresent()) {
      stamp.get().requireUnchanged();
    }
  }

  /** Reads whole records until {@code items} is full. */
  void readFully(MemorySegment items, long position) throws IOException {
    if (codec.isEmpty()) {
      file.readFully(items, start + position);
      return;
    }
    RecordCodec used = codec.get();
    MemorySegment buffer = take(used);
    long each = itemsOf(buffer, used);
    for (long done = 0; done < items.byteSize(); ) {
      long bytes = Math.min(each * used.itemBytes(), items.byteSize() - done);
      long first = (position + done) / used.itemBytes();
      long fileBytes = bytes / used.itemBytes() * used.fileBytes();
      file.readFully(buffer.asSlice(0, fileBytes), start + first * used.fileBytes());
      used.toItems(buffer, first, items.asSlice(done, bytes));
      done += bytes;
    }
    idle.add(buffer);
  }

  /** Writes whole records. */
  void write(MemorySegment items, long position) throws IOException {
    if (codec.isEmpty()) {
      file.write(items, start + position);
      return;
    }
    RecordCodec used = codec.get();
    MemorySegment buffer = take(used);
    long each = itemsOf(buffer, used);
    for (long done = 0; done < items.byteSize(); ) {
      long bytes = Math.min(each * used.itemBytes(), items.byteSize() - done);
      long first = (position + done) / used.itemBytes();
      long fileBytes = bytes / used.itemBytes() * used.fileBytes();
      used.toRecords(items.asSlice(done, bytes), buffer);
      file.write(buffer.asSlice(0, fileBytes), start + first * used.fileBytes());
      done += bytes;
    }
    idle.add(buffer);
  }

  private MemorySegment take(RecordCodec used) {
    MemorySegment buffer = idle.poll();
    if (buffer != null) {
      return buffer;
    }
    long records = Math.max(1, PIECE_BYTES / used.fileBytes());
    return arena.allocate(records * used.fileBytes() + RecordCodec.SLACK_BYTES);
  }

  private static long itemsOf(MemorySegment buffer, RecordCodec used) {
    return (buffer.byteSize() - RecordCodec.SLACK_BYTES) / used.fileBytes();
  }

  @Override
  public void close() {
    arena.close();
  }
}
