package io.fieldstone.crc;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.nio.charset.StandardCharsets;

/**
 * A CRC algorithm, by the parameters of the Rocksoft model (Ross Williams, "A painless guide to CRC
 * error detection algorithms", 1993, Section 15).
 *
 * {@snippet :
 * CrcModel model =
 *     CrcModel.of("mine", CrcValue.parse(32, "0x04C11DB7"))
 *         .withInit(CrcValue.ones(32))
 *         .withReflection(true, true)
 *         .withXorout(CrcValue.ones(32));
 * CrcValue checksum = Crc.of(model).hash(message);
 * }
 *
 * @param name the name for display
 * @param poly the generator polynomial in normal notation, of degree {@code poly.width()} and odd
 * @param init the register before the first byte, not reflected
 * @param refin true if bytes are read least significant bit first
 * @param refout true if the register is reflected before the final XOR
 * @param xorout the final XOR
 */
public record CrcModel(
    String name, CrcValue poly, CrcValue init, boolean refin, boolean refout, CrcValue xorout) {

  /** The message of {@link #check}. */
  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  /**
   * Checks that the parameters agree.
   *
   * @throws IllegalArgumentException if {@code init} or {@code xorout} has another width than the
   *     polynomial, or the polynomial is even
   */
  public CrcModel {
    requireWidth("init", init, poly);
    requireWidth("xorout", xorout, poly);
    requireOdd(poly);
  }

  /**
   * Returns a model with a polynomial, zero values and no reflection; {@code with…} methods set the
   * rest.
   *
   * @param poly in normal notation; {@link CrcNotation#toNormal} converts others
   */
  public static CrcModel of(String name, CrcValue poly) {
    CrcValue zeros = CrcValue.zeros(poly.width());
    return new CrcModel(name, poly, zeros, false, false, zeros);
  }

  /** Returns this model with another initial register. */
  public CrcModel withInit(CrcValue newInit) {
    return new CrcModel(name, poly, newInit, refin, refout, xorout);
  }

  /** Returns this model with other reflections. */
  public CrcModel withReflection(boolean newRefin, boolean newRefout) {
    return new CrcModel(name, poly, init, newRefin, newRefout, xorout);
  }

  /** Returns this model with another final XOR. */
  public CrcModel withXorout(CrcValue newXorout) {
    return new CrcModel(name, poly, init, refin, refout, newXorout);
  }

  /** Returns the bits of a checksum, 1 to 128. */
  public int width() {
    return poly.width();
  }

  /** Returns the checksum of the nine ASCII digits {@code 123456789}, which identifies a model. */
  public CrcValue check() {
    WideModulus modulus = modulus();
    CrcValue register = init;
    for (byte digit : DIGITS) {
      register = modulus.appendByte(register, digit, refin);
    }
    return checksum(register);
  }

  /**
   * Returns the register after a message and its checksum, reflected if {@code refout}, without the
   * final XOR. It is the same for every error-free message.
   */
  public CrcValue residue() {
    WideModulus modulus = modulus();
    CrcValue difference = refout ? xorout.reflected() : xorout;
    CrcValue register = modulus.multiply(difference, modulus.xToThe(width()));
    return refout ? register.reflected() : register;
  }

  /** Converts the register after a message to the checksum. */
  CrcValue checksum(CrcValue register) {
    return (refout ? register.reflected() : register).xor(xorout);
  }

  /** Converts a checksum to the register after the message. */
  CrcValue register(CrcValue checksum) {
    CrcValue plain = checksum.xor(xorout);
    return refout ? plain.reflected() : plain;
  }

  WideModulus modulus() {
    return new WideModulus(poly);
  }

  /** Returns the divisor for engines; only for models that are {@linkplain #isNarrow narrow}. */
  Divisor divisor() {
    return new Divisor(Gf2Modulus.of(width(), poly.toLong()), refin);
  }

  /** Returns true if the model fits the 64-bit registers of engines. */
  boolean isNarrow() {
    return width() <= Gf2Modulus.MAX_DEGREE;
  }

  static void requireOdd(CrcValue poly) {
    if (!poly.bit(0)) {
      throw new IllegalArgumentException(
          ("polynomial 0x%s is even: x divides it, so a narrower CRC would detect as many errors; "
                  + "in normal notation the last bit is 1")
              .formatted(poly));
    }
  }

  private static void requireWidth(String what, CrcValue value, CrcValue poly) {
    if (value.width() != poly.width()) {
      throw new IllegalArgumentException(
          "%s has %d bits and the polynomial %d".formatted(what, value.width(), poly.width()));
    }
  }

  /** Returns the model in the notation of catalogues. */
  @Override
  public String toString() {
    return "width=%d poly=0x%s init=0x%s refin=%b refout=%b xorout=0x%s name=\"%s\""
        .formatted(width(), poly, init, refin, refout, xorout, name);
  }
}
