package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** The fields in docs/json.md. */
public final class JsonDocument {

  private static final Path DOCUMENT = Path.of("..", "docs", "json.md");

  private static final Pattern HEADING = Pattern.compile("## `?(?:fieldstone )?([^`]+)`?");
  private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| ([^|]+) \\|.*");

  private JsonDocument() {}

  /** Returns the types by the path of the field, of each heading of the document. */
  static Map<String, Map<String, String>> fields() throws IOException {
    Map<String, Map<String, String>> document = new LinkedHashMap<>();
    Map<String, String> fields = new TreeMap<>();
    for (String line : Files.readAllLines(DOCUMENT)) {
      Matcher heading = HEADING.matcher(line);
      Matcher row = ROW.matcher(line);
      if (heading.matches()) {
        fields = new TreeMap<>();
        document.put(heading.group(1), fields);
      } else if (row.matches()) {
        assertThat(fields.put(row.group(1), row.group(2).strip())).as(line).isNull();
      }
    }
    return document;
  }

  /** Compares the fields of the objects that commands print with those of a heading. */
  public static void assertDocumented(String heading, List<JsonNode> objects) throws IOException {
    Map<String, Set<String>> types = new TreeMap<>();
    objects.forEach(object -> addTypes("", object, types));
    Map<String, String> documented = fields().getOrDefault(heading, Map.of());
    assertThat(documented.keySet()).as(heading).isEqualTo(types.keySet());
    documented.forEach((field, type) ->
        assertThat(types.get(field)).as(heading + ": " + field).isSubsetOf(type.split(" or ")));
  }

  /** Adds the types of all fields of an object, by their paths. */
  private static void addTypes(String path, JsonNode node, Map<String, Set<String>> types) {
    if (node.isObject()) {
      String prefix = path.isEmpty() ? "" : path + ".";
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        types
            .computeIfAbsent(prefix + field.getKey(), _ -> new TreeSet<>())
            .add(type(field.getValue()));
        addTypes(prefix + field.getKey(), field.getValue(), types);
      }
    } else if (node.isArray()) {
      node.forEach(element -> addTypes(path + "[]", element, types));
    }
  }

  private static String type(JsonNode node) {
    return node.isIntegralNumber() ? "integer" : node.getNodeType().name().toLowerCase(Locale.ROOT);
  }
}
