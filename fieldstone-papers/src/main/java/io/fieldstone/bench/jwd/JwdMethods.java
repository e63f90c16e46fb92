package io.fieldstone.bench.jwd;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import io.fieldstone.engine.Engine;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointWeights;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Measures JWD, Table 1: one code by every method on every engine, beside the rows of the paper.
 */
final class JwdMethods implements Section {

  private static final String CODE = "bch:127,22";
  private static final String NAIVE = "naive";
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double GIGA = 1e9;

  private final JwdRun jwdRun;
  private final List<Row> rows = new ArrayList<>();

  /** The engines on which a method cannot run, by the method and its reason. */
  private final Map<String, List<String>> leftOut = new LinkedHashMap<>();

  /** A method on an engine. */
  private record Row(String engineName, JointWeights weights, JointPlan plan) {}

  private record Measured(Row row, JwdTrial trial) {}

  JwdMethods(JwdRun jwdRun) {
    this.jwdRun = jwdRun;
    jwdRun.namedEngines().forEach(this::addRows);
  }

  private void addRows(String engineName, Engine engine) {
    JointWeights weights = JwdRun.weights(jwdRun.code(CODE), engine);
    for (JointPlan plan : weights.plans()) {
      plan.obstacle()
          .ifPresentOrElse(
              reason ->
                  leftOut
                      .computeIfAbsent(
                          "'%s', because %s".formatted(plan.method(), reason),
                          _ -> new ArrayList<>())
                      .add(engineName),
              () -> rows.add(new Row(engineName, weights, plan)));
    }
  }

  /** Returns a line for each method that cannot run, with the engines and the reason. */
  List<String> leftOut() {
    return leftOut.entrySet().stream()
        .map(one ->
            "Left out on %s: method %s.".formatted(String.join(", ", one.getValue()), one.getKey()))
        .toList();
  }

  @Override
  public int steps() {
    return rows.size();
  }

  @Override
  public List<Part> measure(Run run) {
    Table.Builder table =
        Table.named(
            "table-1",
            "Table 1: the joint weight distribution of (127,22)",
            "hardware",
            "method",
            "paper, min",
            "here, s",
            "G pairs/s",
            "× naive",
            "× paper's best",
            "part done");
    for (JwdPaper.Row row : JwdPaper.TABLE_1) {
      table.row(
          Cell.of(row.machine()),
          Cell.of(row.method()),
          Cell.of(row.minutes()),
          Cell.empty(),
          Cell.of(Math.scalb(1.0, 44) / (row.minutes() * SECONDS_PER_MINUTE) / GIGA),
          Cell.empty(),
          Cell.of(JwdPaper.BEST_MINUTES / row.minutes()),
          Cell.of("in the paper"));
    }
    List<Measured> measured = rows.stream().map(row -> measure(run, row)).toList();
    for (Measured one : measured) {
      table.row(cells(one.row, one.trial, naiveSeconds(measured, one.row.engineName)));
    }
    table
        .note(
            "Pairs per second count all 2^2k ordered pairs, whether or not a method visits each"
                + " of them. The ratio \"× naive\" is to the method \"naive\", the loop of the"
                + " paper, on the same hardware.")
        .note(
            "A time with less than all done is predicted from the rate of that part. Otherwise"
                + " it is that of the best run, with the allocation of memory and the final"
                + " distribution. All complete runs gave the same distribution.");
    leftOut().forEach(table::note);
    return List.of(table.build());
  }

  private Measured measure(Run run, Row row) {
    return new Measured(
        row,
        jwdRun.measure(
            run, row.weights.code(), row.engineName, row.plan, jwdRun.maxWatchSeconds()));
  }

  /** Returns the seconds of the paper's loop on the same hardware; empty if it was not measured. */
  private static OptionalDouble naiveSeconds(List<Measured> measured, String engineName) {
    return measured.stream()
        .filter(one -> one.row.engineName.equals(engineName) && one.row.plan.method().equals(NAIVE))
        .mapToDouble(one -> one.trial.seconds())
        .findFirst();
  }

  private static List<Cell> cells(Row row, JwdTrial trial, OptionalDouble naiveSeconds) {
    return List.of(
        Cell.of(row.engineName()),
        Cell.of(row.plan().method()),
        Cell.empty(),
        Cell.of(trial.seconds()),
        Cell.of(JwdRun.pairs(row.weights().code()) / trial.seconds() / GIGA),
        Cell.ratio(naiveSeconds, OptionalDouble.of(trial.seconds())),
        Cell.of(JwdPaper.BEST_MINUTES * SECONDS_PER_MINUTE / trial.seconds()),
        Cell.of(trial.isComplete() ? "all" : "%.2g%%".formatted(100 * trial.share())));
  }
}
