package io.fieldstone.net.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartFileTest {

  @TempDir Path folder;

  private String partOf(String name) {
    return String.valueOf(PartFile.partOf(folder.resolve(name)).getFileName());
  }

  @Test
  void aUsualNameIsKept() {
    assertThat(partOf("film.mkv")).isEqualTo(".film.mkv.fst-part");
    String longest = "a".repeat(245);
    assertThat(partOf(longest)).isEqualTo("." + longest + ".fst-part");
  }

  @ParameterizedTest
  @ValueSource(ints = {246, 250, 255})
  void theEndOfALongNameIsReplaced(int bytes) {
    String name = "a".repeat(bytes - 1);
    assertThat(partOf(name + "b"))
        .startsWith(".aaaa")
        .endsWith(".fst-part")
        .hasSize(255)
        .isNotEqualTo(partOf(name + "c"));
  }

  /** Characters of 2 and of 4 bytes stay whole. */
  @ParameterizedTest
  @ValueSource(strings = {"ü", "\uD83C\uDFB5"})
  void charactersStayWhole(String character) {
    int bytes = character.getBytes(StandardCharsets.UTF_8).length;
    for (int ascii = 0; ascii < bytes; ascii++) {
      String part = partOf("a".repeat(ascii) + character.repeat((255 - ascii) / bytes));
      assertThat(part.getBytes(StandardCharsets.UTF_8).length).isBetween(255 - bytes, 255);
      assertThat(part).matches("\\.a*(" + character + ")+-[0-9a-f]{16}\\.fst-part");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {245, 255})
  void aFileWithALongNameIsFetched(int bytes) throws Exception {
    try (Loopback net = new Loopback(folder)) {
      Path file = net.write("files/" + "n".repeat(bytes), 1000);
      net.fetched(net.settings("n".repeat(bytes), net.serve("server", file)), file);
    }
  }
}
