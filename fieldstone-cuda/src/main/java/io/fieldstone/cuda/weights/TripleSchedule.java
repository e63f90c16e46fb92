package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Triples a ≤ b ≤ c as {@code transform_products} takes them: units of 16 pairs (a, b) by up to 16
 * c, from the last ones down, with all pairs that are not above them.
 */
final class TripleSchedule {

  /** A {@code struct TripleUnit}. */
  private static final int UNIT_BYTES = 40;

  private static final int SIDE = 16;

  /** Bytes of a triple in the list of all: a, b, c and nothing. */
  private static final int TRIPLE_BYTES = 4;

  /** A pair with a > b stands for none, and takes a second weight's room even if there is none. */
  private static final Pair NONE = new Pair(1, 0);

  private final int order;
  private final List<Unit> units = new ArrayList<>();

  private record Pair(int a, int b) {}

  private record Unit(List<Pair> pairs, int firstC, int endC) {}

  TripleSchedule(int order) {
    this.order = order;
    for (int end = order; end > 0; end = Math.max(0, end - SIDE)) {
      List<Pair> pairs = pairs(end);
      for (int first = 0; first < pairs.size(); first += SIDE) {
        List<Pair> some = pairs.subList(first, Math.min(first + SIDE, pairs.size()));
        units.add(new Unit(some, Math.max(0, end - SIDE), end));
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
        Pair pair = row < unit.pairs().size() ? unit.pairs().get(row) : NONE;
        to.set(JAVA_BYTE, at + row, (byte) pair.a());
        to.set(JAVA_BYTE, at + SIDE + row, (byte) pair.b());
      }
      to.set(JAVA_INT, at + 2 * SIDE, unit.firstC());
      to.set(JAVA_INT, at + 2 * SIDE + Integer.BYTES, unit.endC());
      at += UNIT_BYTES;
    }
  }

  /** All triples: by a, then b, then c. */
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
