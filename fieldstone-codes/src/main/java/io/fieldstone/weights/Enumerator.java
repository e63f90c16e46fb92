package io.fieldstone.weights;

import java.math.BigInteger;
import java.util.StringJoiner;

/** A polynomial with positive coefficients as text, term by term. For one thread. */
final class Enumerator {

  private final String[] variables;
  private final StringJoiner terms = new StringJoiner(" + ");

  Enumerator(String... variables) {
    this.variables = variables;
  }

  /**
   * Adds a term.
   *
   * @param coefficient positive; 1 is left out if a variable follows
   * @param exponents one for each variable; powers of exponent 0 are left out
   */
  void add(BigInteger coefficient, int... exponents) {
    StringJoiner factors = new StringJoiner("*");
    if (!coefficient.equals(BigInteger.ONE)) {
      factors.add(coefficient.toString());
    }
    for (int i = 0; i < variables.length; i++) {
      if (exponents[i] > 0) {
        factors.add(exponents[i] == 1 ? variables[i] : variables[i] + "^" + exponents[i]);
      }
    }
    terms.add(factors.length() == 0 ? "1" : factors.toString());
  }

  @Override
  public String toString() {
    return terms.toString();
  }
}
