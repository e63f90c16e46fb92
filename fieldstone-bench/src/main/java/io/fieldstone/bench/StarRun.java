package io.fieldstone.bench;

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

  private static final double FULL_SECONDS = 5;
  private static final double QUICK_SECONDS = 2;
  private static final double WATCHED_SECONDS = 1;
  private static final double QUICKLY_WATCHED_SECONDS = 0.3;

  /** Fewer sensors have no 3-stars to speak of. */
  private static final int LEAST_SENSORS = 400;

  private final Lineup lineup;
  private final Pace pace;
  private final Map<Integer, StarField> fields = new HashMap<>();
  private final Map<Integer, Long> known = new HashMap<>();
  private final List<Line> lines = new ArrayList<>();

  /** Searches by their name and number of sensors. */
  private final Map<String, StarTrial> trials = new HashMap<>();

  /** A method on an engine. */
  record Line(String where, Engine engine, String method) {
    String name() {
      return method + ", " + where;
    }
  }

  StarRun(Lineup lineup, Pace pace) {
    this.lineup = lineup;
    this.pace = pace;
    StarField least = field(sizes().getFirst());
    lineup
        .oneCore()
        .stars()
        .methods(least)
        .forEach(method -> lines.add(new Line("one core", lineup.oneCore(), method)));
    if (lineup.threads() > 1) {
      lines.add(
          new Line(
              "%d threads".formatted(lineup.threads()), lineup.cores(), fastest(lineup.cores())));
    }
    lineup
        .gpu()
        .ifPresent(gpu ->
            gpu.stars()
                .methods(least)
                .forEach(method -> lines.add(new Line(gpu.spec(), gpu, method))));
  }

  Lineup lineup() {
    return lineup;
  }

  /** Methods of the cores, then of the GPU. */
  List<Line> lines() {
    return lines;
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
        .filter(sensors -> pace.wholeGrid() || Integer.numberOfTrailingZeros(sensors) % 2 == 0)
        .map(this::sensors)
        .distinct()
        .toList();
  }

  /** The paper's largest number of sensors. */
  int most() {
    return sizes().getLast();
  }

  /** So many sensors, or fewer where the benchmark itself is being tested. */
  int sensors(int number) {
    return Math.max(LEAST_SENSORS, number / pace.shrink());
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
  StarTrial measure(Run run, Line line, StarWork work, int sensors) {
    String what = "%s, %d sensors, %s".formatted(work.done(), sensors, line.name());
    run.begin(what);
    double expected = expected(line, work, sensors);
    boolean isQuick = !pace.wholeGrid();
    double most = (isQuick ? QUICK_SECONDS : FULL_SECONDS) / pace.shrink();
    double watched = (isQuick ? QUICKLY_WATCHED_SECONDS : WATCHED_SECONDS) / pace.shrink();
    try (var search = line.engine().stars().search(field(sensors), line.method())) {
      if (expected <= most) {
        check(sensors, work.stars(search), what);
      }
      StarTrial trial = StarTrial.of(search, work, expected, most, watched);
      trials.put(key(line, work, sensors), trial);
      run.keep(what, sensors, trial.seconds());
      return trial;
    }
  }

  /** By what fewer sensors took: the work grows as their cube. */
  private double expected(Line line, StarWork work, int sensors) {
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
  Optional<StarTrial> trial(Line line, StarWork work, int sensors) {
    return Optional.ofNullable(trials.get(key(line, work, sensors)));
  }

  private static String key(Line line, StarWork work, int sensors) {
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
