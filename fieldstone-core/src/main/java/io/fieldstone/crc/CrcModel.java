package io.fieldstone.crc;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.nio.charset.StandardCharsets;

/**
 * A CRC algorithm by the parameters of the Rocksoft model (R. Williams, "A painless guide to CRC
 * error detection algorithms", 1993, Sec. 15): everything that decides which number a message gets.
 *
 * @param name for people
 * @param poly the generator polynomial in normal notation, of degree {@code poly.width()} and odd
 * @param init register before the first byte, not reflected
 * @param refin whether bytes are read least significant bit first
 * @param refout whether the register is reflected before the final XOR
 * @param xorout what is added to it then
 */
public record CrcModel(
    String name, CrcValue poly, CrcValue init, boolean refin, boolean refout, CrcValue xorout) {

  /** What {@link #check} is of. */
  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  /**
   * Checks that the parameters agree.
   *
   * @throws IllegalArgumentException if {@code init} or {@code xorout} is not as wide as the
   *     polynomial, or the polynomial is even
   */
  public CrcModel {
    requireWidth("init", init, poly);
    requireWidth("xorout", xorout, poly);
    requireOdd(poly);
  }

  /**
   * A model of zeros but for its polynomial; {@code with…} change the rest.
   *
   * @param poly in normal notation; {@link CrcNotation#toNormal} reads others
   */
  public static CrcModel of(String name, CrcValue poly) {
    CrcValue zeros = CrcValue.zeros(poly.width());
    return new CrcModel(name, poly, zeros, false, false, zeros);
  }

  /** The same with another initial register. */
  public CrcModel withInit(CrcValue newInit) {
    return new CrcModel(name, poly, newInit, refin, refout, xorout);
  }

  /** The same with other reflections. */
  public CrcModel withReflection(boolean newRefin, boolean newRefout) {
    return new CrcModel(name, poly, init, newRefin, newRefout, xorout);
  }

  /** The same with another final XOR. */
  public CrcModel withXorout(CrcValue newXorout) {
    return new CrcModel(name, poly, init, refin, refout, newXorout);
  }

  /** Bits of a checksum, 1 to 128. */
  public int width() {
    return poly.width();
  }

  /** The checksum of the nine digits {@code 123456789} in ASCII, by which models are told apart. */
  public CrcValue check() {
    WideModulus modulus = modulus();
    CrcValue register = init;
    for (byte digit : DIGITS) {
      register = modulus.appendByte(register, digit, refin);
    }
    return checksum(register);
  }

  /**
   * The register after a message and its checksum, reflected if {@code refout}, not XORed: the same
   * for every message that arrives without error.
   */
  public CrcValue residue() {
    WideModulus modulus = modulus();
    CrcValue difference = refout ? xorout.reflected() : xorout;
    CrcValue register = modulus.multiply(difference, modulus.xToThe(width()));
    return refout ? register.reflected() : register;
  }

  /** What is made of the register after a message. */
  CrcValue checksum(CrcValue register) {
    return (refout ? register.reflected() : register).xor(xorout);
  }

  /** The register that a checksum was made of. */
  CrcValue register(CrcValue checksum) {
    CrcValue plain = checksum.xor(xorout);
    return refout ? plain.reflected() : plain;
  }

  WideModulus modulus() {
    return new WideModulus(poly);
  }

  /** What engines divide by; only of models that are no wider than theirs. */
  Divisor divisor() {
    return new Divisor(Gf2Modulus.of(width(), poly.toLong()), refin);
  }

  /** Whether engines have registers as wide. */
  boolean isNarrow() {
    return width() <= Gf2Modulus.MAX_DEGREE;
  }

  static void requireOdd(CrcValue poly) {
    if (!poly.bit(0)) {
      throw new IllegalArgumentException(
          ("polynomial 0x%s is even: x divides it, so its last check bits would tell no more than "
                  + "those of a narrower one; in normal notation the last bit is 1")
              .formatted(poly));
    }
  }

  private static void requireWidth(String what, CrcValue value, CrcValue poly) {
    if (value.width() != poly.width()) {
      throw new IllegalArgumentException(
          "%s has %d bits and the polynomial %d".formatted(what, value.width(), poly.width()));
    }
  }

  /** Returns the model as catalogues write it. */
  @Override
  public String toString() {
    return "width=%d poly=0x%s init=0x%s refin=%b refout=%b xorout=0x%s name=\"%s\""
        .formatted(width(), poly, init, refin, refout, xorout, name);
  }
}
