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
 * Which bits of a message are the high part of a transform, and the slices that are left when
 * symmetries take high parts to each other.
 *
 * @param space its first blocks the high part
 */
record TransformLayout(MessageSpace space, int highBits, List<Slice> slices) {

  /** Low bits without symmetries: slices of millions of functionals, tens of megabytes a weight. */
  private static final int PLAIN_LOW_BITS = 21;

  /** What is done to a point of the partial transforms against one of the rest, about. */
  private static final double FILL_COST = 2;

  /**
   * The layout that costs least; empty if the space is too large for any.
   *
   * @param weights how many different weights words have
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

  /** The largest blocks first: few slices, whose high parts symmetries take to each other. */
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

  /** The map of functionals: bit i of an image is the value of the functional at bit i's image. */
  private static List<Integer> transposed(long[] map, int bits) {
    return IntStream.range(0, bits)
        .mapToObj(functional ->
            IntStream.range(0, bits).map(bit -> (int) (map[bit] >>> functional & 1) << bit).sum())
        .toList();
  }

  int lowBits() {
    return space.dimension() - highBits;
  }

  /** Additions and multiplications of whole numbers, about. */
  double operations(int weights) {
    double lowPoints = Math.scalb(1.0, lowBits());
    double fill =
        lowPoints
            / space.group().size()
            * Math.scalb(1.0, highBits)
            * weights
            * (highBits + FILL_COST);
    double sums =
        slices.size() * lowPoints * (weights * (lowBits() + FILL_COST) + TripleSums.count(weights));
    return fill + sums;
  }

  /** Bytes that one slice takes where it is transformed, and its partial transform before that. */
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
