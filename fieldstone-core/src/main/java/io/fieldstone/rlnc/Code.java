package io.fieldstone.rlnc;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * Which source blocks a coded block combines. A code is a rule that gives, for a seed, a generation
 * and an index, one coding vector; the same arguments give the same vector on every machine and
 * engine. Vectors of different indices are independent draws, so an encoder never runs out.
 *
 * <p>Draws come from {@link Philox} with the seed as key and the counter (chunk, generation, index,
 * domain): chunk c supplies bytes 16c … 16c + 15 of the draw.
 *
 * <p>Immutable and thread-safe.
 */
public sealed interface Code {

  /** Random linear network coding as in Nuclei, Sec. III-B: every coefficient uniform in 0 … 255. */
  record Dense() implements Code {
    @Override
    public void coefficients(long seed, long generation, long index, MemorySegment vector) {
      Draws.uniform(Draws.Domain.DENSE, seed, generation, index, vector);
    }
  }

  /** Index i &lt; n is source block i as it stands; later indices are dense. */
  record Systematic() implements Code {
    @Override
    public void coefficients(long seed, long generation, long index, MemorySegment vector) {
      if (index < vector.byteSize()) {
        vector.fill((byte) 0);
        vector.set(ValueLayout.JAVA_BYTE, index, (byte) 1);
      } else {
        Draws.uniform(Draws.Domain.DENSE, seed, generation, index, vector);
      }
    }
  }

  /**
   * Each coefficient is nonzero with probability (threshold + 1) / 256 and then uniform in 1 … 255
   * but for rounding. A vector that would be all zero gets one nonzero coefficient. Encoding costs
   * density·n operations a byte instead of n; the price is that a block is innovative less often
   * once few blocks are missing: with r of n held, a vector that touches none of the n − r missing
   * dimensions is wasted, which at density d happens with probability about (1 − d)^(n − r).
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
    public void coefficients(long seed, long generation, long index, MemorySegment vector) {
      Draws.sparse(threshold, seed, generation, index, vector);
    }
  }

  /**
   * Pipeline network coding (HPDS, Sec. 3.1): a coded frame with sequence number s combines frames
   * 0 … s of its generation, with a nonzero coefficient for frame s, so that a receiver delivers
   * frame s as soon as frames 0 … s are solvable. Index i has sequence number {@code min(n − 1, ⌊i /
   * (1 + redundancy)⌋)}: redundant frames are spread over the generation, and what comes after it
   * combines all frames.
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
    public void coefficients(long seed, long generation, long index, MemorySegment vector) {
      int sequenceNumber = sequenceNumber(index, (int) vector.byteSize());
      Draws.pipelined(sequenceNumber, seed, generation, index, vector);
    }
  }

  /** The name used on the command line and in messages: {@code dense}, {@code sparse}, … */
  default String name() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /**
   * Writes the coefficients of one coded block.
   *
   * @param seed Philox key
   * @param generation generation number, 0 ≤ generation < 2^32
   * @param index number of the coded block within its generation, 0 ≤ index < 2^32
   * @param vector receives n = {@code vector.byteSize()} coefficients
   */
  void coefficients(long seed, long generation, long index, MemorySegment vector);
}
