package io.fieldstone.weights.codes;

import io.fieldstone.engine.Spelling;
import io.fieldstone.engine.weights.BinaryWords;
import io.fieldstone.field.Gf2Matrix;
import io.fieldstone.field.Gf2Modulus;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Codes by name: {@code hamming:r}, {@code simplex:r}, {@code golay:23}, {@code golay:24}, {@code
 * rm:r,m}, {@code bch:n,k}, {@code bch:n,d=designed distance}, {@code cyclic:n,generator polynomial
 * in hexadecimal}, {@code polynomial:n,polynomial in hexadecimal} (the words that it divides, as a
 * CRC makes). Each may be preceded by {@code extended:} or {@code dual:}.
 */
public final class CodeFamily {

  /** x^11 + x^9 + x^7 + x^6 + x^5 + x + 1, one of its two generator polynomials. */
  private static final BigInteger GOLAY = BigInteger.valueOf(0xAE3);

  private static final int GOLAY_LENGTH = 23;

  /** The maximum bits of columns of Hamming and simplex codes of any length. */
  private static final int MAX_LONG_COLUMN_BITS = 20;

  /** The forms of names, for display. */
  public static final List<String> FORMS =
      List.of(
          "hamming:r",
          "simplex:r",
          "golay:23",
          "golay:24",
          "rm:r,m",
          "bch:n,k",
          "bch:n,d=D",
          "cyclic:n,HEX",
          "polynomial:n,HEX",
          "extended:CODE",
          "dual:CODE");

  private CodeFamily() {}

  /** Returns true if a text has the form of a name rather than a file name. */
  public static boolean isName(String text) {
    return text.matches("(hamming|simplex|golay|rm|bch|cyclic|polynomial|extended|dual):.*");
  }

