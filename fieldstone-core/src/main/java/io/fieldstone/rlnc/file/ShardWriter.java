package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a shard: the records first, and the header last, when the digest is known. */
final class ShardWriter {

  private final Path path;
  private final OpenFile file;
  private final List<ByteBuffer> pending = new ArrayList<>();
  private long records;

  /**
   * Creates a writer.
   *
   * @param file the temporary file that becomes {@code path}
   * @param headerBytes the bytes of the header, after which the records start
   */
  ShardWriter(Path path, OpenFile file, int headerBytes) throws IOException {
    this.path = path;
    this.file = file;
    file.position(headerBytes);
  }

  Path path() {
    return path;
  }

  long records() {
    return records;
  }

  /** Adds a record to those that {@link #flush} writes; it must not change until then. */
  void add(MemorySegment record) {
    pending.add(record.asByteBuffer());
    records++;
  }

  /** Writes the added records in few system calls. */
  void flush() throws IOException {
    file.append(pending.toArray(ByteBuffer[]::new));
    pending.clear();
  }

  /** Writes the hashes of the generations after the records. */
  void append(HashesSection hashes) throws IOException {
    file.append(new ByteBuffer[] {ByteBuffer.wrap(hashes.toBytes())});
  }

  /** Writes the header. */
  void finish(ShardHeader header) throws IOException {
    file.write(MemorySegment.ofArray(header.toBytes()), 0);
  }
}
