package io.fieldstone.crc;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Computes discrete logarithms to the base x, by Daniel Shanks's baby-step giant-step method. Finds
 * exponents below n in about √n steps.
 */
final class PowersOfX {

  /** The maximum number of baby steps: more are faster until they fill the caches. */
  private static final long MAX_BABY_STEPS = 1 << 18;

  private final WideModulus modulus;
  private final long limit;
  private final long babySteps;

  /** The exponent of each power of x below the number of baby steps, or below the period. */
  private final Map<CrcValue, Long> exponents = new HashMap<>();

  /** 1 / x^{@link #babySteps}. */
  private final CrcValue giantStep;

  /**
   * Computes the baby steps.
   *
   * @param limit exponents below it are found, ≥ 1
   */
  PowersOfX(WideModulus modulus, long limit) {
    this.modulus = modulus;
    this.limit = limit;
    this.babySteps = Math.clamp((long) Math.ceil(Math.sqrt((double) limit)), 1, MAX_BABY_STEPS);
    CrcValue power = modulus.one();
    for (long exponent = 0; exponent < babySteps; exponent++) {
      if (exponents.putIfAbsent(power, exponent) != null) {
        break; // The powers repeat: the period is shorter.
      }
      power = modulus.timesX(power);
    }
    giantStep = modulus.power(modulus.inverseOfX(), babySteps);
  }

  /** Returns the minimum exponent below the limit for which x to that power is the remainder. */
  OptionalLong exponent(CrcValue remainder) {
    return search(remainder, 0);
  }

  /** Returns the minimum positive exponent below the limit for which x to that power is 1. */
  OptionalLong period() {
    return exponents.size() < babySteps
        ? OptionalLong.of(exponents.size())
        : search(giantStep, babySteps);
  }

  /**
   * Searches exponents of at least {@code from}.
   *
   * @param remainder already divided by x^from
   */
  private OptionalLong search(CrcValue remainder, long from) {
    CrcValue rest = remainder;
    for (long done = from; done < limit; done += babySteps) {
      Long exponent = exponents.get(rest);
      if (exponent != null) {
        long found = done + exponent;
        return found < limit ? OptionalLong.of(found) : OptionalLong.empty();
      }
      if (exponents.size() < babySteps) {
        return OptionalLong.empty(); // All powers have been examined.
      }
      rest = modulus.multiply(rest, giantStep);
    }
    return OptionalLong.empty();
  }
}
