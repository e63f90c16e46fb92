package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Iterates over the undamaged blocks of a run of a shard, in ascending order of generation, with
 * one window of the file in memory. Damaged, foreign and out-of-order blocks are dropped and
 * counted.
 */
final class ShardCursor {

  /**
   * Thrown when the generations of a shard do not ascend, so that it must be divided into runs that
   * do.
   */
  static final class DisorderException extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private final ShardFile shard;
  private final ShardFile.Run run;
  private final boolean isOrderRequired;
  private final RecordScanner scanner;
  private long late;
  private Optional<CodedBlock> block = Optional.empty();
  private long generation;

  /**
   * Starts at the first block.
   *
   * @param isOrderRequired true to throw an exception at a block that is out of order
   * @param window a read buffer for at least one record
   * @throws DisorderException if order is required and a block is out of order
   */
  ShardCursor(ShardFile shard, ShardFile.Run run, boolean isOrderRequired, MemorySegment window)
      throws IOException {
    this.shard = shard;
    this.run = run;
    this.isOrderRequired = isOrderRequired;
    this.scanner = shard.scan(run, window);
    advance();
  }

  ShardFile shard() {
    return shard;
  }

  /**
   * Returns the current block, in memory that is valid until {@link #advance}; empty after the
   * last.
   */
  Optional<CodedBlock> block() {
    return block;
  }

  /** Returns true if the current block belongs to this generation. */
  boolean isAt(long wanted) {
    return block.isPresent() && generation == wanted;
  }

  /** Returns the generation of the current block, or {@code otherwise} after the last. */
  long generationOr(long otherwise) {
    return block.isPresent() ? generation : otherwise;
  }

  /** Returns the offset of the current record; the end of the run after the last. */
  long position() {
    return block.isPresent() ? scanner.recordAt() : run.end();
  }

  /** Returns the number of records so far, including dropped ones. */
  long records() {
    return scanner.found() + scanner.damaged();
  }

  /** Returns the number of dropped records so far. */
  long dropped() {
    return scanner.damaged() + late;
  }

  /** Returns {@link RecordScanner#mayLackRecords}, after the last block. */
  boolean mayLackRecords() {
    return scanner.mayLackRecords();
  }

  /**
   * Advances to the next undamaged block.
   *
   * @throws DisorderException if order is required and the block is out of order
   */
  void advance() throws IOException {
    block = Optional.empty();
    while (scanner.next()) {
      CodedBlock candidate = scanner.block();
      if (candidate.generation() >= generation) {
        block = Optional.of(candidate);
        generation = candidate.generation();
        return;
      }
      if (isOrderRequired) {
        throw new DisorderException();
      }
      late++;
    }
  }
}
