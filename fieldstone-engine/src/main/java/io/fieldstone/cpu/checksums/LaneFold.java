package io.fieldstone.cpu.checksums;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.BITWISE_BLEND;
import static jdk.incubator.vector.VectorOperators.ROR;
import static jdk.incubator.vector.VectorOperators.XOR;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Folds a message, a vector at a time, into one vector with the same remainder.
 *
 * <p>A vector is lanes of {@link #lane} bytes, each a polynomial of the degree of a remainder or
 * more. With V bytes to a vector, a lane a is congruent to a · x<sup>8V</sup> in the same lane of
 * the next vector, and that product is linear in the nibbles of a. Byte q of the product is a sum
 * of table entries, one for each nibble of the lane. A rotation of the lane brings a nibble to byte
 * q, and one selection by (q, nibble) looks it up in all bytes of the vector.
 *
 * <p>Each vector depends on the one before, so this is for messages too short for {@link
 * PlaneFold}.
 */
final class LaneFold {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Bytes of a vector. */
  static final int V = 64;

  private static final int NIBBLE_BITS = 4;
  private static final int NIBBLES = 16;

  /** The index bits that hold nibbles, in a lane. */
  private static final int NIBBLE_INTS = 0x0F0F0F0F;

  private static final long NIBBLE_LONGS = 0x0F0F0F0F_0F0F0F0FL;

  /** The index bits that hold the byte position in a lane. */
  private static final int PLACE_INTS = 0x30_20_10_00;

  private static final long PLACE_LONGS = 0x70_60_50_40_30_20_10_00L;

  /** Rotations of a lane of eight bytes by whole nibbles. */
  private static final int ROTATIONS_OF_LONGS = 2 * Long.BYTES;

  /** Bytes of a lane: the minimum that holds a remainder. */
  private final int lane;

  private final MemorySegment tableMemory;

  /** Address of the tables, of {@code 16 · lane} entries for each rotation, by nibbles. */
  private final long tables;

  LaneFold(Divisor divisor) {
    lane = divisor.degree() <= Integer.SIZE ? Integer.BYTES : Long.BYTES;
    int tableBytes = NIBBLES * lane;
    tableMemory = Arena.ofAuto().allocate(2L * lane * tableBytes, V);
    tables = tableMemory.address();
    for (int place = 0; place < lane; place++) {
      byte[][] worth = worth(divisor, place);
      for (int high = 0; high < 2; high++) {
        for (int q = 0; q < lane; q++) {
          int rotation = 2 * Math.floorMod(place - q, lane) + high;
          long table = (long) rotation * tableBytes + q * NIBBLES;
          for (int nibble = 0; nibble < NIBBLES; nibble++) {
            byte sum = 0;
            for (int bit = 0; bit < NIBBLE_BITS; bit++) {
              if ((nibble >>> bit & 1) != 0) {
                sum ^= worth[high * NIBBLE_BITS + bit][q];
              }
            }
            tableMemory.set(JAVA_BYTE, table + nibble, sum);
          }
        }
      }
    }
  }

  /** Whether a lane is a {@code long}, which needs four times the selections of an {@code int}. */
  boolean isWide() {
    return lane == Long.BYTES;
  }

  /** Returns the bytes of a lane that each bit of a byte is congruent to in the next vector. */
  private byte[][] worth(Divisor divisor, int place) {
    Gf2Modulus modulus = divisor.modulus();
    byte[][] worth = new byte[Byte.SIZE][lane];
    long power = modulus.xToThe((long) Byte.SIZE * (V + lane - 1 - place));
    for (int exponent = 0; exponent < Byte.SIZE; exponent++) {
      int bit = divisor.lowBitFirst() ? Byte.SIZE - 1 - exponent : exponent;
      for (int q = 0; q < lane; q++) {
        int b = (int) (power >>> Byte.SIZE * (lane - 1 - q)) & 0xFF;
        worth[bit][q] = (byte) (divisor.lowBitFirst() ? Integer.reverse(b) >>> 24 : b);
      }
      power = modulus.timesX(power);
    }
    return worth;
  }

  /**
   * Replaces a vector by one that is congruent to it and the vectors after it.
   *
   * @param state address of the vector
   * @param message address of the vectors after it, of any alignment
   */
  void fold(long state, long message, int vectors) {
    try {
      if (lane == Integer.BYTES) {
        foldInts(tables, state, message, vectors);
      } else {
        foldLongs(tables, state, message, vectors);
      }
    } finally {
      Reference.reachabilityFence(tableMemory);
    }
  }

  private static void foldInts(long tables, long state, long message, int vectors) {
    long first = message & Rows.ADDRESS_MASK;
    IntVector q = IntVector.broadcast(IntVector.SPECIES_512, PLACE_INTS);
    ByteVector t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables, ORDER);
    ByteVector t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + V, ORDER);
    ByteVector t2 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 2 * V, ORDER);
    ByteVector t3 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 3 * V, ORDER);
    ByteVector t4 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 4 * V, ORDER);
    ByteVector t5 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 5 * V, ORDER);
    ByteVector t6 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 6 * V, ORDER);
    ByteVector t7 = ByteVector.fromMemorySegment(SPECIES, MEMORY, tables + 7 * V, ORDER);
    IntVector x = ByteVector.fromMemorySegment(SPECIES, MEMORY, state, ORDER).reinterpretAsInts();
    for (int v = 0; v < vectors; v++) {
      ByteVector next = ByteVector.fromMemorySegment(SPECIES, MEMORY, first + (long) v * V, ORDER);
      ByteVector i0 = q.lanewise(BITWISE_BLEND, x, NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i1 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 4), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i2 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 8), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i3 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 12), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i4 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 16), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i5 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 20), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i6 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 24), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector i7 =
          q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 28), NIBBLE_INTS).reinterpretAsBytes();
      ByteVector a = next.lanewise(XOR, i0.selectFrom(t0)).lanewise(XOR, i1.selectFrom(t1));
      ByteVector b =
          i2.selectFrom(t2).lanewise(XOR, i3.selectFrom(t3)).lanewise(XOR, i4.selectFrom(t4));
      ByteVector c =
          i5.selectFrom(t5).lanewise(XOR, i6.selectFrom(t6)).lanewise(XOR, i7.selectFrom(t7));
      x = a.lanewise(XOR, b).lanewise(XOR, c).reinterpretAsInts();
    }
    x.reinterpretAsBytes().intoMemorySegment(MEMORY, state, ORDER);
  }

  private static void foldLongs(long tables, long state, long message, int vectors) {
    long allTables = tables & Rows.ADDRESS_MASK;
    long first = message & Rows.ADDRESS_MASK;
    LongVector q = LongVector.broadcast(LongVector.SPECIES_512, PLACE_LONGS);
    LongVector x = ByteVector.fromMemorySegment(SPECIES, MEMORY, state, ORDER).reinterpretAsLongs();
    for (int v = 0; v < vectors; v++) {
      ByteVector sum = ByteVector.fromMemorySegment(SPECIES, MEMORY, first + (long) v * V, ORDER);
      for (int rotation = 0; rotation < ROTATIONS_OF_LONGS; rotation += 4) {
        long t = allTables + (long) rotation * 2 * V;
        ByteVector i0 = q.lanewise(BITWISE_BLEND, x, NIBBLE_LONGS).reinterpretAsBytes();
        ByteVector s0 =
            i0.selectFrom(
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER),
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER));
        ByteVector i1 =
            q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 4), NIBBLE_LONGS).reinterpretAsBytes();
        ByteVector s1 =
            i1.selectFrom(
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 2 * V, ORDER),
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 3 * V, ORDER));
        ByteVector i2 =
            q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 8), NIBBLE_LONGS).reinterpretAsBytes();
        ByteVector s2 =
            i2.selectFrom(
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 4 * V, ORDER),
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 5 * V, ORDER));
        ByteVector i3 =
            q.lanewise(BITWISE_BLEND, x.lanewise(ROR, 12), NIBBLE_LONGS).reinterpretAsBytes();
        ByteVector s3 =
            i3.selectFrom(
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 6 * V, ORDER),
                ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 7 * V, ORDER));
        sum = sum.lanewise(XOR, s0).lanewise(XOR, s1).lanewise(XOR, s2.lanewise(XOR, s3));
        x = x.lanewise(ROR, 16);
      }
      x = sum.reinterpretAsLongs();
    }
    x.reinterpretAsBytes().intoMemorySegment(MEMORY, state, ORDER);
  }
}
