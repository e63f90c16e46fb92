package io.fieldstone.rlnc;

import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * Which source blocks a coded block combines. A code is a rule that gives, for a seed, a generation
 * and an index, one coding vector; the same arguments give the same vector on every machine and
 * engine. Vectors of different indices are independent draws, so an encoder never runs out.
 *
 * <p>Draws come from {@link Philox} with the seed as key and the counter (block, generation, index,
 * domain): block c supplies bytes 16c … 16c + 15 of the draw, and the domain keeps the codes apart
 * (0 dense, 1 sparse, 2 pipeline, 3 recoding).
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Code {

  /** Generations and indices are one counter word each. */
  long COUNTER_LIMIT = 1L << 32;

  /**
   * Random linear network coding as in Nuclei, Sec. III-B: every coefficient uniform in 0 … 255,
   * coefficient j being byte j of the draw.
   */
  record Dense() implements Code {
    @Override
    public void coefficients(
        long seed, long generation, long index, MemorySegment target, long offset, int n) {
      requireCounters(generation, index);
      Draws.uniform(Draws.Domain.DENSE, seed, generation, index, target, offset, n);
    }

    @Override
    public boolean isDense(long index, int n) {
      return true;
    }
  }

  /** Index i &lt; n is source block i as it stands; later indices are dense. */
  record Systematic() implements Code {
    @Override
    public void coefficients(
        long seed, long generation, long index, MemorySegment target, long offset, int n) {
      requireCounters(generation, index);
      if (index < n) {
        Draws.unit((int) index, target, offset, n);
      } else {
        Draws.uniform(Draws.Domain.DENSE, seed, generation, index, target, offset, n);
      }
    }

    @Override
    public boolean isSource(long index, int n) {
      return index < n;
    }

    @Override
    public boolean isDense(long index, int n) {
      return index >= n;
    }
  }

  /**
   * Each coefficient is nonzero with probability (threshold + 1) / 256 and then max(1, a uniform
   * byte). A vector that would be all zero gets one nonzero coefficient. Encoding costs density·n
   * operations a byte instead of n; the price is that a block is innovative less often once few
   * blocks are missing: with r of n held, a vector that touches none of the n − r missing
   * dimensions is wasted, which at density d happens with probability about (1 − d)^(n − r).
   *
   * <p>Block c of the draw gives coefficients 8c … 8c + 7: coefficient 8c + i is nonzero if byte i
   * of the block is ≤ threshold, and its value comes from byte 8 + i. Of an all-zero vector, the
   * block after the last gives the position (its first 32-bit word mod n) and the value (from the
   * low byte of its second word) of the nonzero coefficient.
   *
   * @param threshold 0 … 255
   */
  record Sparse(int threshold) implements Code {
    public Sparse {
      if (threshold < 0 || threshold > 255) {
        throw new IllegalArgumentException("threshold " + threshold + " is not in 0…255");
      }
    }

    /** The code whose density is nearest to {@code density}, in (0, 1]. */
    public static Sparse ofDensity(double density) {
      if (!(density > 0 && density <= 1)) {
        throw new IllegalArgumentException("density " + density + " is not in (0, 1]");
      }
      return new Sparse(Math.max(0, (int) Math.round(density * 256) - 1));
    }

    /** Probability of a nonzero coefficient. */
    public double density() {
      return (threshold + 1) / 256.0;
    }

    @Override
    public void coefficients(
        long seed, long generation, long index, MemorySegment target, long offset, int n) {
      requireCounters(generation, index);
      Draws.sparse(threshold, seed, generation, index, target, offset, n);
    }
  }

  /**
   * Pipeline network coding (HPDS, Sec. 3.1): a coded frame with sequence number s combines frames
   * 0 … s of its generation, with a nonzero coefficient for frame s, so that a receiver delivers
   * frame s as soon as frames 0 … s are solvable. Index i has sequence number {@code min(n − 1, ⌊i
   * / (1 + redundancy)⌋)}: redundant frames are spread over the generation, and what comes after it
   * combines all frames.
   *
   * <p>Coefficients 0 … s − 1 are bytes of the draw as in {@link Dense}, coefficient s is max(1,
   * its byte).
   *
   * @param redundancy redundant frames for each source frame, ≥ 0
   */
  record Pipeline(double redundancy) implements Code {
    public Pipeline {
      if (!(redundancy >= 0 && redundancy < 1e6)) {
        throw new IllegalArgumentException("redundancy " + redundancy + " is not in [0, 1e6)");
      }
    }

    /** Sequence number within its generation of n frames of the coded frame with this index. */
    public int sequenceNumber(long index, int n) {
      return (int) Math.min(n - 1.0, Math.floor(index / (1 + redundancy)));
    }

    @Override
    public void coefficients(
        long seed, long generation, long index, MemorySegment target, long offset, int n) {
      requireCounters(generation, index);
      Draws.pipelined(sequenceNumber(index, n), seed, generation, index, target, offset, n);
    }
  }

  /** The name used on the command line and in messages: {@code dense}, {@code sparse}, … */
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Whether the block with this index is a source block as it stands, the one it numbers. */
  default boolean isSource(long index, int n) {
    return false;
  }

  /**
   * Whether every coefficient of the block with this index is a byte of the draw in domain 0, and
   * those of all later blocks too: {@link io.fieldstone.engine.coding.RandomCoefficients}, which an
   * engine can make where it multiplies.
   */
  default boolean isDense(long index, int n) {
    return false;
  }

  /**
   * Writes the coefficients of one coded block; allocates nothing.
   *
   * @param seed Philox key
   * @param generation generation number, 0 ≤ generation &lt; 2^32
   * @param index number of the coded block within its generation, 0 ≤ index &lt; 2^32
   * @param target memory that receives n coefficients
   * @param offset where in {@code target} they go
   * @param n generation size, ≥ 1
   * @throws IllegalArgumentException if generation or index is out of range
   * @throws IndexOutOfBoundsException if {@code target} has no n bytes from {@code offset} on
   */
  void coefficients(
      long seed, long generation, long index, MemorySegment target, long offset, int n);

  /**
   * Writes the coefficients of one coded block to {@code vector}, n = {@code vector.byteSize()}.
   */
  default void coefficients(long seed, long generation, long index, MemorySegment vector) {
    coefficients(seed, generation, index, vector, 0, Math.toIntExact(vector.byteSize()));
  }

  private static void requireCounters(long generation, long index) {
    requireCounter("generation", generation);
    requireCounter("index", index);
  }

  /** Refuses a range of generations or indices that passes one counter word. */
  static void requireCounters(long firstGeneration, long count, long firstIndex, long blocks) {
    requireCounter("generation", firstGeneration);
    requireCounter("generation", firstGeneration + Math.max(0, count - 1));
    requireCounter("index", firstIndex);
    requireCounter("index", firstIndex + Math.max(0, blocks - 1));
  }

  /** Refuses a number that is not one counter word. */
  static void requireCounter(String name, long value) {
    if (value < 0 || value >= COUNTER_LIMIT) {
      throw new IllegalArgumentException(name + " " + value + " is not in 0…2^32 − 1");
    }
  }
}
