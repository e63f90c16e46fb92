package io.fieldstone.crc;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.field.Gf2Modulus;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * The checks of docs/errata.md on PCRC, V to VII: its pseudocode as printed, with corrections, and
 * the definition.
 */
class PcrcErrataTest {

  private static final byte[] DIGITS = "123456789".getBytes(StandardCharsets.US_ASCII);

  /** The polynomial of the paper's Fig. 1. */
  private static final CrcModel CRC_8 = CrcModel.of("CRC-8", CrcValue.of(8, 0x1D));

  private static final CrcModel CRC_16 = CrcCatalogue.model("CRC-16/XMODEM");
  private static final CrcModel CRC_32 =
      CrcCatalogue.model("CRC-32/MPEG-2").withInit(CrcValue.zeros(32));

  /** Where the bitwise pseudocode of V adds the generator if bit {@code i} is 1. */
  private enum Place {
    /** {@code message[LSB : LSB-(M-1)]}: M coefficients from the tested bit down. */
    PRINTED,
    /** M + 1 coefficients, the leading 1 on the tested bit. */
    RIGHT
  }

  /** Where the initial value is added. */
  private enum Initial {
    /** {@code message[M-1 : 0]}: on the appended zeros. */
    PRINTED,
    /** On the first M bits of the message. */
    RIGHT
  }

  @Test
  void theBitwisePseudocodeAddsTheGeneratorOneBitTooHigh() {
    for (CrcModel model : new CrcModel[] {CRC_8, CRC_16, CRC_32}) {
      BigInteger right = RandomModels.number(model.check());
      assertThat(bitwise(model, DIGITS, Place.RIGHT, Initial.PRINTED)).isEqualTo(right);
      assertThat(bitwise(model, DIGITS, Place.PRINTED, Initial.PRINTED)).isNotEqualTo(right);
    }
  }

  @Test
  void thePseudocodePutsTheInitialValueAtTheWrongEnd() {
    CrcModel model = CrcCatalogue.model("CRC-16/IBM-3740");
    assertThat(model.init()).isEqualTo(CrcValue.ones(16));
    BigInteger right = RandomModels.number(model.check());
    assertThat(bitwise(model, DIGITS, Place.RIGHT, Initial.RIGHT)).isEqualTo(right);
    assertThat(bitwise(model, DIGITS, Place.RIGHT, Initial.PRINTED)).isNotEqualTo(right);
  }

  /** The table of Fig. 1 has the remainders of the right bitwise pseudocode, not the printed. */
  @Test
  void theTableOfFigureOneAndTheBytewisePseudocodeAreRight() {
    int[] figure = {0x00, 0x1d, 0x3a, 0x27, 0x74, 0x69, 0x4e, 0x53};
    for (int i = 0; i < figure.length; i++) {
      byte[] message = {(byte) i};
      assertThat(bitwise(CRC_8, message, Place.RIGHT, Initial.PRINTED)).isEqualTo(figure[i]);
    }
    assertThat(bitwise(CRC_8, new byte[] {1}, Place.PRINTED, Initial.PRINTED))
        .isNotEqualTo(figure[1]);
    assertThat(bytewise(CRC_8, DIGITS)).isEqualTo(RandomModels.number(CRC_8.check()));
    assertThat(bytewise(CRC_32, DIGITS)).isEqualTo(RandomModels.number(CRC_32.check()));
  }

  /** {@code message[LSB-8 : LSB-8-(M-1)] ^= lookup_table[message[LSB : LSB-7]]}. */
  private static BigInteger bytewise(CrcModel model, byte[] message) {
    int m = model.width();
    BigInteger running = new BigInteger(1, message).shiftLeft(m);
    for (int i = 0; i < message.length; i++) {
      int high = 8 * message.length + m - 1 - 8 * i;
      byte[] first = {running.shiftRight(high - 7).byteValue()};
      BigInteger remainder = bitwise(model, first, Place.RIGHT, Initial.PRINTED);
      running = running.xor(remainder.shiftLeft(high - 8 - (m - 1)));
    }
    return running.mod(BigInteger.ONE.shiftLeft(m));
  }

  private static BigInteger bitwise(CrcModel model, byte[] message, Place place, Initial initial) {
    int m = model.width();
    int n = 8 * message.length;
    BigInteger init = RandomModels.number(model.init());
    BigInteger running =
        new BigInteger(1, message)
            .shiftLeft(m)
            .xor(initial == Initial.RIGHT ? init.shiftLeft(n) : init);
    BigInteger generator = RandomModels.number(model.poly());
    for (int i = n + m - 1; i >= m; i--) {
      if (running.testBit(i)) {
        running =
            place == Place.RIGHT
                ? running.xor(generator.setBit(m).shiftLeft(i - m))
                : running.xor(generator.shiftLeft(i - (m - 1)));
      }
    }
    return running.mod(BigInteger.ONE.shiftLeft(m));
  }

  /** {@code 1 << (M * (i + 1))} in a register of 64 bits, as of a GPU or a core. */
  @Test
  void theShiftOfBetaOverflows() {
    Gf2Modulus modulus = CRC_32.divisor().modulus();
    long first = remainder(1L << 32, modulus);
    assertThat(first).isEqualTo(modulus.xToThe(32));
    // Java takes a distance modulo 64; in C it is undefined, and a GPU's register would hold 0.
    assertThat(remainder(1L << 64, modulus)).isEqualTo(1).isNotEqualTo(modulus.xToThe(64));
    assertThat(modulus.multiply(first, first)).isEqualTo(modulus.xToThe(64));
  }

  /** A polynomial with an even number of terms is divisible by x + 1. */
  @Test
  void theGeneratorNeedNotBeIrreducible() {
    for (String name : List.of("CRC-16/ARC", "CRC-32C")) {
      Gf2Modulus modulus = CrcCatalogue.model(name).divisor().modulus();
      assertThat((Long.bitCount(modulus.terms()) + 1) % 2).as(name).isZero();
    }
  }

  private static long remainder(long polynomial, Gf2Modulus modulus) {
    BigInteger divisor = BigInteger.valueOf(modulus.terms()).setBit(modulus.degree());
    BigInteger rest = new BigInteger(Long.toUnsignedString(polynomial));
    while (rest.bitLength() > modulus.degree()) {
      rest = rest.xor(divisor.shiftLeft(rest.bitLength() - divisor.bitLength()));
    }
    return rest.longValueExact();
  }

  /** The first chunk of a message is W_(n−1), so its factor is β_(n−1). */
  @Test
  void theIndexOfBetaCountsFromTheEnd() {
    byte[] message = new byte[64];
    new Random(7).nextBytes(message);
    int chunks = message.length / 2;
    BigInteger right = RandomModels.number(RandomModels.checksum(CRC_16, message));
    assertThat(sum(message, i -> chunks - 1 - i)).isEqualTo(right);
    assertThat(sum(message, i -> i)).isNotEqualTo(right);
  }

  /** The sum of W ⊗ β for chunks of 16 bits in the order of the message. */
  private static BigInteger sum(byte[] message, IntUnaryOperator indexOfBeta) {
    Gf2Modulus modulus = CRC_16.divisor().modulus();
    long sum = 0;
    for (int i = 0; i < message.length / 2; i++) {
      long chunk = (message[2 * i] & 0xFF) << 8 | message[2 * i + 1] & 0xFF;
      sum ^= modulus.multiply(chunk, modulus.xToThe(16L * (indexOfBeta.applyAsInt(i) + 1)));
    }
    return BigInteger.valueOf(sum);
  }
}
