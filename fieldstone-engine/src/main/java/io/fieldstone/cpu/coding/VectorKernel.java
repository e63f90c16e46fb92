package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static jdk.incubator.vector.VectorOperators.LSHR;
import static jdk.incubator.vector.VectorOperators.XOR;

import io.fieldstone.cpu.execution.NativeRows;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Products by lane shuffles: c·x = low[x mod 16] ^ high[x div 16] with two tables of 16 products,
 * one shuffle each for a whole vector of x.
 *
 * <p>The unit of work is a tile of 4 coded blocks × 4 vectors of columns, which stays in 16
 * registers during the loop over all n sources. A source vector is loaded once for 4 results, a
 * table once for 4 vectors, and results are stored once. The loop is then bound by shuffles.
 *
 * <p>Tables are repeated to the length of a vector, and {@code selectFrom} takes its index modulo
 * that length. So indices need no masking: bits 4 and up select among equal copies.
 *
 * <p>The tile methods repeat code on purpose: a vector that crosses a call that is not inlined is
 * boxed, which makes these loops a hundred times slower. For the same reason a tile only stores its
 * sums, and another method adds them: with both, the 4×4 tile exceeds the inlining limit
 * (DesiredMethodLimit). There are no tiles for the remaining columns either: a strip narrower than
 * a tile is copied to a full one. Tiles take addresses as numbers, since an object per tile would
 * be allocated.
 */
public final class VectorKernel implements ProductKernel {

  private static final VectorSpecies<Byte> SPECIES = ByteVector.SPECIES_PREFERRED;
  private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

  /** Bytes of a vector. */
  private static final int V = SPECIES.length();

  private static final int TILE_ROWS = 4;

  /** Columns of a strip, and of the tiles in it. */
  static final int STRIP_COLUMNS = 4 * V;

  /** The two tables of one coefficient. */
  private static final long TABLE_BYTES = 2L * V;

  private static final int NIBBLES = 16;

  /**
   * Sources of one pass: at {@link #STRIP_COLUMNS} bytes each they fill a quarter of a 1 MiB L2.
   */
  private static final int PASS_SOURCES = 1024;

  /** Minimum coded blocks for which copying misaligned or aliasing sources pays off. */
  private static final int COMPRESSION_THRESHOLD = 16;

  /** Strides that are a multiple of this map all rows to an eighth of the L1 sets, or fewer. */
  private static final int ALIASING_STRIDE = 512;

  /** Keeps the tables alive. */
  private final MemorySegment tableMemory =
      Arena.ofAuto().allocate(256 * TABLE_BYTES, NativeRows.ALIGNMENT);

  /** Address of the tables: those of coefficient c are {@link #TABLE_BYTES}·c bytes on. */
  private final long tables = tableMemory.address();

  /** Idle scratch memory; one piece per concurrent product. */
  private final Queue<Scratch> idleScratch = new ConcurrentLinkedQueue<>();

  VectorKernel(Gf256 field) {
    for (int c = 0; c < 256; c++) {
      for (int lane = 0; lane < V; lane++) {
        int nibble = lane % NIBBLES;
        tableMemory.set(JAVA_BYTE, c * TABLE_BYTES + lane, (byte) field.multiply(c, nibble));
        tableMemory.set(
            JAVA_BYTE, c * TABLE_BYTES + V + lane, (byte) field.multiply(c, nibble << 4));
      }
    }
  }

  /** Returns a human-readable description. */
  public static String describe() {
    return "lane shuffles on %d-bit vectors".formatted(SPECIES.vectorBitSize());
  }

  @Override
  public void multiply(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate) {
    if (m == 0 || n == 0) {
      for (int row = 0; row < m; row++) {
        ScalarKernels.clearUnless(accumulate, products, row, columns);
      }
      return;
    }
    Scratch scratch = borrowScratch();
    try {
      passes(m, n, columns, coefficients, sources, products, accumulate, scratch);
    } finally {
      Reference.reachabilityFence(tableMemory);
      Reference.reachabilityFence(scratch);
      idleScratch.add(scratch);
    }
  }

  private void passes(
      int m,
      int n,
      int columns,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate,
      Scratch scratch) {
    boolean pack = m >= COMPRESSION_THRESHOLD && liesBadly(sources);
    for (int j = 0; j < n; j += PASS_SOURCES) {
      int pass = Math.min(PASS_SOURCES, n - j);
      boolean add = accumulate || j > 0;
      Rows factors = coefficients.from(0, j);
      Rows blocks = sources.from(j, 0);
      for (int column = 0; column < columns; column += STRIP_COLUMNS) {
        int width = Math.min(STRIP_COLUMNS, columns - column);
        Rows strip = blocks.from(0, column);
        if (pack || width < STRIP_COLUMNS) {
          strip = scratch.pack(strip, pass, width);
        }
        strip(m, pass, width, factors, strip, products.from(0, column), add, scratch.sums());
      }
    }
  }

  @Override
  public int columnMultiple() {
    return STRIP_COLUMNS;
  }

  private static boolean liesBadly(Rows sources) {
    return sources.stride() % ALIASING_STRIDE == 0
        || sources.stride() % V != 0
        || sources.address() % V != 0;
  }

