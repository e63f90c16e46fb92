package io.fieldstone.cli.codes;

import io.fieldstone.cli.console.Failure;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Parses the JSON arrays that files of codes and words are. */
final class JsonArrays {

  private JsonArrays() {}

  /**
   * Parses an array.
   *
   * @param source the name of the source in messages
   * @param items what it has, in the plural
   * @throws Failure if the text is no JSON, or no array
   */
  static JsonNode parse(String source, String text, String items) throws Failure {
    JsonNode root;
    try {
      root = JsonMapper.shared().readTree(text);
    } catch (JacksonException e) {
      throw new Failure("not JSON: " + e.getOriginalMessage(), source, e);
    }
    if (!root.isArray()) {
      throw new Failure("not a JSON array of " + items, source);
    }
    return root;
  }
}
