package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;

/**
 * The coefficients of a coded block, explicit or as the inputs that generate them. An encoder sends
 * seeds; the vectors of a recoder are {@link Explicit}.
 */
public sealed interface CodingVector {

  /** The coefficients with index {@code index} of a dense or sparse code under {@code seed}. */
  record Seeded(long seed, long index) implements CodingVector {
    public Seeded {
      Code.requireCounter("index", index);
    }
  }

  /** The unit vector of source block {@code index}, which is sent uncoded. */
  record Source(int index) implements CodingVector {}

  /**
   * The coefficients of a frame of a pipeline code; {@code seed} and {@code index} generate them.
   */
  record Pipelined(int sequenceNumber, long seed, long index) implements CodingVector {
    public Pipelined {
      Code.requireCounter("index", index);
    }
  }

  /**
   * Explicit coefficients.
   *
   * @param coefficients n bytes; not copied
   */
  record Explicit(MemorySegment coefficients) implements CodingVector {}

  /** Returns the coding vector of the block that an encoder makes with this index. */
  static CodingVector of(GenerationShape shape, long seed, long index) {
    return switch (shape.code()) {
      case Code code when code.isSource(index, shape.blocks()) -> new Source((int) index);
      case Code.Pipeline pipeline ->
          new Pipelined(pipeline.sequenceNumber(index, shape.blocks()), seed, index);
      case Code.Dense _, Code.Systematic _, Code.Sparse _, Code.Cauchy _ -> new Seeded(seed, index);
    };
  }

  /**
   * Writes the coefficients.
   *
   * @param code the code that generates {@link Seeded} vectors
   * @param generation the generation
   * @param vector receives n = {@code vector.byteSize()} coefficients
   * @throws IllegalArgumentException if this vector does not fit n coefficients
   */
  default void expand(Code code, long generation, MemorySegment vector) {
    expand(code, generation, vector, 0, Math.toIntExact(vector.byteSize()));
  }

  /**
   * Writes the coefficients; allocates no memory.
   *
   * @param code the code that generates {@link Seeded} vectors
   * @param generation the generation
   * @param target receives n coefficients
   * @param offset the offset of the first coefficient in {@code target}
   * @param n the number of coefficients
   * @throws IllegalArgumentException if this vector does not fit n coefficients
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
              "vector of " + coefficients.byteSize() + " coefficients, expected " + n);
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
