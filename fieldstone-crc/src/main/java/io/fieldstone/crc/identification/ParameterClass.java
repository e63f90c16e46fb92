package io.fieldstone.crc.identification;

import io.fieldstone.field.Gf2Polynomial;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pairs of an initial register and a final XOR with which a polynomial explains equations. An
 * initial register is one of them if it is {@code init} modulo {@code period}.
 *
 * @param poly the generator polynomial
 * @param init an initial register
 * @param period a divisor of the polynomial
 * @param bits the length of a message
 * @param constant its register without init and final XOR
 */
record ParameterClass(
    Gf2Polynomial poly,
    Gf2Polynomial init,
    Gf2Polynomial period,
    int bits,
    Gf2Polynomial constant) {

  /** Returns the parameters that explain all equations; empty if there are none. */
  static Optional<ParameterClass> of(Gf2Polynomial poly, List<Equation> equations) {
    Optional<ParameterClass> solved = Optional.empty();
    Map<Integer, Gf2Polynomial> constants = new HashMap<>();
    for (Equation each : equations) {
      Gf2Polynomial constant = each.value().remainder(poly);
      Gf2Polynomial known = constants.putIfAbsent(each.bits(), constant);
      if (known != null && !known.equals(constant)) {
        return Optional.empty();
      }
      if (known == null) {
        solved =
            solved.isEmpty()
                ? Optional.of(
                    new ParameterClass(
                        poly, Gf2Polynomial.ZERO, Gf2Polynomial.ONE, each.bits(), constant))
                : solved.get().with(each.bits(), constant);
        if (solved.isEmpty()) {
          return Optional.empty();
        }
      }
    }
    return solved;
  }

  /** Returns the largest set of equations that a polynomial explains, in their order. */
  static List<Equation> explained(Gf2Polynomial poly, List<Equation> equations) {
    Map<Integer, Map<Gf2Polynomial, List<Equation>>> lengths = new HashMap<>();
    for (Equation each : equations) {
      lengths
          .computeIfAbsent(each.bits(), _ -> new HashMap<>())
          .computeIfAbsent(each.value().remainder(poly), _ -> new ArrayList<>())
          .add(each);
    }
    List<List<Equation>> majorities = new ArrayList<>();
    for (Map<Gf2Polynomial, List<Equation>> each : lengths.values()) {
      each.values().stream()
          .max((a, b) -> Integer.compare(a.size(), b.size()))
          .ifPresent(majorities::add);
    }
    majorities.sort((a, b) -> Integer.compare(b.size(), a.size()));
    List<Equation> explained = new ArrayList<>();
    for (List<Equation> each : majorities) {
      List<Equation> more = new ArrayList<>(explained);
      more.addAll(each);
      if (of(poly, more).isPresent()) {
        explained = more;
      }
    }
    explained.sort((a, b) -> Integer.compare(a.sample(), b.sample()));
    return explained;
  }

  /** Restricts the parameters by a message of another length. */
  private Optional<ParameterClass> with(int otherBits, Gf2Polynomial otherConstant) {
    // init = this.init + period · t; (x^bits + x^otherBits) · init = constant + otherConstant.
    Gf2Polynomial factor = power(bits).add(power(otherBits));
    Gf2Polynomial scaled = factor.multiplyModulo(period, poly);
    Gf2Polynomial wanted = constant.add(otherConstant).add(factor.multiply(init)).remainder(poly);
    Gf2Polynomial common = scaled.gcd(poly);
    if (!wanted.remainder(common).isZero()) {
      return Optional.empty();
    }
    Gf2Polynomial modulus = poly.divide(common);
    Gf2Polynomial t =
        modulus.degree() == 0
            ? Gf2Polynomial.ZERO
            : wanted
                .divide(common)
                .multiplyModulo(inverse(scaled.divide(common), modulus), modulus);
    return Optional.of(
        new ParameterClass(
            poly,
            init.add(period.multiply(t)).remainder(poly),
            period.multiply(modulus).gcd(poly),
            bits,
            constant));
  }

  private Gf2Polynomial power(int exponent) {
    return Gf2Polynomial.X.powerModulo(BigInteger.valueOf(exponent), poly);
  }

  /** Returns the inverse of an element that is prime to the modulus, by the extended algorithm. */
  private static Gf2Polynomial inverse(Gf2Polynomial element, Gf2Polynomial modulus) {
    Gf2Polynomial previous = modulus;
    Gf2Polynomial rest = element.remainder(modulus);
    Gf2Polynomial previousFactor = Gf2Polynomial.ZERO;
    Gf2Polynomial factor = Gf2Polynomial.ONE;
    while (rest.degree() > 0) {
      Gf2Polynomial quotient = previous.divide(rest);
      Gf2Polynomial next = previous.add(quotient.multiply(rest));
      Gf2Polynomial nextFactor = previousFactor.add(quotient.multiply(factor));
      previous = rest;
      rest = next;
      previousFactor = factor;
      factor = nextFactor;
    }
    return factor.remainder(modulus);
  }

  /** Returns the number of bits of init that the samples leave open. */
  int freeBits() {
    return poly.degree() - period.degree();
  }

  /**
   * Returns the number of bits of init that no messages of whole bytes can decide: for each choice
   * of them a final XOR makes the same checksums.
   */
  int equivalentBits() {
    return Gf2Polynomial.xToThe(Byte.SIZE).add(Gf2Polynomial.ONE).gcd(poly).degree();
  }

  /** Returns true if a value is among the initial registers. */
  boolean hasInit(Gf2Polynomial value) {
    return value.add(init).remainder(period).isZero();
  }

  /** Returns the final XOR that belongs to an initial register, before any reflection. */
  Gf2Polynomial xorout(Gf2Polynomial ofInit) {
    return constant.add(ofInit.multiply(power(bits))).remainder(poly);
  }

  /** Returns the initial register that belongs to a final XOR, if it is among them. */
  Optional<Gf2Polynomial> initOf(Gf2Polynomial xorout) {
    Gf2Polynomial found = xorout.add(constant).multiplyModulo(inverse(power(bits), poly), poly);
    return Optional.of(found).filter(this::hasInit);
  }

  /**
   * Returns the length in bytes of a message that decides all bits that can be decided: the least
   * one; empty if all are decided.
   */
  Optional<Integer> decidingBytes() {
    int target = equivalentBits();
    if (freeBits() <= target) {
      return Optional.empty();
    }
    for (int length = 1; length <= 2 * poly.degree() * Byte.SIZE; length++) {
      Gf2Polynomial factor = power(bits).add(power(length * Byte.SIZE));
      Gf2Polynomial scaled = factor.multiplyModulo(period, poly);
      Gf2Polynomial left = period.multiply(poly.divide(scaled.gcd(poly))).gcd(poly);
      if (poly.degree() - left.degree() <= target) {
        return Optional.of(length);
      }
    }
    return Optional.empty();
  }
}
