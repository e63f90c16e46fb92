package io.fieldstone.crc.detection;

import io.fieldstone.field.Gf2Modulus;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Finds the multiple of a polynomial with the fewest degree among those of a number of terms: 1,
 * x^degree and powers between. Sums of half the powers between are in a table, and those of the
 * other half, with both outer terms, are looked up.
 *
 * <p>The search is for degrees at which no multiple has fewer terms. So the sums in the table are
 * distinct, and a sum that is found has no power in common with the one that is looked up.
 */
final class Collisions {

  /** The minimum number of degrees that are searched at once, and the divisor of their number. */
  private static final int MIN_DEGREES = 32;

  private static final int GROWTH = 6;
  private static final int BYTES_PER_SUM = 64;
  private static final int MAX_SUMS = 1 << 22;

  private final int stored;
  private final int asked;
  private final SumTable table = new SumTable();
  private final long[] powers;

  /**
   * What was searched.
   *
   * @param degree no multiple of so many terms has a degree below this one
   * @param isFound true if one has this degree
   */
  record Result(long degree, boolean isFound) {}

  private Collisions(int terms, long[] powers) {
    this.stored = (terms - 1) / 2;
    this.asked = terms - 2 - stored;
    this.powers = powers;
  }

  /**
   * Searches degrees below a bound.
   *
   * @param terms 3 or more
   * @param bound no multiple of fewer terms has a degree below it
   * @param maxWork the maximum number of sums that are looked up
   */
  static Result leastDegree(Gf2Modulus modulus, int terms, long bound, long maxWork) {
    int stored = (terms - 1) / 2;
    int asked = terms - 2 - stored;
    long sums = Math.min(MAX_SUMS, Runtime.getRuntime().maxMemory() / BYTES_PER_SUM);
    int degrees = modulus.degree();
    while (degrees < bound
        && degrees < MAX_SUMS
        && binomial(degrees, stored) <= sums
        && binomial(degrees, asked) * degrees / (asked + 1) <= maxWork) {
      degrees = (int) Math.min(bound, degrees + Math.max(1, degrees / 16));
      if (degrees == bound) {
        break;
      }
    }
    long[] powers = new long[degrees];
    long power = 1;
    for (int i = 0; i < degrees; i++) {
      powers[i] = power;
      power = modulus.timesX(power);
    }
    return new Collisions(terms, powers).search();
  }

  private static double binomial(int n, int k) {
    double product = 1;
    for (int i = 0; i < k; i++) {
      product *= (double) (n - i) / (i + 1);
    }
    return product;
  }

  private Result search() {
    int from = 1;
    while (from < powers.length) {
      int to = Math.min(powers.length, from + Math.max(MIN_DEGREES, from / GROWTH));
      for (int highest = from; highest < to; highest++) {
        store(stored - 1, highest, powers[highest], highest);
      }
      table.seal();
      AtomicLong least = new AtomicLong(Long.MAX_VALUE);
      int first = from;
      LongStream.range(first, to)
          .parallel()
          .forEach(degree -> {
            long found = ask(asked, (int) degree, powers[(int) degree] ^ 1);
            if (found >= 0) {
              least.accumulateAndGet(Math.max(degree, found), Math::min);
            }
          });
      if (least.get() != Long.MAX_VALUE) {
        return new Result(least.get(), true);
      }
      from = to;
    }
    return new Result(powers.length, false);
  }

  /** Stores the sums with a number of further powers below an exponent. */
  private void store(int more, int below, long sum, int highest) {
    if (more == 0) {
      table.put(sum, highest);
      return;
    }
    for (int exponent = more; exponent < below; exponent++) {
      store(more - 1, exponent, sum ^ powers[exponent], highest);
    }
  }

  /**
   * Looks up the sums with a number of further powers below an exponent.
   *
   * @return the least of the highest exponents of the sums that are found; −1 if none is
   */
  private long ask(int more, int below, long sum) {
    if (more == 0) {
      return table.get(sum);
    }
    long least = -1;
    if (more == 1) {
      for (int exponent = 1; exponent < below; exponent++) {
        if (table.mayHave(sum ^ powers[exponent])) {
          least = min(least, table.get(sum ^ powers[exponent]));
        }
      }
      return least;
    }
    for (int exponent = more; exponent < below; exponent++) {
      least = min(least, ask(more - 1, exponent, sum ^ powers[exponent]));
    }
    return least;
  }

  private static long min(long a, long b) {
    return a < 0 ? b : b < 0 ? a : Math.min(a, b);
  }
}
