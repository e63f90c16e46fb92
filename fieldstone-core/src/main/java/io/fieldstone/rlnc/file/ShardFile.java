package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import io.fieldstone.rlnc.GenerationShape;
import io.fieldstone.rlnc.wire.MalformedDataException;
import io.fieldstone.rlnc.wire.ObjectDescriptor;
import io.fieldstone.rlnc.wire.ShardHeader;
import io.fieldstone.rlnc.wire.WireBlock;
import io.fieldstone.stream.file.OpenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;

/** A shard open for reading, its header checked. Thread-safe: it keeps no position. */
final class ShardFile implements AutoCloseable {

  private final OpenFile file;
  private final ShardHeader header;
  private final long records;
  private final boolean ragged;
  private final long objectId;

  private ShardFile(OpenFile file, ShardHeader header) throws IOException {
    this.file = file;
    this.header = header;
    this.objectId = header.descriptor().objectId();
    long body = Math.max(0, file.size() - header.byteSize());
    this.records = body / header.recordBytes();
    this.ragged = body % header.recordBytes() != 0;
  }

  /**
   * Opens a shard.
   *
   * @throws MalformedShardException if it has no valid header
   */
  static ShardFile open(Path path) throws IOException {
    OpenFile file = OpenFile.read(path);
    try {
      MemorySegment start = MemorySegment.ofArray(new byte[ShardHeader.MAX_BYTES]);
      ShardHeader header = ShardHeader.parse(start.asSlice(0, file.read(start, 0)));
      return new ShardFile(file, header);
    } catch (MalformedDataException e) {
      file.close();
      throw new MalformedShardException(path, e);
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  Path path() {
    return file.name();
  }

  ShardHeader header() {
    return header;
  }

  /** Whole records that the file has, damaged or not. */
  long records() {
    return records;
  }

  /** Whether the file ends inside a record. */
  boolean isRagged() {
    return ragged;
  }

  /**
   * Reads records from number {@code first} on.
   *
   * @return whole records read: fewer than fit {@code destination} where the file ends
   */
  int read(long first, MemorySegment destination) throws IOException {
    long bytes = file.read(destination, header.byteSize() + first * header.recordBytes());
    return (int) (bytes / header.recordBytes());
  }

  /** The block of a record, if it is undamaged and one of this shard's object. */
  Optional<CodedBlock> block(MemorySegment record) {
    try {
      WireBlock wire = WireBlock.parseRecord(record, header.vectorBytes());
      return isOfObject(wire) ? Optional.of(wire.block()) : Optional.empty();
    } catch (MalformedDataException e) {
      return Optional.empty();
    }
  }

  private boolean isOfObject(WireBlock wire) {
    ObjectDescriptor descriptor = header.descriptor();
    long generation = wire.block().generation();
    if (wire.objectId() != objectId || generation >= descriptor.generations()) {
      return false;
    }
    GenerationShape shape = descriptor.shape();
    return wire.shape().equals(shape.withBlocks(descriptor.blocksOf(generation)));
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
