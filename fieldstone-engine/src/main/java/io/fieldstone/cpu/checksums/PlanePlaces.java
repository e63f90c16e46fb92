package io.fieldstone.cpu.checksums;

import io.fieldstone.engine.checksums.Divisor;
import io.fieldstone.field.Gf2Modulus;
import java.util.Optional;

/**
 * The planes of a span that are heirs of the span before it, and the expression of each bit of that
 * span by them.
 *
 * <p>With X = x<sup>512</sup>, the step from a plane to the next, bits i of planes e are congruent
 * to x<sup>i</sup> X<sup>e</sup>. For n heirs these are 8n remainders, which have to span all
 * remainders. A random square matrix does so in 29 of 100 cases, so several choices of n planes are
 * tried. None succeeds if X has too few distinct powers: where the degrees of all factors divide 9,
 * so that X = x, or where the modulus divides a high power of x + 1. {@link LaneFold} folds by any
 * modulus.
 */
final class PlanePlaces {

  /** Planes of a span: vectors of 64 bytes. */
  static final int PLANES = 12;

  private static final int HALF = PLANES / 2;

  /** Bits of a plane's step. */
  private static final int STEP_BITS = LaneFold.V * Byte.SIZE;

  /** Run lengths in which the halves of a span alternate, the longest first. */
  private static final int[] RUNS = {6, 3, 2, 1};

  private final int heirs;
  private final int run;
  private final int[] places;
  private final Expressions expressions;
  private final Powers powers;

  private PlanePlaces(int heirs, int run, int[] places, Expressions expressions, Powers powers) {
    this.heirs = heirs;
    this.run = run;
    this.places = places;
    this.expressions = expressions;
    this.powers = powers;
  }

  /** Returns places for a divisor, in halves if possible; empty if no choice of heirs works. */
  static Optional<PlanePlaces> find(Divisor divisor) {
    int heirs = Math.ceilDiv(divisor.degree(), Byte.SIZE);
    Powers powers = new Powers(divisor);
    if (heirs <= HALF) {
      for (int run : RUNS) {
        Optional<PlanePlaces> found = find(powers, heirs, run, HALF);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return find(powers, heirs, PLANES, PLANES);
  }

  /** Tries all choices of heirs among planes that alternate in runs. */
  private static Optional<PlanePlaces> find(Powers powers, int heirs, int run, int among) {
    for (int choice = 0; choice < 1 << among; choice++) {
      if (Integer.bitCount(choice) == heirs) {
        int[] places = places(choice, heirs, run, among);
        Expressions expressions = new Expressions(powers, places, heirs);
        if (expressions.areComplete()) {
          return Optional.of(new PlanePlaces(heirs, run, places, expressions, powers));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the planes of a half or a span in processing order, the heirs first. */
  private static int[] places(int choice, int heirs, int run, int among) {
    int[] places = new int[PLANES];
    int chosen = 0;
    int others = heirs;
    for (int i = 0; i < among; i++) {
      int place = i / run * 2 * run + i % run;
      if ((choice >>> i & 1) != 0) {
        places[chosen++] = place;
      } else {
        places[others++] = place;
      }
    }
    for (int i = among; i < PLANES; i++) {
      places[i] = places[i - among] + run;
    }
    return places;
  }

  /** Returns the number of heirs: the bytes of a remainder. */
  int heirs() {
    return heirs;
  }

  /** Returns whether a span has two equal halves. */
  boolean halves() {
    return run <= HALF;
  }

  /** Returns the distance in bytes of corresponding planes of the two halves. */
  long mate() {
    return (long) run * LaneFold.V;
  }

  /** Returns the position of the i-th plane in processing order; the second half comes last. */
  int place(int i) {
    return places[i];
  }

  /**
   * Returns the bits of the next span that a bit of the i-th plane is congruent to; byte h is for
   * heir h.
   */
  long worth(int i, int bit) {
    return expressions.of(powers.of(places[i] - PLANES, bit));
  }

  /** Remainders of all bits of two spans. */
  private static final class Powers {

    private final long[][] powers = new long[2 * PLANES][Byte.SIZE];
    private final int degree;

    Powers(Divisor divisor) {
      Gf2Modulus modulus = divisor.modulus();
      degree = modulus.degree();
      long step = modulus.xToThe(STEP_BITS);
      long power = 1;
      for (int plane = powers.length - 1; plane >= 0; plane--) {
        long bitPower = power;
        for (int exponent = 0; exponent < Byte.SIZE; exponent++) {
          int bit = divisor.lowBitFirst() ? Byte.SIZE - 1 - exponent : exponent;
          powers[plane][bit] = bitPower;
          bitPower = modulus.timesX(bitPower);
        }
        power = modulus.multiply(power, step);
      }
    }

    /**
     * Returns the remainder of a bit of a plane of the second span; negative planes are in the
     * first.
     */
    long of(int plane, int bit) {
      return powers[PLANES + plane][bit];
    }
  }

  /** Remainders as sums of the bits of heirs: a basis in echelon form. */
  private static final class Expressions {

    private final long[] remainders = new long[Long.SIZE];
    private final long[] sums = new long[Long.SIZE];
    private final boolean complete;

    Expressions(Powers powers, int[] places, int heirs) {
      int rank = 0;
      for (int heir = 0; heir < heirs; heir++) {
        for (int bit = 0; bit < Byte.SIZE; bit++) {
          rank += add(powers.of(places[heir], bit), 1L << heir * Byte.SIZE + bit);
        }
      }
      complete = rank == powers.degree;
    }

    /** Returns 1 if the remainder is not a sum of those before. */
    private int add(long remainder, long sum) {
      long rest = remainder;
      long inSum = sum;
      while (rest != 0) {
        int lead = Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
        if (remainders[lead] == 0) {
          remainders[lead] = rest;
          sums[lead] = inSum;
          return 1;
        }
        rest ^= remainders[lead];
        inSum ^= sums[lead];
      }
      return 0;
    }

    boolean areComplete() {
      return complete;
    }

    long of(long remainder) {
      long sum = 0;
      for (long rest = remainder; rest != 0; ) {
        int lead = Long.SIZE - 1 - Long.numberOfLeadingZeros(rest);
        rest ^= remainders[lead];
        sum ^= sums[lead];
      }
      return sum;
    }
  }
}
