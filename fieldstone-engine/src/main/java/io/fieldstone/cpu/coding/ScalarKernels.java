package io.fieldstone.cpu.coding;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;

/** Multiplication a byte at a time: a triple loop over coded blocks, source blocks and symbols. */
public final class ScalarKernels {

  private ScalarKernels() {}

  /** Log and exp tables (Nuclei, Fig. 2): the oracle. */
  public static ProductKernel table(Gf256 field) {
    return bytewise(field::multiply);
  }

  /** A product of two elements of a field. */
  public interface Multiplication {
    int multiply(int factor, int symbol);
  }

  /** Returns the triple loop over a multiplication. */
  public static ProductKernel bytewise(Multiplication field) {
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

  /** Clears the beginning of a row of products, unless they are added to it. */
  public static void clearUnless(boolean accumulate, Rows products, int row, int columns) {
    if (!accumulate) {
      MEMORY.asSlice(products.at(row), columns).fill((byte) 0);
    }
  }
}
