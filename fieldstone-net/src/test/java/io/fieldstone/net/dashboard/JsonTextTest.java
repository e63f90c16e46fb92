package io.fieldstone.net.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  private record Part(String text) {}

  private record Whole(
      long count, double share, boolean flag, Optional<Part> part, List<Integer> cells) {}

  @Test
  void writesEachKindOfValue() {
    Whole whole = new Whole(Long.MIN_VALUE, 0.25, true, Optional.of(new Part("a")), List.of(1, 2));

    assertThat(JsonText.of(whole))
        .isEqualTo(
            "{\"count\":-9223372036854775808,\"share\":0.25,\"flag\":true,"
                + "\"part\":{\"text\":\"a\"},\"cells\":[1,2]}");
  }

  @Test
  void whatIsNotANumberIsNull() {
    Whole whole = new Whole(0, Double.POSITIVE_INFINITY, false, Optional.empty(), List.of());

    assertThat(JsonText.of(whole)).contains("\"share\":null", "\"part\":null", "\"cells\":[]");
  }

  /** Neither markup nor ends of lines nor odd characters are in the text. */
  @Test
  void hostileTextIsEscaped() {
    assertThat(JsonText.of(new Part("</script><img src=x onerror='a'>&\"\\")))
        .isEqualTo(
            "{\"text\":\"\\u003c/script\\u003e\\u003cimg src=x onerror=\\u0027a\\u0027\\u003e"
                + "\\u0026\\u0022\\u005c\"}");
    assertThat(JsonText.of(new Part("\n\r\0\u007f\u2028\ud800\u4e16")))
        .isEqualTo("{\"text\":\"\\u000a\\u000d\\u0000\\u007f\\u2028\\ud800\\u4e16\"}");
  }
}
