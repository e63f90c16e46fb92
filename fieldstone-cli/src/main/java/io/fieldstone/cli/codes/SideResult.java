package io.fieldstone.cli.codes;

import io.fieldstone.weights.distance.LightWord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the distance of one side and a witness, as {@code --json} prints them.
 *
 * @param operators the operators of the {@link Side}
 * @param distance the weight of the lightest word
 * @param lowerBound no word has a smaller weight
 * @param proven whether both are equal
 * @param witness the positions of the lightest word
 * @param pauli the lightest word as a Pauli operator; null if it is none
 * @param trials the information sets that were drawn
 * @param missProbability the approximate probability that all trials missed a certain lighter word;
 *     0 if proven
 * @param sums the sums that the proof tried
 */
record SideResult(
    String operators,
    int distance,
    int lowerBound,
    boolean proven,
    List<Integer> witness,
    @Nullable String pauli,
    long trials,
    double missProbability,
    double sums) {

  /** Returns the result of another side to which a permutation maps this one. */
  SideResult ofImage(Side side, LightWord image) {
    return new SideResult(
        side.operators(),
        distance,
        lowerBound,
        proven,
        side.support(image),
        pauli,
        trials,
        missProbability,
        0);
  }

  String distanceText() {
    return (proven ? "d = %d (proven)" : "d ≤ %d").formatted(distance);
  }
}
