package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What is aimed at on the cores, in turns: one thread, two threads. */
final class StarAims implements Section {

  /** Seconds of a plain C program with AVX-512 on one thread of a Zen 5 core, elsewhere. */
  private static final double YARDSTICK_SECONDS = 1.18;

  private static final double OF_YARDSTICK = 2;
  private static final double OF_TWO_THREADS = 1.8;
  private static final String ONE = "one thread";
  private static final String TWO = "two threads";
  private static final double NS_PER_SECOND = 1e9;

  private final StarRun starRun;

  StarAims(StarRun starRun) {
    this.starRun = starRun;
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Part> measure(Run run) {
    int sensors = starRun.most();
    StarField field = starRun.field(sensors);
    Lineup lineup = starRun.lineup();
    Engine two = lineup.open(lineup.coresSpec(), 2);
    List<StarSearch> searches = new ArrayList<>();
    try {
      searches.add(lineup.oneCore().stars().search(field));
      searches.add(two.stars().search(field));
      Results results =
          run.results(
              "count, %d sensors".formatted(sensors),
              List.of(
                  candidate(ONE, searches.getFirst(), sensors),
                  candidate(TWO, searches.getLast(), sensors)));
      goals(results, sensors);
    } finally {
      searches.forEach(StarSearch::close);
    }
    return List.of();
  }

  private Candidate candidate(String name, StarSearch search, int sensors) {
    return new Candidate(name, 1, () -> starRun.check(sensors, search.count(), name));
  }

  private void goals(Results results, int sensors) {
    String what = "count, %,d sensors, ".formatted(sensors);
    starRun
        .goals()
        .add(
            Goals.Goal.latency(
                what + ONE,
                "s",
                seconds(results, ONE),
                "plain C, AVX-512, one Zen 5 thread, elsewhere",
                OptionalDouble.of(YARDSTICK_SECONDS),
                OF_YARDSTICK));
    starRun
        .goals()
        .add(
            Goals.Goal.ratio(
                what + TWO,
                "counts/s",
                perSecond(results, TWO),
                ONE,
                perSecond(results, ONE),
                OF_TWO_THREADS));
  }

  private static OptionalDouble seconds(Results results, String name) {
    return results.of(name, one -> one.medianNanos() / NS_PER_SECOND);
  }

  private static OptionalDouble perSecond(Results results, String name) {
    return results.of(name, one -> one.medianRate() * NS_PER_SECOND);
  }
}
