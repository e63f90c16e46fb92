package io.fieldstone.bench.stars;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.relays.PlanMethod;
import io.fieldstone.relays.Relay;
import io.fieldstone.relays.RelayPlan;
import io.fieldstone.relays.RelayPlanner;
import io.fieldstone.relays.SensorField;
import java.util.List;
import java.util.Locale;

/** Plans relays, beyond the paper: for its smallest field, and for a large sparse one. */
final class StarPlans implements Section {

  /**
   * A field.
   *
   * @param sensors number of sensors
   * @param side of its square
   */
  private record Field(int sensors, long side) {}

  private static final int LARGE = 100_000;

  /** The mean number of sensors within the range of a sensor, which yields groups of all sizes. */
  private static final double NEIGHBOURS = 3;

  private static final int RUNS = 3;
  private static final double NS_PER_SECOND = 1e9;

  private final StarRun starRun;
  private final List<Field> fields;

  StarPlans(StarRun starRun) {
    this.starRun = starRun;
    int large = starRun.sensors(LARGE);
    this.fields =
        List.of(
            new Field(starRun.sizes().getFirst(), StarPaper.SIDE),
            new Field(
                large, Math.round(StarPaper.RANGE * Math.sqrt(Math.PI * large / NEIGHBOURS))));
  }

  @Override
  public int steps() {
    return fields.size() * PlanMethod.values().length;
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "plans",
            "Beyond the paper: plans, R = 50",
            "sensors",
            "side",
            "components",
            "method",
            "relays",
            "star relays",
            "s");
    for (Field field : fields) {
      SensorField sensors = ScatteredSensors.in(field.sensors(), field.side()).field();
      for (PlanMethod method : PlanMethod.values()) {
        table.row(row(run, field, sensors, method));
      }
    }
    return List.of(
        table
            .note(
                "The best of %d runs, with finding the groups and testing the plan."
                    .formatted(RUNS))
            .build());
  }

  private List<Cell> row(Run run, Field field, SensorField sensors, PlanMethod method) {
    String name = method.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String step = "plan, %d sensors, %s".formatted(field.sensors(), name);
    run.beginStep(step);
    Engine engine = starRun.engines().cores();
    double best = Double.POSITIVE_INFINITY;
    RelayPlan plan;
    int runs = 0;
    do {
      long start = System.nanoTime();
      plan = new RelayPlanner(engine, sensors, StarPaper.RANGE).plan(method);
      best = Math.min(best, (System.nanoTime() - start) / NS_PER_SECOND);
      runs++;
    } while (runs < RUNS);
    run.record(step, field.sensors(), best);
    return List.of(
        Cell.of(field.sensors()),
        Cell.of((double) field.side()),
        Cell.of(plan.groups().count()),
        Cell.of(name),
        Cell.of(plan.relays().size()),
        Cell.of((double) plan.count(Relay.Kind.STAR)),
        Cell.of(best));
  }
}
