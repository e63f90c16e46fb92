package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Weak points of networks, and plans without them. */
class NetworkCheckTest {

  private static Engine engine;

  @BeforeAll
  static void open() {
    engine = Engine.open("cpu", new EngineOptions(2));
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  @Test
  void theMiddleOfAChainIsASinglePointOfFailure() {
    SensorField field = field(0, 0, 10, 0, 20, 0, 30, 0, 100, 0);
    NetworkCheck check = NetworkCheck.of(engine, field, 10);
    assertThat(check.links()).isEqualTo(3);
    assertThat(check.parts())
        .containsExactly(new NetworkCheck.Part(0, 4), new NetworkCheck.Part(4, 1));
    assertThat(check.failures())
        .containsExactly(new NetworkCheck.Failure(1, 2, 1), new NetworkCheck.Failure(2, 2, 1));
  }

  @Test
  void aRingHasNone() {
    NetworkCheck check = NetworkCheck.of(engine, field(0, 0, 10, 0, 10, 10, 0, 10), 10);
    assertThat(check.links()).isEqualTo(4);
    assertThat(check.parts()).hasSize(1);
    assertThat(check.failures()).isEmpty();
  }

  @Test
  void nothingIsNoNetwork() {
    NetworkCheck check = NetworkCheck.of(engine, field(), 1);
    assertThat(check.parts()).isEmpty();
    assertThat(check.failures()).isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NetworkCheck.of(engine, field(1, 1), 0))
        .withMessageContaining("range 0.0");
  }

  /** Against the removal of each node. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void randomNetworksAreAsRemovalSays(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int size = 5 + random.nextInt(60);
    double range = 60 + 40 * random.nextDouble();
    double[] coordinates = random.doubles(2 * size, 0, 400).toArray();
    SensorField field = field(coordinates);
    NetworkCheck check = NetworkCheck.of(engine, field, range);
    assertThat(check.parts().stream().mapToInt(NetworkCheck.Part::nodes).toArray())
        .isEqualTo(sizes(field, -1, -1, range));
    List<NetworkCheck.Failure> expected = new ArrayList<>();
    for (int node = 0; node < size; node++) {
      int[] of = sizes(field, -1, node, range);
      int[] without = sizes(field, node, node, range);
      if (without.length > 1) {
        expected.add(new NetworkCheck.Failure(node, without.length, of[0] - 1 - without[0]));
      }
    }
    expected.sort(Comparator.comparingInt(failure -> -failure.separated()));
    assertThat(check.failures()).isEqualTo(expected);
  }

  /** Without any one relay all sensors stay connected, with at most twice the relays. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
  void reinforcedPlansBearTheFailureOfAnyRelay(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int size = 3 + random.nextInt(60);
    double range = seed % 2 == 0 ? 50 : 0.7;
    SensorField field = field(random.doubles(2 * size, 0, range * (5 + 3 * seed)).toArray());
    RelayPlanner planner = new RelayPlanner(engine, field, range);
    RelayPlan plan = planner.plan(PlanMethod.BEST_STARS);
    RelayPlan reinforced = planner.reinforced(plan);
    assertThat(reinforced.relays()).hasSizeLessThanOrEqualTo(2 * plan.relays().size());
    for (Relay relay : reinforced.relays()) {
      List<Relay> rest = new ArrayList<>(reinforced.relays());
      rest.remove(relay);
      assertThat(new ConnectionTest(field, rest, range).networks()).isOne();
    }
  }

  /** Relays along a circle but for one gap: another relay closes the ring. */
  @Test
  void ringsTakeFewerThanDoubles() {
    double[] circle =
        IntStream.range(0, 16)
            .boxed()
            .flatMap(i ->
                Stream.of(100 * Math.cos(i * Math.TAU / 16), 100 * Math.sin(i * Math.TAU / 16)))
            .mapToDouble(Double::doubleValue)
            .toArray();
    RelayPlanner planner = new RelayPlanner(engine, field(circle), 20);
    RelayPlan plan = planner.plan(PlanMethod.SPANNING_TREE);
    assertThat(plan.relays()).hasSize(15);
    assertThat(planner.reinforced(plan).relays()).hasSize(16);
  }

  @Test
  void sitesHaveNoRoomForASecondRelay() throws Exception {
    SensorField field = field(0, 0, 90, 0);
    RelayPlanner planner = new RelayPlanner(engine, field, 50);
    RelayPlan plan =
        planner.plan(field.alongside(List.of("mast"), new double[] {45}, new double[1]));
    assertThatIllegalArgumentException().isThrownBy(() -> planner.reinforced(plan));
  }

  /**
   * Returns the sizes of connected parts, descending, by labels that spread.
   *
   * @param removed a node that is left out, or −1
   * @param member a node whose part alone counts, or −1 for all
   */
  private static int[] sizes(SensorField field, int removed, int member, double range) {
    int[] whole = labels(field, -1, range);
    int[] labels = labels(field, removed, range);
    return IntStream.range(0, field.size())
        .filter(node -> node != removed && (member < 0 || whole[node] == whole[member]))
        .mapToObj(node -> labels[node])
        .collect(Collectors.groupingBy(label -> label, Collectors.counting()))
        .values()
        .stream()
        .map(count -> -count)
        .sorted()
        .mapToInt(count -> (int) -count)
        .toArray();
  }

  private static int[] labels(SensorField field, int removed, double range) {
    int[] labels = IntStream.range(0, field.size()).toArray();
    boolean isChanged = true;
    while (isChanged) {
      isChanged = false;
      for (int a = 0; a < labels.length; a++) {
        for (int b = 0; b < labels.length; b++) {
          boolean isLinked =
              a != removed
                  && b != removed
                  && Math.hypot(field.x(a) - field.x(b), field.y(a) - field.y(b)) <= range;
          if (isLinked && labels[a] > labels[b]) {
            labels[a] = labels[b];
            isChanged = true;
          }
        }
      }
    }
    return labels;
  }

  private static SensorField field(double... coordinates) {
    int size = coordinates.length / 2;
    double[] xs = IntStream.range(0, size).mapToDouble(i -> coordinates[2 * i]).toArray();
    double[] ys = IntStream.range(0, size).mapToDouble(i -> coordinates[2 * i + 1]).toArray();
    return SensorField.planar(BenchmarkField.ids(size), xs, ys);
  }
}
