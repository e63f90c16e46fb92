package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarSearch;
import java.util.List;

/** Counts the 3-stars of the largest field on one thread and on two. */
final class StarThreads extends TableSection {

  private static final String ONE = "1 thread";
  private static final String TWO = "2 threads";
  private static final double NS_PER_SECOND = 1e9;

  private final StarRun starRun;

  StarThreads(StarRun starRun) {
    super("count, %d sensors".formatted(starRun.most()));
    this.starRun = starRun;
  }

  @Override
  List<Candidate> candidates(Run run, Closer loads) {
    Lineup lineup = starRun.lineup();
    return List.of(
        candidate(ONE, lineup.oneCore(), loads),
        candidate(TWO, lineup.open(lineup.coresSpec(), 2), loads));
  }

  private Candidate candidate(String name, Engine engine, Closer loads) {
    int sensors = starRun.most();
    StarSearch search = loads.register(engine.stars().search(starRun.field(sensors)));
    return new Candidate(name, 1, () -> starRun.check(sensors, search.count(), name));
  }

  @Override
  Table table(Run run, Results results) {
    int sensors = starRun.most();
    return Table.named(
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
        .build();
  }

  private static double seconds(Measurement measurement) {
    return measurement.medianNanos() / NS_PER_SECOND;
  }
}
