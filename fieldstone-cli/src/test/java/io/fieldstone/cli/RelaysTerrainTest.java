package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Plans over a made tile with hills, which are waves. */
class RelaysTerrainTest {

  private static final int SIDE = 1201;

  @TempDir static Path folder;

  @BeforeAll
  static void makeHills() throws IOException {
    ByteBuffer heights = ByteBuffer.allocate(2 * SIDE * SIDE);
    for (int row = 0; row < SIDE; row++) {
      for (int column = 0; column < SIDE; column++) {
        double y = 3.0 * row;
        double x = 3.0 * column;
        double height =
            300
                + 180 * Math.sin(y / 197) * Math.cos(x / 231)
                + 90 * Math.sin(y / 61 + x / 47)
                + 25 * Math.sin(y / 13) * Math.sin(x / 17);
        heights.putShort((short) Math.round(height));
      }
    }
    Path tiles = Files.createDirectory(folder.resolve("tiles"));
    Files.write(tiles.resolve("N50E007.hgt"), heights.array());
    Files.writeString(
        folder.resolve("nodes.csv"),
        """
        id,lat,lon
        farm,50.31,7.22
        mill,50.33,7.36
        church,50.42,7.31
        school,50.28,7.45
        tower,50.47,7.49
        bridge,50.38,7.58
        """);
    Files.writeString(folder.resolve("hills.csv"), "id,lat,lon\nA,50.35,7.3\nB,50.4,7.45\n");
    Files.writeString(folder.resolve("far.csv"), "id,lat,lon\nfarm,50.31,7.22\nfar,49.5,7.36\n");
    Files.writeString(folder.resolve("plane.csv"), "id,x,y\na,0,0\nb,1,1\n");
    Files.createDirectory(folder.resolve("none"));
    Path twice = Files.createDirectory(folder.resolve("twice"));
    Files.write(twice.resolve("N50E007.hgt"), heights.array());
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(twice.resolve("n50e007.hgt.gz")))) {
      packed.write(heights.array());
    }
    Path voids = Files.createDirectory(folder.resolve("voids"));
    heights.putShort(2 * (600 * SIDE + 600), Short.MIN_VALUE);
    Files.write(voids.resolve("N50E007.hgt"), heights.array());
    Files.writeString(folder.resolve("hole.csv"), "id,lat,lon\npit,50.5,7.5\nrim,50.51,7.51\n");
    Files.writeString(folder.resolve("rims.csv"), "id,lat,lon\na,50.49,7.5\nb,50.51,7.51\n");
    Files.writeString(
        folder.resolve("shapes.kml"),
        """
        <kml><Document>
        <Placemark><name>way</name><LineString><coordinates>7.2,50.3 7.3,50.4</coordinates>
        </LineString></Placemark>
        <Placemark><name>area</name><Polygon/></Placemark>
        </Document></kml>
        """);
    Files.writeString(folder.resolve("new.json"), "{\"v9\":{\"where\":[50.3,7.2]}}");
    Files.writeString(folder.resolve("deep.csv"), "id,lat,lon,height\na,50.3,7.3,-2\n");
  }

  private static RunOf relays(String line) {
    return RunOf.fieldstone(("relays " + line.replace("./", folder + "/")).split(" "));
  }

  @Test
  void plansAsTheDocumentationShows() throws IOException {
    RunOf run =
        relays(
            "./nodes.csv --range 12000 --dem ./tiles --height 2,10 -o ./plan.geojson"
                + " --map ./map.svg --profiles ./profiles.svg");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> lines = run.out().lines().filter(line -> !line.startsWith("time")).toList();
    String page =
        Files.readString(
            Path.of(System.getProperty("fieldstone.home", "..")).resolve("docs/relays.md"));
    assertThat(page).contains(String.join("\n", lines));
    assertThat(folder.resolve("map.svg")).content().contains("contours every ");
    assertThat(folder.resolve("profiles.svg")).content().contains(" km, margin ");
    assertThat(folder.resolve("plan.geojson")).content().contains("\"connection\"");
    assertThat(relays("--check ./plan.geojson --range 12000").status()).isZero();
  }

  @Test
  void printsNumbersOfTheTerrain() {
    RunOf run = relays("./nodes.csv --range 12000 --dem ./tiles/N50E007.hgt --json --map ./m.html");
    JsonNode plan = JsonMapper.shared().readTree(run.out()).get("plan");
    assertThat(plan.get("terrain").get("candidates").asInt()).isGreaterThan(50);
    assertThat(plan.get("terrain").get("leastMargin").asDouble()).isNotNegative();
    assertThat(plan.get("relays").asInt())
        .isGreaterThan(plan.get("terrain").get("flatRelays").asInt());
    assertThat(folder.resolve("m.html")).content().contains("\"interval\":");
  }

  @Test
  void existingRelaysCostNothingOverTerrain() throws IOException {
    String line = "./nodes.csv --range 12000 --dem ./tiles --height 2,10";
    assertThat(relays(line + " -o ./old.csv -q").status()).isZero();
    String far = "z,link,48,3,,\n"; // outside the heights
    Path old = folder.resolve("old.csv");
    Files.writeString(old, Files.readString(old) + far);
    RunOf run = relays(line + " --existing ./old.csv -o ./new.csv");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.out()).containsPattern("relays +0\n").contains("8 existing, 7 in the network");
    assertThat(folder.resolve("new.csv")).content().contains(",existing,");
  }

  @Test
  void mastsOfTheirOwnHeightsSeeMore() throws IOException {
    Files.writeString(
        folder.resolve("offers.csv"),
        "id,lat,lon,height,cost\nA,50.35,7.3,,10\nB,50.4,7.45,,10\n"
            + "C,50.4,7.4,900,90\nD,50.33,7.5,900,80\n");
    RunOf run =
        relays(
            "./nodes.csv --range 30000 --dem ./tiles --height 30,2 --sites ./offers.csv"
                + " -o ./masts.geojson");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("cost +[1-9]");
    assertThat(folder.resolve("masts.geojson")).content().contains("\"height\":900,\"cost\":");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1 | ./far.csv --range 9000 --dem ./tiles | sensor 'far' is outside the heights: ",
        "1 | ./nodes.csv --range 9000 --dem ./twice | overlaps ",
        "1 | ./hole.csv --range 9000 --dem ./voids | sensor 'pit' is at a point without a height",
        "1 | ./shapes.kml --range 9000 --dem ./tiles | no sensors: ",
        "1 | ./new.json --range 9000 --dem ./tiles | the first is node 1 'v9': ",
        "1 | ./deep.csv --range 9000 --dem ./tiles | deep.csv, line 2",
        "1 | ./nodes.csv --range 9000 --dem ./none | no .hgt or .tif in the folder: ",
        "1 | ./nodes.csv --range 9000 --dem ./absent | no such file",
        "1 | ./nodes.csv --range 9000 --dem ./nodes.csv | heights are .hgt, ",
        "1 | ./nodes.csv --range 9000 --dem ./tiles --height 1 --sites ./hills.csv | relays on all"
            + " sites leave",
        "2 | ./plane.csv --range 9 --dem ./tiles | --dem needs sensors in degrees",
        "2 | ./nodes.csv --range 9 --height 3 | need --dem",
        "2 | ./nodes.csv --range 9 --dem ./tiles --height -3 | --height -3.0 is not between",
        "2 | ./nodes.csv --range 9 --dem ./tiles --height 3,4,5 | --height '3,4,5' is no height",
        "2 | ./nodes.csv --range 9 --dem ./tiles --frequency fm | --frequency 'fm' is no frequency",
        "2 | ./nodes.csv --range 9 --dem ./tiles --clearance 7 | --clearance 7.0 is not between",
        "2 | ./nodes.csv --range 9 --dem ./tiles --connect 2 | --dem excludes --connect 2",
        "2 | ./nodes.csv --range 9 --dem ./tiles --profiles p.png | ends neither in .svg"
      })
  void mistakesAreNamedAndLeaveNoFile(int status, String line, String message) {
    RunOf run = relays(line + " -o ./no.csv");
    assertThat(run.err()).contains(message);
    assertThat(run.status()).isEqualTo(status);
    assertThat(folder.resolve("no.csv")).doesNotExist();
  }

  @Test
  void missingTilesAreNamed() throws IOException {
    Path nodes = folder.resolve("edge.csv");
    Files.writeString(nodes, "id,lat,lon\na,50.5,7.97\nb,50.51,7.99\n");
    RunOf run = relays(nodes + " --range 5000 --dem ./tiles --height 90");
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    RunOf hole = relays("./rims.csv --range 5000 --dem ./voids --height 90");
    assertThat(hole.status()).as(hole.err()).isZero();
    assertThat(hole.err())
        .contains("1 point has no height, the first at latitude and longitude 50.5")
        .contains("N50E007.hgt (no link crosses it)");
    String inland = "id,lat,lon\na,50.5,7.9\nb,50.51,8.1\n";
    Files.writeString(folder.resolve("outside.csv"), inland);
    assertThat(relays("./outside.csv --range 5000 --dem ./tiles").err())
        .contains("sensor 'b' is outside the heights");
  }
}
