package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import io.fieldstone.engine.weights.TripleProducts;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import io.fieldstone.engine.weights.WeightTransforms;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Implements the transform port with {@link BlockedTripleProducts}. Large slices without symmetries
 * are divided into some that fit into the cache, by more high bits.
 */
final class BlockedTransforms implements WeightTransforms {

  /** Low bits of a slice of a megabyte or two. */
  private static final int CACHED_LOW_BITS = 15;

  /** Maximum high bits of divided slices: all slices are written to at the same time. */
  private static final int MAX_HIGH_BITS = 8;

  private final TransformKernel.Factory kernels;
  private final TaskPool workers;

  BlockedTransforms(TransformKernel.Factory kernels, TaskPool workers) {
    this.kernels = kernels;
    this.workers = workers;
  }

  @Override
  public TripleProducts open(TransformSlices transform) {
    int bits = dividingBits(transform);
    TransformSlices divided = bits == 0 ? transform : divide(transform, bits);
    TripleProducts products = new BlockedTripleProducts(divided, kernels.create(), workers);
    return bits == 0 ? products : new Divided(transform, bits, products);
  }

  private static int dividingBits(TransformSlices transform) {
    if (transform.symmetries().size() > 1) {
      return 0;
    }
    int spare = Math.max(0, MAX_HIGH_BITS - transform.highBits());
    return Math.clamp(transform.lowBits() - CACHED_LOW_BITS, 0, spare);
  }

  /**
   * Returns the transform with the lowest low bits as high bits; slices of one follow each other.
   */
  private static TransformSlices divide(TransformSlices transform, int bits) {
    int highBits = transform.highBits() + bits;
    List<Slice> slices =
        transform.slices().stream()
            .flatMap(slice ->
                IntStream.range(0, 1 << bits)
                    .mapToObj(part ->
                        new Slice(
                            slice.functional() | part << transform.highBits(),
                            slice.multiplicity())))
            .toList();
    Symmetry identity =
        new Symmetry(unitVectors(highBits), unitVectors(transform.lowBits() - bits));
    return new TransformSlices(
        transform.basis(), highBits, slices, transform.weights(), List.of(identity));
  }

  private static List<Integer> unitVectors(int bits) {
    return IntStream.range(0, bits).mapToObj(bit -> 1 << bit).toList();
  }

  /**
   * The sums of a divided transform by the slices of the original one.
   *
   * @param bits base-2 logarithm of the slices for one of the original
   */
  private record Divided(TransformSlices transform, int bits, TripleProducts products)
      implements TripleProducts {

    @Override
    public void add(int first, int count, TripleSums sums) {
      WeightPreconditions.requireSlices(transform, first, count, sums);
      products.add(first << bits, count << bits, sums);
    }

    @Override
    public void close() {
      products.close();
    }
  }
}
