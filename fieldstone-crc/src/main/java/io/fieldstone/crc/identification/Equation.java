package io.fieldstone.crc.identification;

import io.fieldstone.crc.CrcValue;
import io.fieldstone.field.Gf2Polynomial;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a sample says of a CRC: {@code value + init · x^bits + constant} is a multiple of the
 * generator polynomial.
 *
 * @param sample the number of the sample
 * @param bits the length of the message in bits
 * @param value the message times x<sup>width</sup>, plus the register
 */
record Equation(int sample, int bits, Gf2Polynomial value) {

  static Equation of(int sample, byte[] message, CrcValue register, boolean refin) {
    long[] words = new long[message.length / Long.BYTES + 1];
    for (int i = 0; i < message.length; i++) {
      int place = message.length - 1 - i;
      int bits =
          refin ? Integer.reverse(message[i]) >>> Integer.SIZE - Byte.SIZE : message[i] & 0xFF;
      words[place / Long.BYTES] |= (long) bits << place * Byte.SIZE;
    }
    return new Equation(
        sample,
        message.length * Byte.SIZE,
        Gf2Polynomial.of(words)
            .shiftedLeft(register.width())
            .add(Gf2Polynomial.of(register.low(), register.high())));
  }

  /**
   * Returns the multiples of the polynomial that follow from pairs, and from triples of lengths.
   */
  static List<Gf2Polynomial> multiples(List<Equation> equations) {
    Map<Integer, Equation> byLength = new HashMap<>();
    List<Equation> lengths = new ArrayList<>();
    List<Gf2Polynomial> multiples = new ArrayList<>();
    for (Equation each : equations) {
      Equation first = byLength.putIfAbsent(each.bits(), each);
      if (first == null) {
        lengths.add(each);
      } else {
        multiples.add(first.value().add(each.value()));
      }
    }
    lengths.sort((a, b) -> Integer.compare(a.bits(), b.bits()));
    for (int i = 2; i < lengths.size(); i++) {
      multiples.add(withoutInit(lengths.get(0), lengths.get(1), lengths.get(i)));
    }
    return multiples;
  }

  /**
   * Eliminates the initial register from three samples of ascending lengths. Their sums with the
   * first are init · (x^a + x^b) and init · (x^a + x^c), times any power of x.
   */
  private static Gf2Polynomial withoutInit(Equation a, Equation b, Equation c) {
    Gf2Polynomial first = a.value().add(b.value());
    Gf2Polynomial second = a.value().add(c.value());
    return first
        .shiftedLeft(c.bits() - a.bits())
        .add(first)
        .add(second.shiftedLeft(b.bits() - a.bits()))
        .add(second);
  }

  /**
   * Returns the greatest common divisor of the multiples, without factors x; 0 if there are none,
   * and 1 as soon as its degree is less than the width.
   */
  static Gf2Polynomial commonDivisor(List<Gf2Polynomial> multiples, int width) {
    Gf2Polynomial divisor = Gf2Polynomial.ZERO;
    for (Gf2Polynomial each : multiples) {
      divisor = divisor.gcd(each);
      if (!divisor.isZero() && divisor.degree() < width) {
        return Gf2Polynomial.ONE;
      }
    }
    int zeros = 0;
    while (!divisor.isZero() && !divisor.bit(zeros)) {
      zeros++;
    }
    return zeros == 0 ? divisor : divisor.divide(Gf2Polynomial.xToThe(zeros));
  }
}
