package io.fieldstone.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Scanner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lengths of plans against proven optima: the Euclidean Steiner problems of J. E. Beasley's
 * OR-Library, 15 fields each of 10 to 100 points ({@code estein10} … {@code estein100}), with the
 * optima of P. Winter and M. Zachariasen, "Large Euclidean Steiner minimal trees in an hour"
 * ({@code estein10opt} … {@code estein100opt}).
 *
 * <p>The files are not part of this project. They are read from the folder {@code
 * -Dfieldstone.estein}; without it, nothing is tested.
 */
class OrLibraryTest {

  private static final String FOLDER = "fieldstone.estein";

  /** The fields are squares of side 1. */
  private static final double RANGE = 0.001;

  private static Engine engine;

  @BeforeAll
  static void open() {
    assumeTrue(System.getProperty(FOLDER) != null, "no -D" + FOLDER);
    engine = Engine.open("cpu", new EngineOptions(2));
  }

  @AfterAll
  static void close() {
    if (engine != null) {
      engine.close();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100})
  void plansAreNearlyAsShortAsTheOptima(int points) throws IOException {
    Path file = Path.of(System.getProperty(FOLDER), "estein" + points);
    try (Scanner fields = scanner(file);
        Scanner optima = scanner(file.resolveSibling(file.getFileName() + "opt"))) {
      int count = fields.nextInt();
      assertThat(optima.nextInt()).isEqualTo(count);
      double sum = 0;
      double largest = 0;
      for (int i = 0; i < count; i++) {
        double ratio = length(fields) / optimum(optima);
        assertThat(ratio).as("estein%d, field %d", points, i + 1).isBetween(1 - 1e-6, 1.01);
        sum += ratio;
        largest = Math.max(largest, ratio);
      }
      System.out.printf(
          Locale.ROOT, "%d points: mean %.5f, largest %.5f%n", points, sum / count, largest);
    }
  }

  private static Scanner scanner(Path file) throws IOException {
    return new Scanner(Files.newBufferedReader(file)).useLocale(Locale.ROOT);
  }

  private static double length(Scanner fields) {
    int points = fields.nextInt();
    double[] xs = new double[points];
    double[] ys = new double[points];
    for (int i = 0; i < points; i++) {
      xs[i] = fields.nextDouble();
      ys[i] = fields.nextDouble();
    }
    SensorField field = SensorField.planar(BenchmarkField.ids(points), xs, ys);
    RelayPlan plan = new RelayPlanner(engine, field, RANGE).plan(PlanMethod.BEST_STARS);
    return plan.links(engine).stream().mapToDouble(RelayPlan.Link::length).sum();
  }

  /** Reads the optimum; the length of a spanning tree and Steiner points follow. */
  private static double optimum(Scanner optima) {
    double optimum = optima.nextDouble();
    optima.nextDouble();
    int steinerPoints = optima.nextInt();
    for (int i = 0; i < 2 * steinerPoints; i++) {
      optima.nextDouble();
    }
    return optimum;
  }
}
