package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.ValueLayout;

/**
 * The scalar multiplications of Nuclei, a byte or a word at a time. All use the same triple loop
 * over coded blocks, source blocks and symbols.
 */
public final class ScalarKernels {

  private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;

  private ScalarKernels() {}

  /** Log and exp tables (Nuclei, Fig. 2): the oracle. */
  public static ProductKernel table(Gf256 field) {
    return bytewise(field::multiply);
  }

  /** Shift and add, a byte at a time (Nuclei, Fig. 3). */
  public static ProductKernel byteLoop(Gf256 field) {
    return bytewise(field::multiplyByteLoop);
  }

  /** Shift and add, four bytes at a time (Nuclei, Fig. 4). */
  public static ProductKernel wordLoop(Gf256 field) {
    ProductKernel tail = byteLoop(field);
    return (m, n, columns, coefficients, sources, products, accumulate) -> {
      int whole = columns - columns % Integer.BYTES;
      for (int i = 0; i < m; i++) {
        clearUnless(accumulate, products, i, whole);
        for (int j = 0; j < n; j++) {
          int factor = MEMORY.get(JAVA_BYTE, coefficients.at(i) + j) & 0xFF;
          long from = sources.at(j);
          long to = products.at(i);
          for (int c = 0; c < whole; c += Integer.BYTES) {
            int product = field.multiplyWordLoop(factor, MEMORY.get(WORD, from + c));
            MEMORY.set(WORD, to + c, MEMORY.get(WORD, to + c) ^ product);
          }
        }
      }
      if (whole < columns) {
        tail.multiply(
            m,
            n,
            columns - whole,
            coefficients,
            sources.from(0, whole),
            products.from(0, whole),
            accumulate);
      }
    };
  }

  private interface Multiplication {
    int multiply(int factor, int symbol);
  }

  private static ProductKernel bytewise(Multiplication field) {
    return (m, n, columns, coefficients, sources, products, accumulate) -> {
      for (int i = 0; i < m; i++) {
        clearUnless(accumulate, products, i, columns);
        for (int j = 0; j < n; j++) {
          int factor = MEMORY.get(JAVA_BYTE, coefficients.at(i) + j) & 0xFF;
          long from = sources.at(j);
          long to = products.at(i);
          for (int c = 0; c < columns; c++) {
            int product = field.multiply(factor, MEMORY.get(JAVA_BYTE, from + c) & 0xFF);
            MEMORY.set(JAVA_BYTE, to + c, (byte) (MEMORY.get(JAVA_BYTE, to + c) ^ product));
          }
        }
      }
    };
  }

  static void clearUnless(boolean accumulate, Rows products, int row, int columns) {
    if (!accumulate) {
      MEMORY.asSlice(products.at(row), columns).fill((byte) 0);
    }
  }
}
