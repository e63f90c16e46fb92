package io.fieldstone.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class RelaysCommandTest {

  /** A triangle that one relay joins, and a sensor that another does, along a line. */
  private static final String SENSORS =
      "id,x,y\na,0,0\nb,60,0\nc,30,52\n\"d, far\",-80,0\nrelay-1,-82,0\n";

  @TempDir Path directory;

  private RunOf relays(String... arguments) {
    String[] words = new String[arguments.length + 1];
    words[0] = "relays";
    System.arraycopy(arguments, 0, words, 1, arguments.length);
    return RunOf.fieldstone(words);
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(directory.resolve(name), text).toString();
  }

  private String path(String name) {
    return directory.resolve(name).toString();
  }

  private String sensors() throws IOException {
    return file("sensors.csv", SENSORS);
  }

  @Test
  void aDeviceNeedsNoEnding() throws IOException {
    RunOf run = relays(sensors(), "--range", "50", "-o", "/dev/null", "-q");
    assertThat(run.status()).as(run.err()).isZero();
  }

  @Test
  void plansAndCounts() throws IOException {
    RunOf run = relays(sensors(), "--range", "50");

    assertThat(run.status()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "sensors 5",
            "range 50",
            "components 4 before, 1 after",
            "relays 2: 1 star, 1 link",
            " 3 if placed along a spanning tree only")
        .anyMatch(line -> line.startsWith("3-stars 1 by circumcircle ("));
  }

  @Test
  void drawsAPageForABrowser() throws IOException {
    String list = file("masts.csv", "id,lat,lon\na,50,8\nb,50,9\n");
    String tiles = "https://tile.example.org/{z}/{x}/{y}.png";
    RunOf run = relays(list, "--range", "30000", "--map", path("map.html"), "--tiles", tiles);
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(directory.resolve("map.html"))
        .content()
        .contains("img-src https://tile.example.org;");
    assertThat(relays(list, "--range", "30000", "--map", path("map.svg"), "--tiles", tiles).err())
        .contains("--tiles is for --map FILE.html");
    assertThat(relays(list, "--range", "3", "--map", path("x.html"), "--tiles", "ftp://x").err())
        .contains("--tiles: 'ftp://x' lacks one of {z}, {x}, {y}");
    assertThat(
            relays(sensors(), "--range", "50", "--map", path("x.html"), "--tiles", tiles).status())
        .isEqualTo(2);
  }

  /** The example of the documentation. */
  @Test
  void costsRangesAndHeightsAreThoseOfEachPlace() throws IOException {
    String farm = file("farm.csv", "id,x,y,range\nhouse,0,0,\nbarn,90,0,\nfield,150,40,40\n");
    String offers =
        file(
            "offers.csv",
            "id,x,y,cost,range\ntower,45,0,900,\nshed,30,20,150,\nsilo,65,20,200,\n"
                + "pole,118,18,100,45\n");
    RunOf run =
        relays(farm, "--range", "50", "--sites", offers, "--no-count", "-o", path("own.csv"));
    assertThat(run.status()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
    List<String> lines = run.out().lines().filter(line -> !line.startsWith("time")).toList();
    assertThat(
            Files.readString(
                Path.of(System.getProperty("fieldstone.home", "..")).resolve("docs/relays.md")))
        .contains(String.join("\n", lines));
    assertThat(directory.resolve("own.csv"))
        .content()
        .contains("id,kind,x,y,component,site,range,cost\n", "field,sensor,150,40,3,,40,\n")
        .contains("site,118,18,,pole,45,100\n");
    RunOf check = relays("--check", path("own.csv"), "--range", "50");
    assertThat(check.out()).containsPattern("parts +1\n");
    assertThat(check.err()).isEmpty(); // the plan itself has the costs
    RunOf priced = relays("--check", offers, "--range", "50");
    assertThat(priced.err()).contains("column 'cost' has no effect with --check: " + offers);
    // At one range for all, the barn and the field are as near to the pole.
    assertThat(
            JsonMapper.shared()
                .readTree(relays(farm, "--range", "50", "--sites", offers, "--json").out())
                .get("plan")
                .get("cost")
                .asDouble())
        .isEqualTo(450);
    RunOf short_ = relays(farm, "--range", "35", "--sites", offers);
    assertThat(short_.status()).isOne();
    assertThat(short_.err()).contains("relays on all sites leave");
    RunOf anywhere = relays(farm, "--range", "50", "--no-count", "-o", path("anywhere.csv"), "-q");
    assertThat(anywhere.status()).isZero();
    assertThat(anywhere.err()).isEmpty();
    RunOf ranged = relays("--check", path("anywhere.csv"), "--range", "50");
    assertThat(ranged.out()).containsPattern("parts +1\n");
    RunOf doubled = relays(farm, "--range", "50", "--connect", "2");
    assertThat(doubled.status()).isEqualTo(2);
    assertThat(doubled.err())
        .contains("--connect 2 takes one range for all, but 'field' has its own: " + farm);
    RunOf flat =
        relays(
            farm,
            "--range",
            "50",
            "--sites",
            file("masts.csv", "id,x,y,height\na,45,0,30\nb,118,18,30\n"));
    assertThat(flat.err()).contains("column 'height' has no effect without --dem");
  }

  @Test
  void plansAreGeoPackageInAndOut() throws IOException {
    String list = file("masts.csv", "id,lat,lon\na,50,8\nb,50,9\n");
    RunOf run = relays(list, "--range", "30000", "--no-count", "-o", path("plan.gpkg"));
    if (run.err().contains("needs the library SQLite")) {
      assertThat(run.status()).isOne();
      assertThat(directory.resolve("plan.gpkg")).doesNotExist();
      return;
    }
    assertThat(run.status()).as(run.err()).isZero();
    RunOf check = relays("--check", path("plan.gpkg"), "--range", "30000");
    assertThat(check.err()).isEmpty();
    assertThat(check.out())
        .containsPattern("nodes +4: 2 sensors, 2 relays\n")
        .contains("parts     1");
    RunOf again = relays(list, "--range", "30000", "--no-count", "--existing", path("plan.gpkg"));
    assertThat(again.out()).contains("2 existing, 2 in the network");
    Files.write(directory.resolve("plan.gpkg-wal"), new byte[1]);
    assertThat(relays("--check", path("plan.gpkg"), "--range", "30000").err())
        .contains("another program has changes that are not in it yet: " + path("plan.gpkg"));
  }

  @Test
  void anyOneRelayMayFail() throws IOException {
    RunOf run =
        relays(sensors(), "--range", "50", "--connect", "2", "--no-count", "-o", path("safe.csv"));
    assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains("relays 4: 2 star, 2 link", " 2 if none of them may fail");
    RunOf check = relays("--check", path("safe.csv"), "--range", "50");
    assertThat(check.status()).as(check.err()).isZero();
    assertThat(check.out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(
            "nodes 9: 5 sensors, 4 relays",
            "parts 1",
            "failures 1 single points of failure",
            " without 'a': 2 parts, 4 nodes cut off");
    JsonNode root =
        JsonMapper.shared()
            .readTree(relays("--check", path("safe.csv"), "--range", "50", "--json").out());
    assertThat(root.get("failures").get(0).get("id").asString()).isEqualTo("a");
    assertThat(root.get("failures").get(0).get("kind").asString()).isEqualTo("sensor");
    assertThat(root.get("parts")).hasSize(1);
  }

  /** Links of a plan are at most R long around its sensors, not around all of its nodes. */
  @Test
  void plansInDegreesPassTheCheck() throws IOException {
    String list = file("masts.csv", "id,lat,lon\na,50,8\nb,50,9\nc,56,10\n");
    assertThat(relays(list, "--range", "10000", "-o", path("p.geojson"), "-q").status()).isZero();
    assertThat(relays("--check", path("p.geojson"), "--range", "10000").out())
        .containsPattern("parts +1\n");
    assertThat(relays("--check", list, "--range", "10000").out())
        .containsPattern("parts +3\n")
        .contains("1 nodes with 'a'");
  }

  @Test
  void aCheckMakesNoPlan() throws IOException {
    assertThat(relays(sensors(), "--check", sensors(), "--range", "50"))
        .extracting(RunOf::status)
        .isEqualTo(2);
    assertThat(relays("--check", sensors(), "--range", "50", "-o", path("x.csv")).err())
        .contains("--check makes no plan");
    assertThat(relays("--range", "50").err()).contains("no SENSORS");
    assertThat(relays(sensors(), "--range", "50", "--connect", "3").err())
        .contains("--connect 3 is neither 1 nor 2");
  }

  @Test
  void namesAGapThatTakesMostRelays() throws IOException {
    String list = file("far.csv", "id,x,y\na,0,0\nb,90,0\nc,0,90\nfar,9000,0\n");
    assertThat(relays(list, "--range", "50", "--no-count").err())
        .contains(
            "the gap of 8910 between 'b' and 'far' takes 178 of 180 relays, and 1 sensor is"
                + " beyond it (--within or --max-gap leaves out what is far): ");
    RunOf near = relays(list, "--range", "50", "--no-count", "--max-gap", "500");
    assertThat(near.err()).contains("1 sensor beyond --max-gap left out, first 'far'");
    assertThat(near.out()).containsPattern("sensors +3").containsPattern("relays +2");
    assertThat(relays(list, "--range", "50", "--max-gap", "-1").status()).isEqualTo(2);
  }

  @Test
  void printsTheSameAsJson() throws IOException {
    JsonNode root =
        JsonMapper.shared().readTree(relays(sensors(), "--range", "50", "--json").out());

    assertThat(root.get("sensors").asInt()).isEqualTo(5);
    assertThat(root.get("coordinates").asString()).isEqualTo("planar");
    assertThat(root.get("plan").get("componentsBefore").asInt()).isEqualTo(4);
    assertThat(root.get("plan").get("componentsAfter").asInt()).isOne();
    assertThat(root.get("plan").get("relaysByKind").get("star").asInt()).isOne();
    assertThat(root.get("plan").get("spanningTreeRelays").asInt()).isEqualTo(3);
    assertThat(root.get("threeStars").get("stars").asInt()).isOne();
  }

  @Test
  void onlyCountsOrOnlyPlans() throws IOException {
    assertThat(relays(sensors(), "--range", "50", "--count", "-q"))
        .isEqualTo(new RunOf(0, "1\n", ""));
    assertThat(relays(sensors(), "--range", "50", "--count").out())
        .contains("3-stars  1 by circumcircle")
        .doesNotContain("components");
    assertThat(relays(sensors(), "--range", "50", "--no-count").out())
        .contains("components")
        .doesNotContain("3-stars");
  }

  /** GeoJSON has degrees (RFC 7946); CSV has the coordinates of the list, which it can be again. */
  @Test
  void plansInProjectedCoordinates() throws IOException {
    String text = "name,east,north\na,500000.25,5500000\nb,500900,5500000\n";
    String list = file("utm.csv", text);
    String[] common = {
      list, "--range", "500", "--crs", "EPSG:25832", "--columns", "east,north", "--id", "name"
    };
    RunOf run = relays(with(common, "-o", path("plan.geojson")));
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).containsPattern("range +500 m").containsPattern("relays +1: 1 link");
    JsonNode first =
        JsonMapper.shared().readTree(Files.readString(directory.resolve("plan.geojson")));
    JsonNode position = first.get("features").get(0).get("geometry").get("coordinates");
    assertThat(position.get(0).asDouble()).isCloseTo(9.0000035, within(1e-6));
    assertThat(position.get(1).asDouble()).isCloseTo(49.65, within(0.01));

    assertThat(relays(with(common, "-o", path("plan.csv"))).status()).isZero();
    List<String> rows = Files.readAllLines(directory.resolve("plan.csv"));
    assertThat(rows.getFirst()).isEqualTo("id,kind,x,y,component,site");
    assertThat(rows).contains("a,sensor,500000.25,5500000,1,", "b,sensor,500900,5500000,2,");
    assertThat(rows)
        .anyMatch(row -> row.matches("relay-1,link,500450\\.12[45].*,(5500000|5499999\\.99).*"));
    RunOf again = relays(path("plan.csv"), "--range", "500", "--crs", "25832");
    assertThat(again.out()).contains("1 before, 1 after");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void leavesOutOutliersWithin() throws IOException {
    String far = file("far.csv", SENSORS + "e,1e7,3\n");

    RunOf hinted = relays(far, "--range", "50", "--count", "-q");
    assertThat(hinted.err())
        .contains("'e' is 1.000e+07 from the middle of all places")
        .contains("far.csv, line 7");
    RunOf run = relays(far, "--range", "50", "--within", "-100,-100,100,100");
    assertThat(run.status()).isZero();
    assertThat(run.err())
        .isEqualTo(
            "warning: 1 place outside --within left out, first 'e': %s, line 7\n".formatted(far));
    assertThat(run.out()).containsPattern("sensors +5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--crs EPSG:1 | --crs: 'EPSG:1' is no known coordinate reference system",
        "--crs EPSG:25832 --planar | --crs excludes --planar",
        "--within 1,2,3 | --within: '1,2,3' is not WEST,SOUTH,EAST,NORTH",
      })
  void refusesOptionsOnCoordinates(String options, String problem) throws IOException {
    RunOf run = relays(with(new String[] {sensors(), "--range", "5"}, options.split(" ")));

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains(problem);
  }

  /** Browsers show the title of an element under the pointer. */
  @Test
  void mapsHaveTitles() throws Exception {
    String odd = file("odd.csv", "id,x,y\n<a&b>\u0001,0,0\nb,60,0\nc,30,52\n");
    assertThat(relays(odd, "--range", "50", "--map", path("map.svg")).status()).isZero();

    NodeList titles =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(directory.resolve("map.svg").toFile())
            .getElementsByTagName("title");
    List<String> texts =
        IntStream.range(0, titles.getLength())
            .mapToObj(i -> titles.item(i).getTextContent())
            .toList();
    assertThat(texts)
        .contains(
            "sensor <a&b>\uFFFD, component 1",
            "sensor b, component 2",
            "relay-1, relay joining three or more");
    assertThat(relays(odd, "--range", "50", "--map", path("map.png")).status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"tree, 3", "stars, 2", "best, 2"})
  void plansByAnyMethod(String method, int relays) throws IOException {
    assertThat(relays(sensors(), "--range", "50", "--plan-method", method, "--no-count").out())
        .containsPattern("relays +" + relays + ":");
  }

  /** An obtuse triangle: a relay can serve it, the circle through it is too large. */
  @ParameterizedTest
  @CsvSource({"circumcircle, 0", "enclosing, 1"})
  void countsByEitherRule(String rule, String stars) throws IOException {
    String obtuse = file("obtuse.csv", "id,x,y\na,-50,0\nb,50,0\nc,0,20\n");

    for (String method : List.of("sequential", "annulus", "lanes")) {
      RunOf run =
          RunOf.fieldstone(
              "relays %s --range 50 --count -q --engine cpu --rule %s --method %s"
                  .formatted(obtuse, rule, method)
                  .split(" "));
      assertThat(run).isEqualTo(new RunOf(0, stars + "\n", ""));
    }
  }

  /** The links of the written plan join all nodes, and none is longer than the range. */
  @Test
  void writesGeoJson() throws IOException {
    RunOf run = relays(sensors(), "--range", "50", "-o", path("plan.geojson"), "-q");

    assertThat(run).isEqualTo(new RunOf(0, "", ""));
    JsonNode root =
        JsonMapper.shared().readTree(Files.readString(directory.resolve("plan.geojson")));
    assertThat(root.get("type").asString()).isEqualTo("FeatureCollection");
    assertThat(root.get("properties").get("coordinates").asString()).contains("not degrees");
    Map<String, JsonNode> nodes = new HashMap<>();
    Map<String, Integer> kinds = new HashMap<>();
    Set<Set<String>> networks = new HashSet<>();
    for (JsonNode feature : root.get("features")) {
      JsonNode properties = feature.get("properties");
      String kind = properties.get("kind").asString();
      kinds.merge(kind, 1, Integer::sum);
      JsonNode coordinates = feature.get("geometry").get("coordinates");
      if (feature.get("geometry").get("type").asString().equals("Point")) {
        nodes.put(feature.get("id").asString(), coordinates);
        networks.add(Set.of(feature.get("id").asString()));
      } else {
        String from = properties.get("from").asString();
        String to = properties.get("to").asString();
        assertThat(coordinates.get(0)).isEqualTo(nodes.get(from));
        assertThat(coordinates.get(1)).isEqualTo(nodes.get(to));
        assertThat(length(coordinates))
            .isLessThanOrEqualTo(50 * (1 + 1e-9))
            .isEqualTo(properties.get("length").asDouble());
        join(networks, from, to);
      }
    }
    assertThat(kinds).isEqualTo(Map.of("sensor", 5, "star", 1, "link", 1, "connection", 6));
    assertThat(nodes).containsKeys("a", "d, far", "relay-1", "new-relay-1", "new-relay-2");
    assertThat(networks).containsExactly(nodes.keySet());
  }

  /** All nodes of a plan are sensors of the next, and one network. */
  @ParameterizedTest
  @ValueSource(strings = {"geojson", "csv"})
  void readsItsOwnPlans(String format) throws IOException {
    String degrees =
        file("degrees.csv", "id,lat,lon\na,52,13\nb,52,13.001\nc,52.0007,13.0005\nd,52,13.003\n");
    String planar = path("planar." + format);
    String geographic = path("geographic." + format);
    relays(sensors(), "--range", "50", "-o", planar, "-q");
    relays(degrees, "--range", "60", "-o", geographic, "-q");

    for (String plan : List.of(planar, geographic)) {
      RunOf run = relays(plan, "--range", plan.equals(planar) ? "50" : "60", "--json");
      assertThat(run.err()).isEmpty();
      JsonNode report = JsonMapper.shared().readTree(run.out());
      assertThat(report.get("sensors").asInt()).isEqualTo(7);
      assertThat(report.get("plan").get("componentsBefore").asInt()).isOne();
    }
    if (format.equals("geojson")) {
      assertThat(relays(geographic, "--range", "50", "--planar"))
          .isEqualTo(
              new RunOf(
                  1,
                  "",
                  "fieldstone: a plan in degrees, which excludes --crs and --planar: "
                      + geographic
                      + "\n"));
    }
  }

  private static double length(JsonNode line) {
    return Math.hypot(
        line.get(1).get(0).asDouble() - line.get(0).get(0).asDouble(),
        line.get(1).get(1).asDouble() - line.get(0).get(1).asDouble());
  }

  /** Threads format the features in parts. */
  @Test
  void largePlansAreTheSameFromAnyNumberOfThreads() throws IOException {
    int sensors = 9000;
    StringBuilder list = new StringBuilder("id,x,y\n");
    for (int i = 0; i < sensors; i++) {
      list.append(i).append(',').append(40 * i).append(",0\n");
    }
    String file = file("line.csv", list.toString());
    for (String format : List.of("csv", "geojson")) {
      for (String threads : List.of("1", "4")) {
        String plan = path(threads + "." + format);
        RunOf run =
            relays(file, "--range", "50", "-o", plan, "--no-count", "-q", "--threads", threads);
        assertThat(run.status()).isZero();
      }
      assertThat(directory.resolve("4." + format))
          .hasSameBinaryContentAs(directory.resolve("1." + format));
    }
    assertThat(directory.resolve("4.csv")).content().hasLineCount(1 + sensors);
    JsonNode plan = JsonMapper.shared().readTree(Files.readString(directory.resolve("4.geojson")));
    assertThat(plan.path("features")).hasSize(sensors + sensors - 1);
  }

  private static void join(Set<Set<String>> networks, String from, String to) {
    Set<String> joined = new HashSet<>();
    networks.removeIf(
        network -> (network.contains(from) || network.contains(to)) && joined.addAll(network));
    networks.add(joined);
  }

  /** A written plan can be read again as sensors, which then need no relays. */
  @ParameterizedTest
  @ValueSource(strings = {"id,x,y\na,0,0\nb,100,0\n", "id,lat,lon\na,52,13\nb,52.001,13.001\n"})
  void writesCsvThatItReads(String sensors) throws IOException {
    String file = file("two.csv", sensors);

    assertThat(relays(file, "--range", "60", "-o", path("plan.csv"), "-q").status()).isZero();

    String plan = Files.readString(directory.resolve("plan.csv"));
    assertThat(plan)
        .startsWith(
            sensors.startsWith("id,x") ? "id,kind,x,y,component,site\n" : "id,kind,lat,lon,")
        .contains("\na,sensor,", "\nrelay-1,link,");
    assertThat(relays(path("plan.csv"), "--range", "60.0001", "--no-count").out())
        .containsPattern("components +1 before, 1 after\nrelays +0\n");
  }

  @Test
  void readsStandardInputAndWritesStandardOutput() {
    InputStream in =
        new ByteArrayInputStream(
            "{\"type\":\"MultiPoint\",\"coordinates\":[[179.9,10],[-179.9,10]]}"
                .getBytes(StandardCharsets.UTF_8));

    RunOf run = RunOf.reading(in, "relays", "-", "--range", "12000", "-o", "-");

    JsonNode features = JsonMapper.shared().readTree(run.out()).get("features");
    assertThat(features).hasSize(2 + 1 + 2);
    assertThat(features.get(2).get("properties").get("kind").asString()).isEqualTo("link");
    assertThat(Math.abs(features.get(2).get("geometry").get("coordinates").get(0).asDouble()))
        .isCloseTo(180, within(1e-6));
    for (JsonNode feature : List.of(features.get(3), features.get(4))) {
      JsonNode line = feature.get("geometry").get("coordinates");
      assertThat(length(line)).as("the short way round").isLessThan(1);
    }
  }

  @Test
  void relaysStandOnSitesOnly() throws IOException {
    String sites = file("sites.csv", "y,x,id\n0,40,post\n0,-40,mast\n3,3,none\n20,30,hill\n");

    RunOf run =
        relays(sensors(), "--range", "50", "--sites", sites, "-o", path("p.csv"), "--no-count");

    assertThat(run.out()).contains("2: 2 site");
    assertThat(Files.readString(directory.resolve("p.csv")))
        .contains(",site,-40,0,,mast\n", ",site,30,20,,hill\n");

    RunOf none =
        relays(sensors(), "--range", "50", "--sites", file("few.csv", "id,x,y\nhill,30,20"));
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err())
        .startsWith("fieldstone: relays on all sites leave 2 networks: sensors ")
        .endsWith("few.csv\n")
        .hasLineCount(1);
  }

  /** A plan is extended: its relays cost nothing, in all files and numbers. */
  @Test
  void existingRelaysCostNothing() throws IOException {
    String list = file("row.csv", "id,x,y\na,0,0\nb,200,0\n");
    assertThat(relays(list, "--range", "50", "-o", path("old.csv"), "-q").status()).isZero();
    String more = file("more.csv", "id,x,y\na,0,0\nb,200,0\nc,300,0\n");
    for (String map : List.of("m.svg", "m.html")) {
      RunOf run =
          relays(
              more,
              "--range",
              "50",
              "--existing",
              path("old.csv"),
              "--no-count",
              "-o",
              path("plan.csv"),
              "--map",
              path(map));
      assertThat(run.err()).isEmpty();
      assertThat(run.out().lines().map(line -> line.replaceAll(" +", " ")))
          .contains("relays 1: 1 link", " 3 existing, 3 in the network");
    }
    assertThat(Files.readString(directory.resolve("plan.csv")))
        .contains("relay-1,link,250,0,,\n", "relay-2,existing,50,0,,relay-1\n");
    assertThat(directory.resolve("m.svg")).content().contains("3 relays that exist");
    assertThat(directory.resolve("m.html")).content().contains("\"existing\"");

    String posts = file("posts.csv", "id,x,y\np,250,0\nq,270,10\n");
    JsonNode plan =
        JsonMapper.shared()
            .readTree(
                relays(
                        more,
                        "--range",
                        "50",
                        "--existing",
                        path("plan.csv"),
                        "--sites",
                        posts,
                        "--json",
                        "-o",
                        path("p.geojson"))
                    .out())
            .get("plan");
    assertThat(plan.get("relays").asInt()).isZero();
    assertThat(plan.get("existing").asInt()).isEqualTo(4);
    assertThat(plan.get("relaysByKind").get("existing").asInt()).isEqualTo(4);
    assertThat(directory.resolve("p.geojson")).content().contains("\"kind\":\"existing\"");
    assertThat(
            relays(
                    more,
                    "--range",
                    "50",
                    "--existing",
                    path("plan.csv"),
                    "--connect",
                    "2",
                    "--no-count")
                .out())
        .containsPattern("relays +4: 4 link");
  }

  @Test
  void existingRelaysAreChecked() throws IOException {
    RunOf none =
        relays(
            sensors(), "--range", "50", "--existing", file("s.csv", "id,kind,x,y\na,sensor,0,0\n"));
    assertThat(none.status()).isEqualTo(1);
    assertThat(none.err()).startsWith("fieldstone: a plan without relays").contains("s.csv");
    RunOf degrees =
        relays(sensors(), "--range", "50", "--existing", file("d.csv", "id,lat,lon\na,1,2\n"));
    assertThat(degrees.status()).isEqualTo(1);
    assertThat(degrees.err()).contains("coordinates lon, lat, but").contains("d.csv");
    assertThat(relays(sensors(), "--range", "50", "--count", "--existing", sensors()).err())
        .contains("--count makes no plan and excludes");
    assertThat(relays("-", "--range", "50", "--existing", "-").err())
        .contains("standard input can be only one of SENSORS, --sites and --existing");
  }

  @Test
  void drawsMapsInBothForms() throws Exception {
    assertThat(relays(sensors(), "--range", "50", "--map", path("m.svg"), "-q").status()).isZero();
    assertThat(relays(sensors(), "--range", "50", "--map", path("m.png"), "-q").status()).isZero();

    Element svg =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(directory.resolve("m.svg").toFile())
            .getDocumentElement();
    assertThat(svg.getTextContent())
        .contains("5 sensors and 2 relays, range 50", "1 relay joining three or more")
        .contains("5 sensors in 4 components, a colour each");
    var image = ImageIO.read(directory.resolve("m.png").toFile());
    assertThat(image.getWidth()).isEqualTo(2 * Integer.parseInt(svg.getAttribute("width")));
    Set<Integer> colours = new HashSet<>();
    for (int y = 0; y < image.getHeight(); y++) {
      for (int x = 0; x < image.getWidth(); x++) {
        colours.add(image.getRGB(x, y) & 0xFFFFFF);
      }
    }
    assertThat(colours).contains(0xFFFFFF, 0xD40000, 0x0072B2, 0xE69F00, 0x009E73, 0x1A1A1A);
  }

  @Test
  void writesAFileOfStars() throws IOException {
    RunOf run = relays(sensors(), "--range", "50", "--count", "--stars", path("stars"));

    assertThat(run.status()).isZero();
    assertThat(run.err()).isEqualTo("writing " + path("stars") + ": 116 B for 1 3-stars\n");
    assertThat(Files.size(directory.resolve("stars"))).isEqualTo(116);
    assertThat(run.out()).contains("116 B in the file of 3-stars");
    try (var files = Files.list(directory)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("sensors.csv", "stars");
    }
  }

  @Test
  void oneSensorIsANetwork() throws IOException {
    String one = file("one.csv", "id,lat,lon\na,0,0\n");

    RunOf run = relays(one, "--range", "50", "--map", path("one.svg"));

    assertThat(run.status()).isZero();
    assertThat(run.out()).containsPattern("relays +0\n").contains("50 m");
    assertThat(Files.readString(directory.resolve("one.svg"))).doesNotContain("NaN");
  }

  @Test
  void reportsInvalidSensors() throws IOException {
    for (String bad : List.of("id,x,y\na,1,b\n", "", "id,lat,lon\na,0,0\nb,0,179\n")) {
      RunOf run = relays(file("bad.csv", bad), "--range", "50", "-o", path("plan.csv"));
      assertThat(run.status()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
      assertThat(run.err()).startsWith("fieldstone: ").contains("bad.csv").hasLineCount(1);
      assertThat(directory.resolve("plan.csv")).doesNotExist();
    }
    assertThat(relays(path("missing.csv"), "--range", "50").err())
        .isEqualTo("fieldstone: no such file or directory: " + path("missing.csv") + "\n");
    assertThat(relays(directory.toString(), "--range", "50").err())
        .isEqualTo("fieldstone: is a directory: " + directory + "\n");
  }

  /** Wrong only when seen beside the sensors: still usage. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--range 1e-300 | --range: range 1.0E-300 is not between",
        "--range 1e-12 | --range: coordinate 60.0 is more than 2147483646 cells",
        "--range 1e-5 --no-count | needs 20,203,329 relays, more than 1,000,000",
        "--range 50 --method luck --engine cpu | no method 'luck' for 3-stars on cpu; there are: ",
      })
  void rejectsOptionsThatDoNotFitTheSensors(String options, String message) throws IOException {
    String[] words = ("relays " + sensors() + " " + options).split(" ");

    RunOf run = RunOf.fieldstone(words);

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith("fieldstone: ").contains(message).hasLineCount(2);
  }
}
