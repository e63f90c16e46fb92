package io.fieldstone.rlnc;

import io.fieldstone.field.Gf256;
import io.fieldstone.field.Philox;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/**
 * A network code: a rule that gives a coding vector for a seed, a generation and an index. The same
 * arguments give the same vector on every machine and engine. Vectors of different indices are
 * independent, so the number of blocks is unlimited.
 *
 * <p>Random bytes come from {@link Philox} with the seed as key and the counter (block, generation,
 * index, domain). Block c supplies bytes 16c … 16c + 15. The domain separates the codes: 0 dense, 1
 * sparse, 2 pipeline, 3 recoding.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Code {

  /** The exclusive bound of generations and indices, which are one 32-bit counter word each. */
  long COUNTER_LIMIT = 1L << 32;

  /**
   * Random linear network coding (Nuclei, Section III-B): every coefficient is uniform in 0 … 255;
   * coefficient j is random byte j.
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

  /** A systematic code: block i &lt; n is source block i, uncoded; later blocks are dense. */
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
   * A sparse code. A coefficient is nonzero with probability (threshold + 1) / 256, and is then
   * max(1, a uniform byte). A zero vector gets one nonzero coefficient. Encoding costs density·n
   * operations per byte instead of n. In return, blocks are innovative less often when few are
   * missing: with r of n held, a vector touches none of the missing dimensions with probability
   * about (1 − density)^(n − r).
   *
   * <p>Random block c gives coefficients 8c … 8c + 7: coefficient 8c + i is nonzero if byte i is ≤
   * threshold, and its value comes from byte 8 + i. For a zero vector, the block after the last
   * gives the position (its first 32-bit word mod n) and the value (from the low byte of its second
   * word) of the nonzero coefficient.
   *
   * @param threshold 0 … 255
   */
  record Sparse(int threshold) implements Code {
    public Sparse {
      if (threshold < 0 || threshold > 255) {
        throw new IllegalArgumentException("threshold " + threshold + " is not in 0…255");
      }
    }

    /** Returns the code whose density is nearest to {@code density}, in (0, 1]. */
    public static Sparse ofDensity(double density) {
      if (!(density > 0 && density <= 1)) {
        throw new IllegalArgumentException("density " + density + " is not in (0, 1]");
      }
      return new Sparse(Math.max(0, (int) Math.round(density * 256) - 1));
    }

    /** Returns the probability of a nonzero coefficient. */
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
   * Pipeline network coding (HPDS, Section 3.1). A coded frame with sequence number s combines
   * frames 0 … s of its generation, with a nonzero coefficient for frame s. So a receiver delivers
   * frame s as soon as frames 0 … s are solvable. Index i has sequence number {@code min(n − 1, ⌊i
   * / (1 + redundancy)⌋)}: redundant frames are spread over the generation, and later frames
   * combine all of it.
   *
   * <p>Coefficients 0 … s − 1 are random bytes as in {@link Dense}; coefficient s is max(1, its
   * byte).
   *
   * @param redundancy redundant frames per source frame, ≥ 0
   */
  record Pipeline(double redundancy) implements Code {
    public Pipeline {
      if (!(redundancy >= 0 && redundancy < 1e6)) {
        throw new IllegalArgumentException("redundancy " + redundancy + " is not in [0, 1e6)");
      }
    }

    /**
     * Returns the sequence number, within a generation of n frames, of the coded frame with this
     * index.
     */
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

  /**
   * A systematic Reed–Solomon code by a Cauchy matrix (Blömer et al., 1995): any n of blocks 0 …
   * 255 of a generation are independent, for certain. Block i &lt; n is source block i. Coefficient
   * j of block i = n … 255 is 1 / (i + j) in GF(2^8) with polynomial 0x11D, where addition is the
   * exclusive or. So every square submatrix of these rows is invertible. Seed and generation have
   * no influence on these blocks. Blocks from 256 on are dense.
   */
  record Cauchy() implements Code {

    /** The number of blocks of which any n decode a generation, and the maximum n. */
    public static final int MAX_BLOCKS = 256;

    @Override
    public void coefficients(
        long seed, long generation, long index, MemorySegment target, long offset, int n) {
      requireCounters(generation, index);
      if (index < n) {
        Draws.unit((int) index, target, offset, n);
      } else if (index < MAX_BLOCKS) {
        Draws.cauchy((int) index, target, offset, n);
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
      return index >= MAX_BLOCKS;
    }

    @Override
    public int maxBlocks() {
      return MAX_BLOCKS;
    }

    @Override
    public boolean isOver(Gf256 field) {
      return field.equals(Gf256.DEFAULT);
    }
  }

  /** Returns the name on the command line and in messages: {@code dense}, {@code sparse}, … */
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Returns true if the block with this index is the uncoded source block of the same number. */
  default boolean isSource(long index, int n) {
    return false;
  }

  /**
   * Returns true if this block and all later ones are dense: every coefficient is a random byte of
   * domain 0. An engine can generate such {@link io.fieldstone.engine.coding.RandomCoefficients}
   * itself.
   */
  default boolean isDense(long index, int n) {
    return false;
  }

  /** Returns the maximum generation size. */
  default int maxBlocks() {
    return GenerationShape.MAX_BLOCKS;
  }

  /** Returns true if the code is defined over a field. */
  default boolean isOver(Gf256 field) {
    return true;
  }

  /**
   * Writes the coefficients of one coded block; allocates no memory.
   *
   * @param seed Philox key
   * @param generation the generation, 0 ≤ generation &lt; 2^32
   * @param index the index of the block in its generation, 0 ≤ index &lt; 2^32
   * @param target receives n coefficients
   * @param offset the offset of the first coefficient in {@code target}
   * @param n generation size, ≥ 1
   * @throws IllegalArgumentException if generation or index is out of range
   * @throws IndexOutOfBoundsException if {@code target} has fewer than n bytes from {@code offset}
   *     on
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

  /** Checks that ranges of generations and indices fit one counter word each. */
  static void requireCounters(long firstGeneration, long count, long firstIndex, long blocks) {
    requireCounter("generation", firstGeneration);
    requireCounter("generation", firstGeneration + Math.max(0, count - 1));
    requireCounter("index", firstIndex);
    requireCounter("index", firstIndex + Math.max(0, blocks - 1));
  }

  /** Checks that a number fits one counter word. */
  static void requireCounter(String name, long value) {
    if (value < 0 || value >= COUNTER_LIMIT) {
      throw new IllegalArgumentException(name + " " + value + " is not in 0…2^32 − 1");
    }
  }
}
