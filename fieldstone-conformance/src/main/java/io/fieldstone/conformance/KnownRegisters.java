package io.fieldstone.conformance;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The registers after the nine digits {@link #MESSAGE}: the check values of the RevEng catalogue of
 * CRC algorithms, without final XOR and reflection.
 *
 * @param name the name in the catalogue
 * @param divisor the polynomial and the order of bits
 * @param initial the register before the message
 * @param register the register after the message
 */
record KnownRegisters(String name, Divisor divisor, long initial, long register) {

  static final byte[] MESSAGE = "123456789".getBytes(StandardCharsets.US_ASCII);

  private static final long ONES_64 = -1L;

  static final List<KnownRegisters> ALL =
      List.of(
          normal("CRC-3/GSM", 3, 0x3, 0, 0x4 ^ 0x7),
          reflected("CRC-3/ROHC", 3, 0x3, 0x7, 0x6),
          normal("CRC-5/EPC-C1G2", 5, 0x09, 0x09, 0x00),
          reflected("CRC-5/USB", 5, 0x05, 0x1F, 0x19 ^ 0x1F),
          normal("CRC-7/MMC", 7, 0x09, 0, 0x75),
          normal("CRC-8/SMBUS", 8, 0x07, 0, 0xF4),
          reflected("CRC-8/MAXIM-DOW", 8, 0x31, 0, 0xA1),
          normal("CRC-16/XMODEM", 16, 0x1021, 0, 0x31C3),
          reflected("CRC-16/KERMIT", 16, 0x1021, 0, 0x2189),
          normal("CRC-24/OPENPGP", 24, 0x864CFB, 0xB704CE, 0x21CF02),
          reflected("CRC-32/ISO-HDLC", 32, 0x04C11DB7, 0xFFFFFFFFL, 0xCBF43926L ^ 0xFFFFFFFFL),
          reflected("CRC-32/ISCSI", 32, 0x1EDC6F41, 0xFFFFFFFFL, 0xE3069283L ^ 0xFFFFFFFFL),
          normal("CRC-32/MPEG-2", 32, 0x04C11DB7, 0xFFFFFFFFL, 0x0376E6E7),
          normal("CRC-40/GSM", 40, 0x0004820009L, 0, 0xD4164FC646L ^ 0xFFFFFFFFFFL),
          normal("CRC-64/ECMA-182", 64, 0x42F0E1EBA9EA3693L, 0, 0x6C40DF5F0B497347L),
          reflected("CRC-64/XZ", 64, 0x42F0E1EBA9EA3693L, ONES_64, 0x995DC9BBDF1939FAL ^ ONES_64));

  private static KnownRegisters normal(
      String name, int width, long terms, long initial, long register) {
    return new KnownRegisters(
        name, new Divisor(Gf2Modulus.of(width, terms), false), initial, register);
  }

  private static KnownRegisters reflected(
      String name, int width, long terms, long initial, long reflected) {
    long register = Long.reverse(reflected) >>> (Long.SIZE - width);
    return new KnownRegisters(
        name, new Divisor(Gf2Modulus.of(width, terms), true), initial, register);
  }
}
