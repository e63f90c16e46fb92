package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A shard being written: records first, the header last, when the digest is known. */
final class ShardWriter {

  private final Path path;
  private final OpenFile file;
  private final List<ByteBuffer> pending = new ArrayList<>();
  private long records;

  /**
   * Starts the records where the header of {@code name} will end.
   *
   * @param file the temporary file that is to become {@code path}
   */
  ShardWriter(Path path, OpenFile file, String name) throws IOException {
    this.path = path;
    this.file = file;
    file.position(ShardHeader.byteSize(name));
  }

  Path path() {
    return path;
  }

  long records() {
    return records;
  }

  /** Adds a record to what {@link #flush} writes; it must stay as it is till then. */
  void add(MemorySegment record) {
    pending.add(record.asByteBuffer());
    records++;
  }

  /** Writes what was added, gathered into few calls of the system. */
  void flush() throws IOException {
    file.append(pending.toArray(ByteBuffer[]::new));
    pending.clear();
  }

  /** Puts the header in its place. */
  void finish(ShardHeader header) throws IOException {
    file.write(MemorySegment.ofArray(header.toBytes()), 0);
  }
}
