package io.fieldstone.bench.pcrc;

import io.fieldstone.engine.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** The codes that {@code bench pcrc} divides by. */
enum PcrcCode {
  /** The polynomial that the table of PCRC, Fig. 1 is of. */
  CRC_8("CRC-8", 8, 0x1D, false),
  /** That of X.25 and XMODEM; the paper does not say which it takes. */
  CRC_16("CRC-16", 16, 0x1021, false),
  /** Ethernet's polynomial (PCRC, Sec. III), high bit first as the paper divides. */
  CRC_32("CRC-32/BZIP2", 32, 0x04C11DB7, false),
  /** The same low bit first: what {@link CRC32} computes. */
  CRC_32_ZIP("CRC-32/ISO-HDLC", 32, 0x04C11DB7, true) {
    @Override
    Optional<Supplier<Checksum>> reference() {
      return Optional.of(CRC32::new);
    }
  },
  /** What {@link CRC32C} computes. */
  CRC_32C("CRC-32C", 32, 0x1EDC6F41, true) {
    @Override
    Optional<Supplier<Checksum>> reference() {
      return Optional.of(CRC32C::new);
    }
  },
  /** That of .xz files. */
  CRC_64("CRC-64/XZ", 64, 0x42F0E1EBA9EA3693L, true);

  /** Those of the paper's tables. */
  static final List<PcrcCode> OF_PAPER = List.of(CRC_8, CRC_16, CRC_32);

  /** One of each width. */
  static final List<PcrcCode> WIDTHS = List.of(CRC_8, CRC_16, CRC_32, CRC_64);

  private final String label;
  private final Divisor divisor;

  PcrcCode(String label, int width, long terms, boolean lowBitFirst) {
    this.label = label;
    this.divisor = new Divisor(Gf2Modulus.of(width, terms), lowBitFirst);
  }

  /** What a message is divided by. */
  Divisor divisor() {
    return divisor;
  }

  int width() {
    return divisor.degree();
  }

  /** What the JDK has for it. */
  Optional<Supplier<Checksum>> reference() {
    return Optional.empty();
  }

  /** Its name, in letters, digits and hyphens. */
  String fileName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Its name, as catalogues have it. */
  @Override
  public String toString() {
    return label;
  }
}
