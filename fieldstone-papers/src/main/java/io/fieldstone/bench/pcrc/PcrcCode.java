package io.fieldstone.bench.pcrc;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The codes of {@code bench pcrc}. */
enum PcrcCode {
  /** The polynomial of the table in PCRC, Fig. 1. */
  CRC_8("CRC-8", 8, 0x1D, false),
  /** The polynomial of X.25 and XMODEM; the paper does not name its own. */
  CRC_16("CRC-16", 16, 0x1021, false),
  /** The polynomial of Ethernet (PCRC, Sec. III), high bit first, as the paper divides. */
  CRC_32("CRC-32/BZIP2", 32, 0x04C11DB7, false),
  /** The same polynomial, low bit first: {@link CRC32}. */
  CRC_32_ZIP("CRC-32/ISO-HDLC", 32, 0x04C11DB7, true) {
    @Override
    Optional<Supplier<Checksum>> reference() {
      return Optional.of(CRC32::new);
    }
  },
  /** The polynomial of {@link CRC32C}. */
  CRC_32C("CRC-32C", 32, 0x1EDC6F41, true) {
    @Override
    Optional<Supplier<Checksum>> reference() {
      return Optional.of(CRC32C::new);
    }
  },
  /** The polynomial of .xz files. */
  CRC_64("CRC-64/XZ", 64, 0x42F0E1EBA9EA3693L, true);

  /** The codes of the tables of the paper. */
  static final List<PcrcCode> OF_PAPER = List.of(CRC_8, CRC_16, CRC_32);

  /** A code of each width. */
  static final List<PcrcCode> WIDTHS = List.of(CRC_8, CRC_16, CRC_32, CRC_64);

  private final String label;
  private final Divisor divisor;

  PcrcCode(String label, int width, long terms, boolean lowBitFirst) {
    this.label = label;
    this.divisor = new Divisor(Gf2Modulus.of(width, terms), lowBitFirst);
  }

  /** Returns the divisor. */
  Divisor divisor() {
    return divisor;
  }

  int width() {
    return divisor.degree();
  }

  /** Returns the checksum of the JDK, if it has the code. */
  Optional<Supplier<Checksum>> reference() {
    return Optional.empty();
  }

  /** Returns a name for files: letters, digits and hyphens. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the name in catalogues of CRCs. */
  @Override
  public String toString() {
    return label;
  }
}
