package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static jdk.incubator.vector.VectorOperators.ASHR;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Sums products of three of {@code order} numbers over many points. The products of each pair a ≤ b
 * are computed once for a strip of points. They are then multiplied by each c ≥ b, four at a time,
 * and summed per lane in a register.
 *
 * <p>Strip length and number size are bounded so that the sum of a lane stays within 63 bits. It is
 * then added to two sums in memory, its low 32 bits to one and the rest to the other. Points with
 * larger numbers are summed one by one in 128 bits. They are rare: transforms of codes are large
 * only at functionals of light cosets of the dual code.
 *
 * <p>Not thread-safe; its memory is of the given arena.
 */
final class VectorTriples {

  private static final VectorSpecies<Long> SPECIES = LongVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();
  private static final int V = SPECIES.vectorByteSize();
  private static final long ALIGNMENT = 64;
  private static final long LOW_HALF = (1L << Integer.SIZE) - 1;

  /** Points of a strip: with about twenty numbers, two strips take a tenth of L2. */
  static final int STRIP = 512;

  /**
   * Maximum magnitude of a number, for which the sum of triple products in a lane does not
   * overflow.
   */
  private static final long LARGEST =
      (long) Math.cbrt(Math.scalb(1.0, Long.SIZE - 1) / ((double) STRIP / SPECIES.length())) - 1;

  private final int order;
  private final MemorySegment memory;
  private final long strip;
  private final long pair;
  private final long sums;
  private final TripleSums exact;

  VectorTriples(int order, Arena arena) {
    this.order = order;
    long stripBytes = (long) order * STRIP * Long.BYTES;
    long pairBytes = (long) STRIP * Long.BYTES;
    memory = arena.allocate(stripBytes + pairBytes + 2L * V * TripleSums.count(order), ALIGNMENT);
    strip = memory.address();
    pair = strip + stripBytes;
    sums = pair + pairBytes;
    exact = new TripleSums(order);
  }

  /**
   * Adds the products at some points.
   *
   * @param points number of points, at most {@value #STRIP}
   * @param rows address of {@code order} 64-bit numbers for each point; large ones are set to zero
   */
  void add(int points, long rows) {
    sumLarge(points, rows);
    int padded = (points + SPECIES.length() - 1) / SPECIES.length() * SPECIES.length();
    turn(points, padded, rows);
    long bytes = (long) padded * Long.BYTES;
    long sum = sums;
    for (int a = 0; a < order; a++) {
      for (int b = a; b < order; b++) {
        multiply(row(a), row(b), bytes);
        int c = b;
        for (; c <= order - 4; c += 4) {
          sumFour(row(c), bytes, sum);
          sum += 8L * V;
        }
        for (; c < order; c++) {
          sumOne(row(c), bytes, sum);
          sum += 2L * V;
        }
      }
    }
  }

  private long row(int number) {
    return strip + (long) number * STRIP * Long.BYTES;
  }

