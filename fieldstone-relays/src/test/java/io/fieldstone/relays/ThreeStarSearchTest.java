package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarRule;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThreeStarSearchTest {

  private static Engine engine;

  @TempDir private Path directory;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu");
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  /** Counted by brute force and by programs that are not Fieldstone's: seed 1, R = 50. */
  @ParameterizedTest
  @CsvSource({
    "1600, 4546, 4908",
    "3200, 35191, 37849",
    "6400, 283048, 304444",
    "12800, 2275577, 2444734"
  })
  void countsThoseOfTheBenchmark(int points, long byCircumcircle, long byEnclosingCircle) {
    SensorField field = BenchmarkField.of(points, 1);
    for (StarRule rule : StarRule.values()) {
      long expected = rule == StarRule.CIRCUMCIRCLE ? byCircumcircle : byEnclosingCircle;
      for (String method : List.of("sequential", "annulus", "lanes")) {
        try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, 50, rule, method)) {
          assertThat(search.count()).as("%s, %s", method, rule).isEqualTo(expected);
        }
      }
      try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, 50, rule)) {
        assertThat(search.count()).isEqualTo(expected);
      }
    }
  }

  /** Coincident sensors are no star, so each place of a star gives one of its sensors. */
  @Test
  void countsStarsOfPlacesWithManySensors() {
    int[] sensors = {2000, 1500, 1};
    double[] three = {0.1, 0.1, 6, 0, 3, 5.2};
    int all = Arrays.stream(sensors).sum();
    double[] xs = new double[all];
    double[] ys = new double[all];
    for (int place = 0, at = 0; place < sensors.length; place++) {
      Arrays.fill(xs, at, at + sensors[place], three[2 * place]);
      Arrays.fill(ys, at, at + sensors[place], three[2 * place + 1]);
      at += sensors[place];
    }
    SensorField field = SensorField.planar(BenchmarkField.ids(all), xs, ys);
    for (StarRule rule : StarRule.values()) {
      try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, 5, rule)) {
        List<Integer> progress = new ArrayList<>();
        assertThat(search.sensors()).isEqualTo(all);
        assertThat(search.count(progress::add)).isEqualTo(2000L * 1500);
        assertThat(search.count()).isEqualTo(2000L * 1500);
        assertThat(progress.getLast()).isEqualTo(all);
      }
    }
  }

  /** One by one, and once for each place: some places have ten sensors, others one. */
  @Test
  void countsPlacesWithManySensorsAsOneByOne() {
    SplittableRandom random = new SplittableRandom(9);
    int places = 60;
    double[] xs = new double[3 * places];
    double[] ys = new double[3 * places];
    for (int i = 0; i < xs.length; i++) {
      int same = i >= places ? i % (places / 10) : i;
      xs[i] = i >= places ? xs[same] : random.nextInt(200);
      ys[i] = i >= places ? ys[same] : random.nextInt(200);
    }
    SensorField field = SensorField.planar(BenchmarkField.ids(xs.length), xs, ys);
    for (StarRule rule : StarRule.values()) {
      try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, 50, rule)) {
        long[] visited = {0};
        search.forEach((_, _, _) -> visited[0]++);
        assertThat(search.count()).isEqualTo(visited[0]).isPositive();
      }
    }
  }

  /** In doubles, 0.4 − 0.1 is more than 0.3, so the first two would be apart. */
  @Test
  void comparesDistancesInDecimalsAsWritten() throws IOException, MalformedStarFileException {
    double[] xs = {0.1, 0.4, 0.25};
    double[] ys = {0, 0, 0.4};
    SensorField linked = SensorField.planar(BenchmarkField.ids(3), xs, ys);
    try (ThreeStarSearch search =
        ThreeStarSearch.in(engine, linked, 0.3, StarRule.ENCLOSING_CIRCLE)) {
      assertThat(search.count()).isZero();
    }
    xs[1] = 0.41;
    SensorField apart = SensorField.planar(BenchmarkField.ids(3), xs, ys);
    Path file = directory.resolve("stars");
    try (ThreeStarSearch search =
        ThreeStarSearch.in(engine, apart, 0.3, StarRule.ENCLOSING_CIRCLE)) {
      assertThat(search.count()).isOne();
      search.write(file);
    }
    try (StarFile stars = StarFile.open(file)) {
      assertThat(stars.range()).isEqualTo(0.3);
      assertThat(stars.side()).isEqualTo(0.6);
    }
  }

  /**
   * The same points in other units and elsewhere, and the same stars: as decimals that are scaled
   * to integers, and as numbers with too many digits for that.
   */
  @ParameterizedTest
  @ValueSource(doubles = {8, 0x1p20})
  void countsInAnyUnit(double unit) {
    double offset = Math.rint(8e6 / unit);
    SensorField field = BenchmarkField.of(3200, 1);
    double[] xs = new double[field.size()];
    double[] ys = new double[field.size()];
    for (int i = 0; i < xs.length; i++) {
      xs[i] = field.x(i) / unit - offset;
      ys[i] = field.y(i) / unit + offset;
    }
    SensorField scaled = SensorField.planar(BenchmarkField.ids(3200), xs, ys);
    for (String method : List.of("sequential", "annulus", "lanes")) {
      try (ThreeStarSearch search =
          ThreeStarSearch.in(engine, scaled, 50 / unit, StarRule.CIRCUMCIRCLE, method)) {
        assertThat(search.count()).as(method).isEqualTo(35191);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequential", "annulus", "lanes"})
  void listsThoseOfTheBenchmark(String method) throws Exception {
    Set<List<Integer>> expected = reference();
    SensorField field = BenchmarkField.of(1600, 1);
    Path file = directory.resolve("stars");
    try (ThreeStarSearch search =
        ThreeStarSearch.in(engine, field, 50, StarRule.CIRCUMCIRCLE, method)) {
      List<List<Integer>> found = new ArrayList<>();
      search.forEach((a, b, c) -> found.add(ascending(a, b, c)));
      assertThat(found).hasSize(expected.size());
      assertThat(new HashSet<>(found)).isEqualTo(expected);
      assertThat(search.write(file)).isEqualTo(expected.size());
    }
    List<List<Integer>> read = new ArrayList<>();
    try (StarFile stars = StarFile.open(file)) {
      assertThat(stars.range()).isEqualTo(50);
      assertThat(stars.side()).isEqualTo(100);
      assertThat(stars.rule()).isEqualTo(StarRule.CIRCUMCIRCLE);
      assertThat(stars.sensors()).isEqualTo(1600);
      assertThat(stars.forEach((a, b, c) -> read.add(ascending(a, b, c))))
          .isEqualTo(expected.size());
      assertThatThrownBy(() -> stars.forEach((_, _, _) -> {}))
          .isInstanceOf(IllegalStateException.class);
    }
    assertThat(read).hasSize(expected.size());
    assertThat(new HashSet<>(read)).isEqualTo(expected);
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(file);
    }
  }

  /** The paper's Fig. 8, three clusters, of more than a segment in a cell; one star; none. */
  @Test
  void writesSegments() throws Exception {
    SplittableRandom random = new SplittableRandom(5);
    double[] xs = new double[600];
    double[] ys = new double[600];
    for (int i = 0; i < xs.length; i++) {
      int cluster = i < 3 ? i : i < 12 ? i % 2 : 2;
      xs[i] = 30 * cluster + random.nextInt(4);
      ys[i] = (cluster == 1 ? 52 : 0) + random.nextInt(4);
    }
    for (int points : new int[] {600, 3, 0}) {
      SensorField field =
          SensorField.planar(
              BenchmarkField.ids(points), Arrays.copyOf(xs, points), Arrays.copyOf(ys, points));
      Set<List<Integer>> found = new HashSet<>();
      Set<List<Integer>> read = new HashSet<>();
      Path file = directory.resolve("segments");
      try (ThreeStarSearch search =
          ThreeStarSearch.in(engine, field, 50, StarRule.ENCLOSING_CIRCLE)) {
        search.forEach((a, b, c) -> found.add(ascending(a, b, c)));
        assertThat(search.write(file)).isEqualTo(found.size());
      }
      try (StarFile stars = StarFile.open(file)) {
        assertThat(stars.forEach((a, b, c) -> read.add(ascending(a, b, c))))
            .isEqualTo(found.size());
      }
      assertThat(read).isEqualTo(found);
    }
  }

  /** Any changed byte and any truncation gives the same kind of error. */
  @Test
  void predictsTheFileSizeAndReportsProgress() throws Exception {
    SensorField field = BenchmarkField.of(1600, 1);
    List<Integer> progress = new ArrayList<>();
    Path file = directory.resolve("stars");
    for (String method : List.of("sequential", "lanes")) {
      try (ThreeStarSearch search =
          ThreeStarSearch.in(engine, field, 50, StarRule.CIRCUMCIRCLE, method)) {
        assertThat(search.count(progress::add)).isEqualTo(4546);
        assertThat(progress).isSorted().doesNotHaveDuplicates().endsWith(1600);
        progress.clear();
        StarFileSize size = search.measure(file, progress::add);
        assertThat(search.write(file, size, progress::add)).isEqualTo(4546);
        assertThat(progress).filteredOn(done -> done == 1600).hasSize(2);
        progress.clear();
        assertThat(size).isEqualTo(new StarFileSize(4546, Files.size(file)));
        StarFileSize tooLarge = new StarFileSize(4546, Long.MAX_VALUE);
        assertThatThrownBy(() -> search.write(file, tooLarge, _ -> {}))
            .isInstanceOf(IOException.class)
            .hasMessageStartingWith(
                "not enough space for 4,546 3-stars: 9,223,372,036,854,775,807 bytes are needed")
            .hasMessageEndingWith(": " + file);
      }
    }
  }

  @Test
  void noticesDamage() throws Exception {
    SensorField field = BenchmarkField.of(800, 3);
    Path file = directory.resolve("whole");
    try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, 50, StarRule.CIRCUMCIRCLE)) {
      assertThat(search.write(file)).isPositive();
    }
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(8);
    Path damaged = directory.resolve("damaged");
    for (int i = 0; i < 400; i++) {
      byte[] bytes = whole.clone();
      int at = i < 100 ? i % 40 : random.nextInt(bytes.length);
      if (i % 4 == 0) {
        bytes = Arrays.copyOf(bytes, at);
      } else {
        bytes[at] ^= (byte) (1 + random.nextInt(255));
      }
      Files.write(damaged, bytes);
      assertThatThrownBy(
              () -> {
                try (StarFile stars = StarFile.open(damaged)) {
                  stars.forEach((_, _, _) -> {});
                }
              })
          .isInstanceOf(MalformedStarFileException.class)
          .hasMessageContaining("damaged: byte ");
    }
    Files.write(damaged, Arrays.copyOf(whole, whole.length + 1));
    assertThatThrownBy(
            () -> {
              try (StarFile stars = StarFile.open(damaged)) {
                stars.forEach((_, _, _) -> {});
              }
            })
        .isInstanceOf(MalformedStarFileException.class);
  }

  @Test
  void refusesRangesAndMethods() {
    SensorField field = BenchmarkField.of(10, 1);
    for (double range : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ThreeStarSearch.in(engine, field, range, StarRule.CIRCUMCIRCLE))
          .withMessageContaining("range " + range);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ThreeStarSearch.in(engine, field, 1, StarRule.CIRCUMCIRCLE, "magic"))
        .withMessageContaining("'magic'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ThreeStarSearch.in(engine, field, 1e-9, StarRule.CIRCUMCIRCLE))
        .withMessageContaining("cells");
  }

  private static List<Integer> ascending(int a, int b, int c) {
    int[] sensors = {a, b, c};
    Arrays.sort(sensors);
    return List.of(sensors[0], sensors[1], sensors[2]);
  }

  private static Set<List<Integer>> reference() throws IOException {
    Set<List<Integer>> stars = new HashSet<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                ThreeStarSearchTest.class.getResourceAsStream("stars_1600_seed1.csv"),
                StandardCharsets.US_ASCII))) {
      lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> Arrays.stream(line.split(",")).map(Integer::valueOf).toList())
          .forEach(stars::add);
    }
    return stars;
  }
}
