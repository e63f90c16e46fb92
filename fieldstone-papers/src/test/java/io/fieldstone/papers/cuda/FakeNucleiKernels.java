package io.fieldstone.papers.cuda;

import static io.fieldstone.cuda.CudaStructs.bytes;
import static io.fieldstone.cuda.FakeKernels.exp;
import static io.fieldstone.cuda.FakeKernels.log;
import static io.fieldstone.cuda.FakeKernels.multiply;
import static io.fieldstone.cuda.FakeKernels.require;
import static io.fieldstone.cuda.GpuMemory.ALL;
import static io.fieldstone.cuda.GpuMemory.get;
import static io.fieldstone.cuda.GpuMemory.setByte;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.fieldstone.cuda.FakeKernels;
import io.fieldstone.cuda.Struct;
import io.fieldstone.cuda.Struct.Matrices;
import io.fieldstone.cuda.driver.FakeDriver;
import io.fieldstone.cuda.driver.LaunchShape;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Java versions of the kernels of Nuclei, as in {@link FakeKernels}. */
final class FakeNucleiKernels {

  private static final int ZERO_BYTE = 255;

  /** Kernels of row-major operands without preparation. */
  private static final List<String> ROW_MAJOR =
      List.of(
          "loop_byte",
          "loop_word",
          "loop_word_branch",
          "loop_word_24",
          "loop_word_bytewise",
          "loop_word_coarse",
          "table",
          "table_plain");

  private FakeNucleiKernels() {}

  static FakeDriver register(FakeDriver driver) {
    for (String name : ROW_MAJOR) {
      driver.kernel("product_" + name, bytes("ProductArguments"), FakeKernels::product);
    }
    return driver
        .kernel(
            "product_table_log",
            bytes("ProductArguments"),
            (shape, struct) -> productOfLogs(struct, FakeNucleiKernels::twoByteLog))
        .kernel(
            "product_table_log_plain",
            bytes("ProductArguments"),
            (shape, struct) -> productOfLogs(struct, FakeNucleiKernels::oneByteLog))
        .kernel("sources_to_log", bytes("LogArguments"), FakeNucleiKernels::sourcesToLog)
        .kernel("sources_from_log", bytes("LogArguments"), FakeNucleiKernels::sourcesFromLog)
        .kernel("coefficients_to_log", bytes("LogArguments"), FakeNucleiKernels::coefficientsToLog)
        .kernel(
            "gauss_jordan_reduce",
            bytes("GaussJordanArguments"),
            (shape, struct) -> GaussJordan.of(struct).reduce(shape))
        .kernel(
            "gauss_jordan_pivot",
            bytes("GaussJordanArguments"),
            (shape, struct) -> GaussJordan.of(struct).findPivot(shape))
        .kernel(
            "gauss_jordan_eliminate",
            bytes("GaussJordanArguments"),
            (shape, struct) -> GaussJordan.of(struct).eliminate(shape))
        .kernel(
            "gauss_jordan_column",
            bytes("GaussJordanArguments"),
            (shape, struct) -> GaussJordan.of(struct).eliminateColumn(shape))
        .kernel(
            "gauss_jordan_solved",
            bytes("GaussJordanArguments"),
            (shape, struct) -> GaussJordan.of(struct).findSolved(shape));
  }

  /** Reads the logarithm of a coefficient, the given number of coefficients after an address. */
  private interface LogReader {
    int read(long row, int column);
  }

  /** Plain logarithms where the kernel wants them dilated. */
  private static int twoByteLog(long row, int column) {
    return ALL.get(JAVA_SHORT_UNALIGNED, row + 2L * column);
  }

  private static int oneByteLog(long row, int column) {
    int log = get(row + column);
    return log == ZERO_BYTE ? 511 : log;
  }

  private static void productOfLogs(MemorySegment memory, LogReader logs) {
    Struct struct = new Struct(memory, "ProductArguments");
    Matrices coefficients = struct.matrices("coefficients");
    Matrices sources = struct.matrices("sources");
    Matrices products = struct.matrices("products");
    long tables = struct.int64("tables");
    long count = struct.int64("count");
    int m = struct.int32("m");
    int n = struct.int32("n");
    int k = struct.int32("k");
    for (long g = 0; g < count; g++) {
      for (int i = 0; i < m; i++) {
        for (int c = 0; c < k; c++) {
          int sum = 0;
          for (int j = 0; j < n; j++) {
            int logSource = oneByteLog(sources.row(g, j), c);
            int logFactor = logs.read(coefficients.row(g, i), j);
            sum ^= exp(tables, logFactor + logSource);
          }
          setByte(products.row(g, i) + c, sum);
        }
      }
    }
  }

  /** One element of a conversion to or from the log domain. */
  private interface Conversion {
    void convert(long tables, long from, long to, int column);
  }

