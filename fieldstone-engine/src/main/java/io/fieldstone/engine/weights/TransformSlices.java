package io.fieldstone.engine.weights;

import java.util.List;
import java.util.Objects;

/**
 * The definition of sums over slices of Walsh–Hadamard transforms, as {@link WeightTransforms}
 * computes them.
 *
 * <p>The words of a binary linear space are c(m) = Σ mᵢ·basisᵢ for the 2^k messages m. The first
 * {@code highBits} bits of a message are its high part, the other k − highBits its low part. For a
 * weight a and a functional s of messages, F_a(s) = Σ_m (−1)^(s·m) [wt c(m) = a]. A slice is the
 * set of all s with the same high part, and is counted {@code multiplicity} times.
 *
 * <p>A symmetry is an invertible map of messages that maps high parts to high parts, low parts to
 * low parts, and preserves the weight of every word. If A is a symmetry, F(Aᵀs) = F(s). So one
 * slice represents its orbit under a group of symmetries. Within a slice, one low part of each
 * orbit suffices before the transform. Engines do not check symmetries, and may ignore them.
 *
 * @param basis k words, 1 ≤ k ≤ {@value #MAX_ROWS}
 * @param highBits 0 … {@value #MAX_HIGH_BITS}, ≤ k; the low part has at most {@value #MAX_LOW_BITS}
 * @param slices the slices to sum, in this order
 * @param weights the weights a, ascending; words of other weights are ignored
 * @param symmetries a group: closed under composition, including the identity
 */
public record TransformSlices(
    BinaryWords basis,
    int highBits,
    List<Slice> slices,
    List<Integer> weights,
    List<Symmetry> symmetries) {

  /** The maximum k: sums of products of three transforms stay below 2^(3k), within 128 bits. */
  public static final int MAX_ROWS = 42;

  /**
   * The maximum number of high bits: the magnitude of a partial transform over them fits 16 bits.
   */
  public static final int MAX_HIGH_BITS = 14;

  /** The maximum number of low bits. */
  public static final int MAX_LOW_BITS = 30;

  /**
   * A set of functionals with the same high part.
   *
   * @param functional bit i is the coefficient of high bit i
   * @param multiplicity the factor of the slice in the sum, ≥ 0
   */
  public record Slice(int functional, long multiplicity) {
    public Slice {
      if (multiplicity < 0) {
        throw new IllegalArgumentException("multiplicity " + multiplicity + " is less than 0");
      }
    }
  }

  /**
   * A weight-preserving map of messages.
   *
   * @param high for each high bit, the high part it is mapped to, bit i its i-th bit
   * @param low for each low bit, the low part it is mapped to
   */
  public record Symmetry(List<Integer> high, List<Integer> low) {
    public Symmetry {
      high = List.copyOf(high);
      low = List.copyOf(low);
    }

    /** Returns the high part of Aᵀs: bit i is the value of s at the image of bit i. */
    public int transposed(int functional) {
      int image = 0;
      for (int bit = 0; bit < high.size(); bit++) {
        image |= (Integer.bitCount(high.get(bit) & functional) & 1) << bit;
      }
      return image;
    }
  }

  /**
   * Checks the shapes.
   *
   * @throws IllegalArgumentException if a number is out of its range, weights do not ascend, or
   *     there is no symmetry
   */
  public TransformSlices {
    Objects.requireNonNull(basis, "basis");
    slices = List.copyOf(slices);
    weights = List.copyOf(weights);
    symmetries = List.copyOf(symmetries);
    requireRange("rows", basis.count(), 1, MAX_ROWS);
    requireRange("high bits", highBits, 0, Math.min(MAX_HIGH_BITS, basis.count()));
    int lowBits = (int) basis.count() - highBits;
    requireRange("low bits", lowBits, 0, MAX_LOW_BITS);
    for (Slice slice : slices) {
      requireRange("functional", slice.functional(), 0, (1L << highBits) - 1);
    }
    int minWeight = 0;
    for (int weight : weights) {
      requireRange("weight", weight, minWeight, basis.length());
      minWeight = weight + 1;
    }
    requireRange("symmetries", symmetries.size(), 1, Integer.MAX_VALUE);
    for (Symmetry symmetry : symmetries) {
      requireRange("high bits of a symmetry", symmetry.high().size(), highBits, highBits);
      requireRange("low bits of a symmetry", symmetry.low().size(), lowBits, lowBits);
      symmetry.high().forEach(image -> requireRange("image", image, 0, (1L << highBits) - 1));
      symmetry.low().forEach(image -> requireRange("image", image, 0, (1L << lowBits) - 1));
    }
  }

  private static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException("%s %d is not in %d…%d".formatted(name, value, min, max));
    }
  }

  /** Returns the bits of the low part of a message. */
  public int lowBits() {
    return (int) basis.count() - highBits;
  }

  /** Returns a definition with only slices {@code first} … {@code first + count − 1}. */
  public TransformSlices slices(int first, int count) {
    Objects.checkFromIndexSize(first, count, slices.size());
    return new TransformSlices(
        basis, highBits, slices.subList(first, first + count), weights, symmetries);
  }
}