  /**
   * Returns the code with a name.
   *
   * @throws IllegalArgumentException if the name is not valid; the message suggests one or lists
   *     valid forms
   */
  public static BinaryCode parse(String name) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      throw unknown(name);
    }
    String parameters = name.substring(colon + 1);
    return switch (name.substring(0, colon)) {
      case "extended" -> parse(parameters).extended();
      case "dual" -> parse(parameters).dual();
      case "hamming" -> hamming(numbers(name, parameters, 1)[0]);
      case "simplex" -> simplex(numbers(name, parameters, 1)[0]);
      case "golay" -> golay(numbers(name, parameters, 1)[0]);
      case "rm" -> {
        int[] numbers = numbers(name, parameters, 2);
        yield reedMuller(numbers[0], numbers[1]);
      }
      case "bch" -> bch(name, parameters);
      case "cyclic" -> {
        LengthPolynomial numbers = LengthPolynomial.of(name, parameters);
        yield cyclic(numbers.length(), numbers.polynomial());
      }
      case "polynomial" -> {
        requireRange(
            "length", LengthPolynomial.of(name, parameters).length(), 1, BinaryWords.MAX_BITS);
        yield BinaryCode.ofParityCheck(matrix(name).rows());
      }
      default -> throw unknown(name);
    };
  }

  /**
   * Returns the code with a name by few generators or checks. The families {@code hamming}, {@code
   * simplex}, {@code cyclic} and {@code polynomial} have lengths up to {@value
   * CodeMatrix#MAX_LENGTH} here; the polynomial of a code longer than {@value BinaryWords#MAX_BITS}
   * has a degree of at most 64.
   *
   * @throws IllegalArgumentException as {@link #parse}
   */
  public static CodeMatrix matrix(String name) {
    int colon = name.indexOf(':');
    if (colon < 0) {
      throw unknown(name);
    }
    String parameters = name.substring(colon + 1);
    return switch (name.substring(0, colon)) {
      case "extended" -> matrix(parameters).extended();
      case "dual" -> matrix(parameters).dual();
      case "hamming" -> ofAllColumns(numbers(name, parameters, 1)[0], true);
      case "simplex" -> ofAllColumns(numbers(name, parameters, 1)[0], false);
      case "polynomial" -> LengthPolynomial.of(name, parameters).code();
      case "cyclic" -> {
        LengthPolynomial numbers = LengthPolynomial.of(name, parameters);
        yield numbers.length() > BinaryWords.MAX_BITS
            ? longCyclic(numbers)
            : new CodeMatrix(parse(name).generator(), false);
      }
      default -> new CodeMatrix(parse(name).generator(), false);
    };
  }

  private static CodeMatrix ofAllColumns(int r, boolean isParityCheck) {
    requireRange("r", r, 2, MAX_LONG_COLUMN_BITS);
    return new CodeMatrix(
        Gf2Matrix.generate(r, (1 << r) - 1, (row, column) -> (column + 1) >>> row & 1),
        isParityCheck);
  }

  private static CodeMatrix longCyclic(LengthPolynomial numbers) {
    CodeMatrix code = numbers.code();
    if (numbers.modulus().xToThe(numbers.length()) != 1) {
      throw notCyclic(numbers.length(), numbers.polynomial());
    }
    return code;
  }

  /** Returns the name that a text misspells, if its family is nearly one of them. */
  public static Optional<String> nearest(String text) {
    int colon = text.indexOf(':');
    List<String> families =
        FORMS.stream().map(form -> form.substring(0, form.indexOf(':'))).distinct().toList();
    return colon < 0
        ? Optional.empty()
        : Spelling.nearest(text.substring(0, colon), families)
            .map(family -> family + text.substring(colon));
  }

  private static IllegalArgumentException unknown(String name) {
    return new IllegalArgumentException(
        "no code '%s'; %s"
            .formatted(
                name,
                nearest(name)
                    .map("did you mean '%s'?"::formatted)
                    .orElseGet(() -> "there are: " + String.join(", ", FORMS))));
  }

  private static int[] numbers(String name, String parameters, int count) {
    String[] parts = parameters.split(",", -1);
    if (parts.length != count || !Arrays.stream(parts).allMatch(part -> part.matches("\\d{1,7}"))) {
      throw new IllegalArgumentException(
          "code '%s' needs %s after the colon"
              .formatted(
                  name, count == 1 ? "a number" : count + " numbers, separated by a comma,"));
    }
    return Arrays.stream(parts).mapToInt(Integer::parseInt).toArray();
  }

  private static BinaryCode bch(String name, String parameters) {
    String[] parts = parameters.split(",d=", -1);
    if (parts.length == 2) {
      int[] numbers = numbers(name, parts[0] + "," + parts[1], 2);
      return BchCodes.of(numbers[0]).withDistance(numbers[1]);
    }
    int[] numbers = numbers(name, parameters, 2);
    return BchCodes.of(numbers[0]).withDimension(numbers[1]);
  }

  /** The parameters of a code of multiples of a polynomial. */
  private record LengthPolynomial(int length, BigInteger polynomial) {

    static LengthPolynomial of(String name, String parameters) {
      String[] parts = parameters.split(",", -1);
      if (parts.length != 2 || !parts[1].matches("(0[xX])?[0-9a-fA-F]{1,65}")) {
        throw new IllegalArgumentException(
            "code '%s' needs a length and a hexadecimal polynomial after the colon"
                .formatted(name));
      }
      return new LengthPolynomial(
          numbers(name, parts[0], 1)[0], new BigInteger(parts[1].replaceFirst("0[xX]", ""), 16));
    }

    /** Returns the code of the multiples of the polynomial, if its degree is at most 64. */
    CodeMatrix code() {
      return CodeMatrix.ofPolynomial(length, modulus());
    }

    /** Returns the polynomial, if its degree is at most 64. */
    Gf2Modulus modulus() {
      int degree = polynomial.bitLength() - 1;
      if (degree < 1 || degree > Gf2Modulus.MAX_DEGREE) {
        throw new IllegalArgumentException(
            "polynomial 0x%s is not of degree 1 to %d"
                .formatted(hex(polynomial), Gf2Modulus.MAX_DEGREE));
      }
      return Gf2Modulus.of(degree, polynomial.clearBit(degree).longValue());
    }
  }

  private static String hex(BigInteger polynomial) {
    return polynomial.toString(16).toUpperCase(Locale.ROOT);
  }

  private static IllegalArgumentException notCyclic(int length, BigInteger generator) {
    return new IllegalArgumentException(
        "polynomial 0x%s does not divide x^%d - 1".formatted(hex(generator), length));
  }

  /**
   * Returns the Hamming code of length 2^r − 1 and distance 3, 2 ≤ r ≤ 8; column i is i + 1 in
   * binary.
   */
  public static BinaryCode hamming(int r) {
    return BinaryCode.ofParityCheck(allColumns(r));
  }

  /** Returns the simplex code, the dual of {@link #hamming}. */
  public static BinaryCode simplex(int r) {
    return BinaryCode.of(allColumns(r));
  }

  private static Gf2Matrix allColumns(int r) {
    requireRange("r", r, 2, 8);
    return Gf2Matrix.generate(r, (1 << r) - 1, (row, column) -> (column + 1) >>> row & 1);
  }

  /** Returns the binary Golay code of length 23, or its extension of length 24. */
  public static BinaryCode golay(int length) {
    requireRange("length of a Golay code", length, GOLAY_LENGTH, GOLAY_LENGTH + 1);
    BinaryCode perfect = cyclic(GOLAY_LENGTH, GOLAY);
    return length == GOLAY_LENGTH ? perfect : perfect.extended();
  }

  /**
   * Returns the Reed–Muller code of order r and length 2^m, 0 ≤ r ≤ m ≤ 8: the values of
   * polynomials of degree up to r at all points. Point i has the binary digits of i as coordinates.
   */
  public static BinaryCode reedMuller(int r, int m) {
    requireRange("m", m, 0, 8);
    requireRange("r", r, 0, m);
    List<Integer> monomials =
        IntStream.range(0, 1 << m)
            .filter(variables -> Integer.bitCount(variables) <= r)
            .boxed()
            .sorted((a, b) -> Integer.compare(Integer.bitCount(a), Integer.bitCount(b)))
            .toList();
    return BinaryCode.of(
        Gf2Matrix.generate(
            monomials.size(),
            1 << m,
            (row, point) -> (point & monomials.get(row)) == monomials.get(row) ? 1 : 0));
  }

  /**
   * Returns the cyclic code of a generator polynomial: its multiples modulo x^n − 1.
   *
   * @param generator bit i is the coefficient of x^i; divides x^n − 1
   * @throws IllegalArgumentException if it does not divide it, or n is not in 1…256
   */
  public static BinaryCode cyclic(int length, BigInteger generator) {
    requireRange("length", length, 1, BinaryWords.MAX_BITS);
    BigInteger modulus = BigInteger.ONE.shiftLeft(length).or(BigInteger.ONE);
    int degree = generator.bitLength() - 1;
    if (generator.signum() <= 0
        || degree > length
        || !remainder(modulus, generator).equals(BigInteger.ZERO)) {
      throw notCyclic(length, generator);
    }
    return BinaryCode.of(
        Gf2Matrix.generate(
            length - degree,
            length,
            (row, column) -> column >= row && generator.testBit(column - row) ? 1 : 0));
  }

  private static BigInteger remainder(BigInteger dividend, BigInteger divisor) {
    BigInteger rest = dividend;
    while (rest.bitLength() >= divisor.bitLength()) {
      rest = rest.xor(divisor.shiftLeft(rest.bitLength() - divisor.bitLength()));
    }
    return rest;
  }

  static void requireRange(String name, int value, int min, int max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }

  static String list(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }
}
