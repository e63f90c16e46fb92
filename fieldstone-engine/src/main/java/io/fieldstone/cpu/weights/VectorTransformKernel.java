package io.fieldstone.cpu.weights;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static jdk.incubator.vector.VectorOperators.I2L;
import static jdk.incubator.vector.VectorOperators.S2I;

import io.fieldstone.engine.weights.TripleSums;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorShape;
import jdk.incubator.vector.VectorSpecies;

/** The loops of transforms by the Vector API. */
final class VectorTransformKernel implements TransformKernel {

  private static final long ALIGNMENT = 64;
  private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
  private static final VectorShape HALF = VectorShape.forBitSize(INTS.vectorBitSize() / 2);
  private static final VectorSpecies<Short> HALF_SHORTS = VectorSpecies.of(short.class, HALF);
  private static final VectorSpecies<Integer> HALF_INTS = VectorSpecies.of(int.class, HALF);
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  @Override
  public int stripBits() {
    return Integer.numberOfTrailingZeros(VectorTriples.STRIP);
  }

  @Override
  public void transformShorts(long numbers, int rows, int columns) {
    Butterflies.shorts(numbers, rows, columns);
  }

  @Override
  public void transformWidened(long from, long numbers, int rows, int columns) {
    widen(from, numbers, rows * columns);
    Butterflies.ints(numbers, rows, columns);
  }

  private static void widen(long from, long to, int count) {
    int i = 0;
    for (; i <= count - INTS.length(); i += INTS.length()) {
      ShortVector narrow =
          ShortVector.fromMemorySegment(HALF_SHORTS, MEMORY, from + (long) i * Short.BYTES, ORDER);
      ((IntVector) narrow.convertShape(S2I, INTS, 0))
          .intoMemorySegment(MEMORY, to + (long) i * Integer.BYTES, ORDER);
    }
    for (; i < count; i++) {
      MEMORY.set(
          JAVA_INT,
          to + (long) i * Integer.BYTES,
          MEMORY.get(JAVA_SHORT, from + (long) i * Short.BYTES));
    }
  }

  @Override
  public void transformInts(long numbers, int rows, long stride, int columns) {
    long strideBytes = stride * Integer.BYTES;
    long rowBytes = (long) columns * Integer.BYTES;
    try (Arena own = Arena.ofConfined()) {
      long packed = own.allocate(rows * rowBytes, ALIGNMENT).address();
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(
            MEMORY, numbers + row * strideBytes, MEMORY, packed + row * rowBytes, rowBytes);
      }
      Butterflies.ints(packed, rows, columns);
      for (int row = 0; row < rows; row++) {
        MemorySegment.copy(
            MEMORY, packed + row * rowBytes, MEMORY, numbers + row * strideBytes, rowBytes);
      }
    }
  }

  @Override
  public Triples triples(int order, int rows, int neighbours, Arena arena) {
    return new StripTriples(order, rows, neighbours, arena);
  }

  /** Transforms strips in 64 bits. */
  private static final class StripTriples implements Triples {

    private final int order;
    private final int rows;
    private final int neighbours;
    private final long strip;
    private final VectorTriples sums;

    StripTriples(int order, int rows, int neighbours, Arena arena) {
      this.order = order;
      this.rows = rows;
      this.neighbours = neighbours;
      long numbers = (long) rows * neighbours * order;
      this.strip = arena.allocate(numbers * Long.BYTES, ALIGNMENT).address();
      this.sums = new VectorTriples(order, arena);
    }

    @Override
    public void add(long numbers, long stride, int strips) {
      int columns = neighbours * order;
      int points = rows * neighbours;
      for (int each = 0; each < strips; each++) {
        long from = numbers + (long) each * columns * Integer.BYTES;
        for (int row = 0; row < rows; row++) {
          long to = strip + (long) row * columns * Long.BYTES;
          widenToLongs(from + row * stride * Integer.BYTES, to, columns);
        }
        Butterflies.longs(strip, rows, columns);
        for (int point = 0; point < points; point += VectorTriples.STRIP) {
          sums.add(
              Math.min(VectorTriples.STRIP, points - point),
              strip + (long) point * order * Long.BYTES);
        }
      }
    }

    private static void widenToLongs(long from, long to, int count) {
      int i = 0;
      for (; i <= count - LONGS.length(); i += LONGS.length()) {
        IntVector narrow =
            IntVector.fromMemorySegment(HALF_INTS, MEMORY, from + (long) i * Integer.BYTES, ORDER);
        ((LongVector) narrow.convertShape(I2L, LONGS, 0))
            .intoMemorySegment(MEMORY, to + (long) i * Long.BYTES, ORDER);
      }
      for (; i < count; i++) {
        MEMORY.set(
            JAVA_LONG,
            to + (long) i * Long.BYTES,
            MEMORY.get(JAVA_INT, from + (long) i * Integer.BYTES));
      }
    }

    @Override
    public void drain(TripleSums total, long multiplicity) {
      sums.drain(total, multiplicity);
    }
  }
}
