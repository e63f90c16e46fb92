package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarSearch;
import java.util.ArrayList;
import java.util.List;

/** Counts the 3-stars of the largest field on one thread and on two. */
final class StarThreads implements Section {

  private static final String ONE = "1 thread";
  private static final String TWO = "2 threads";
  private static final double NS_PER_SECOND = 1e9;

  private final StarRun starRun;

  StarThreads(StarRun starRun) {
    this.starRun = starRun;
  }

  @Override
  public int steps() {
    return 1;
  }

  @Override
  public List<Part> measure(Run run) {
    int sensors = starRun.most();
    Results results = results(run, sensors);
    return List.of(
        Table.named(
                "threads",
                "All 3-stars of %,d sensors, counted on the cores".formatted(sensors),
                "sensors",
                "1 thread, s",
                "2 threads, s",
                "2 threads / 1")
            .row(
                Cell.of(sensors),
                results.cell(ONE, StarThreads::seconds),
                results.cell(TWO, StarThreads::seconds),
                Cell.of(results.medianRatio(TWO, ONE)))
            .note("Medians of the samples.")
            .build());
  }

  private Results results(Run run, int sensors) {
    StarField field = starRun.field(sensors);
    Lineup lineup = starRun.lineup();
    Engine two = lineup.open(lineup.coresSpec(), 2);
    List<StarSearch> searches = new ArrayList<>();
    try {
      searches.add(lineup.oneCore().stars().search(field));
      searches.add(two.stars().search(field));
      return run.results(
          "count, %d sensors".formatted(sensors),
          List.of(
              candidate(ONE, searches.getFirst(), sensors),
              candidate(TWO, searches.getLast(), sensors)));
    } finally {
      searches.forEach(StarSearch::close);
    }
  }

  private Candidate candidate(String name, StarSearch search, int sensors) {
    return new Candidate(name, 1, () -> starRun.check(sensors, search.count(), name));
  }

  private static double seconds(Measurement measurement) {
    return measurement.medianNanos() / NS_PER_SECOND;
  }
}
