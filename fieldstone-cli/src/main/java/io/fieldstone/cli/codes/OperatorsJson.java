package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import java.util.StringJoiner;
import tools.jackson.databind.JsonNode;

/** Parses lists of Pauli operators: JSON arrays of strings. */
final class OperatorsJson {

  private OperatorsJson() {}

  /**
   * Returns a text with a line for each operator.
   *
   * @param source the name of the source in messages
   * @throws Failure if the text is no such list
   */
  static String lines(String source, String text) throws Failure {
    StringJoiner lines = new StringJoiner("\n");
    int number = 0;
    for (JsonNode operator : JsonArrays.parse(source, text, "Pauli operators")) {
      number++;
      if (!operator.isString() || !operator.stringValue().matches("[^\\v#]+")) {
        throw new Failure(
            "item %d: %s is not a Pauli operator, a string".formatted(number, operator), source);
      }
      lines.add(operator.stringValue());
    }
    return lines.toString();
  }
}
