package io.fieldstone.cuda.coding;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.fieldstone.field.Gf256;
import java.lang.foreign.MemorySegment;

/**
 * The constants of a field for kernels: {@code struct FieldTables} in device memory, and the
 * polynomial.
 *
 * @param address the device address of the tables
 * @param polynomial the polynomial of the field, with its leading bit
 * @param formula the formula for products by bit planes
 */
public record FieldTables(long address, int polynomial, BilinearFormula formula) {

  private static final int ELEMENTS = 256;
  private static final int GROUP_ORDER = 255;

  /** The logarithm of zero: any sum that contains it indexes a zero in {@code exp}. */
  private static final short LOG_OF_ZERO = 511;

  private static final int EXP_LENGTH = 1024;

  /** The maximum sum of two logarithms of nonzero elements. */
  private static final int MAX_LOG_SUM = 2 * (GROUP_ORDER - 1);

  private static final long EXP_OFFSET = ELEMENTS * Short.BYTES;
  private static final long MASKS_OFFSET = EXP_OFFSET + EXP_LENGTH;

  /** The size of the struct: 256 logarithms, 1024 powers, 256 × 8 masks. */
  static final long BYTES = MASKS_OFFSET + ELEMENTS * Long.BYTES;

  /** Writes the struct: {@value #BYTES} bytes. */
  static void write(Gf256 field, MemorySegment tables) {
    tables.set(JAVA_SHORT, 0, LOG_OF_ZERO);
    for (int a = 1; a < ELEMENTS; a++) {
      tables.setAtIndex(JAVA_SHORT, a, (short) field.log(a));
    }
    for (int i = 0; i < EXP_LENGTH; i++) {
      int power = i <= MAX_LOG_SUM ? field.exp(i % GROUP_ORDER) : 0;
      tables.set(JAVA_BYTE, EXP_OFFSET + i, (byte) power);
    }
    for (int c = 0; c < ELEMENTS; c++) {
      tables.set(JAVA_LONG, MASKS_OFFSET + (long) c * Long.BYTES, masks(field, c));
    }
  }

  /**
   * Returns masks for products by c: bit r of c·y is the parity of (byte r AND y), so bit b of byte
   * r is bit r of c·x^b.
   */
  private static long masks(Gf256 field, int c) {
    long masks = 0L;
    for (int b = 0; b < Byte.SIZE; b++) {
      int product = field.multiply(c, 1 << b);
      for (int r = 0; r < Byte.SIZE; r++) {
        long bit = (long) product >>> r & 1;
        masks |= bit << (r * Byte.SIZE + b);
      }
    }
    return masks;
  }
}
