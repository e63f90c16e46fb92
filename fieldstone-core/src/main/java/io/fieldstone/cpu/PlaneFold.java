package io.fieldstone.cpu;

import static io.fieldstone.cpu.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.BITWISE_BLEND;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

import io.fieldstone.engine.Divisor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Folds a message, a span of 12 vectors at a time, into one span of the same remainder.
 *
 * <p>A span is 64 columns of 12 bytes: byte j of each vector (a <em>plane</em>) is in column j. In
 * a column a byte is worth as much as some bytes of the same column one span further on, and those
 * are linear in its bits. So a table of 64 entries, which one selection looks up for 64 columns at
 * once, is indexed by six bits of a plane and nothing else: for three planes there are three
 * indices that are the planes themselves (a selection disregards the two highest bits) and a fourth
 * of their highest bits. That is 16 selections a span for each byte of a remainder, w/6 a vector
 * for w bits, where lanes (see {@link LaneFold}) take w/4 and have to prepare each index.
 *
 * <p>A remainder of n bytes goes to n planes of the next span, the <em>heirs</em>. Whether every
 * remainder can be expressed by given ones is a matter of luck, as {@link PlanePlaces} says, so
 * they are chosen for each divisor.
 *
 * <p>Where a remainder has at most six bytes a span is two halves alike, one {@link
 * PlanePlaces#mate} bytes after the other, that use the same tables: loads of tables are then no
 * longer what limits the loop, and only selections are.
 *
 * <p>The loops repeat themselves on purpose: helper methods would not be inlined into loops of such
 * size, and a vector that crosses a call is boxed.
 */
final class PlaneFold {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_512;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Bytes of a vector. */
  private static final int V = LaneFold.V;

  /** Vectors of a span. */
  static final int PLANES = PlanePlaces.PLANES;

  /** Bytes of a span. */
  static final int SPAN = PLANES * V;

  /** The two highest bits of bytes, and the four highest. */
  private static final int TOP_2 = 0xC0C0C0C0;

  private static final int TOP_4 = 0xF0F0F0F0;

  /** Planes that are indexed together, by {@link #INDICES} vectors of six bits. */
  private static final int GROUP = 3;

  private static final int INDICES = 4;

  private static final int INDEX_BITS = 6;

  /** Bytes of a heir's tables, for a half and for a whole span. */
  private static final int HALF_TABLES = PLANES / 2 / GROUP * INDICES * V;

  private static final int WHOLE_TABLES = 2 * HALF_TABLES;

  /** Bytes of half a span. */
  private static final int HALF = SPAN / 2;

  private final int heirs;
  private final boolean halves;

  /** Byte offsets of planes in a span in the order in which they are worked on, heirs first. */
  private final long[] offsets;

  private final long mate;

  private final MemorySegment tableMemory;

  /** Address of the tables: for each heir those of a group, for each group. */
  private final long tables;

  private PlaneFold(PlanePlaces places) {
    heirs = places.heirs();
    halves = places.halves();
    mate = places.mate();
    offsets = new long[PLANES];
    for (int i = 0; i < PLANES; i++) {
      offsets[i] = (long) places.place(i) * V;
    }
    int groups = (halves ? PLANES / 2 : PLANES) / GROUP;
    int heirBytes = halves ? HALF_TABLES : WHOLE_TABLES;
    tableMemory = Arena.ofAuto().allocate((long) heirs * heirBytes, V);
    tables = tableMemory.address();
    for (int group = 0; group < groups; group++) {
      for (int index = 0; index < INDICES; index++) {
        long at = ((long) group * INDICES + index) * V;
        fill(places, group, index, at, heirBytes);
      }
    }
  }

  /** The tables of one index of a group, one for each heir. */
  private void fill(PlanePlaces places, int group, int index, long at, int heirBytes) {
    for (int entry = 0; entry < V; entry++) {
      long worth = 0;
      for (int bit = 0; bit < INDEX_BITS; bit++) {
        if ((entry >>> bit & 1) != 0) {
          // The fourth index has the highest bits of the third plane, the second and the first.
          int plane = index < GROUP ? index : GROUP - 1 - bit / 2;
          int bitOfPlane = index < GROUP ? bit : INDEX_BITS + bit % 2;
          worth ^= places.worth(group * GROUP + plane, bitOfPlane);
        }
      }
      for (int heir = 0; heir < heirs; heir++) {
        long table = (long) heir * heirBytes + at;
        tableMemory.set(JAVA_BYTE, table + entry, (byte) (worth >>> heir * Byte.SIZE));
      }
    }
  }

  /** Folding for a divisor, if there are heirs that express all of its remainders. */
  static Optional<PlaneFold> of(Divisor divisor) {
    return PlanePlaces.find(divisor).map(PlaneFold::new);
  }

  /**
   * Replaces a span by one that is worth as much as it and the spans after it.
   *
   * @param span address of the span
   * @param message address of the spans after it, of any alignment
   * @param work address of {@link #SPAN} bytes to work in, a multiple of 64
   */
  void fold(long span, long message, int spans, long work) {
    for (int i = 0; i < PLANES; i++) {
      MemorySegment.copy(MEMORY, span + offsets[i], MEMORY, work + (long) i * V, V);
    }
    try {
      if (halves) {
        foldHalves(tables, heirs, offsets, mate, message, spans, work);
      } else {
        foldWhole(tables, heirs, offsets, message, spans, work);
      }
    } finally {
      Reference.reachabilityFence(tableMemory);
    }
    for (int i = 0; i < PLANES; i++) {
      MemorySegment.copy(MEMORY, work + (long) i * V, MEMORY, span + offsets[i], V);
    }
  }

  private static void foldHalves(
      long tables, int heirs, long[] offsets, long mate, long message, int spans, long work) {
    for (int s = 0; s < spans; s++) {
      long next = message + (long) s * SPAN;
      IntVector x0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, work, ORDER).reinterpretAsInts();
      IntVector x1 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + V, ORDER).reinterpretAsInts();
      IntVector x2 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 2 * V, ORDER).reinterpretAsInts();
      IntVector x3 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 3 * V, ORDER).reinterpretAsInts();
      IntVector x4 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 4 * V, ORDER).reinterpretAsInts();
      IntVector x5 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 5 * V, ORDER).reinterpretAsInts();
      IntVector x6 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 6 * V, ORDER).reinterpretAsInts();
      IntVector x7 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 7 * V, ORDER).reinterpretAsInts();
      IntVector x8 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 8 * V, ORDER).reinterpretAsInts();
      IntVector x9 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 9 * V, ORDER).reinterpretAsInts();
      IntVector x10 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 10 * V, ORDER).reinterpretAsInts();
      IntVector x11 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 11 * V, ORDER).reinterpretAsInts();
      ByteVector y0 =
          x2.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x1.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x0, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y1 =
          x5.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x4.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x3, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y2 =
          x8.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x7.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x6, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y3 =
          x11.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x10.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x9, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector b0 = x0.reinterpretAsBytes();
      ByteVector b1 = x1.reinterpretAsBytes();
      ByteVector b2 = x2.reinterpretAsBytes();
      ByteVector b3 = x3.reinterpretAsBytes();
      ByteVector b4 = x4.reinterpretAsBytes();
      ByteVector b5 = x5.reinterpretAsBytes();
      ByteVector b6 = x6.reinterpretAsBytes();
      ByteVector b7 = x7.reinterpretAsBytes();
      ByteVector b8 = x8.reinterpretAsBytes();
      ByteVector b9 = x9.reinterpretAsBytes();
      ByteVector b10 = x10.reinterpretAsBytes();
      ByteVector b11 = x11.reinterpretAsBytes();
      for (int heir = 0; heir < heirs; heir++) {
        long t = tables + (long) heir * HALF_TABLES;
        long from = next + offsets[heir];
        ByteVector a = ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER);
        ByteVector b = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + mate, ORDER);
        ByteVector t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
        ByteVector t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
        a = a.lanewise(XOR, b0.selectFrom(t0)).lanewise(XOR, b1.selectFrom(t1));
        b = b.lanewise(XOR, b6.selectFrom(t0)).lanewise(XOR, b7.selectFrom(t1));
        t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 2 * V, ORDER);
        t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 3 * V, ORDER);
        a = a.lanewise(XOR, b2.selectFrom(t0)).lanewise(XOR, y0.selectFrom(t1));
        b = b.lanewise(XOR, b8.selectFrom(t0)).lanewise(XOR, y2.selectFrom(t1));
        t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 4 * V, ORDER);
        t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 5 * V, ORDER);
        a = a.lanewise(XOR, b3.selectFrom(t0)).lanewise(XOR, b4.selectFrom(t1));
        b = b.lanewise(XOR, b9.selectFrom(t0)).lanewise(XOR, b10.selectFrom(t1));
        t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 6 * V, ORDER);
        t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 7 * V, ORDER);
        a = a.lanewise(XOR, b5.selectFrom(t0)).lanewise(XOR, y1.selectFrom(t1));
        b = b.lanewise(XOR, b11.selectFrom(t0)).lanewise(XOR, y3.selectFrom(t1));
        long to = work + (long) heir * V;
        a.intoMemorySegment(MEMORY, to, ORDER);
        b.intoMemorySegment(MEMORY, to + HALF, ORDER);
      }
      for (int rest = heirs; rest < PLANES / 2; rest++) {
        long from = next + offsets[rest];
        long to = work + (long) rest * V;
        ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER)
            .intoMemorySegment(MEMORY, to, ORDER);
        ByteVector.fromMemorySegment(SPECIES, MEMORY, from + mate, ORDER)
            .intoMemorySegment(MEMORY, to + HALF, ORDER);
      }
    }
  }

  private static void foldWhole(
      long tables, int heirs, long[] offsets, long message, int spans, long work) {
    for (int s = 0; s < spans; s++) {
      long next = message + (long) s * SPAN;
      IntVector x0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, work, ORDER).reinterpretAsInts();
      IntVector x1 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + V, ORDER).reinterpretAsInts();
      IntVector x2 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 2 * V, ORDER).reinterpretAsInts();
      IntVector x3 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 3 * V, ORDER).reinterpretAsInts();
      IntVector x4 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 4 * V, ORDER).reinterpretAsInts();
      IntVector x5 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 5 * V, ORDER).reinterpretAsInts();
      IntVector x6 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 6 * V, ORDER).reinterpretAsInts();
      IntVector x7 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 7 * V, ORDER).reinterpretAsInts();
      IntVector x8 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 8 * V, ORDER).reinterpretAsInts();
      IntVector x9 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 9 * V, ORDER).reinterpretAsInts();
      IntVector x10 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 10 * V, ORDER).reinterpretAsInts();
      IntVector x11 =
          ByteVector.fromMemorySegment(SPECIES, MEMORY, work + 11 * V, ORDER).reinterpretAsInts();
      ByteVector y0 =
          x2.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x1.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x0, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y1 =
          x5.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x4.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x3, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y2 =
          x8.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x7.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x6, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector y3 =
          x11.lanewise(LSHR, 4)
              .lanewise(
                  BITWISE_BLEND, x10.lanewise(LSHR, 2).lanewise(BITWISE_BLEND, x9, TOP_2), TOP_4)
              .lanewise(LSHR, 2)
              .reinterpretAsBytes();
      ByteVector b0 = x0.reinterpretAsBytes();
      ByteVector b1 = x1.reinterpretAsBytes();
      ByteVector b2 = x2.reinterpretAsBytes();
      ByteVector b3 = x3.reinterpretAsBytes();
      ByteVector b4 = x4.reinterpretAsBytes();
      ByteVector b5 = x5.reinterpretAsBytes();
      ByteVector b6 = x6.reinterpretAsBytes();
      ByteVector b7 = x7.reinterpretAsBytes();
      ByteVector b8 = x8.reinterpretAsBytes();
      ByteVector b9 = x9.reinterpretAsBytes();
      ByteVector b10 = x10.reinterpretAsBytes();
      ByteVector b11 = x11.reinterpretAsBytes();
      for (int heir = 0; heir < heirs; heir++) {
        long t = tables + (long) heir * WHOLE_TABLES;
        ByteVector a = ByteVector.fromMemorySegment(SPECIES, MEMORY, next + offsets[heir], ORDER);
        ByteVector b = b0.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER));
        a =
            a.lanewise(
                XOR, b1.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b2.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 2 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                y0.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 3 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b3.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 4 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                b4.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 5 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b5.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 6 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                y1.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 7 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b6.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 8 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                b7.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 9 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b8.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 10 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                y2.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 11 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b9.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 12 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                b10.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 13 * V, ORDER)));
        b =
            b.lanewise(
                XOR,
                b11.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 14 * V, ORDER)));
        a =
            a.lanewise(
                XOR,
                y3.selectFrom(ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 15 * V, ORDER)));
        a.lanewise(XOR, b).intoMemorySegment(MEMORY, work + (long) heir * V, ORDER);
      }
      for (int rest = heirs; rest < PLANES; rest++) {
        ByteVector.fromMemorySegment(SPECIES, MEMORY, next + offsets[rest], ORDER)
            .intoMemorySegment(MEMORY, work + (long) rest * V, ORDER);
      }
    }
  }
}
