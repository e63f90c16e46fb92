package io.fieldstone.field;

import java.math.BigInteger;
import java.util.SortedSet;
import java.util.TreeSet;

/** Finds the prime factors of integers by trial division and Pollard's rho method. */
final class PrimeFactors {

  private static final int MAX_TRIAL = 1000;
  private static final int CERTAINTY = 60;

  private PrimeFactors() {}

  /** Returns the distinct prime factors of a number of 1 or more. */
  static SortedSet<BigInteger> of(BigInteger number) {
    SortedSet<BigInteger> primes = new TreeSet<>();
    BigInteger rest = number;
    for (int trial = 2; trial < MAX_TRIAL; trial++) {
      BigInteger divisor = BigInteger.valueOf(trial);
      while (rest.mod(divisor).signum() == 0) {
        primes.add(divisor);
        rest = rest.divide(divisor);
      }
    }
    split(rest, primes);
    return primes;
  }

  private static void split(BigInteger number, SortedSet<BigInteger> primes) {
    if (number.equals(BigInteger.ONE)) {
      return;
    }
    if (number.isProbablePrime(CERTAINTY)) {
      primes.add(number);
      return;
    }
    BigInteger divisor = number;
    for (int constant = 1; divisor.equals(number); constant++) {
      divisor = rho(number, BigInteger.valueOf(constant));
    }
    split(divisor, primes);
    split(number.divide(divisor), primes);
  }

  /** Returns a divisor greater than 1, which may be the number itself. */
  private static BigInteger rho(BigInteger number, BigInteger constant) {
    BigInteger slow = BigInteger.TWO;
    BigInteger fast = BigInteger.TWO;
    BigInteger divisor = BigInteger.ONE;
    while (divisor.equals(BigInteger.ONE)) {
      slow = slow.multiply(slow).add(constant).mod(number);
      fast = fast.multiply(fast).add(constant).mod(number);
      fast = fast.multiply(fast).add(constant).mod(number);
      divisor = slow.subtract(fast).gcd(number);
    }
    return divisor;
  }
}
