package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Parses lists of supports: JSON arrays of the positions, from 0, where a word is 1. */
final class SupportsJson {

  private SupportsJson() {}

  /**
   * Parses a list of supports.
   *
   * @param source the name of the source in messages
   * @param length the positions of a word
   * @return for each word its positions, ascending
   * @throws Failure if the text is no such list, or a position is repeated or beyond the length
   */
  static List<List<Integer>> parse(String source, String text, int length) throws Failure {
    List<List<Integer>> supports = new ArrayList<>();
    for (JsonNode support : JsonArrays.parse(source, text, "arrays of positions")) {
      supports.add(support(source, support, supports.size() + 1, length));
    }
    return supports;
  }

  private static List<Integer> support(String source, JsonNode support, int number, int length)
      throws Failure {
    if (!support.isArray()) {
      throw new Failure("item %d is not an array of positions".formatted(number), source);
    }
    BitSet positions = new BitSet();
    for (JsonNode position : support) {
      boolean isPosition =
          position.isIntegralNumber()
              && position.canConvertToInt()
              && position.intValue() >= 0
              && position.intValue() < length;
      if (!isPosition) {
        throw new Failure(
            "item %d: %s is not a position in 0…%d".formatted(number, position, length - 1),
            source);
      }
      if (positions.get(position.intValue())) {
        throw new Failure("item %d: %s is given twice".formatted(number, position), source);
      }
      positions.set(position.intValue());
    }
    return positions.stream().boxed().toList();
  }
}
