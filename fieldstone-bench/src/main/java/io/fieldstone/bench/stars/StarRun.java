package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Pace;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the sections of {@code bench 3-star} share. */
final class StarRun {

  private static final double MAX_FULL_SECONDS = 5;
  private static final double MAX_QUICK_SECONDS = 2;
  private static final double FULL_WATCH_SECONDS = 1;
  private static final double QUICK_WATCH_SECONDS = 0.3;

  /** Fewer sensors have no 3-stars to speak of. */
  private static final int MIN_SENSORS = 400;

  private final BenchEngines engines;
  private final Pace pace;
  private final Map<Integer, StarField> fields = new HashMap<>();
  private final Map<Integer, Long> known = new HashMap<>();
  private final List<EngineMethod> methods = new ArrayList<>();

  /** Searches by their name and number of sensors. */
  private final Map<String, StarTrial> trials = new HashMap<>();

  /** A method on an engine. */
  record EngineMethod(String where, Engine engine, String method) {
    String name() {
      return method + ", " + where;
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
              fastest(engines.cores())));
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

  /** Methods of the cores, then of the GPU. */
  List<EngineMethod> methods() {
    return methods;
  }

  /** The method that an engine chooses. */
  String fastest(Engine engine) {
    try (var search = engine.stars().search(field(sizes().getFirst()))) {
      return search.method();
    }
  }

  /** Numbers of sensors, ascending. */
  List<Integer> sizes() {
    List<Integer> all = StarPaper.SENSORS;
    return all.stream()
        .filter(sensors -> pace.allShapes() || Integer.numberOfTrailingZeros(sensors) % 2 == 0)
        .map(this::sensors)
        .distinct()
        .toList();
  }

  /** The paper's largest number of sensors. */
  int maxSensors() {
    return sizes().getLast();
  }

  /** So many sensors, or fewer where the benchmark itself is being tested. */
  int sensors(int number) {
    return Math.max(MIN_SENSORS, number / pace.shrink());
  }

  /** The paper's field and rule. */
  StarField field(int sensors) {
    return fields.computeIfAbsent(
        sensors, n -> ScatteredSensors.ofPaper(n).starField(StarRule.CIRCUMCIRCLE));
  }

  /**
   * Searches, and compares what was found with what others found.
   *
   * @throws IllegalStateException if it is not the same
   */
  StarTrial measure(Run run, EngineMethod line, StarWork work, int sensors) {
    String what = "%s, %d sensors, %s".formatted(work.done(), sensors, line.name());
    run.beginStep(what);
    double expected = expected(line, work, sensors);
    boolean isQuick = !pace.allShapes();
    double maxSeconds = (isQuick ? MAX_QUICK_SECONDS : MAX_FULL_SECONDS) / pace.shrink();
    double watchSeconds = (isQuick ? QUICK_WATCH_SECONDS : FULL_WATCH_SECONDS) / pace.shrink();
    try (var search = line.engine().stars().search(field(sensors), line.method())) {
      if (expected <= maxSeconds) {
        check(sensors, work.stars(search), what);
      }
      StarTrial trial = StarTrial.of(search, work, expected, maxSeconds, watchSeconds);
      trials.put(key(line, work, sensors), trial);
      run.record(what, sensors, trial.seconds());
      return trial;
    }
  }

  /** By what fewer sensors took: the work grows as their cube. */
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

  /** What was measured, if it was. */
  Optional<StarTrial> trial(EngineMethod line, StarWork work, int sensors) {
    return Optional.ofNullable(trials.get(key(line, work, sensors)));
  }

  private static String key(EngineMethod line, StarWork work, int sensors) {
    return "%s %s %d".formatted(line.name(), work, sensors);
  }

  /** How many 3-stars so many sensors have, as was found. */
  double stars(int sensors) {
    return known.getOrDefault(sensors, 0L);
  }

  /** Compares a number of 3-stars with those found before, and elsewhere. */
  void check(int sensors, long stars, String what) {
    long right = known.computeIfAbsent(sensors, n -> StarPaper.STARS.getOrDefault(n, stars));
    if (stars != right) {
      throw new IllegalStateException("%s: %d 3-stars, not %d".formatted(what, stars, right));
    }
  }
}
