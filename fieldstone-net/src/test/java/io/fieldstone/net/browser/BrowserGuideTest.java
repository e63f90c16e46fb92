package io.fieldstone.net.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fieldstone.net.fetch.Loopback;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The example of docs/browser.md, "A page of your own", which a real browser runs. */
@Timeout(120)
class BrowserGuideTest {

  @TempDir private Path folder;

  private static String example() throws Exception {
    String guide = Files.readString(Path.of("../docs/browser.md"));
    int begin = guide.indexOf("```js\n") + "```js\n".length();
    return guide.substring(begin, guide.indexOf("```\n", begin));
  }

  /** Maven runs the tests of a module in its folder. */
  @Test
  void theReadmeHasTheSameExample() throws Exception {
    assertThat(Files.readString(Path.of("../fieldstone-web/README.md")))
        .contains("```js\n" + example() + "```\n");
  }

  @Test
  void theExampleRuns() throws Exception {
    assumeThat(Chromium.find()).as("Chromium").isPresent();
    Path profile = Files.createDirectory(folder.resolve("profile"));
    try (Loopback net = new Loopback(folder)) {
      Path file = net.write("film.mkv", 1_000_000);
      String script = example();
      for (List<String> each : List.of(List.of("a", "1c7f…"), List.of("b", "77e0…"))) {
        Known known =
            Known.of(
                net.serve(
                        each.getFirst(),
                        settings ->
                            settings.withEndpoint(
                                of -> of.withBrowsers(Optional.of(Loopback.at(0)))),
                        file)
                    .browserAddress()
                    .orElseThrow());
        script =
            script
                .replace(each.getFirst() + ".example:8080", "127.0.0.1:" + known.port())
                .replace("['" + each.getLast() + "']", known.hashes());
      }
      String listened =
          """
          import { report } from './report.js';
          const lines = [];
          console.log = (...values) => lines.push(values.join(' '));
          """;
      String reported =
          "report(lines[0]); report(`${lines.length > 2} ${lines.at(-1)} ${blob.size}`);";
      try (Chromium browser =
          new Chromium(Chromium.find().orElseThrow(), profile, listened + script + reported)) {
        assertThat(List.of(browser.next(), browser.next()))
            .anyMatch(line -> line.matches("film\\.mkv 1000000 [0-9a-f]{64}"))
            .contains("true 1000000 1000000");
      }
    }
  }
}
