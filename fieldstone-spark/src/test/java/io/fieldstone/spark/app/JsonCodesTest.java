package io.fieldstone.spark.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.spark.JobFailedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonCodesTest {

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void readsPositionsAndOperators() throws Exception {
    assertThat(JsonCodes.supports("a.json", bytes("[[0, 3], []]")))
        .isEqualTo(List.of(List.of(0, 3), List.of()));
    assertThat(JsonCodes.operators("a.json", bytes("[\"XZ\", \"-ZX\"]"))).isEqualTo("XZ\n-ZX");
    assertThat(JsonCodes.isJson("hdfs:///a.json")).isTrue();
    assertThat(JsonCodes.isJson("a.txt")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[[0,",
        "{}",
        "[0]",
        "[[0.5]]",
        "[[true]]",
        "[[\"1\"]]",
        "[[null]]",
        "[null]",
        "null",
        "[[0]] [[1]]",
        "[[4294967296]]"
      })
  void refusesOtherPositions(String text) {
    assertThatThrownBy(() -> JsonCodes.supports("a.json", bytes(text)))
        .isInstanceOf(JobFailedException.class)
        .hasMessageStartingWith("not a JSON array of arrays of positions")
        .hasMessageEndingWith(": a.json");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[\"X\", null]", "[\"X\\nZ\"]", "[\"\"]", "[\"X#\"]"})
  void refusesOtherOperators(String text) {
    assertThatThrownBy(() -> JsonCodes.operators("a.json", bytes(text)))
        .isInstanceOf(JobFailedException.class)
        .hasMessageContaining("Pauli operator")
        .hasMessageEndingWith(": a.json");
  }
}
