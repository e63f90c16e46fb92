package io.fieldstone.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.setByte;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.fieldstone.cuda.Struct.Matrices;
import io.fieldstone.cuda.checksums.FakeSieveKernels;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.cuda.sorting.FakeSortKernels;
import io.fieldstone.cuda.stars.FakeStarKernels;
import io.fieldstone.cuda.terrain.FakeSightKernel;
import io.fieldstone.cuda.weights.FakeWeightKernels;
import io.fieldstone.engine.coding.RandomCoefficients;
import io.fieldstone.field.Gf256;
import io.fieldstone.field.Gf256Matrix;
import java.lang.foreign.MemorySegment;

/**
 * Java versions of the kernels of {@code src/main/cuda} for {@link FakeDriver}, as simple as their
 * contracts allow. They read the structs and tables that the engine writes, so a misplaced member
 * or address causes a failure.
 */
public final class FakeKernels {

  private static final long EXP_OFFSET = 512;
  private static final long MASKS_OFFSET = 1536;

  private static final int TILE_COLUMNS = 128;
  private static final int STEP = 32;

  private FakeKernels() {}

  /** Registers all kernels with a driver. */
  static FakeDriver register(FakeDriver driver) {
    for (int steps = 1; steps <= 8; steps++) {
      int chunkSteps = steps;
      driver.kernel(
          "tensor_multiply_" + steps,
          bytes("TensorMultiplyArguments"),
          (shape, struct) -> tensorMultiply(shape, struct, chunkSteps));
    }
    driver.kernel(
        "tensor_sync_multiply", bytes("TensorMultiplyArguments"), FakeKernels::tensorSyncMultiply);
    FakeDriver words =
        FakeWeightKernels.register(FakeChecksumKernels.register(FakeStarKernels.register(driver)));
    FakeDriver all =
        FakeSightKernel.register(FakeSortKernels.register(FakeSieveKernels.register(words)));
    return FakeDecodingKernels.register(FakeBilinearKernels.register(all))
        .kernel("memory_read", bytes("MemoryReadArguments"), (_, _) -> {})
        .kernel("tensor_ceiling", bytes("TensorCeilingArguments"), (_, _) -> {})
        .kernel("product_loop_tile", bytes("ProductArguments"), FakeKernels::product)
        .kernel("product_four_russians", bytes("ProductArguments"), FakeKernels::product)
        .kernel("draw_uniform", bytes("DrawArguments"), FakeKernels::draw)
        .kernel(
            "invert_128",
            bytes("InversionArguments"),
            (shape, struct) -> invert(shape, struct, 128))
        .kernel(
            "invert_256",
            bytes("InversionArguments"),
            (shape, struct) -> invert(shape, struct, 256))
        .kernel(
            "invert_begin", bytes("PanelArguments"), (shape, struct) -> Panels.of(struct).begin())
        .kernel(
            "invert_panel",
            bytes("PanelArguments"),
            (shape, struct) -> Panels.of(struct).panel(shape))
        .kernel("invert_copy", bytes("PanelArguments"), (shape, struct) -> Panels.of(struct).copy())
        .kernel("invert_end", bytes("PanelArguments"), (shape, struct) -> Panels.of(struct).end())
        .kernel(
            "substitution_diagonal",
            bytes("SubstitutionDiagonalArguments"),
            FakeKernels::invertDiagonal)
        .kernel(
            "tensor_lay_out",
            bytes("TensorLayOutArguments"),
            (shape, struct) -> tile(struct, false))
        .kernel(
            "tensor_read", bytes("TensorLayOutArguments"), (shape, struct) -> tile(struct, true));
  }

  /** Looks up a logarithm in the tables of a field. */
  public static int log(long tables, int element) {
    return ALL.get(JAVA_SHORT_UNALIGNED, tables + 2L * element);
  }

  /** Looks up a power in the tables of a field. */
  public static int exp(long tables, int sum) {
    return get(tables + EXP_OFFSET + sum);
  }

  /** Multiplies by the tables of a field. */
  public static int multiply(long tables, int a, int b) {
    return exp(tables, log(tables, a) + log(tables, b));
  }

