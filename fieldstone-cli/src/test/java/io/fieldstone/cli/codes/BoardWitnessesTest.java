package io.fieldstone.cli.codes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The light words of docs/codes/board-witnesses.json are those of the table of the page. The codes
 * are not in this repository, so that only their lengths are compared.
 */
class BoardWitnessesTest {

  private static final Pattern CODE = Pattern.compile("(\\d+)-(\\d+)-(\\d+)");
  private static final Pattern ROW =
      Pattern.compile("\\| \\[\\[(\\d+),(\\d+),(\\d+)]] \\| ([XZ]) \\| (\\d+) \\| (\\d+) \\|");

  @Test
  void wordsAreThoseOfTheTable() throws Exception {
    List<String> witnesses = new ArrayList<>();
    for (JsonNode each :
        JsonMapper.shared()
            .readTree(Files.readString(Path.of("../docs/codes/board-witnesses.json")))) {
      Matcher code = CODE.matcher(each.get("code").stringValue());
      assertThat(code.matches()).as("%s", each.get("code")).isTrue();
      int length = Integer.parseInt(code.group(1));
      List<Integer> positions = new ArrayList<>();
      each.get("positions").forEach(position -> positions.add(position.intValue()));
      assertThat(positions).isSorted().doesNotHaveDuplicates();
      assertThat(positions).allMatch(position -> position >= 0 && position < length);
      assertThat(positions).hasSize(each.get("weight").intValue());
      assertThat(positions.size()).isLessThan(each.get("board").intValue());
      witnesses.add(
          "[[%s,%s,%s]] %s %d %d"
              .formatted(
                  code.group(1),
                  code.group(2),
                  code.group(3),
                  each.get("operators").stringValue(),
                  each.get("board").intValue(),
                  positions.size()));
    }
    String page = Files.readString(Path.of("../docs/benchmarks/distance.md"));
    assertThat(witnesses)
        .containsExactlyElementsOf(
            ROW.matcher(page).results().map(BoardWitnessesTest::row).toList());
  }

  private static String row(MatchResult row) {
    return "[[%s,%s,%s]] %s %s %s"
        .formatted(
            row.group(1), row.group(2), row.group(3), row.group(4), row.group(5), row.group(6));
  }
}
