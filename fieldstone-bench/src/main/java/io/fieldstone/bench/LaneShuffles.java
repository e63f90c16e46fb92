package io.fieldstone.bench;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The ceiling of multiplying by nibble tables: two lane selects and one three-operand XOR a step,
 * on registers alone.
 *
 * <p>A product kernel does this for every vector of source and every output row, and besides loads
 * the source, splits its bytes into nibbles and loads tables. What is left when memory and tables
 * cost nothing is this loop, so a kernel's speed is given as a share of it.
 */
final class LaneShuffles {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;

  /** Chains that do not wait for each other: enough to hide a select's and an XOR's latency. */
  private static final int CHAINS = 12;

  /** Bytes that {@link #run} reads to start from. */
  private static final int SEED_BYTES = 2 * SPECIES.length() + CHAINS;

  private static final int ITERATIONS = 20_000;

  private final byte[] seed = new byte[SEED_BYTES];

  LaneShuffles() {
    for (int i = 0; i < SEED_BYTES; i++) {
      seed[i] = (byte) (i * 167 + 13);
    }
  }

  /** GF-MACs that one {@link #run} stands for: one a lane for each pair of selects. */
  static double work() {
    return (double) ITERATIONS * CHAINS * SPECIES.length();
  }

  /** One round of the loop. What it returns depends on every select. */
  byte run() {
    return loop(seed);
  }

  /*
   * The indices stay and the tables change: `selectFrom` wraps its indices with an AND, which C2
   * hoists out of the loop when they do not change. What remains is two VPERMB and one VPTERNLOG a
   * chain on AVX-512 (seen in the code that C2 makes). Written out, since a call or an array of
   * vectors would put them into memory.
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
