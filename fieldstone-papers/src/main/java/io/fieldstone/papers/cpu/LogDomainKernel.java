package io.fieldstone.papers.cpu;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.coding.ScalarKernels;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/**
 * Multiplies by tables in the log domain (Nuclei, Sec. V-C): logarithms of coefficients and sources
 * are looked up once, which reduces the table accesses per product from three to one.
 *
 * <p>The logarithm of zero is {@value #LOG_OF_ZERO}, so large that sums with it index a part of the
 * exponential table that is zero. So no product needs a test for zero.
 */
final class LogDomainKernel implements ProductKernel {

  private static final int LOG_OF_ZERO = 510;

  /** Columns whose logarithms are held at a time, to bound the memory for large blocks. */
  private static final int STRIP_COLUMNS = 1024;

  private final short[] log = new short[256];
  private final byte[] exp = new byte[2 * LOG_OF_ZERO + 1];

  LogDomainKernel(Gf256 field) {
    log[0] = LOG_OF_ZERO;
    for (int a = 1; a < 256; a++) {
      log[a] = (short) field.log(a);
    }
    for (int i = 0; i < LOG_OF_ZERO; i++) {
      exp[i] = (byte) field.exp(i % 255);
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
    short[] logSources = new short[Math.multiplyExact(n, Math.min(columns, STRIP_COLUMNS))];
    for (int column = 0; column < columns; column += STRIP_COLUMNS) {
      strip(
          m,
          n,
          Math.min(STRIP_COLUMNS, columns - column),
          coefficients,
          sources.from(0, column),
          products.from(0, column),
          accumulate,
          logSources);
    }
  }

  private void strip(
      int m,
      int n,
      int width,
      Rows coefficients,
      Rows sources,
      Rows products,
      boolean accumulate,
      short[] logSources) {
    for (int j = 0; j < n; j++) {
      for (int c = 0; c < width; c++) {
        logSources[j * width + c] = log[MEMORY.get(JAVA_BYTE, sources.at(j) + c) & 0xFF];
      }
    }
    for (int i = 0; i < m; i++) {
      ScalarKernels.clearUnless(accumulate, products, i, width);
      for (int j = 0; j < n; j++) {
        int logFactor = log[MEMORY.get(JAVA_BYTE, coefficients.at(i) + j) & 0xFF];
        long to = products.at(i);
        for (int c = 0; c < width; c++) {
          byte product = exp[logFactor + logSources[j * width + c]];
          MEMORY.set(JAVA_BYTE, to + c, (byte) (MEMORY.get(JAVA_BYTE, to + c) ^ product));
        }
      }
    }
  }
}
