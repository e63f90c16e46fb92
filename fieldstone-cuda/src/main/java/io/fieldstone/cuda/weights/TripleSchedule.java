package io.fieldstone.cuda.weights;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
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

  /** A {@code struct TripleUnit}: a and b of each pair, and the range of c. */
  static final StructLayout UNIT =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(SIDE, JAVA_BYTE).withName("a"),
          MemoryLayout.sequenceLayout(SIDE, JAVA_BYTE).withName("b"),
          JAVA_INT.withName("first_c"),
          JAVA_INT.withName("end_c"));

  static final long A_OFFSET = UNIT.byteOffset(groupElement("a"));
  static final long B_OFFSET = UNIT.byteOffset(groupElement("b"));
  static final long FIRST_C_OFFSET = UNIT.byteOffset(groupElement("first_c"));
  static final long END_C_OFFSET = UNIT.byteOffset(groupElement("end_c"));

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
    return units.size() * UNIT.byteSize();
  }

  long tripleBytes() {
    return (long) triples() * TRIPLE_BYTES;
  }

  void writeUnits(MemorySegment to) {
    long at = 0;
    for (Unit unit : units) {
      for (int row = 0; row < SIDE; row++) {
        Pair pair = row < unit.pairs().size() ? unit.pairs().get(row) : UNUSED;
        to.set(JAVA_BYTE, at + A_OFFSET + row, (byte) pair.a());
        to.set(JAVA_BYTE, at + B_OFFSET + row, (byte) pair.b());
      }
      to.set(JAVA_INT, at + FIRST_C_OFFSET, unit.firstC());
      to.set(JAVA_INT, at + END_C_OFFSET, unit.endC());
      at += UNIT.byteSize();
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
