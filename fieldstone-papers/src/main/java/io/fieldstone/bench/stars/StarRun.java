package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The engines, fields and results that the sections of {@code bench 3-star} share. */
final class StarRun {

  private static final double MAX_FULL_SECONDS = 3;
  private static final double MAX_QUICK_SECONDS = 2;
  private static final double FULL_WATCH_SECONDS = 0.4;
  private static final double QUICK_WATCH_SECONDS = 0.3;

  /** The minimum number of sensors; smaller fields have hardly any 3-stars. */
  private static final int MIN_SENSORS = 400;

  private final BenchEngines engines;
  private final Pace pace;
  private final Map<Integer, StarField> fields = new HashMap<>();
  private final Map<Integer, Long> known = new HashMap<>();
  private final List<EngineMethod> methods = new ArrayList<>();

  /** Trials by search and number of sensors. */
  private final Map<String, StarTrial> trials = new HashMap<>();

  /** A method on an engine. */
  record EngineMethod(String engineName, Engine engine, String method) {
    String name() {
      return method + ", " + engineName;
    }
  }

  StarRun(BenchEngines engines, Pace pace) {
    this.engines = engines;
    this.pace = pace;
    StarField smallest = field(sizes().getFirst());
    engines
        .oneCore()
        .stars()
        .methods(smallest)
        .forEach(method -> methods.add(new EngineMethod("one core", engines.oneCore(), method)));
    if (engines.threads() > 1) {
      methods.add(
          new EngineMethod(
              "%d threads".formatted(engines.threads()),
              engines.cores(),
              chosenMethod(engines.cores())));
    }
    engines
        .gpu()
        .ifPresent(gpu ->
            gpu.stars()
                .methods(smallest)
                .forEach(method -> methods.add(new EngineMethod(gpu.spec(), gpu, method))));
  }

  BenchEngines engines() {
    return engines;
  }

  /** Returns the methods of the cores, then those of the GPU. */
  List<EngineMethod> methods() {
    return methods;
  }

  /** Returns the method that an engine chooses. */
  String chosenMethod(Engine engine) {
    try (var search = engine.stars().search(field(sizes().getFirst()))) {
      return search.method();
    }
  }

  /** Returns the numbers of sensors, ascending. */
  List<Integer> sizes() {
    List<Integer> all = StarPaper.SENSORS;
    return all.stream()
        .filter(sensors -> pace.allShapes() || Integer.numberOfTrailingZeros(sensors) % 2 == 0)
        .map(this::sensors)
        .distinct()
        .toList();
  }

  /** Returns the largest number of sensors. */
  int maxSensors() {
    return sizes().getLast();
  }

  /** Returns {@code number} sensors, or fewer in a test of the benchmark. */
  int sensors(int number) {
    return Math.max(MIN_SENSORS, number / pace.shrink());
  }

  /** Returns the field of the paper with its rule. */
  StarField field(int sensors) {
    return fields.computeIfAbsent(
        sensors, n -> ScatteredSensors.ofPaper(n).starField(StarRule.CIRCUMCIRCLE));
  }

  /**
   * Searches, and compares the number of 3-stars with that of other methods.
   *
   * @throws IllegalStateException if they differ
   */
  StarTrial measure(Run run, EngineMethod line, StarWork work, int sensors) {
    String name = "%s, %d sensors, %s".formatted(work.done(), sensors, line.name());
    run.beginStep(name);
    double expected = expected(line, work, sensors);
    boolean isQuick = !pace.allShapes();
    double maxSeconds = (isQuick ? MAX_QUICK_SECONDS : MAX_FULL_SECONDS) / pace.shrink();
    double watchSeconds = (isQuick ? QUICK_WATCH_SECONDS : FULL_WATCH_SECONDS) / pace.shrink();
    try (var search = line.engine().stars().search(field(sensors), line.method())) {
      if (expected <= maxSeconds) {
        check(sensors, work.stars(search), name);
      }
      StarTrial trial = StarTrial.of(search, work, expected, maxSeconds, watchSeconds);
      trials.put(key(line, work, sensors), trial);
      run.record(name, sensors, trial.seconds());
      return trial;
    }
  }

  /** Predicts the seconds of a search from those of fewer sensors; the work grows as their cube. */
  private double expected(EngineMethod line, StarWork work, int sensors) {
    double expected = 0;
    for (int fewer : sizes()) {
      StarTrial trial = trials.get(key(line, work, fewer));
      if (fewer < sensors && trial != null) {
        expected = trial.seconds() * Math.pow((double) sensors / fewer, 3);
      }
    }
    return expected;
  }

  /** Returns a trial, if it was measured. */
  Optional<StarTrial> trial(EngineMethod line, StarWork work, int sensors) {
    return Optional.ofNullable(trials.get(key(line, work, sensors)));
  }

  private static String key(EngineMethod line, StarWork work, int sensors) {
    return "%s %s %d".formatted(line.name(), work, sensors);
  }

  /** Returns the number of 3-stars that was found. */
  double stars(int sensors) {
    return known.getOrDefault(sensors, 0L);
  }

  /**
   * Compares a number of 3-stars with the one found first, or by other programs.
   *
   * @throws IllegalStateException if they differ
   */
  void check(int sensors, long stars, String name) {
    long right = known.computeIfAbsent(sensors, n -> StarPaper.STARS.getOrDefault(n, stars));
    if (stars != right) {
      throw new IllegalStateException("%s: %d 3-stars, not %d".formatted(name, stars, right));
    }
  }
}
