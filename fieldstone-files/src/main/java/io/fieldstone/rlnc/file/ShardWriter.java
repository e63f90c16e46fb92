package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.wire.HashesSection;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * Writes a shard: the records first, in any order, and the header last, when the digest is known.
 * Writing records is thread-safe.
 */
final class ShardWriter {

  private final Path path;
  private final OpenFile file;
  private final int headerBytes;
  private final int recordBytes;
  private final LongAdder records = new LongAdder();

  /**
   * Creates a writer.
   *
   * @param file the temporary file that becomes {@code path}
   * @param headerBytes the bytes of the header, after which the records start
   * @param recordBytes the bytes of each record
   */
  ShardWriter(Path path, OpenFile file, int headerBytes, int recordBytes) {
    this.path = path;
    this.file = file;
    this.headerBytes = headerBytes;
    this.recordBytes = recordBytes;
  }

  Path path() {
    return path;
  }

  /** Returns the number of records written. */
  long records() {
    return records.sum();
  }

  /** Returns the offset of a record, or of the byte after all records. */
  long positionOf(long record) {
    return headerBytes + record * recordBytes;
  }

  /**
   * Writes consecutive records.
   *
   * @param bytes one record or more
   * @param first the number of the first of them in this shard
   */
  void write(MemorySegment bytes, long first) throws IOException {
    file.write(bytes, positionOf(first));
    records.add(bytes.byteSize() / recordBytes);
  }

  /** Writes the hashes of the generations after all records. */
  void append(HashesSection hashes) throws IOException {
    file.write(MemorySegment.ofArray(hashes.toBytes()), positionOf(records()));
  }

  /** Writes the header. */
  void finish(ShardHeader header) throws IOException {
    file.write(MemorySegment.ofArray(header.toBytes()), 0);
  }
}
