package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.coding.ByteMatrices;
import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Multiplies eight symbols of a word at a time, in plain arrays. It adds the sources by the bits of
 * their coefficients, S<sub>b</sub> = Σ<sub>j</sub> (bit b of c<sub>j</sub>) · s<sub>j</sub>, and
 * evaluates Σ<sub>b</sub> x<sup>b</sup> S<sub>b</sub> by Horner's rule. A product of n sources thus
 * takes about 4n additions and 7 multiplications by x, for any n.
 *
 * <p>Additions of arrays are fast in the interpreter already, and the JIT compiler makes vector
 * instructions of them within milliseconds. So this kernel serves until {@link VectorKernel} is
 * compiled.
 */
public final class WordKernel implements ProductKernel {

  /** Words of a strip: the sums of a row fit the first-level cache, the sources the second. */
  private static final int STRIP_WORDS = 64;

  private static final int STRIP_COLUMNS = STRIP_WORDS * Long.BYTES;

  /** The lowest bit of each symbol of a word. */
  private static final long LOW_BITS = 0x0101_0101_0101_0101L;

  /** The highest bit of each symbol. */
  private static final long TOP_BITS = LOW_BITS << 7;

  /** The field polynomial without x^8. */
  private final long reduction;

  public WordKernel(Gf256 field) {
    reduction = field.multiply(0x80, 2);
  }

  /**
   * Rows of a matrix in memory of any kind.
   *
   * @param data the memory
   * @param offset the byte where row 0 begins
   * @param stride the bytes from one row to the next
   */
  record PlainRows(MemorySegment data, long offset, long stride) {

    static PlainRows of(ByteMatrices matrices, long matrix) {
      return new PlainRows(matrices.data(), matrix * matrices.pitch(), matrices.stride());
    }

    private static PlainRows of(Rows rows) {
      return new PlainRows(MEMORY, rows.address(), rows.stride());
    }

    long at(int row) {
      return offset + row * stride;
    }

    int byteAt(int row, int column) {
      return data.get(JAVA_BYTE, at(row) + column) & 0xFF;
    }
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
    multiply(
        m,
        n,
        columns,
        PlainRows.of(coefficients),
        PlainRows.of(sources),
        PlainRows.of(products),
        accumulate);
  }

  /** As {@link ProductKernel#multiply}, in memory of any kind. */
  void multiply(
      int m,
      int n,
      int columns,
      PlainRows coefficients,
      PlainRows sources,
      PlainRows products,
      boolean accumulate) {
    Strip strip = new Strip(n, Math.min(STRIP_WORDS, Math.ceilDiv(columns, Long.BYTES)));
    for (int column = 0; column < columns; column += STRIP_COLUMNS) {
      int width = Math.min(STRIP_COLUMNS, columns - column);
      strip.load(sources, column, width);
      for (int i = 0; i < m; i++) {
        strip.multiply(coefficients, i);
        strip.store(products.data(), products.at(i) + column, width, accumulate);
      }
    }
  }

  /** Working memory for some columns of all sources and of one product. */
  private final class Strip {
    private final int n;
    private final int words;
    private final byte[] factors;
    private final MemorySegment factorBytes;

    /** The sources, one after another. */
    private final long[] sources;

    private final MemorySegment sourceBytes;

    /** The sums by bit; afterwards the first one is the product. */
    private final long[] sums;

    private final MemorySegment sumBytes;

    Strip(int n, int words) {
      this.n = n;
      this.words = words;
      factors = new byte[n];
      factorBytes = MemorySegment.ofArray(factors);
      sources = new long[Math.multiplyExact(n, words)];
      sourceBytes = MemorySegment.ofArray(sources);
      sums = new long[Byte.SIZE * words];
      sumBytes = MemorySegment.ofArray(sums);
    }

    /** Copies some columns of the sources; the symbols after them in a word do not matter. */
    void load(PlainRows rows, int column, int width) {
      for (int j = 0; j < n; j++) {
        long to = (long) j * words * Long.BYTES;
        MemorySegment.copy(rows.data(), rows.at(j) + column, sourceBytes, to, width);
      }
    }

    void multiply(PlainRows coefficients, int row) {
      MemorySegment.copy(coefficients.data(), coefficients.at(row), factorBytes, 0, n);
      Arrays.fill(sums, 0);
      for (int j = 0; j < n; j++) {
        for (int factor = factors[j] & 0xFF; factor != 0; factor &= factor - 1) {
          add(sums, Integer.numberOfTrailingZeros(factor) * words, sources, j * words, words);
        }
      }
      for (int bit = Byte.SIZE - 1; bit > 0; bit--) {
        addTimesX(sums, (bit - 1) * words, bit * words, words);
      }
    }

    private void addTimesX(long[] array, int to, int from, int count) {
      for (int k = 0; k < count; k++) {
        long word = array[from + k];
        array[to + k] ^= (word & ~TOP_BITS) << 1 ^ (word >>> 7 & LOW_BITS) * reduction;
      }
    }

    void store(MemorySegment products, long product, int width, boolean accumulate) {
      if (accumulate) {
        // The second sum is not needed any more.
        long spare = (long) words * Long.BYTES;
        MemorySegment.copy(products, product, sumBytes, spare, width);
        add(sums, 0, sums, words, words);
      }
      MemorySegment.copy(sumBytes, 0, products, product, width);
    }
  }

  private static void add(long[] to, int toIndex, long[] from, int fromIndex, int count) {
    for (int k = 0; k < count; k++) {
      to[toIndex + k] ^= from[fromIndex + k];
    }
  }
}
