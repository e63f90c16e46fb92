package io.fieldstone.spark.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fieldstone.spark.JobFailedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Reads files of codes in JSON, by the library that Spark brings: arrays of the positions of the
 * ones of each row, or of Pauli operators.
 */
final class JsonCodes {

  private static final String ENDING = ".json";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private JsonCodes() {}

  static boolean isJson(String file) {
    return file.endsWith(ENDING);
  }

  /**
   * Reads positions.
   *
   * @throws JobFailedException if the bytes are no array of arrays of numbers
   */
  static List<List<Integer>> supports(String file, byte[] bytes) throws JobFailedException {
    return items(file, bytes, int[][].class, "arrays of positions").stream()
        .map(row -> Arrays.stream(row).boxed().toList())
        .toList();
  }

  /**
   * Returns a text with a line for each operator.
   *
   * @throws JobFailedException if the bytes are no array of strings without line breaks
   */
  static String operators(String file, byte[] bytes) throws JobFailedException {
    List<String> operators = items(file, bytes, String[].class, "Pauli operators");
    for (String operator : operators) {
      if (!operator.matches("[^\\v#]+")) {
        throw new JobFailedException("'%s' is not a Pauli operator: %s".formatted(operator, file));
      }
    }
    return String.join("\n", operators);
  }

  private static <T> List<T> items(String file, byte[] bytes, Class<T[]> type, String what)
      throws JobFailedException {
    T[] items;
    try {
      items = MAPPER.readValue(bytes, type);
    } catch (JsonProcessingException e) {
      throw new JobFailedException(
          "not a JSON array of %s: %s: %s".formatted(what, e.getOriginalMessage(), file), e);
    } catch (IOException e) {
      throw new JobFailedException(e.getMessage() + ": " + file, e);
    }
    if (items == null || Arrays.stream(items).anyMatch(Objects::isNull)) {
      throw new JobFailedException(
          "not a JSON array of %s, without null: %s".formatted(what, file));
    }
    return List.of(items);
  }
}
