package io.fieldstone.cpu.checksums;

import io.fieldstone.engine.checksums.Divisor;

/** Makes the tables of division by bytes, for registers in overlay form. */
final class RemainderTables {

  /** Entries of a table: the values of a byte. */
  static final int SIZE = 256;

  private RemainderTables() {}

  /**
   * Tables in one array: entry {@code 256·t + b} is the {@link Divisor#overlay overlay} of the
   * register after the byte b and t bytes of zeros.
   *
   * @param count how many, ≥ 1
   */
  static long[] of(Divisor divisor, int count) {
    long[] tables = new long[count * SIZE];
    BitwiseKernel definition = new BitwiseKernel(divisor);
    byte[] value = new byte[1];
    for (int b = 0; b < SIZE; b++) {
      value[0] = (byte) b;
      tables[b] = divisor.overlay(definition.append(0, value, 0, 1));
    }
    for (int i = SIZE; i < tables.length; i++) {
      long before = tables[i - SIZE];
      tables[i] = tables[(int) before & 0xFF] ^ before >>> Byte.SIZE;
    }
    return tables;
  }
}
