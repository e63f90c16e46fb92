package io.fieldstone.bench;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Measures the ceiling of multiplying by nibble tables: two lane selects and one three-operand XOR
 * a step, on registers alone.
 *
 * <p>A product kernel does this for every vector of source and every output row. It also loads the
 * source, splits its bytes into nibbles and loads tables. This loop is what remains if memory and
 * tables are free, so the speed of a kernel is given as a fraction of it.
 */
final class LaneShuffles {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  /** Independent chains, enough to hide the latency of a select and an XOR. */
  private static final int CHAINS = 12;

  /** Bytes that {@link #run} reads at its start. */
  private static final int SEED_BYTES = 2 * SPECIES.length() + CHAINS;

  private static final int ITERATIONS = 20_000;

  private final byte[] seed = new byte[SEED_BYTES];

  LaneShuffles() {
    for (int i = 0; i < SEED_BYTES; i++) {
      seed[i] = (byte) (i * 167 + 13);
    }
  }

  /** Returns the GF-MACs of one {@link #run}: one per lane for each pair of selects. */
  static double work() {
    return (double) ITERATIONS * CHAINS * SPECIES.length();
  }

  /** Runs the loop once. The result depends on every select. */
  byte run() {
    return loop(seed);
  }

  /*
   * The indices stay and the tables change. `selectFrom` masks its indices with an AND. C2
   * hoists it out of the loop if they do not change. Two VPERMB and one VPTERNLOG remain per chain on
   * AVX-512 (seen in the code that C2 makes). The chains are written out, because a call or an array
   * of vectors would put them into memory.
   */
  private static byte loop(byte[] seed) {
    ByteVector low = ByteVector.fromArray(SPECIES, seed, 0);
    ByteVector high = ByteVector.fromArray(SPECIES, seed, SPECIES.length());
    ByteVector t0 = ByteVector.fromArray(SPECIES, seed, 0);
    ByteVector t1 = ByteVector.fromArray(SPECIES, seed, 1);
    ByteVector t2 = ByteVector.fromArray(SPECIES, seed, 2);
    ByteVector t3 = ByteVector.fromArray(SPECIES, seed, 3);
    ByteVector t4 = ByteVector.fromArray(SPECIES, seed, 4);
    ByteVector t5 = ByteVector.fromArray(SPECIES, seed, 5);
    ByteVector t6 = ByteVector.fromArray(SPECIES, seed, 6);
    ByteVector t7 = ByteVector.fromArray(SPECIES, seed, 7);
    ByteVector t8 = ByteVector.fromArray(SPECIES, seed, 8);
    ByteVector t9 = ByteVector.fromArray(SPECIES, seed, 9);
    ByteVector t10 = ByteVector.fromArray(SPECIES, seed, 10);
    ByteVector t11 = ByteVector.fromArray(SPECIES, seed, 11);
    for (int i = 0; i < ITERATIONS; i++) {
      t0 =
          low.selectFrom(t0)
              .lanewise(VectorOperators.XOR, high.selectFrom(t0))
              .lanewise(VectorOperators.XOR, t0);
      t1 =
          low.selectFrom(t1)
              .lanewise(VectorOperators.XOR, high.selectFrom(t1))
              .lanewise(VectorOperators.XOR, t1);
      t2 =
          low.selectFrom(t2)
              .lanewise(VectorOperators.XOR, high.selectFrom(t2))
              .lanewise(VectorOperators.XOR, t2);
      t3 =
          low.selectFrom(t3)
              .lanewise(VectorOperators.XOR, high.selectFrom(t3))
              .lanewise(VectorOperators.XOR, t3);
      t4 =
          low.selectFrom(t4)
              .lanewise(VectorOperators.XOR, high.selectFrom(t4))
              .lanewise(VectorOperators.XOR, t4);
      t5 =
          low.selectFrom(t5)
              .lanewise(VectorOperators.XOR, high.selectFrom(t5))
              .lanewise(VectorOperators.XOR, t5);
      t6 =
          low.selectFrom(t6)
              .lanewise(VectorOperators.XOR, high.selectFrom(t6))
              .lanewise(VectorOperators.XOR, t6);
      t7 =
          low.selectFrom(t7)
              .lanewise(VectorOperators.XOR, high.selectFrom(t7))
              .lanewise(VectorOperators.XOR, t7);
      t8 =
          low.selectFrom(t8)
              .lanewise(VectorOperators.XOR, high.selectFrom(t8))
              .lanewise(VectorOperators.XOR, t8);
      t9 =
          low.selectFrom(t9)
              .lanewise(VectorOperators.XOR, high.selectFrom(t9))
              .lanewise(VectorOperators.XOR, t9);
      t10 =
          low.selectFrom(t10)
              .lanewise(VectorOperators.XOR, high.selectFrom(t10))
              .lanewise(VectorOperators.XOR, t10);
      t11 =
          low.selectFrom(t11)
              .lanewise(VectorOperators.XOR, high.selectFrom(t11))
              .lanewise(VectorOperators.XOR, t11);
    }
    return t0.lanewise(VectorOperators.XOR, t1)
        .lanewise(VectorOperators.XOR, t2)
        .lanewise(VectorOperators.XOR, t3)
        .lanewise(VectorOperators.XOR, t4)
        .lanewise(VectorOperators.XOR, t5)
        .lanewise(VectorOperators.XOR, t6)
        .lanewise(VectorOperators.XOR, t7)
        .lanewise(VectorOperators.XOR, t8)
        .lanewise(VectorOperators.XOR, t9)
        .lanewise(VectorOperators.XOR, t10)
        .lanewise(VectorOperators.XOR, t11)
        .reduceLanes(VectorOperators.XOR);
  }
}
