package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * A system [C | x] that is reduced as its rows arrive (Nuclei, Sec. IV-F): coding vectors of n
 * coefficients with payloads of k bytes. Source blocks can be read as soon as they are solved,
 * before the rank is full. Rows are copied and stay on the engine.
 *
 * <p>For one thread at a time.
 */
public interface ProgressiveElimination extends AutoCloseable {

  /** Source blocks n. */
  int blocks();

  /** Bytes k of a block. */
  int blockSize();

  /**
   * Adds a row.
   *
   * @param vector at most n coefficients; shorter vectors are as if followed by zeros
   * @param payload k bytes
   * @return whether the vector was innovative; if not, nothing has changed
   * @throws IllegalArgumentException if the vector is longer than n or the payload is not k bytes;
   *     then nothing has changed
   */
  boolean add(MemorySegment vector, MemorySegment payload);

  /**
   * Whether {@link #add} would take a row with this vector; changes nothing.
   *
   * @throws IllegalArgumentException if the vector is longer than n
   */
  boolean isInnovative(MemorySegment vector);

  /** How many rows have been taken; n when every source block is solved. */
  int rank();

  /**
   * Whether source block {@code source} can be read.
   *
   * @throws IndexOutOfBoundsException if there is no such block
   */
  boolean isSolved(int source);

  /** How many source blocks can be read. */
  int solved();

  /**
   * Writes one source block.
   *
   * @param destination k bytes
   * @throws IllegalStateException if the block is not solved yet
   * @throws IndexOutOfBoundsException if there is no such block
   * @throws IllegalArgumentException if the destination has another size
   */
  default void read(int source, MemorySegment destination) {
    if (destination.byteSize() != blockSize()) {
      throw new IllegalArgumentException(
          "%d bytes of memory for a block of %d".formatted(destination.byteSize(), blockSize()));
    }
    read(source, ByteMatrices.of(destination, 1, blockSize()));
  }

  /**
   * Writes source blocks {@code first}, {@code first + 1}, …; all of them from 0 on at full rank.
   *
   * @param destination one matrix of m×k bytes, overwritten
   * @throws IllegalStateException if one of the blocks is not solved yet; then nothing is written
   * @throws IndexOutOfBoundsException if there are not so many blocks
   * @throws IllegalArgumentException if the destination has another shape
   */
  void read(int first, ByteMatrices destination);

  /** Forgets all rows, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();

  /**
   * Eliminates vectors by a basis, and keeps payloads in resident memory: for engines that have
   * nothing faster.
   *
   * @param basis empty
   * @param payloads one matrix of n rows of k bytes on the engine; the elimination frees it
   */
  static ProgressiveElimination byBasis(Basis basis, ResidentBlocks payloads) {
    return new BasisElimination(basis, payloads);
  }
}
