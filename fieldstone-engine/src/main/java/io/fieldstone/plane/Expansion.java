package io.fieldstone.plane;

import java.util.Arrays;

/**
 * An exact number, represented as a sum of doubles. Immutable.
 *
 * <p>The terms do not overlap and ascend in magnitude, so the last has the sign of the sum. Results
 * are exact without overflow or underflow. This holds for numbers between {@link #MIN_MAGNITUDE}
 * and {@link #MAX_MAGNITUDE}, their differences, and products of up to six of those.
 *
 * <p>Source: J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast Robust
 * Geometric Predicates", Discrete &amp; Computational Geometry 18, 1997: Grow-Expansion (Theorem
 * 10), Scale-Expansion (Theorem 19), with a fused multiply-add for the error of a product.
 */
public final class Expansion {

  /**
   * The minimum nonzero magnitude of safe inputs: the last bit of a product of six is at least
   * (2^−100 · 2^−52)^6 = 2^−912.
   */
  public static final double MIN_MAGNITUDE = 0x1p-100;

  /** The maximum magnitude of safe inputs. */
  public static final double MAX_MAGNITUDE = 0x1p100;

  private final double[] terms;

  private Expansion(double[] terms) {
    this.terms = terms;
  }

  /** Returns a − b. */
  public static Expansion difference(double a, double b) {
    double sum = a - b;
    return ofTwo(sum, sumError(a, -b, sum));
  }

  /** Returns a. */
  public static Expansion of(double a) {
    return new Expansion(a == 0 ? new double[0] : new double[] {a});
  }

  /** Returns the sum of this and another number. */
  public Expansion plus(Expansion other) {
    double[] sum = Arrays.copyOf(terms, terms.length + other.terms.length);
    int length = terms.length;
    for (double term : other.terms) {
      length = grow(sum, length, term);
    }
    return new Expansion(Arrays.copyOf(sum, length));
  }

  /** Returns the difference of this and another number. */
  public Expansion minus(Expansion other) {
    return plus(other.times(-1));
  }

  /** Returns the product of this and another number. */
  public Expansion times(Expansion other) {
    Expansion sum = new Expansion(new double[0]);
    for (double term : other.terms) {
      sum = sum.plus(times(term));
    }
    return sum;
  }

  /** Returns the square of this number. */
  public Expansion squared() {
    return times(this);
  }

  /** Returns the product of this number and a double. */
  public Expansion times(double factor) {
    double[] product = new double[2 * terms.length];
    int length = 0;
    double carry = 0;
    for (double term : terms) {
      double high = term * factor;
      double low = Math.fma(term, factor, -high);
      double sum = carry + low;
      length = append(product, length, sumError(carry, low, sum));
      carry = high + sum;
      length = append(product, length, sumError(high, sum, carry));
    }
    length = append(product, length, carry);
    return new Expansion(Arrays.copyOf(product, length));
  }

  /** Returns −1, 0 or 1 if the number is less than, equal to or greater than 0. */
  public int signum() {
    return terms.length == 0 ? 0 : (int) Math.signum(terms[terms.length - 1]);
  }

  private static Expansion ofTwo(double high, double low) {
    double[] both = new double[2];
    int length = append(both, append(both, 0, low), high);
    return new Expansion(Arrays.copyOf(both, length));
  }

  /** Adds a double to the first {@code length} terms; returns the new number of terms. */
  private static int grow(double[] sum, int length, double addend) {
    double carry = addend;
    int kept = 0;
    for (int i = 0; i < length; i++) {
      double term = sum[i];
      double next = carry + term;
      kept = append(sum, kept, sumError(carry, term, next));
      carry = next;
    }
    return append(sum, kept, carry);
  }

  private static int append(double[] terms, int length, double term) {
    if (term == 0) {
      return length;
    }
    terms[length] = term;
    return length + 1;
  }

  /** Returns the rounding error of {@code sum} = a + b (Two-Sum, Theorem 7). */
  private static double sumError(double a, double b, double sum) {
    double virtual = sum - a;
    return (a - (sum - virtual)) + (b - virtual);
  }
}
