package io.fieldstone.cpu.checksums;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.BITWISE_BLEND;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.checksums.Divisor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Optional;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Folds a message, a span of 12 vectors at a time, into one span with the same remainder.
 *
 * <p>A span is 64 columns of 12 bytes: byte j of each vector (a <em>plane</em>) is in column j. In
 * a column a byte is congruent to some bytes of the same column one span later, and those are
 * linear in its bits. So a table of 64 entries, indexed by six bits of a plane, is looked up for 64
 * columns by one selection. Three planes need four indices: the planes themselves (a selection
 * ignores the two highest bits), and a fourth of their highest bits. That is 16 selections per span
 * for each byte of a remainder, w/6 per vector for w bits; lanes (see {@link LaneFold}) need w/4
 * and have to compute each index.
 *
 * <p>A remainder of n bytes goes to n planes of the next span, the <em>heirs</em>. Not every choice
 * of heirs can express all remainders (see {@link PlanePlaces}), so they are chosen for each
 * divisor.
 *
 * <p>For remainders of at most six bytes a span has two equal halves, one {@link PlanePlaces#mate}
 * bytes after the other, that use the same tables. The loop is then bound by selections, not by
 * loads of tables.
 *
 * <p>A span is folded in two passes, each of eight index vectors. The compiler keeps them in
 * registers; with all sixteen at once it spills, which doubles the time. The loops repeat code on
 * purpose: helper methods would not be inlined into loops of this size, and a vector that crosses a
 * call is boxed.
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

  /** Number of planes that are indexed together, by {@link #INDICES} vectors of six bits. */
  private static final int GROUP = 3;

  private static final int INDICES = 4;

  private static final int INDEX_BITS = 6;

  /** Bytes of a heir's tables, for a half and for a whole span. */
  private static final int HALF_TABLES = PLANES / 2 / GROUP * INDICES * V;

  private static final int WHOLE_TABLES = 2 * HALF_TABLES;

  private static final int GROUP_TABLES = INDICES * V;

  /** Mask of offsets in a span, with the purpose of {@link Rows#ADDRESS_MASK}. */
  private static final long ANY_OFFSET = 0x3FF;

  /** Bytes of working memory of {@link #fold}: the planes of a span and of the next. */
  static final int WORK = 2 * SPAN;

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
    long[] worth = new long[INDEX_BITS];
    for (int bit = 0; bit < INDEX_BITS; bit++) {
      // The fourth index has the highest bits of the third plane, the second and the first.
      int plane = index < GROUP ? index : GROUP - 1 - bit / 2;
      int bitOfPlane = index < GROUP ? bit : INDEX_BITS + bit % 2;
      worth[bit] = places.worth(group * GROUP + plane, bitOfPlane);
    }
    for (int entry = 0; entry < V; entry++) {
      long sum = 0;
      for (int bit = 0; bit < INDEX_BITS; bit++) {
        sum ^= worth[bit] & -(entry >>> bit & 1);
      }
      for (int heir = 0; heir < heirs; heir++) {
        long table = (long) heir * heirBytes + at;
        tableMemory.set(JAVA_BYTE, table + entry, (byte) (sum >>> heir * Byte.SIZE));
      }
    }
  }

  /** Returns the folding for a divisor, if some choice of heirs expresses all of its remainders. */
  static Optional<PlaneFold> of(Divisor divisor) {
    return PlanePlaces.find(divisor).map(PlaneFold::new);
  }

  /**
   * Replaces a span by one that is congruent to it and the spans after it.
   *
   * @param span address of the span
   * @param message address of the spans after it, of any alignment
   * @param work address of {@link #WORK} bytes, a multiple of 64
   */
  void fold(long span, long message, int spans, long work) {
    long result = spans % 2 == 0 ? work : work + SPAN;
    try {
      gather(span, offsets, work);
      if (halves) {
        foldHalves(tables, heirs, offsets, mate, message, spans, work);
      } else {
        foldWhole(tables, heirs, offsets, message, spans, work);
      }
      scatter(result, offsets, span);
    } finally {
      Reference.reachabilityFence(tableMemory);
    }
  }

  /** Copies planes into processing order. */
  private static void gather(long span, long[] offsets, long work) {
    for (int i = 0; i < PLANES; i++) {
      ByteVector.fromMemorySegment(SPECIES, MEMORY, span + offsets[i], ORDER)
          .intoMemorySegment(MEMORY, work + (long) i * V, ORDER);
    }
  }

  /** Copies planes into message order. */
  private static void scatter(long work, long[] offsets, long span) {
    for (int i = 0; i < PLANES; i++) {
      ByteVector.fromMemorySegment(SPECIES, MEMORY, work + (long) i * V, ORDER)
          .intoMemorySegment(MEMORY, span + offsets[i], ORDER);
    }
  }

  /**
   * Processes per pass three planes of the first half, and three of the second by the same tables.
   */
  private static void foldHalves(
      long tables, int heirs, long[] offsets, long mate, long message, int spans, long work) {
    long allTables = tables & Rows.ADDRESS_MASK;
    long toMate = mate & ANY_OFFSET;
    long current = work & Rows.ADDRESS_MASK;
    long alternate = (work + SPAN) & Rows.ADDRESS_MASK;
    long first = message & Rows.ADDRESS_MASK;
    for (int s = 0; s < spans; s++) {
      long next = first + (long) s * SPAN;
      for (int pass = 0; pass < 2; pass++) {
        long from = current + (long) pass * GROUP * V;
        IntVector x0 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER).reinterpretAsInts();
        IntVector x1 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + V, ORDER).reinterpretAsInts();
        IntVector x2 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 2 * V, ORDER).reinterpretAsInts();
        IntVector x3 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + HALF, ORDER).reinterpretAsInts();
        IntVector x4 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + HALF + V, ORDER)
                .reinterpretAsInts();
        IntVector x5 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + HALF + 2 * V, ORDER)
                .reinterpretAsInts();
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
        ByteVector b0 = x0.reinterpretAsBytes();
        ByteVector b1 = x1.reinterpretAsBytes();
        ByteVector b2 = x2.reinterpretAsBytes();
        ByteVector b3 = x3.reinterpretAsBytes();
        ByteVector b4 = x4.reinterpretAsBytes();
        ByteVector b5 = x5.reinterpretAsBytes();
        for (int heir = 0; heir < heirs; heir++) {
          long to = alternate + (long) heir * V;
          long source = next + (offsets[heir] & ANY_OFFSET);
          ByteVector a =
              ByteVector.fromMemorySegment(SPECIES, MEMORY, (pass == 0 ? source : to), ORDER);
          ByteVector b =
              ByteVector.fromMemorySegment(
                  SPECIES, MEMORY, (pass == 0 ? source + toMate : to + HALF), ORDER);
          long t = allTables + (long) heir * HALF_TABLES + (long) pass * GROUP_TABLES;
          ByteVector t0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
          ByteVector t1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
          a = a.lanewise(XOR, b0.selectFrom(t0)).lanewise(XOR, b1.selectFrom(t1));
          b = b.lanewise(XOR, b3.selectFrom(t0)).lanewise(XOR, b4.selectFrom(t1));
          ByteVector t2 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 2 * V, ORDER);
          ByteVector t3 = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + 3 * V, ORDER);
          a = a.lanewise(XOR, b2.selectFrom(t2)).lanewise(XOR, y0.selectFrom(t3));
          b = b.lanewise(XOR, b5.selectFrom(t2)).lanewise(XOR, y1.selectFrom(t3));
          a.intoMemorySegment(MEMORY, to, ORDER);
          b.intoMemorySegment(MEMORY, to + HALF, ORDER);
        }
      }
      for (int rest = heirs; rest < PLANES / 2; rest++) {
        long source = next + (offsets[rest] & ANY_OFFSET);
        long to = alternate + (long) rest * V;
        ByteVector.fromMemorySegment(SPECIES, MEMORY, source, ORDER)
            .intoMemorySegment(MEMORY, to, ORDER);
        ByteVector.fromMemorySegment(SPECIES, MEMORY, source + toMate, ORDER)
            .intoMemorySegment(MEMORY, to + HALF, ORDER);
      }
      long swap = current;
      current = alternate;
      alternate = swap;
    }
  }

  /** Processes six planes per pass. */
  private static void foldWhole(
      long tables, int heirs, long[] offsets, long message, int spans, long work) {
    long allTables = tables & Rows.ADDRESS_MASK;
    long current = work & Rows.ADDRESS_MASK;
    long alternate = (work + SPAN) & Rows.ADDRESS_MASK;
    long first = message & Rows.ADDRESS_MASK;
    for (int s = 0; s < spans; s++) {
      long next = first + (long) s * SPAN;
      for (int pass = 0; pass < 2; pass++) {
        long from = current + (long) pass * HALF;
        IntVector x0 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER).reinterpretAsInts();
        IntVector x1 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + V, ORDER).reinterpretAsInts();
        IntVector x2 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 2 * V, ORDER).reinterpretAsInts();
        IntVector x3 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 3 * V, ORDER).reinterpretAsInts();
        IntVector x4 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 4 * V, ORDER).reinterpretAsInts();
        IntVector x5 =
            ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 5 * V, ORDER).reinterpretAsInts();
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
        ByteVector b0 = x0.reinterpretAsBytes();
        ByteVector b1 = x1.reinterpretAsBytes();
        ByteVector b2 = x2.reinterpretAsBytes();
        ByteVector b3 = x3.reinterpretAsBytes();
        ByteVector b4 = x4.reinterpretAsBytes();
        ByteVector b5 = x5.reinterpretAsBytes();
        for (int heir = 0; heir < heirs; heir++) {
          long to = alternate + (long) heir * V;
          long source = next + (offsets[heir] & ANY_OFFSET);
          ByteVector a =
              ByteVector.fromMemorySegment(SPECIES, MEMORY, (pass == 0 ? source : to), ORDER);
          long t = allTables + (long) heir * WHOLE_TABLES + (long) pass * HALF_TABLES;
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
          a.lanewise(XOR, b).intoMemorySegment(MEMORY, to, ORDER);
        }
      }
      for (int rest = heirs; rest < PLANES; rest++) {
        ByteVector.fromMemorySegment(SPECIES, MEMORY, next + (offsets[rest] & ANY_OFFSET), ORDER)
            .intoMemorySegment(MEMORY, alternate + (long) rest * V, ORDER);
      }
      long swap = current;
      current = alternate;
      alternate = swap;
    }
  }
}
