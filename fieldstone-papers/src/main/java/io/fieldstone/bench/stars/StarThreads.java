package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.BenchEngines;
import io.fieldstone.bench.measure.Candidate;
import io.fieldstone.bench.measure.Closer;
import io.fieldstone.bench.measure.Results;
import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.TableSection;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarSearch;
import java.util.List;

/** Counts the 3-stars of the largest field on one thread and on two. */
final class StarThreads extends TableSection {

  private static final String ONE = "1 thread";
  private static final String TWO = "2 threads";
  private static final double NS_PER_SECOND = 1e9;

  private final StarRun starRun;

  StarThreads(StarRun starRun) {
    super("count, %d sensors".formatted(starRun.maxSensors()));
    this.starRun = starRun;
  }

  @Override
  public List<Candidate> candidates(Run run, Closer loads) {
    BenchEngines engines = starRun.engines();
    return List.of(
        candidate(ONE, engines.oneCore(), loads),
        candidate(TWO, engines.open(engines.coresSpec(), 2), loads));
  }

  private Candidate candidate(String name, Engine engine, Closer loads) {
    int sensors = starRun.maxSensors();
    StarSearch search = loads.register(engine.stars().search(starRun.field(sensors)));
    return new Candidate(name, 1, () -> starRun.check(sensors, search.count(), name));
  }

  @Override
  public Table table(Run run, Results results) {
    int sensors = starRun.maxSensors();
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
