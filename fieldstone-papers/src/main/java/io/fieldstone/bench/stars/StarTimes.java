package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Plot;
import io.fieldstone.bench.report.Table;
import io.fieldstone.chart.Chart;
import io.fieldstone.chart.SeriesBuilder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures Fig. 10: the time of every method by the number of sensors. */
final class StarTimes implements Section {

  private static final double MILLIS_PER_SECOND = 1e3;

  private final StarRun starRun;
  private final StarWork work;

  StarTimes(StarRun starRun, StarWork work) {
    this.starRun = starRun;
    this.work = work;
  }

  @Override
  public int steps() {
    return starRun.sizes().size() * starRun.methods().size();
  }

  @Override
  public List<Part> measure(Run run) {
    String name = "figure-10-" + work.done();
    String title = "Fig. 10: 3-stars %s, ms".formatted(work.done());
    List<String> columns = new ArrayList<>(List.of("sensors"));
    starRun.methods().forEach(line -> columns.add(line.name()));
    Table.Builder table = Table.named(name, title, columns.toArray(String[]::new));
    Map<StarRun.EngineMethod, SeriesBuilder> points = new HashMap<>();
    for (int sensors : starRun.sizes()) {
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(sensors)));
      for (StarRun.EngineMethod line : starRun.methods()) {
        StarTrial trial = starRun.measure(run, line, work, sensors);
        cells.add(trial.millis());
        points
            .computeIfAbsent(line, _ -> new SeriesBuilder())
            .add(sensors / StarPaper.HUNDRED, MILLIS_PER_SECOND * trial.seconds());
      }
      table.row(cells);
    }
    return List.of(
        table
            .note(
                "The best of the runs. ≈: predicted from a search of the middle part of the"
                    + " sensors, because all would take too long. Sorting the sensors into cells is"
                    + " not included.")
            .build(),
        new Plot(
            new Chart.Lines(
                name,
                title,
                "hundreds of sensors",
                "ms",
                starRun.methods().stream()
                    .map(line ->
                        points.getOrDefault(line, new SeriesBuilder()).series(line.name(), false))
                    .toList())));
  }
}
