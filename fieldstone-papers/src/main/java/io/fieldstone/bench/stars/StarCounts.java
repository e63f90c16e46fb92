package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarRule;
import java.util.List;

/** Counts the 3-stars of Fig. 9. */
final class StarCounts implements Section {

  private final StarRun starRun;

  StarCounts(StarRun starRun) {
    this.starRun = starRun;
  }

  @Override
  public int steps() {
    return starRun.sizes().size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "figure-9",
            "Fig. 9: 3-stars on 2000 × 2000, R = 50",
            "sensors",
            "3-stars",
            "/ row above",
            "by the enclosing circle");
    SeriesBuilder points = new SeriesBuilder();
    long before = 0;
    for (int sensors : starRun.sizes()) {
      run.beginStep("3-stars of %d sensors".formatted(sensors));
      long stars = count(sensors, StarRule.CIRCUMCIRCLE);
      starRun.check(sensors, stars, "Fig. 9");
      table.row(
          Cell.of(sensors),
          Cell.of(Long.toString(stars)),
          before == 0 ? Cell.empty() : Cell.of((double) stars / before),
          Cell.of(Long.toString(count(sensors, StarRule.ENCLOSING_CIRCLE))));
      points.add(sensors / StarPaper.HUNDRED, Math.max(1, (double) stars));
      before = stars;
    }
    return List.of(
        table
            .note(
                "Exact; each 3-star counts once. Other programs found the same numbers for up to"
                    + " 25,600 and for 102,400 sensors. splitmix64 with state 1 draws the sensors."
                    + " The paper prints no numbers, and says that they grow as the cube of the"
                    + " sensors: 8 times for twice as many.")
            .build(),
        new Plot(
            new Chart.Lines(
                "figure-9",
                "3-stars on 2000 × 2000, R = 50",
                "hundreds of sensors",
                "3-stars",
                List.of(points.series("3-stars", false)))));
  }

  private long count(int sensors, StarRule rule) {
    Engine engine = starRun.engines().cores();
    try (var search = engine.stars().search(ScatteredSensors.ofPaper(sensors).starField(rule))) {
      return search.count();
    }
  }
}
