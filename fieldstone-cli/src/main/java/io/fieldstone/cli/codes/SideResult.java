package io.fieldstone.cli.codes;

import java.util.List;

/**
 * The bounds of the distance of one side and a witness, as {@code --json} prints them.
 *
 * @param operators {@code words}, {@code X} or {@code Z}
 * @param distance the weight of the lightest word
 * @param lowerBound no word has a smaller weight
 * @param proven whether both are equal
 * @param witness the positions of the lightest word
 * @param trials the information sets that were drawn
 * @param missProbability the probability that all trials missed a certain lighter word; 0 if proven
 * @param sums the sums that the proof tried
 */
record SideResult(
    String operators,
    int distance,
    int lowerBound,
    boolean proven,
    List<Integer> witness,
    long trials,
    double missProbability,
    double sums) {

  String distanceText() {
    return (proven ? "d = %d (proven)" : "d ≤ %d").formatted(distance);
  }
}