  private void sumLarge(int points, long rows) {
    long largest = 0;
    int count = points * order;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, Math.abs(MEMORY.get(JAVA_LONG, rows + (long) i * Long.BYTES)));
    }
    if (largest <= LARGEST) {
      return;
    }
    long[] f = new long[order];
    for (int point = 0; point < points; point++) {
      long row = rows + (long) point * order * Long.BYTES;
      largest = 0;
      for (int a = 0; a < order; a++) {
        f[a] = MEMORY.get(JAVA_LONG, row + (long) a * Long.BYTES);
        largest = Math.max(largest, Math.abs(f[a]));
      }
      if (largest > LARGEST) {
        sumExactly(f);
        for (int a = 0; a < order; a++) {
          MEMORY.set(JAVA_LONG, row + (long) a * Long.BYTES, 0);
        }
      }
    }
  }

  private void sumExactly(long[] f) {
    int index = 0;
    for (int a = 0; a < order; a++) {
      for (int b = a; b < order; b++) {
        for (int c = b; c < order; c++) {
          exact.addProduct(index++, f[a], f[b], f[c]);
        }
      }
    }
  }

  /** Transposes numbers by point to points by number. */
  private void turn(int points, int padded, long rows) {
    long stride = (long) order * Long.BYTES;
    for (int a = 0; a < order; a++) {
      long from = rows + (long) a * Long.BYTES;
      long to = row(a);
      for (int point = 0; point < points; point++) {
        MEMORY.set(
            JAVA_LONG,
            to + (long) point * Long.BYTES,
            MEMORY.get(JAVA_LONG, from + point * stride));
      }
      for (int point = points; point < padded; point++) {
        MEMORY.set(JAVA_LONG, to + (long) point * Long.BYTES, 0);
      }
    }
  }

  private void multiply(long a, long b, long bytes) {
    long pair = this.pair;
    for (long at = 0; at < bytes; at += V) {
      LongVector x = LongVector.fromMemorySegment(SPECIES, MEMORY, a + at, ORDER);
      LongVector y = LongVector.fromMemorySegment(SPECIES, MEMORY, b + at, ORDER);
      x.mul(y).intoMemorySegment(MEMORY, pair + at, ORDER);
    }
  }

  private void sumFour(long c0, long bytes, long sum) {
    long pair = this.pair;
    long c1 = c0 + (long) STRIP * Long.BYTES;
    long c2 = c1 + (long) STRIP * Long.BYTES;
    long c3 = c2 + (long) STRIP * Long.BYTES;
    LongVector s0 = LongVector.zero(SPECIES);
    LongVector s1 = s0;
    LongVector s2 = s0;
    LongVector s3 = s0;
    for (long at = 0; at < bytes; at += V) {
      LongVector p = LongVector.fromMemorySegment(SPECIES, MEMORY, pair + at, ORDER);
      s0 = s0.add(p.mul(LongVector.fromMemorySegment(SPECIES, MEMORY, c0 + at, ORDER)));
      s1 = s1.add(p.mul(LongVector.fromMemorySegment(SPECIES, MEMORY, c1 + at, ORDER)));
      s2 = s2.add(p.mul(LongVector.fromMemorySegment(SPECIES, MEMORY, c2 + at, ORDER)));
      s3 = s3.add(p.mul(LongVector.fromMemorySegment(SPECIES, MEMORY, c3 + at, ORDER)));
    }
    addTo(s0, sum);
    addTo(s1, sum + 2L * V);
    addTo(s2, sum + 4L * V);
    addTo(s3, sum + 6L * V);
  }

  private void sumOne(long c, long bytes, long sum) {
    long pair = this.pair;
    LongVector s = LongVector.zero(SPECIES);
    for (long at = 0; at < bytes; at += V) {
      LongVector p = LongVector.fromMemorySegment(SPECIES, MEMORY, pair + at, ORDER);
      s = s.add(p.mul(LongVector.fromMemorySegment(SPECIES, MEMORY, c + at, ORDER)));
    }
    addTo(s, sum);
  }

  private static void addTo(LongVector lanes, long sum) {
    LongVector low = LongVector.fromMemorySegment(SPECIES, MEMORY, sum, ORDER);
    LongVector high = LongVector.fromMemorySegment(SPECIES, MEMORY, sum + V, ORDER);
    low.add(lanes.and(LOW_HALF)).intoMemorySegment(MEMORY, sum, ORDER);
    high.add(lanes.lanewise(ASHR, Integer.SIZE)).intoMemorySegment(MEMORY, sum + V, ORDER);
  }

  /** Adds a multiple of all sums to {@code total} and resets them. */
  void drain(TripleSums total, long multiplicity) {
    for (int index = 0; index < TripleSums.count(order); index++) {
      long sum = sums + 2L * V * index;
      for (long lane = 0; lane < V; lane += Long.BYTES) {
        exact.add(index, MEMORY.get(JAVA_LONG, sum + lane));
        long high = MEMORY.get(JAVA_LONG, sum + V + lane);
        exact.add(index, high >> Integer.SIZE, high << Integer.SIZE);
      }
    }
    memory.asSlice(sums - memory.address()).fill((byte) 0);
    total.addMultiple(exact, multiplicity);
    exact.clear();
  }
}
