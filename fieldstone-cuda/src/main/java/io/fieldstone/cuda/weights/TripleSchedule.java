package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which {@code transform_products} computes triples a ≤ b ≤ c. A unit has 16 pairs (a,
 * b) and up to 16 values of c. Units are in descending order of c, each with all pairs below its
 * end.
 */
final class TripleSchedule {

  /** Pairs of a unit, and its maximum number of values of c. */
  static final int SIDE = 16;

  /** Size of a {@code struct TripleUnit}: a and b of each pair, a byte each; first and end c. */
  static final int UNIT_BYTES = 2 * SIDE + 2 * Integer.BYTES;

  /** Size of a triple in the list of all: the bytes a, b, c and 0. */
  private static final int TRIPLE_BYTES = 4;

  /** An unused place of a unit, marked by a > b; it names a second weight even if there is none. */
  private static final Pair UNUSED = new Pair(1, 0);

  private final int order;
  private final List<Unit> units = new ArrayList<>();

  private record Pair(int a, int b) {}

  private record Unit(List<Pair> pairs, int firstC, int endC) {}

  TripleSchedule(int order) {
    this.order = order;
    for (int end = order; end > 0; end = Math.max(0, end - SIDE)) {
      List<Pair> pairs = pairs(end);
      for (int first = 0; first < pairs.size(); first += SIDE) {
        List<Pair> unitPairs = pairs.subList(first, Math.min(first + SIDE, pairs.size()));
        units.add(new Unit(unitPairs, Math.max(0, end - SIDE), end));
      }
    }
  }

  private static List<Pair> pairs(int end) {
    List<Pair> pairs = new ArrayList<>();
    for (int b = 0; b < end; b++) {
      for (int a = 0; a <= b; a++) {
        pairs.add(new Pair(a, b));
      }
    }
    return pairs;
  }

  /** Returns the number of units. */
  int count() {
    return units.size();
  }

  int triples() {
    return TripleSums.count(order);
  }

  long unitBytes() {
    return (long) units.size() * UNIT_BYTES;
  }

  long tripleBytes() {
    return (long) triples() * TRIPLE_BYTES;
  }

  void writeUnits(MemorySegment to) {
    long at = 0;
    for (Unit unit : units) {
      for (int row = 0; row < SIDE; row++) {
        Pair pair = row < unit.pairs().size() ? unit.pairs().get(row) : UNUSED;
        to.set(JAVA_BYTE, at + row, (byte) pair.a());
        to.set(JAVA_BYTE, at + SIDE + row, (byte) pair.b());
      }
      to.set(JAVA_INT, at + 2 * SIDE, unit.firstC());
      to.set(JAVA_INT, at + 2 * SIDE + Integer.BYTES, unit.endC());
      at += UNIT_BYTES;
    }
  }

  /** Writes all triples, ordered by a, then b, then c. */
  void writeTriples(MemorySegment to) {
    long at = 0;
    for (int a = 0; a < order; a++) {
      for (int b = a; b < order; b++) {
        for (int c = b; c < order; c++) {
          to.set(JAVA_BYTE, at, (byte) a);
          to.set(JAVA_BYTE, at + 1, (byte) b);
          to.set(JAVA_BYTE, at + 2, (byte) c);
          to.set(JAVA_BYTE, at + 3, (byte) 0);
          at += TRIPLE_BYTES;
        }
      }
    }
  }
}