  /** Multiplies row-major matrices, {@code struct ProductArguments}. */
  public static void product(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory, "ProductArguments");
    Matrices coefficients = struct.matrices("coefficients");
    Matrices sources = struct.matrices("sources");
    Matrices products = struct.matrices("products");
    long tables = struct.int64("tables");
    long count = struct.int64("count");
    int m = struct.int32("m");
    int n = struct.int32("n");
    int k = struct.int32("k");
    require(struct.int32("polynomial") >> 8 == 1, "the polynomial");
    boolean accumulate = struct.int32("accumulate") != 0;
    int[] row = new int[k];
    for (long g = 0; g < count; g++) {
      for (int i = 0; i < m; i++) {
        long to = products.row(g, i);
        for (int c = 0; c < k; c++) {
          row[c] = accumulate ? get(to + c) : 0;
        }
        for (int j = 0; j < n; j++) {
          int logFactor = log(tables, get(coefficients.row(g, i) + j));
          long from = sources.row(g, j);
          for (int c = 0; c < k; c++) {
            row[c] ^= exp(tables, logFactor + log(tables, get(from + c)));
          }
        }
        for (int c = 0; c < k; c++) {
          setByte(to + c, row[c]);
        }
      }
    }
  }

  private static void draw(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory, "DrawArguments");
    Matrices target = struct.matrices("target");
    long seed = struct.int64("seed");
    long firstGeneration = struct.int64("first_generation");
    long firstIndex = struct.int64("first_index");
    long count = struct.int64("count");
    int rows = struct.int32("rows");
    int columns = struct.int32("columns");
    int domain = struct.int32("domain");
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < rows; row++) {
        RandomCoefficients.writeRow(
            seed, domain, firstGeneration + g, firstIndex + row, ALL, target.row(g, row), columns);
      }
    }
  }

  private static void invert(LaunchShape shape, MemorySegment memory, int most) {
    Struct struct = new Struct(memory, "InversionArguments");
    Matrices matrices = struct.matrices("matrices");
    Matrices inverses = struct.matrices("inverses");
    long ranks = struct.int64("ranks");
    long count = struct.int64("count");
    int n = struct.int32("n");
    int polynomial = struct.int32("polynomial");
    require(n <= most && shape.blockX() == 2 * most, "the shape of the launch");
    for (long g = 0; g < count; g++) {
      int rank = invert(polynomial, n, matrices, inverses, g);
      ALL.set(JAVA_INT, ranks + g * Integer.BYTES, rank);
    }
  }

  /** Writes an inverse if there is one; returns the rank. */
  private static int invert(int polynomial, int n, Matrices matrices, Matrices inverses, long g) {
    byte[] bytes = new byte[n * n];
    for (int row = 0; row < n; row++) {
      MemorySegment.copy(ALL, JAVA_BYTE, matrices.row(g, row), bytes, row * n, n);
    }
    Gf256Matrix matrix = Gf256Matrix.of(Gf256.of(polynomial), n, n, bytes);
    int rank = matrix.rank();
    if (rank == n) {
      Gf256Matrix inverse = matrix.inverse().orElseThrow();
      for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
          setByte(inverses.row(g, row) + column, inverse.get(row, column));
        }
      }
    }
    return rank;
  }

  /** Inversion by panels, a byte at a time. */
  private record Panels(
      Matrices matrices,
      Matrices inverses,
      Matrices work,
      Matrices pivotRows,
      long tables,
      long ranks,
      long pivotOfColumn,
      long columnOfPivot,
      long count,
      int n,
      int firstColumn,
      int firstOfBlock,
      int endOfBlock) {

    static Panels of(MemorySegment memory) {
      Struct struct = new Struct(memory, "PanelArguments");
      Matrices matrices = struct.matrices("matrices");
      Matrices inverses = struct.matrices("inverses");
      Matrices work = struct.matrices("work");
      Matrices pivotRows = struct.matrices("pivot_rows");
      require(struct.int32("polynomial") >> 8 == 1, "the polynomial");
      return new Panels(
          matrices,
          inverses,
          work,
          pivotRows,
          struct.int64("tables"),
          struct.int64("ranks"),
          struct.int64("pivot_of_column"),
          struct.int64("column_of_pivot"),
          struct.int64("count"),
          struct.int32("n"),
          struct.int32("first_column"),
          struct.int32("first_of_block"),
          struct.int32("end_of_block"));
    }

    private int padded() {
      return Math.ceilDiv(n, STEP) * STEP;
    }

    private long pivotOfColumn(long g, int column) {
      return pivotOfColumn + (g * padded() + column) * Integer.BYTES;
    }

    private long columnOfPivot(long g, int row) {
      return columnOfPivot + (g * padded() + row) * Integer.BYTES;
    }

    private int at(long g, int row, int column) {
      return get(work.row(g, row) + column);
    }

    void begin() {
      for (long g = 0; g < count; g++) {
        ALL.set(JAVA_INT, ranks + g * Integer.BYTES, 0);
        for (int row = 0; row < padded(); row++) {
          ALL.set(JAVA_INT, columnOfPivot(g, row), -1);
          for (int column = 0; column < padded(); column++) {
            boolean isInside = row < n && column < n;
            setByte(work.row(g, row) + column, isInside ? get(matrices.row(g, row) + column) : 0);
          }
        }
      }
    }

    void panel(LaunchShape shape) {
      require(shape.blockX() == 256, "the shape of the launch");
      require(firstColumn % STEP == 0 && firstColumn < n, "the panel");
      require(firstOfBlock <= firstColumn && firstColumn + STEP <= endOfBlock, "the block");
      require((work.data() | work.stride() | work.pitch()) % 16 == 0, "aligned work");
      for (long g = 0; g < count; g++) {
        for (int column = firstColumn; column < firstColumn + STEP; column++) {
          int pivot = eliminate(g, column);
          ALL.set(JAVA_INT, pivotOfColumn(g, column), pivot);
        }
        for (int p = 0; p < STEP; p++) {
          copyRow(g, p, firstColumn, firstColumn + STEP, firstOfBlock, endOfBlock);
          int column = firstColumn + p;
          int pivot = ALL.get(JAVA_INT, pivotOfColumn(g, column));
          if (pivot >= 0) {
            setByte(work.row(g, pivot) + column, at(g, pivot, column) ^ 1);
          }
        }
      }
    }

    /** Eliminates a column within its panel; returns the row of its pivot, or -1. */
    private int eliminate(long g, int column) {
      int pivot = 0;
      while (pivot < n
          && (at(g, pivot, column) == 0 || ALL.get(JAVA_INT, columnOfPivot(g, pivot)) >= 0)) {
        pivot++;
      }
      if (pivot == n) {
        return -1;
      }
      ALL.set(JAVA_INT, columnOfPivot(g, pivot), column);
      long rank = ranks + g * Integer.BYTES;
      ALL.set(JAVA_INT, rank, ALL.get(JAVA_INT, rank) + 1);
      int reciprocal = exp(tables, 255 - log(tables, at(g, pivot, column)));
      setByte(work.row(g, pivot) + column, 1);
      for (int c = firstColumn; c < firstColumn + STEP; c++) {
        setByte(work.row(g, pivot) + c, multiply(tables, reciprocal, at(g, pivot, c)));
      }
      for (int row = 0; row < n; row++) {
        int factor = at(g, row, column);
        if (row != pivot && factor != 0) {
          setByte(work.row(g, row) + column, 0);
          for (int c = firstColumn; c < firstColumn + STEP; c++) {
            int sum = at(g, row, c) ^ multiply(tables, factor, at(g, pivot, c));
            setByte(work.row(g, row) + c, sum);
          }
        }
      }
      return pivot;
    }

    /** Copies some columns of a pivot's row, of which those of eliminated columns become zeros. */
    private void copyRow(long g, int p, int firstZero, int endZero, int first, int end) {
      int pivot = ALL.get(JAVA_INT, pivotOfColumn(g, firstZero + p));
      for (int column = first; column < end; column++) {
        boolean copies = pivot >= 0 && (column < firstZero || column >= endZero);
        setByte(pivotRows.row(g, p) + column, copies ? at(g, pivot, column) : 0);
      }
    }

    void copy() {
      require(firstOfBlock % STEP == 0 && endOfBlock <= padded(), "the block");
      for (long g = 0; g < count; g++) {
        for (int p = 0; p < endOfBlock - firstOfBlock; p++) {
          copyRow(g, p, firstOfBlock, endOfBlock, 0, padded());
        }
      }
    }

    void end() {
      for (long g = 0; g < count; g++) {
        if (ALL.get(JAVA_INT, ranks + g * Integer.BYTES) < n) {
          continue;
        }
        for (int row = 0; row < n; row++) {
          int from = ALL.get(JAVA_INT, pivotOfColumn(g, row));
          for (int column = 0; column < n; column++) {
            int place = ALL.get(JAVA_INT, columnOfPivot(g, column));
            int one = place == row ? 1 : 0;
            setByte(inverses.row(g, row) + column, at(g, from, place) ^ one);
          }
        }
      }
    }
  }

  private static void invertDiagonal(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory, "SubstitutionDiagonalArguments");
    int polynomial = struct.int32("polynomial");
    int n = struct.int32("n");
    int b = struct.int32("b");
    long count = struct.int64("count");
    Matrices lower = struct.matrices("coefficients");
    Matrices inverses = struct.matrices("inverses");
    require(shape.blockX() == STEP * Math.ceilDiv(b, STEP) * Math.ceilDiv(b, 16), "the shape");
    Gf256 field = Gf256.of(polynomial);
    for (long g = 0; g < count; g++) {
      for (int origin = 0; origin < n; origin += b) {
        int rows = Math.min(b, n - origin);
        long at = lower.row(g, origin) + origin;
        Gf256Matrix block =
            Gf256Matrix.generate(
                field, rows, rows, (i, j) -> j > i ? 0 : get(at + i * lower.stride() + j));
        // None if the caller has changed checked memory: the solution is then wrong.
        Gf256Matrix inverse = block.inverse().orElse(block);
        for (int i = 0; i < rows; i++) {
          for (int j = origin; j < n; j++) {
            setByte(
                inverses.row(g, origin + i) + j,
                j < origin + rows ? inverse.get(i, j - origin) : 0);
          }
        }
      }
    }
  }

  private static void tile(MemorySegment memory, boolean reads) {
    Struct struct = new Struct(memory, "TensorLayOutArguments");
    Matrices rows = struct.matrices("rows");
    long tiles = struct.int64("tiles");
    long pitch = struct.int64("tiles_pitch");
    long count = struct.int64("count");
    int firstRow = struct.int32("first_row");
    int rowCount = struct.int32("row_count");
    int k = struct.int32("k");
    int steps = struct.int32("steps");
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < rowCount; row++) {
        for (int column = 0; column < k; column++) {
          long plain = rows.row(g, row) + column;
          long tiled = tiles + g * pitch + inTiles(firstRow + row, column, steps);
          setByte(reads ? plain : tiled, get(reads ? tiled : plain));
        }
      }
    }
  }

  static long inTiles(int row, int column, long steps) {
    long tile = column / TILE_COLUMNS * steps + row / STEP;
    return (tile * STEP + row % STEP) * TILE_COLUMNS + column % TILE_COLUMNS;
  }

  private static void tensorSyncMultiply(LaunchShape shape, MemorySegment memory) {
    Struct struct = new Struct(memory, "TensorMultiplyArguments");
    int n = struct.int32("n");
    int chunks = struct.int32("chunks");
    int groupsAtOnce = struct.int32("groups_at_once");
    int chunkSteps = Math.ceilDiv(Math.max(1, Math.ceilDiv(n, STEP)), chunks);
    require(shape.sharedBytes() == (16 + 8 * groupsAtOnce * chunkSteps) << 10, "the shared memory");
    tensorMultiply(shape, memory, chunkSteps);
  }

  /** Pass by pass, so that a plan which leaves something out, or does it twice, shows. */
  private static void tensorMultiply(LaunchShape shape, MemorySegment memory, int chunkSteps) {
    Struct struct = new Struct(memory, "TensorMultiplyArguments");
    Matrices coefficients = struct.matrices("coefficients");
    long tiles = struct.int64("tiles");
    long pitch = struct.int64("tiles_pitch");
    Matrices products = struct.matrices("products");
    long tables = struct.int64("tables");
    long count = struct.int64("count");
    int m = struct.int32("m");
    int n = struct.int32("n");
    int k = struct.int32("k");
    int tileSteps = struct.int32("tile_steps");
    int chunks = struct.int32("chunks");
    int groupsAtOnce = struct.int32("groups_at_once");
    boolean accumulate = struct.int32("accumulate") != 0;
    require(groupsAtOnce * chunkSteps <= 8, "the coefficients fit");
    int rowsAtOnce = groupsAtOnce * STEP;
    long passes = count * Math.ceilDiv(m, rowsAtOnce);
    require(shape.gridX() <= passes * Math.ceilDiv(k, TILE_COLUMNS), "a tile for each block");
    int[] sums = new int[k];
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < m; row += rowsAtOnce) {
        for (int i = row; i < Math.min(m, row + rowsAtOnce); i++) {
          for (int c = 0; c < k; c++) {
            sums[c] = accumulate ? get(products.row(g, i) + c) : 0;
          }
          for (int j = 0; j < Math.min(n, chunks * chunkSteps * STEP); j++) {
            long masks = masks(tables, get(coefficients.row(g, i) + j));
            for (int c = 0; c < k; c++) {
              sums[c] ^= product(masks, get(tiles + g * pitch + inTiles(j, c, tileSteps)));
            }
          }
          for (int c = 0; c < k; c++) {
            setByte(products.row(g, i) + c, sums[c]);
          }
        }
      }
    }
  }

  private static long masks(long tables, int element) {
    return ALL.get(JAVA_LONG, tables + MASKS_OFFSET + (long) element * Long.BYTES);
  }

  /** Bit r of the product is the parity of byte r of the masks AND the element. */
  private static int product(long masks, int element) {
    long bits = masks & element * 0x0101_0101_0101_0101L;
    bits ^= bits >>> 4;
    bits ^= bits >>> 2;
    bits ^= bits >>> 1;
    // The parities stand in the lowest bits of the bytes; the multiplication collects them.
    return (int) ((bits & 0x0101_0101_0101_0101L) * 0x0102_0408_1020_4080L >>> 56);
  }

  public static void require(boolean condition, String what) {
    if (!condition) {
      throw new AssertionError(what);
    }
  }
}
