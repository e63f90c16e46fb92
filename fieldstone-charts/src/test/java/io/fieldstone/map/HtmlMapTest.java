package io.fieldstone.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a network, also in Chromium where it is present. */
class HtmlMapTest {

  private static final String EVIL = "</script><script>document.title='evil'</script>@POLICY@";

  @TempDir Path directory;

  private static Network network(Coordinates coordinates) {
    return new Network(
        coordinates,
        1000,
        2,
        List.of(
            new Network.Sensor(new Place("a", 8, 50), 0, 0, 0),
            new Network.Sensor(new Place(EVIL, 8.02, 50), 1430, 0, 1),
            new Network.Station(
                new Place("relay-1", 8.01, 50), 715, 0, Relay.Kind.LINK, Optional.empty())),
        List.of(new RelayPlan.Link(0, 2, 715), new RelayPlan.Link(1, 2, 715)));
  }

  @Test
  void requestsNothing() {
    String page = HtmlMap.of(network(Coordinates.DEGREES), Optional.empty(), Optional.empty());
    assertThat(page)
        .contains("default-src 'none'; script-src 'sha256-")
        .contains("img-src 'none'")
        .doesNotContain("http:", "https:", "src=", "import ", EVIL)
        .containsOnlyOnce("</script>\n<script>");
  }

  @Test
  void tilesAreAllowedFromOnePlaceOnly() {
    HtmlMap.Tiles tiles = HtmlMap.Tiles.parse("https://tile.openstreetmap.org/{z}/{x}/{y}.png");
    String page = HtmlMap.of(network(Coordinates.DEGREES), Optional.of(tiles), Optional.empty());
    assertThat(page)
        .contains("img-src https://tile.openstreetmap.org;", "© OpenStreetMap contributors");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://example.org/{z}/{x}.png",
        "file:///{z}/{x}/{y}",
        "{z}{x}{y}",
        "https://a b/{z}/{x}/{y}",
        "https://a/{z}/{x}/{y}\"><script>",
        "https://a;script-src/{z}/{x}/{y}"
      })
  void tilesAreAnAddress(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> HtmlMap.Tiles.parse(text));
  }

  @Test
  void aBrowserShowsTheNodeOfTheAddress() throws Exception {
    Optional<Path> chromium =
        Stream.of("chromium", "chromium-browser", "google-chrome")
            .flatMap(
                name -> Stream.of(System.getenv("PATH").split(":")).map(dir -> Path.of(dir, name)))
            .filter(Files::isExecutable)
            .findFirst();
    assumeTrue(chromium.isPresent(), "no Chromium on this machine");
    for (Coordinates coordinates : Coordinates.values()) {
      Path page = directory.resolve(coordinates + ".html");
      Files.writeString(page, HtmlMap.of(network(coordinates), Optional.empty(), Optional.empty()));
      Process process =
          new ProcessBuilder(
                  chromium.get().toString(),
                  "--headless",
                  "--no-sandbox",
                  "--disable-gpu",
                  "--disable-dev-shm-usage",
                  "--no-first-run",
                  "--disable-background-networking",
                  "--user-data-dir=" + directory.resolve("profile"),
                  "--virtual-time-budget=5000",
                  "--dump-dom",
                  page.toUri() + "#relay-1")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      boolean isPlanar = coordinates == Coordinates.PLANAR;
      assertThat(shown)
          .contains(
              "<title>2 sensors in 2 components, 1 relays, range 1" + (isPlanar ? "000<" : " km<"))
          .contains("relay-1\nrelay: along a line\n")
          .contains(isPlanar ? "x 8.01, y 50" : "50.000000, 8.010000")
          .contains("linked with a, &lt;/script&gt;")
          .contains("id=\"show-link\"");
    }
  }
}
