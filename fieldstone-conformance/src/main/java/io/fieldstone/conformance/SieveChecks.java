package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.checksums.PolynomialSieve;
import io.fieldstone.field.Gf2Modulus;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * Checks that a sieve keeps each polynomial without an undetected error of up to four bits, and
 * that those that it excludes have one.
 */
final class SieveChecks {

  /** A known best polynomial, as in P. Koopman's list of HD 6: width, length, number. */
  private static final long[] BEST = {16, 135, 0x1EB2};

  /** Another one, which takes an oracle two million sums. */
  private static final long[] WIDE_BEST = {24, 2026, 0x3D80DE};

  /**
   * The polynomials on each side of a best one, at most: each takes an oracle thousands of sums.
   */
  private static final int AROUND_BEST = 300;

  private final Engine engine;
  private final SplittableRandom random;

  SieveChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Sieves polynomials at lengths at which some have an error, and some have not. */
  Optional<String> polynomials() {
    int width =
        PolynomialSieve.MIN_WIDTH
            + random.nextInt(PolynomialSieve.MAX_WIDTH - PolynomialSieve.MIN_WIDTH + 1);
    int bits = width + 1 + random.nextInt(Math.min(60, 1 << width / 3));
    long all = 1L << width - 1;
    long from = random.nextLong(all);
    return compare(width, bits, from, Math.min(all, from + random.nextInt(200)));
  }

  /** Sieves more polynomials, and a range around a known best one. */
  Optional<String> manyPolynomials() {
    int width = 12 + random.nextInt(8);
    long from = random.nextLong(1L << width - 2);
    long to = Math.min(1L << width - 1, from + 1500 + random.nextInt(500));
    Optional<String> failure = compare(width, 2 * width, from, to);
    if (failure.isPresent()) {
      return failure;
    }
    long[] best = random.nextInt(4) == 0 ? WIDE_BEST : BEST;
    int degree = (int) best[0];
    long reciprocal = Long.reverse(best[2]) >>> Long.SIZE - (degree - 1);
    long number = Math.min(best[2], reciprocal);
    long first = Math.max(0, number - random.nextInt(AROUND_BEST));
    long end = Math.min(1L << degree - 1, number + 1 + random.nextInt(AROUND_BEST));
    int length = degree + (int) best[1];
    long[] found = engine.polynomialSieve().sift(degree, length, first, end);
    return Arrays.binarySearch(found, number) >= 0
        ? Optional.empty()
        : Optional.of(
            "polynomial %d of width %d is excluded at %d bits".formatted(number, degree, length));
  }

  private Optional<String> compare(int width, int bits, long from, long to) {
    long[] found = engine.polynomialSieve().sift(width, bits, from, to);
    long[] least =
        LongStream.range(from, to)
            .filter(number -> PolynomialSieve.isSmaller(width, number))
            .filter(number -> !hasFour(Gf2Modulus.of(width, 2 * number + 1), bits))
            .toArray();
    String of = "%d…%d of width %d at %d bits".formatted(from, to, width, bits);
    for (int i = 0; i < found.length; i++) {
      if (found[i] < from || found[i] >= to || i > 0 && found[i] <= found[i - 1]) {
        return Optional.of("%s: %d in the wrong place".formatted(of, found[i]));
      }
      if (!PolynomialSieve.isSmaller(width, found[i])) {
        return Optional.of("%s: %d is the reciprocal of a smaller one".formatted(of, found[i]));
      }
    }
    for (long number : least) {
      if (Arrays.binarySearch(found, number) < 0) {
        return Optional.of("%s: %d is excluded".formatted(of, number));
      }
    }
    return Optional.empty();
  }

  /** Tests whether a sum of one to four different powers is 0, with 1 as one of them. */
  private static boolean hasFour(Gf2Modulus modulus, int bits) {
    long[] powers = new long[bits];
    powers[0] = 1;
    for (int i = 1; i < bits; i++) {
      powers[i] = modulus.timesX(powers[i - 1]);
    }
    long[] sorted = powers.clone();
    Arrays.sort(sorted);
    for (int i = 1; i < bits; i++) {
      long two = 1 ^ powers[i];
      if (two == 0 || Arrays.binarySearch(sorted, two) >= 0) {
        return true; // the third one is different: otherwise a power would be 0
      }
      for (int j = 1; j < i; j++) {
        long three = two ^ powers[j];
        if (three == 0
            || Arrays.binarySearch(sorted, three) >= 0 && !isOneOf(three, i, j, powers)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isOneOf(long value, int i, int j, long[] powers) {
    return value == 1 || value == powers[i] || value == powers[j];
  }

  /** Checks that arguments out of range are rejected. */
  Optional<String> misuse() {
    PolynomialSieve sieve = engine.polynomialSieve();
    List<Runnable> calls =
        List.of(
            () -> sieve.sift(2, 10, 0, 1),
            () -> sieve.sift(41, 100, 0, 1),
            () -> sieve.sift(8, 8, 0, 1),
            () -> sieve.sift(8, PolynomialSieve.MAX_BITS + 1, 0, 1),
            () -> sieve.sift(8, 20, -1, 1),
            () -> sieve.sift(8, 20, 2, 1),
            () -> sieve.sift(8, 20, 0, 129));
    return calls.stream()
        .map(WeightChecks::rejected)
        .flatMap(Optional::stream)
        .findFirst()
        .or(() -> {
          long[] none = sieve.sift(8, 20, 128, 128);
          return none.length == 0 ? Optional.empty() : Optional.of("an empty range has numbers");
        });
  }
}
