package io.fieldstone.weights;

import io.fieldstone.engine.weights.TransformSlices;
import io.fieldstone.engine.weights.TransformSlices.Slice;
import io.fieldstone.engine.weights.TransformSlices.Symmetry;
import io.fieldstone.engine.weights.TripleSums;
import io.fieldstone.field.Gf2Orbits;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The division of messages into the high and the low part of a transform, and one slice of each
 * orbit of high parts under the symmetries.
 *
 * @param space the messages; the first blocks are the high part
 */
record TransformLayout(MessageSpace space, int highBits, List<Slice> slices) {

  /**
   * The low bits without symmetries: slices of millions of functionals, tens of megabytes per
   * weight.
   */
  private static final int PLAIN_LOW_BITS = 21;

  /** The approximate cost of a point of the partial transforms relative to other points. */
  private static final double FILL_COST = 2;

  /**
   * Returns the layout with the least cost; empty if the space is too large.
   *
   * @param weights the number of different weights of words
   */
  static Optional<TransformLayout> of(MessageSpace space, int weights) {
    if (space.dimension() < 1 || space.dimension() > TransformSlices.MAX_ROWS) {
      return Optional.empty();
    }
    if (space.group().size() == 1) {
      return plain(space);
    }
    TransformLayout best = null;
    MessageSpace arranged = largestFirst(space);
    int highBits = 0;
    for (int size : arranged.blocks()) {
      highBits += size;
      if (isPossible(arranged, highBits)) {
        TransformLayout layout = symmetric(arranged, highBits);
        if (best == null || layout.operations(weights) < best.operations(weights)) {
          best = layout;
        }
      }
    }
    return best == null ? plain(space.withoutSymmetries()) : Optional.of(best);
  }

  private static Optional<TransformLayout> plain(MessageSpace space) {
    int highBits = Math.clamp(space.dimension() - PLAIN_LOW_BITS, 0, TransformSlices.MAX_HIGH_BITS);
    if (space.dimension() - highBits > TransformSlices.MAX_LOW_BITS) {
      return Optional.empty();
    }
    List<Slice> slices =
        IntStream.range(0, 1 << highBits).mapToObj(functional -> new Slice(functional, 1)).toList();
    return Optional.of(new TransformLayout(space, highBits, slices));
  }

  /** Orders the blocks by descending size: few slices, whose high parts symmetries permute. */
  private static MessageSpace largestFirst(MessageSpace space) {
    return space.reordered(
        IntStream.range(0, space.blocks().size())
            .boxed()
            .sorted(Comparator.comparing((Integer block) -> space.blocks().get(block)).reversed())
            .toList());
  }

  private static boolean isPossible(MessageSpace space, int highBits) {
    return highBits <= TransformSlices.MAX_HIGH_BITS
        && space.dimension() - highBits <= TransformSlices.MAX_LOW_BITS;
  }

  private static TransformLayout symmetric(MessageSpace space, int highBits) {
    List<List<Integer>> transposed =
        space.maps().stream().map(map -> transposed(map, highBits)).toList();
    List<Slice> slices = new ArrayList<>();
    new Gf2Orbits(highBits, transposed)
        .forEach((functional, size) -> slices.add(new Slice(functional, size)));
    return new TransformLayout(space, highBits, slices);
  }

  /**
   * Returns the map of functionals: bit i of an image is the value of the functional at the image
   * of bit i.
   */
  private static List<Integer> transposed(long[] map, int bits) {
    return IntStream.range(0, bits)
        .mapToObj(functional ->
            IntStream.range(0, bits).map(bit -> (int) (map[bit] >>> functional & 1) << bit).sum())
        .toList();
  }

  int lowBits() {
    return space.dimension() - highBits;
  }

  /** Returns the approximate number of integer additions and multiplications. */
  double operations(int weights) {
    double sums =
        slices.size()
            * Math.scalb(1.0, lowBits())
            * (passOperations(weights, lowBits()) + TripleSums.count(weights));
    return fillOperations(weights) + sums;
  }

  /** Returns the operations of the partial transforms, of one slice or of all at once. */
  double fillOperations(int weights) {
    return Math.scalb(1.0, space.dimension())
        / space.group().size()
        * passOperations(weights, highBits);
  }

  /** Returns the approximate operations of a point in a transform over this many bits. */
  static double passOperations(int weights, int bits) {
    return weights * (bits + FILL_COST);
  }

  /** Returns the bytes of one slice and its partial transform. */
  double sliceBytes(int weights) {
    return Math.scalb(1.0, lowBits()) * weights * (Integer.BYTES + Short.BYTES);
  }

  TransformSlices slices(Arena arena, List<Integer> weights) {
    return new TransformSlices(
        Words.of(arena, space.basis(), space.length()),
        highBits,
        slices,
        weights,
        space.group().stream().map(this::symmetry).toList());
  }

  private Symmetry symmetry(long[] map) {
    return new Symmetry(
        IntStream.range(0, highBits).mapToObj(bit -> (int) map[bit]).toList(),
        IntStream.range(highBits, map.length)
            .mapToObj(bit -> (int) (map[bit] >>> highBits))
            .toList());
  }
}
