package io.fieldstone.crc.design;

import io.fieldstone.crc.CrcValue;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The polynomials that qualify, all of them, the best first.
 *
 * @param goal the goal
 * @param distance the demanded distance, or the greatest one
 * @param polynomials the number that qualifies, reciprocals counted
 * @param found of each reciprocal pair one
 */
public record SearchResult(
    SearchGoal goal, int distance, long polynomials, List<FoundPolynomial> found) {

  /** Copies the list. */
  public SearchResult {
    found = List.copyOf(found);
  }

  /** Sorts the found polynomials, by their undetected errors if counting them is not too long. */
  static SearchResult of(SearchState state) {
    SearchGoal goal = state.goal();
    DistanceTest test = new DistanceTest(goal.width(), goal.codeBits());
    LeastErrors errors = LeastErrors.of(goal);
    List<FoundPolynomial> found =
        Arrays.stream(state.found())
            .mapToObj(bits -> {
              CrcValue poly = CrcValue.of(goal.width(), bits);
              int distance = test.distance(bits, state.distance());
              Optional<BigInteger> undetected =
                  errors.isShort(state.found().length, distance)
                      ? Optional.of(errors.count(bits, distance))
                      : Optional.empty();
              return new FoundPolynomial(poly, distance, undetected);
            })
            .sorted(FoundPolynomial.BEST_FIRST)
            .toList();
    long selfReciprocal = found.stream().filter(FoundPolynomial::isSelfReciprocal).count();
    return new SearchResult(goal, state.distance(), 2L * found.size() - selfReciprocal, found);
  }
}