  private Scratch borrowScratch() {
    Scratch idle = idleScratch.poll();
    return idle != null ? idle : new Scratch();
  }

  /**
   * Multiplies one strip. The sources are readable to the full width of the strip; the first {@code
   * width} columns of the products are written.
   */
  private void strip(
      int m,
      int n,
      int width,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate,
      Rows sums) {
    boolean direct = !accumulate && width == STRIP_COLUMNS;
    for (int row = 0; row < m; ) {
      int rows = m - row >= TILE_ROWS ? TILE_ROWS : 1;
      Rows results = direct ? products : sums;
      int into = direct ? row : 0;
      if (rows == TILE_ROWS) {
        tile4x4(
            n,
            coefficients.at(row),
            coefficients.stride(),
            sources.address(),
            sources.stride(),
            results.at(into),
            results.stride());
      } else {
        tile1x4(n, coefficients.at(row), sources.address(), sources.stride(), results.at(into));
      }
      for (int i = 0; i < rows && !direct; i++) {
        if (accumulate) {
          add(width, sums.at(i), products.at(row + i));
        } else {
          MemorySegment.copy(MEMORY, sums.at(i), MEMORY, products.at(row + i), width);
        }
      }
      row += rows;
    }
  }

  private static void add(int width, long from, long to) {
    int column = 0;
    for (; column + V <= width; column += V) {
      ByteVector.fromMemorySegment(SPECIES, MEMORY, from + column, ORDER)
          .lanewise(XOR, ByteVector.fromMemorySegment(SPECIES, MEMORY, to + column, ORDER))
          .intoMemorySegment(MEMORY, to + column, ORDER);
    }
    for (; column < width; column++) {
      int sum = MEMORY.get(JAVA_BYTE, from + column) ^ MEMORY.get(JAVA_BYTE, to + column);
      MEMORY.set(JAVA_BYTE, to + column, (byte) sum);
    }
  }

  /** Scratch memory of a product: an aligned strip of sources, and one tile of sums. */
  private static final class Scratch {

    private static final long PACKED_BYTES = (long) PASS_SOURCES * STRIP_COLUMNS;
    private static final long SUMS_BYTES = (long) TILE_ROWS * STRIP_COLUMNS;

    private final MemorySegment memory =
        Arena.ofAuto().allocate(PACKED_BYTES + SUMS_BYTES, NativeRows.ALIGNMENT);
    private final Rows packed = Rows.of(memory, 0, STRIP_COLUMNS);
    private final Rows sums = Rows.of(memory, PACKED_BYTES, STRIP_COLUMNS);

    Rows sums() {
      return sums;
    }

    Rows pack(Rows sources, int n, int width) {
      for (int j = 0; j < n; j++) {
        MemorySegment.copy(MEMORY, sources.at(j), MEMORY, packed.at(j), width);
      }
      return packed;
    }
  }

