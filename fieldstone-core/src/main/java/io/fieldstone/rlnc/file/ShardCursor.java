package io.fieldstone.rlnc.file;

import io.fieldstone.rlnc.CodedBlock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Goes through the undamaged blocks of a run of a shard in ascending order of generation, a window
 * of the file in memory at a time. Blocks that are damaged, foreign or out of order are dropped and
 * counted.
 */
final class ShardCursor {

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
   * @param isOrderRequired whether a block out of order is a reason to stop
   * @param window memory for at least one record
   * @throws DisorderException if order is required and there is none
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

  /** Where the record of the current block begins; the end of the run after the last. */
  long position() {
    return block.isPresent() ? scanner.recordAt() : run.end();
  }

  /** Records so far, those that were dropped included. */
  long records() {
    return scanner.found() + scanner.damaged();
  }

  /** Records dropped so far. */
  long dropped() {
    return scanner.damaged() + late;
  }

  /**
   * Goes to the next undamaged block.
   *
   * @throws DisorderException if it is required to be in order and is not
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