  private static void convert(MemorySegment memory, Conversion conversion) {
    Struct struct = new Struct(memory, "LogArguments");
    Matrices from = struct.matrices("from");
    Matrices to = struct.matrices("to");
    long tables = struct.int64("tables");
    long count = struct.int64("count");
    int rows = struct.int32("rows");
    int columns = struct.int32("columns");
    for (long g = 0; g < count; g++) {
      for (int row = 0; row < rows; row++) {
        for (int column = 0; column < columns; column++) {
          conversion.convert(tables, from.row(g, row), to.row(g, row), column);
        }
      }
    }
  }

  private static void sourcesToLog(LaunchShape shape, MemorySegment memory) {
    convert(
        memory,
        (tables, from, to, column) ->
            setByte(to + column, Math.min(ZERO_BYTE, log(tables, get(from + column)))));
  }

  private static void sourcesFromLog(LaunchShape shape, MemorySegment memory) {
    convert(
        memory,
        (tables, from, to, column) -> {
          int log = get(from + column);
          setByte(to + column, log == ZERO_BYTE ? 0 : exp(tables, log));
        });
  }

  private static void coefficientsToLog(LaunchShape shape, MemorySegment memory) {
    convert(
        memory,
        (tables, from, to, column) -> {
          require(to % 8 == 0, "rows of logarithms on 8 bytes");
          short log = (short) log(tables, get(from + column));
          ALL.set(JAVA_SHORT_UNALIGNED, to + 2L * column, log);
        });
  }

  /** {@code struct GaussJordanArguments}. */
  private record GaussJordan(
      long tables,
      Gf256 field,
      long rows,
      long stride,
      long held,
      long vector,
      long payload,
      long reduced,
      long pivot,
      long k,
      int n) {

    private static final int WORD = 4;

    static GaussJordan of(MemorySegment memory) {
      Struct struct = new Struct(memory, "GaussJordanArguments");
      return new GaussJordan(
          struct.int64("tables"),
          Gf256.of(struct.int32("polynomial")),
          struct.int64("rows"),
          struct.int64("stride"),
          struct.int64("held"),
          struct.int64("vector"),
          struct.int64("payload"),
          struct.int64("reduced"),
          struct.int64("pivot"),
          struct.int64("k"),
          struct.int32("n"));
    }

    private int vectorBytes() {
      return WORD * Math.ceilDiv(n, WORD);
    }

    /** The bytes of a row, with those that fill words. */
    private long bytes() {
      return vectorBytes() + WORD * Math.ceilDiv(k, (long) WORD);
    }

    private void requireContract(LaunchShape shape) {
      require(shape.blockX() == 64 && shape.sharedBytes() == 0, "the block");
      require(stride % WORD == 0 && stride >= bytes(), "the stride");
      require((rows | reduced) % WORD == 0, "aligned rows");
    }

    private boolean isHeld(int slot) {
      return get(held + slot) != 0;
    }

    private int arriving(long at) {
      if (at < vectorBytes()) {
        return at < n ? get(vector + at) : 0;
      }
      return at - vectorBytes() < k ? get(payload + at - vectorBytes()) : 0;
    }

    void reduce(LaunchShape shape) {
      requireContract(shape);
      for (long at = 0; at < bytes(); at++) {
        int sum = arriving(at);
        for (int slot = 0; slot < n; slot++) {
          if (isHeld(slot)) {
            sum ^= multiply(tables, get(vector + slot), get(rows + slot * stride + at));
          }
        }
        setByte(reduced + at, sum);
      }
    }

    void findPivot(LaunchShape shape) {
      require(shape.gridX() == 1 && shape.blockX() == 256, "one block");
      int column = 0;
      while (column < n && get(reduced + column) == 0) {
        column++;
      }
      ALL.set(JAVA_INT, pivot, column < n ? column : -1);
    }

    void eliminate(LaunchShape shape) {
      requireContract(shape);
      int column = ALL.get(JAVA_INT, pivot);
      for (long at = 0; column >= 0 && at < bytes(); at++) {
        if (at / WORD != column / WORD) {
          eliminate(column, at);
        }
      }
    }

    void eliminateColumn(LaunchShape shape) {
      requireContract(shape);
      int column = ALL.get(JAVA_INT, pivot);
      if (column < 0) {
        return;
      }
      int first = column / WORD * WORD;
      for (int i = 0; i < WORD; i++) {
        if (first + i != column) {
          eliminate(column, first + i);
        }
      }
      eliminate(column, column);
      setByte(held + column, 1);
    }

    /** Eliminates the pivot's column from a byte of the rows held. */
    private void eliminate(int column, long at) {
      int inverse = field.inverse(get(reduced + column));
      int value = multiply(tables, inverse, get(reduced + at));
      for (int slot = 0; slot < n; slot++) {
        long row = rows + slot * stride;
        if (isHeld(slot)) {
          setByte(row + at, get(row + at) ^ multiply(tables, get(row + column), value));
        }
      }
      setByte(rows + column * stride + at, value);
    }

    void findSolved(LaunchShape shape) {
      requireContract(shape);
      for (int slot = 0; slot < n; slot++) {
        boolean solved = isHeld(slot);
        for (int i = 0; i < n && solved; i++) {
          solved = i == slot || get(rows + slot * stride + i) == 0;
        }
        setByte(reduced + slot, solved ? 1 : 0);
      }
    }
  }
}
