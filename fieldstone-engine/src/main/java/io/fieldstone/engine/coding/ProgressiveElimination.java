package io.fieldstone.engine.coding;

import java.lang.foreign.MemorySegment;

/**
 * A system [C | x] that is reduced as its rows arrive (Nuclei, Section IV-F): coding vectors of n
 * coefficients with payloads of k bytes. Source blocks can be read once they are solved, before
 * full rank. Rows are copied to the engine.
 *
 * <p>For one thread at a time.
 */
public interface ProgressiveElimination extends AutoCloseable {

  /** Returns the number of source blocks n. */
  int blocks();

  /** Returns the bytes k of a block. */
  int blockSize();

  /**
   * Adds a row.
   *
   * @param vector at most n coefficients; a shorter vector is extended with zeros
   * @param payload k bytes
   * @return true if the vector was innovative; otherwise the system is unchanged
   * @throws IllegalArgumentException if the vector is longer than n or the payload is not k bytes;
   *     the system is then unchanged
   * @throws IllegalStateException if the payload has been freed; the system is then unchanged
   * @throws OutOfMemoryError if the engine has no memory for the payload; the system may then be
   *     closed
   */
  boolean add(MemorySegment vector, MemorySegment payload);

  /**
   * Returns true if {@link #add} would accept a row with this vector; changes no state.
   *
   * @throws IllegalArgumentException if the vector is longer than n
   */
  boolean isInnovative(MemorySegment vector);

  /** Returns the number of rows accepted; n when every source block is solved. */
  int rank();

  /**
   * Returns true if source block {@code source} can be read.
   *
   * @throws IndexOutOfBoundsException if {@code source} is not in 0 … n − 1
   */
  boolean isSolved(int source);

  /** Returns the number of source blocks that can be read. */
  int solved();

  /**
   * Writes one source block.
   *
   * @param destination k bytes
   * @throws IllegalStateException if the block is not solved
   * @throws IndexOutOfBoundsException if {@code source} is not in 0 … n − 1
   * @throws IllegalArgumentException if the destination has another size
   */
  default void read(int source, MemorySegment destination) {
    if (destination.byteSize() != blockSize()) {
      throw new IllegalArgumentException(
          "%d bytes of memory, expected a block of %d"
              .formatted(destination.byteSize(), blockSize()));
    }
    read(source, ByteMatrices.of(destination, 1, blockSize()));
  }

  /**
   * Writes source blocks {@code first}, {@code first + 1}, …
   *
   * @param destination one matrix of m×k bytes, overwritten
   * @throws IllegalStateException if a block is not solved; the destination is then unchanged
   * @throws IndexOutOfBoundsException if the range exceeds n blocks
   * @throws IllegalArgumentException if the destination has another shape
   */
  void read(int first, ByteMatrices destination);

  /** Removes all rows, for reuse. */
  void clear();

  /** Frees the memory. Idempotent. */
  @Override
  void close();

  /**
   * Creates an elimination from a basis for vectors and resident memory for payloads. Engines
   * without a faster implementation use it.
   *
   * @param basis an empty basis; the elimination closes it
   * @param payloads one matrix of n rows of k bytes; the elimination closes it
   */
  static ProgressiveElimination byBasis(Basis basis, ResidentBlocks payloads) {
    return new BasisElimination(basis, payloads);
  }
}
