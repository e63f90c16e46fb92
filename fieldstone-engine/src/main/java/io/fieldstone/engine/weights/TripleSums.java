package io.fieldstone.engine.weights;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Objects;

/**
 * Signed 128-bit sums, one for each triple a ≤ b ≤ c in 0 … order − 1: sums of products F_a·F_b·F_c
 * in {@link WeightTransforms}. For one thread at a time.
 */
public final class TripleSums {

  private final int order;

  /** The sums in two's complement: the low half of sum i at 2i, the high half at 2i + 1. */
  private final long[] halves;

  /**
   * Creates sums of zero.
   *
   * @param order the number of factors to choose from, ≥ 0
   */
  public TripleSums(int order) {
    if (order < 0) {
      throw new IllegalArgumentException("order " + order + " is less than 0");
    }
    this.order = order;
    this.halves = new long[2 * count(order)];
  }

  /** Returns the number of triples a ≤ b ≤ c in 0 … {@code order} − 1. */
  public static int count(int order) {
    return Math.toIntExact((long) order * (order + 1) * (order + 2) / 6);
  }

  /** Returns the order. */
  public int order() {
    return order;
  }

  /**
   * Returns the index of a triple: triples ascend by a, then b, then c.
   *
   * @throws IndexOutOfBoundsException unless 0 ≤ a ≤ b ≤ c &lt; order
   */
  public int index(int a, int b, int c) {
    Objects.checkIndex(c, order);
    Objects.checkIndex(b, c + 1);
    Objects.checkIndex(a, b + 1);
    int fromA = order - a;
    int fromB = order - b;
    return count(order) - count(fromA) + (fromA * (fromA + 1) - fromB * (fromB + 1)) / 2 + c - b;
  }

  /** Adds high·2^64 + low, low unsigned, to a sum. */
  public void add(int index, long high, long low) {
    long sum = halves[2 * index] + low;
    long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
    halves[2 * index] = sum;
    halves[2 * index + 1] += high + carry;
  }

  /** Adds a signed number to a sum. */
  public void add(int index, long addend) {
    add(index, addend >> (Long.SIZE - 1), addend);
  }

  /** Adds the product of three signed numbers, less than 2^127 in magnitude, to a sum. */
  public void addProduct(int index, long a, long b, long c) {
    long pairHigh = Math.multiplyHigh(a, b);
    long pairLow = a * b;
    long sign = c >> (Long.SIZE - 1);
    long high = Math.unsignedMultiplyHigh(pairLow, c) - (pairLow & sign) + pairHigh * c;
    add(index, high, pairLow * c);
  }

  /**
   * Adds {@code multiple} times the other's sums.
   *
   * @param multiple the factor, ≥ 0
   * @throws IllegalArgumentException if the other has another order
   */
  public void addMultiple(TripleSums other, long multiple) {
    if (other.order != order) {
      throw new IllegalArgumentException("sums of order %d and %d".formatted(order, other.order));
    }
    for (int i = 0; i < halves.length / 2; i++) {
      long low = other.halves[2 * i];
      long high = Math.unsignedMultiplyHigh(low, multiple) + other.halves[2 * i + 1] * multiple;
      add(i, high, low * multiple);
    }
  }

  /** Returns the sum of a triple in any order. */
  public BigInteger get(int a, int b, int c) {
    int[] sorted = {a, b, c};
    Arrays.sort(sorted);
    return get(index(sorted[0], sorted[1], sorted[2]));
  }

  /** Returns the sum at an index. */
  public BigInteger get(int index) {
    BigInteger low = new BigInteger(Long.toUnsignedString(halves[2 * index]));
    return BigInteger.valueOf(halves[2 * index + 1]).shiftLeft(Long.SIZE).add(low);
  }

  /** Returns a copy of the sums, two longs each, low half first. */
  public long[] toArray() {
    return halves.clone();
  }

  /** Sets all sums to zero. */
  public void clear() {
    Arrays.fill(halves, 0);
  }
}
