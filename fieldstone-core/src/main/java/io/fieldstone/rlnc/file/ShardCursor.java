package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Goes through the undamaged blocks of a shard in ascending order of generation, a chunk of records
 * in memory at a time. Blocks that are damaged, foreign or out of order are dropped and counted.
 */
final class ShardCursor {

  private final ShardFile shard;
  private final int recordBytes;
  private final MemorySegment chunk;
  private long chunkFirst;
  private int chunkRecords;
  private long next;
  private long dropped;
  private Optional<CodedBlock> block = Optional.empty();
  private long generation;

  /** Starts at the first block, in a buffer of about {@code chunkBytes}. */
  ShardCursor(ShardFile shard, long chunkBytes, NativeMemory memory) throws IOException {
    this.shard = shard;
    this.recordBytes = shard.header().recordBytes();
    long fitting = Math.clamp(shard.records(), 0, Math.max(1, chunkBytes / recordBytes));
    this.chunk = memory.allocate(fitting * recordBytes);
    this.dropped = shard.isRagged() ? 1 : 0;
    advance();
  }

  ShardFile shard() {
    return shard;
  }

  /** The current block, in memory that is valid until {@link #advance}; empty after the last. */
  Optional<CodedBlock> block() {
    return block;
  }

  /** Whether the current block is one of this generation. */
  boolean isAt(long wanted) {
    return block.isPresent() && generation == wanted;
  }

  /** Generation of the current block, or {@code otherwise} after the last. */
  long generationOr(long otherwise) {
    return block.isPresent() ? generation : otherwise;
  }

  /** Number of the record of the current block; the number of records after the last. */
  long position() {
    return block.isPresent() ? next - 1 : next;
  }

  /** Records dropped so far, a fragment at the end of the file included. */
  long dropped() {
    return dropped;
  }

  /** Goes to the next undamaged block. */
  void advance() throws IOException {
    block = Optional.empty();
    while (next < shard.records()) {
      if (next == chunkFirst + chunkRecords && !refill()) {
        // The file became shorter since it was opened.
        dropped += shard.records() - next;
        next = shard.records();
        return;
      }
      long at = (next - chunkFirst) * recordBytes;
      next++;
      Optional<CodedBlock> candidate = shard.block(chunk.asSlice(at, recordBytes));
      if (candidate.isPresent() && candidate.get().generation() >= generation) {
        block = candidate;
        generation = candidate.get().generation();
        return;
      }
      dropped++;
    }
  }

  private boolean refill() throws IOException {
    long left = (shard.records() - next) * recordBytes;
    chunkFirst = next;
    chunkRecords = shard.read(next, chunk.asSlice(0, Math.min(left, chunk.byteSize())));
    return chunkRecords > 0;
  }
}
