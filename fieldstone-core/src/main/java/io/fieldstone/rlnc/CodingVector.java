package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;

/**
 * How a coded block says which source blocks it combines: in full, or as the few numbers from which
 * the coefficients can be drawn again. An encoder sends seeds; what a recoder makes can only be
 * written out ({@link Explicit}).
 */
public sealed interface CodingVector {

  /** Row {@code index} of the code's coefficients under {@code seed} (dense and sparse codes). */
  record Seeded(long seed, long index) implements CodingVector {
    public Seeded {
      Code.requireCounter("index", index);
    }
  }

  /** Source block {@code index} as it stands. */
  record Source(int index) implements CodingVector {}

  /**
   * A coded frame of the pipeline code with sequence number {@code sequenceNumber} within its
   * generation; {@code seed} and {@code index} give its coefficients.
   */
  record Pipelined(int sequenceNumber, long seed, long index) implements CodingVector {
    public Pipelined {
      Code.requireCounter("index", index);
    }
  }

  /**
   * The coefficients themselves.
   *
   * @param coefficients n bytes; not copied
   */
  record Explicit(MemorySegment coefficients) implements CodingVector {}

  /** How a block with this index of an encoder's output describes itself. */
  static CodingVector of(GenerationShape shape, long seed, long index) {
    return switch (shape.code()) {
      case Code code when code.isSource(index, shape.blocks()) -> new Source((int) index);
      case Code.Pipeline pipeline ->
          new Pipelined(pipeline.sequenceNumber(index, shape.blocks()), seed, index);
      case Code.Dense _, Code.Systematic _, Code.Sparse _ -> new Seeded(seed, index);
    };
  }

  /**
   * Writes the coefficients out.
   *
   * @param code the code that {@link Seeded} vectors are drawn by
   * @param generation generation number
   * @param vector receives n = {@code vector.byteSize()} coefficients
   * @throws IllegalArgumentException if the description does not fit n coefficients
   */
  default void expand(Code code, long generation, MemorySegment vector) {
    expand(code, generation, vector, 0, Math.toIntExact(vector.byteSize()));
  }

  /**
   * Writes the coefficients out; allocates nothing.
   *
   * @param code the code that {@link Seeded} vectors are drawn by
   * @param generation generation number
   * @param target memory that receives n coefficients
   * @param offset where in {@code target} they go
   * @param n generation size
   * @throws IllegalArgumentException if the description does not fit n coefficients
   */
  default void expand(Code code, long generation, MemorySegment target, long offset, int n) {
    switch (this) {
      case Seeded(long seed, long index) ->
          code.coefficients(seed, generation, index, target, offset, n);
      case Source(int index) -> {
        requireBelow("source index", index, n);
        Draws.unit(index, target, offset, n);
      }
      case Pipelined(int sequenceNumber, long seed, long index) -> {
        requireBelow("sequence number", sequenceNumber, n);
        Draws.pipelined(sequenceNumber, seed, generation, index, target, offset, n);
      }
      case Explicit(MemorySegment coefficients) -> {
        if (coefficients.byteSize() != n) {
          throw new IllegalArgumentException(
              "a vector of " + coefficients.byteSize() + " coefficients for " + n + " blocks");
        }
        MemorySegment.copy(coefficients, 0, target, offset, n);
      }
    }
  }

  private static void requireBelow(String name, int value, int bound) {
    if (value < 0 || value >= bound) {
      throw new IllegalArgumentException(name + " " + value + " is not in 0…" + (bound - 1));
    }
  }
}