  private void tile4x4(
      int n, long f0, long factorStride, long in, long inStride, long o0, long outStride) {
    long tables = this.tables;
    long f1 = f0 + factorStride;
    long f2 = f1 + factorStride;
    long f3 = f2 + factorStride;
    long o1 = o0 + outStride;
    long o2 = o1 + outStride;
    long o3 = o2 + outStride;
    ByteVector zero = ByteVector.zero(SPECIES);
    ByteVector a00 = zero;
    ByteVector a01 = zero;
    ByteVector a02 = zero;
    ByteVector a03 = zero;
    ByteVector a10 = zero;
    ByteVector a11 = zero;
    ByteVector a12 = zero;
    ByteVector a13 = zero;
    ByteVector a20 = zero;
    ByteVector a21 = zero;
    ByteVector a22 = zero;
    ByteVector a23 = zero;
    ByteVector a30 = zero;
    ByteVector a31 = zero;
    ByteVector a32 = zero;
    ByteVector a33 = zero;
    for (int j = 0; j < n; j++) {
      long from = in + j * inStride;
      ByteVector x0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER);
      ByteVector x1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + V, ORDER);
      ByteVector x2 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 2 * V, ORDER);
      ByteVector x3 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 3 * V, ORDER);
      ByteVector y0 = x0.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y1 = x1.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y2 = x2.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y3 = x3.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      long t = tables + (MEMORY.get(JAVA_BYTE, f0 + j) & 0xFFL) * TABLE_BYTES;
      ByteVector low = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
      ByteVector high = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
      a00 = a00.lanewise(XOR, x0.selectFrom(low)).lanewise(XOR, y0.selectFrom(high));
      a01 = a01.lanewise(XOR, x1.selectFrom(low)).lanewise(XOR, y1.selectFrom(high));
      a02 = a02.lanewise(XOR, x2.selectFrom(low)).lanewise(XOR, y2.selectFrom(high));
      a03 = a03.lanewise(XOR, x3.selectFrom(low)).lanewise(XOR, y3.selectFrom(high));
      t = tables + (MEMORY.get(JAVA_BYTE, f1 + j) & 0xFFL) * TABLE_BYTES;
      low = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
      high = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
      a10 = a10.lanewise(XOR, x0.selectFrom(low)).lanewise(XOR, y0.selectFrom(high));
      a11 = a11.lanewise(XOR, x1.selectFrom(low)).lanewise(XOR, y1.selectFrom(high));
      a12 = a12.lanewise(XOR, x2.selectFrom(low)).lanewise(XOR, y2.selectFrom(high));
      a13 = a13.lanewise(XOR, x3.selectFrom(low)).lanewise(XOR, y3.selectFrom(high));
      t = tables + (MEMORY.get(JAVA_BYTE, f2 + j) & 0xFFL) * TABLE_BYTES;
      low = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
      high = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
      a20 = a20.lanewise(XOR, x0.selectFrom(low)).lanewise(XOR, y0.selectFrom(high));
      a21 = a21.lanewise(XOR, x1.selectFrom(low)).lanewise(XOR, y1.selectFrom(high));
      a22 = a22.lanewise(XOR, x2.selectFrom(low)).lanewise(XOR, y2.selectFrom(high));
      a23 = a23.lanewise(XOR, x3.selectFrom(low)).lanewise(XOR, y3.selectFrom(high));
      t = tables + (MEMORY.get(JAVA_BYTE, f3 + j) & 0xFFL) * TABLE_BYTES;
      low = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
      high = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
      a30 = a30.lanewise(XOR, x0.selectFrom(low)).lanewise(XOR, y0.selectFrom(high));
      a31 = a31.lanewise(XOR, x1.selectFrom(low)).lanewise(XOR, y1.selectFrom(high));
      a32 = a32.lanewise(XOR, x2.selectFrom(low)).lanewise(XOR, y2.selectFrom(high));
      a33 = a33.lanewise(XOR, x3.selectFrom(low)).lanewise(XOR, y3.selectFrom(high));
    }
    a00.intoMemorySegment(MEMORY, o0, ORDER);
    a01.intoMemorySegment(MEMORY, o0 + V, ORDER);
    a02.intoMemorySegment(MEMORY, o0 + 2 * V, ORDER);
    a03.intoMemorySegment(MEMORY, o0 + 3 * V, ORDER);
    a10.intoMemorySegment(MEMORY, o1, ORDER);
    a11.intoMemorySegment(MEMORY, o1 + V, ORDER);
    a12.intoMemorySegment(MEMORY, o1 + 2 * V, ORDER);
    a13.intoMemorySegment(MEMORY, o1 + 3 * V, ORDER);
    a20.intoMemorySegment(MEMORY, o2, ORDER);
    a21.intoMemorySegment(MEMORY, o2 + V, ORDER);
    a22.intoMemorySegment(MEMORY, o2 + 2 * V, ORDER);
    a23.intoMemorySegment(MEMORY, o2 + 3 * V, ORDER);
    a30.intoMemorySegment(MEMORY, o3, ORDER);
    a31.intoMemorySegment(MEMORY, o3 + V, ORDER);
    a32.intoMemorySegment(MEMORY, o3 + 2 * V, ORDER);
    a33.intoMemorySegment(MEMORY, o3 + 3 * V, ORDER);
  }

  private void tile1x4(int n, long f0, long in, long inStride, long o0) {
    long tables = this.tables;
    ByteVector zero = ByteVector.zero(SPECIES);
    ByteVector a0 = zero;
    ByteVector a1 = zero;
    ByteVector a2 = zero;
    ByteVector a3 = zero;
    for (int j = 0; j < n; j++) {
      long from = in + j * inStride;
      ByteVector x0 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from, ORDER);
      ByteVector x1 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + V, ORDER);
      ByteVector x2 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 2 * V, ORDER);
      ByteVector x3 = ByteVector.fromMemorySegment(SPECIES, MEMORY, from + 3 * V, ORDER);
      ByteVector y0 = x0.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y1 = x1.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y2 = x2.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      ByteVector y3 = x3.reinterpretAsInts().lanewise(LSHR, 4).reinterpretAsBytes();
      long t = tables + (MEMORY.get(JAVA_BYTE, f0 + j) & 0xFFL) * TABLE_BYTES;
      ByteVector low = ByteVector.fromMemorySegment(SPECIES, MEMORY, t, ORDER);
      ByteVector high = ByteVector.fromMemorySegment(SPECIES, MEMORY, t + V, ORDER);
      a0 = a0.lanewise(XOR, x0.selectFrom(low)).lanewise(XOR, y0.selectFrom(high));
      a1 = a1.lanewise(XOR, x1.selectFrom(low)).lanewise(XOR, y1.selectFrom(high));
      a2 = a2.lanewise(XOR, x2.selectFrom(low)).lanewise(XOR, y2.selectFrom(high));
      a3 = a3.lanewise(XOR, x3.selectFrom(low)).lanewise(XOR, y3.selectFrom(high));
    }
    a0.intoMemorySegment(MEMORY, o0, ORDER);
    a1.intoMemorySegment(MEMORY, o0 + V, ORDER);
    a2.intoMemorySegment(MEMORY, o0 + 2 * V, ORDER);
    a3.intoMemorySegment(MEMORY, o0 + 3 * V, ORDER);
  }
}
