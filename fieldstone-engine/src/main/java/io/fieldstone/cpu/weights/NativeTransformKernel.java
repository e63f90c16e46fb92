package io.fieldstone.cpu.weights;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.engine.memory.NativeCall;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.natives.NativeLevel;
import io.fieldstone.natives.NativeLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/** The loops in C, of {@code transforms.c}. */
final class NativeTransformKernel implements TransformKernel {

  /** Name of one of the functions in {@code fs_NAME_LEVEL}; a level has all or none. */
  static final String NAME = "sum_triples";

  /** Of FS_TRIPLES_STRIP in fieldstone.h. */
  private static final int STRIP_BITS = 8;

  private static final long ALIGNMENT = 64;

  private final MemorySegment shorts;
  private final MemorySegment widened;
  private final MemorySegment ints;
  private final MemorySegment sum;

  NativeTransformKernel(NativeLibrary library, NativeLevel level) {
    this.shorts = library.function("transform_shorts", level);
    this.widened = library.function("transform_widened", level);
    this.ints = library.function("transform_ints", level);
    this.sum = library.function(NAME, level);
  }

  /** Returns the kernel of the highest level, if the library has one; loads the library. */
  static Optional<TransformKernel> fastest() {
    NativeLibrary library = NativeLibrary.get();
    return library.levels(NAME).stream()
        .findFirst()
        .map(level -> new NativeTransformKernel(library, level));
  }

  @Override
  public int stripBits() {
    return STRIP_BITS;
  }

  @Override
  public void transformShorts(long numbers, int rows, int columns) {
    long _ = NativeCall.call(shorts, numbers, rows, columns);
  }

  @Override
  public void transformWidened(long from, long numbers, int rows, int columns) {
    long _ = NativeCall.call(widened, from, numbers, rows, columns);
  }

  @Override
  public void transformInts(long numbers, int rows, long stride, int columns) {
    long _ = NativeCall.call(ints, numbers, rows, stride, columns);
  }

  @Override
  public Triples triples(int order, int rows, int neighbours, Arena arena) {
    return new NativeTriples(order, rows, neighbours, arena);
  }

  /** Returns FS_TRIPLES_BYTES of fieldstone.h. */
  private static long scratchBytes(int order, long points) {
    long vectors = ALIGNMENT / Long.BYTES;
    return Long.BYTES
        * (order * (points + vectors - 1)
            + (2L << STRIP_BITS)
            + 2 * vectors * TripleSums.count(order));
  }

  private final class NativeTriples implements Triples {

    private final int order;
    private final int rows;
    private final int neighbours;
    private final long scratch;
    private final MemorySegment sums;

    NativeTriples(int order, int rows, int neighbours, Arena arena) {
      this.order = order;
      this.rows = rows;
      this.neighbours = neighbours;
      long points = (long) rows * neighbours;
      this.scratch = arena.allocate(scratchBytes(order, points), ALIGNMENT).address();
      this.sums = arena.allocate(JAVA_LONG, 2L * TripleSums.count(order));
    }

    @Override
    public void add(long numbers, long stride, int strips) {
      long _ =
          NativeCall.call(
              sum, numbers, stride, rows, neighbours, order, strips, scratch, sums.address());
    }

    @Override
    public void drain(TripleSums total, long multiplicity) {
      TripleSums once = new TripleSums(order);
      for (int index = 0; index < TripleSums.count(order); index++) {
        once.add(
            index,
            sums.getAtIndex(JAVA_LONG, 2L * index + 1),
            sums.getAtIndex(JAVA_LONG, 2L * index));
      }
      sums.fill((byte) 0);
      total.addMultiple(once, multiplicity);
    }
  }
}
