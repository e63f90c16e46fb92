package io.fieldstone.papers.cpu;

import static io.fieldstone.cpu.execution.Rows.MEMORY;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.fieldstone.cpu.coding.ProductKernel;
import io.fieldstone.cpu.coding.ScalarKernels;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.field.Gf256;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Multiplication by shift and add, a byte or a word at a time (Nuclei, Figs. 3 and 4). */
final class LoopKernels {

  private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int LOW_BITS = 0x01010101;
  private static final int TOP_BITS = LOW_BITS << 7;

  private LoopKernels() {}

  /** Shift and add, a byte at a time (Nuclei, Fig. 3). */
  static ProductKernel bytes(Gf256 field) {
    return ScalarKernels.bytewise(field::multiplyByteLoop);
  }

  /** Shift and add, four bytes at a time (Nuclei, Fig. 4). */
  static ProductKernel words(Gf256 field) {
    return new Words(field, bytes(field));
  }

  /**
   * Returns factor · data for the four bytes of a word at once (Nuclei, Fig. 4 with statement 7a).
   *
   * @param factor an element
   * @param word four elements, in any byte order
   * @return the four products, each in its element's place
   */
  static int multiplyWord(Gf256 field, int factor, int word) {
    int reduction = field.polynomial() & 0xFF;
    int result = 0;
    int multiples = word;
    for (int bits = Objects.checkIndex(factor, 256); bits != 0; bits >>>= 1) {
      if ((bits & 1) != 0) {
        result ^= multiples;
      }
      // Bytes of 0 or 1 times a byte: no carry crosses from one byte to the next.
      int overflow = ((multiples & TOP_BITS) >>> 7) * reduction;
      multiples = ((multiples & ~TOP_BITS) << 1) ^ overflow;
    }
    return result;
  }

  /** The loop over words; the last bytes of a row are multiplied one at a time. */
  private record Words(Gf256 field, ProductKernel tail) implements ProductKernel {

    @Override
    public void multiply(
        int m,
        int n,
        int columns,
        Rows coefficients,
        Rows sources,
        Rows products,
        boolean accumulate) {
      int whole = columns - columns % Integer.BYTES;
      for (int i = 0; i < m; i++) {
        ScalarKernels.clearUnless(accumulate, products, i, whole);
        for (int j = 0; j < n; j++) {
          int factor = MEMORY.get(JAVA_BYTE, coefficients.at(i) + j) & 0xFF;
          long from = sources.at(j);
          long to = products.at(i);
          for (int c = 0; c < whole; c += Integer.BYTES) {
            int product = multiplyWord(field, factor, MEMORY.get(WORD, from + c));
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
    }
  }
}
