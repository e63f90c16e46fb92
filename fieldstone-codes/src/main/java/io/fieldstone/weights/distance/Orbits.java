package io.fieldstone.weights.distance;

import io.fieldstone.weights.codes.Permutation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Orbits of units under a group. A unit is a number of consecutive positions: one position, or the
 * three of a qubit. Immutable and thread-safe.
 *
 * @param width the positions of a unit
 * @param numbers the orbit of each unit, from 0
 * @param sizes the units of each orbit
 */
@SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads it.
record Orbits(int width, int[] numbers, int[] sizes) {

  /**
   * Returns the orbits under those of some permutations of positions that map units to units.
   *
   * @param length the number of positions, a multiple of the width
   */
  static Orbits of(int length, int width, List<Permutation> generators) {
    List<int[]> moves = generators.stream().flatMap(each -> moves(each, width).stream()).toList();
    int[] numbers = new int[length / width];
    Arrays.fill(numbers, -1);
    List<Integer> sizes = new ArrayList<>();
    for (int first = 0; first < numbers.length; first++) {
      if (numbers[first] < 0) {
        // The orbit of a finite group is closed under its generators without their inverses.
        List<Integer> reached = new ArrayList<>(List.of(first));
        numbers[first] = sizes.size();
        for (int at = 0; at < reached.size(); at++) {
          for (int[] move : moves) {
            int image = move[reached.get(at)];
            if (numbers[image] < 0) {
              numbers[image] = sizes.size();
              reached.add(image);
            }
          }
        }
        sizes.add(reached.size());
      }
    }
    return new Orbits(width, numbers, sizes.stream().mapToInt(size -> size).toArray());
  }

  /** Returns the image of each unit; empty if the images of its positions are not a unit. */
  private static Optional<int[]> moves(Permutation permutation, int width) {
    int[] moves = new int[permutation.length() / width];
    for (int position = 0; position < permutation.length(); position++) {
      int image = permutation.images().get(position) / width;
      if (position % width == 0) {
        moves[position / width] = image;
      } else if (moves[position / width] != image) {
        return Optional.empty();
      }
    }
    return Optional.of(moves);
  }

  /** Returns true if each orbit is one unit. */
  boolean isTrivial() {
    return sizes.length == numbers.length;
  }
}
