package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Files may have any name: shards and sets keep it, and no command shows it to a terminal raw. */
@EnabledOnOs(OS.LINUX)
class HostileNamesTest {

  /** Ends the line, and would begin another one with a message. */
  private static final String FORGED = "fieldstone: all is well";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "system-a\\x2db.slice",
        "tab\tand\rreturn, line\n" + FORGED,
        "\u001b[2J\u001b]0;title\u0007\u007f\u0085\u009b1m right\u202eleft\u2028",
        "%s %n $(id) 'quote' \"double\" -o",
      })
  void namesComeBackAndAreEscaped(String name) throws Exception {
    Path file = Files.writeString(folder.resolve(name), "content");
    Path shards = folder.resolve("shards");
    succeed(
        "encode",
        file.toString(),
        "-o",
        shards.toString(),
        "--any",
        "2",
        "--of",
        "4",
        "--block-size",
        "4");
    List<String> all = list(shards);
    assertThat(all)
        .containsExactlyElementsOf(
            Stream.of("00", "01", "02", "03")
                .map(number -> shards.resolve(name + "." + number + ".fst").toString())
                .toList());
    succeed("encode", file.toString(), "-o", folder.resolve("json").toString(), "--json");

    assertThat(json(with(all, "decode", "--json", "-o", "back")).get("name").stringValue())
        .isEqualTo(name);
    assertThat(folder.resolve("back")).hasContent("content");
    succeed(with(all, "decode", "-o", name + " again"));
    assertThat(folder.resolve(name + " again")).hasContent("content");
    succeed(with(all, "inspect"));
    assertThat(json(with(all, "inspect", "--json")).get("name").stringValue()).isEqualTo(name);
    succeed(with(all.subList(1, 4), "recode", "-o", "first.fst"));
    succeed(with(all.subList(1, 4), "recode", "--json", "-o", "second.fst"));
    assertThat(folder.resolve("first.fst")).hasSameBinaryContentAs(Path.of(all.getFirst()));

    assertThat(run(with(all.subList(0, 1), "decode", "-o", "none")).status()).isEqualTo(3);
    assertThat(run(with(all.subList(0, 1), "decode", "--json", "-o", "none")).status())
        .isEqualTo(3);
    Path other = Files.writeString(folder.resolve("other"), "more");
    succeed("encode", other.toString(), "-o", folder.resolve("others").toString());
    List<String> mixed = new ArrayList<>(list(folder.resolve("others")));
    mixed.addFirst(all.getFirst());
    assertThat(run(with(mixed, "decode", "-o", "none")).err())
        .contains("are not shards of the same file");
    Files.writeString(Path.of(all.getFirst()), "no shard");
    assertThat(run(with(all, "decode", "-o", "left out")).status()).isZero();
    assertThat(run(with(all.subList(0, 1), "inspect")).status()).isEqualTo(1);
  }

  @Test
  void setsKeepSuchNames() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files\u001b[1m"));
    List<String> names = List.of("a\\x2db", "tab\t", "line\n" + FORGED, "\u009b1m\u007f");
    for (String name : names) {
      Files.writeString(files.resolve(name), "content of " + name);
    }
    String parity = folder.resolve("parity\u001b[1m").toString();
    succeed("protect", files.toString(), "-o", parity);
    succeed("verify", parity);
    Files.writeString(files.resolve(names.get(1)), "damage");
    Files.move(files.resolve(names.get(2)), files.resolve(names.get(2) + " moved"));
    assertThat(run("verify", parity).status()).isEqualTo(1);
    assertThat(run("verify", parity, "--json").status()).isEqualTo(1);
    succeed("repair", parity);
    for (String name : names) {
      assertThat(files.resolve(name)).hasContent("content of " + name);
    }
  }

  private static List<String> list(Path shards) throws IOException {
    try (Stream<Path> files = Files.list(shards)) {
      return files.map(Path::toString).sorted().toList();
    }
  }

  /** Appends shards to a command; the word after {@code -o} is in the folder. */
  private String[] with(List<String> shards, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    if (all.contains("-o")) {
      all.set(all.size() - 1, folder.resolve(all.getLast()).toString());
    }
    all.addAll(shards);
    return all.toArray(String[]::new);
  }

  private static void succeed(String... words) {
    RunOf run = run(words);
    assertThat(run.status()).as(run.err()).isZero();
  }

  private static JsonNode json(String... words) {
    return JsonMapper.shared().readTree(run(words).out());
  }

  /** Runs a command, whose output may have no character that a terminal obeys. */
  private static RunOf run(String... words) {
    RunOf run = RunOf.fieldstone(words);
    for (String text : List.of(run.out(), run.err())) {
      assertThat(text)
          .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\n]]")
          .doesNotContain("\n" + FORGED);
    }
    return run;
  }
}
