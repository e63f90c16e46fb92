package io.fieldstone.bench;

import io.fieldstone.engine.Engine;
import io.fieldstone.weights.JointPlan;
import io.fieldstone.weights.JointWeights;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** JWD, Table 1: one code by every method on every engine, beside the paper's rows. */
final class JwdMethods implements Section {

  private static final String CODE = "bch:127,22";
  private static final String NAIVE = "naive";
  private static final String POPCOUNT = "popcount";
  private static final String TENSOR = "tensor";
  private static final String ONE_CORE = "one core";
  private static final double SECONDS_PER_MINUTE = 60;
  private static final double GIGA = 1e9;

  /** Codewords grouped by weight, compared in lanes, over the paper's loop. */
  private static final double OVER_NAIVE = 10;

  private static final double TENSOR_GIGAPAIRS = 800;
  private static final double TRANSFORM_SECONDS = 1.5;
  private static final double CYCLIC_SECONDS = 0.1;

  private final JwdRun jwdRun;
  private final List<Row> rows = new ArrayList<>();

  /** A method on an engine. */
  private record Row(String where, JointWeights weights, JointPlan plan) {}

  JwdMethods(JwdRun jwdRun) {
    this.jwdRun = jwdRun;
    jwdRun.engines().forEach((where, engine) -> addRows(where, engine));
  }

  private void addRows(String where, Engine engine) {
    JointWeights weights = JwdRun.weights(jwdRun.code(CODE), engine);
    weights.plans().forEach(plan -> rows.add(new Row(where, weights, plan)));
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
            "× paper's best",
            "done");
    for (JwdPaper.Row row : JwdPaper.TABLE_1) {
      table.row(
          Cell.of(row.machine()),
          Cell.of(row.method()),
          Cell.of(row.minutes()),
          Cell.empty(),
          Cell.of(Math.scalb(1.0, 44) / (row.minutes() * SECONDS_PER_MINUTE) / GIGA),
          Cell.of(JwdPaper.BEST_MINUTES / row.minutes()),
          Cell.of("by the paper"));
    }
    Map<String, JwdTrial> trials = new HashMap<>();
    for (Row row : rows) {
      JwdTrial trial =
          jwdRun.measure(run, row.weights().code(), row.where(), row.plan(), jwdRun.watched());
      trials.put(key(row.where(), row.plan().method()), trial);
      table.row(cells(row, trial));
    }
    goals(trials);
    return List.of(
        table
            .note(
                "Pairs a second: all 2^2k ordered pairs, whether a method looks at each of them"
                    + " or not.")
            .note(
                "What was not done to its end is by the pace of the part that was; what was, by the"
                    + " best of its runs, with the memory it needs and the distribution at its end."
                    + " All that were done gave the same distribution.")
            .build());
  }

  private List<Cell> cells(Row row, JwdTrial trial) {
    return List.of(
        Cell.of(row.where()),
        Cell.of(row.plan().method()),
        Cell.empty(),
        Cell.of(trial.seconds()),
        Cell.of(JwdRun.pairs(row.weights().code()) / trial.seconds() / GIGA),
        Cell.of(JwdPaper.BEST_MINUTES * SECONDS_PER_MINUTE / trial.seconds()),
        Cell.of(trial.isWhole() ? "all" : "%.2g%%".formatted(100 * trial.share())));
  }

  private void goals(Map<String, JwdTrial> trials) {
    Goals goals = jwdRun.goals();
    goals.add(
        Goals.Goal.ratio(
            "popcount, one core",
            "G pairs/s",
            rate(trials, ONE_CORE, POPCOUNT),
            NAIVE,
            rate(trials, ONE_CORE, NAIVE),
            OVER_NAIVE));
    jwdRun
        .lineup()
        .gpu()
        .ifPresent(gpu ->
            goals.add(
                Goals.Goal.rate(
                    "tensor, " + gpu.spec(),
                    "G pairs/s",
                    rate(trials, gpu.spec(), TENSOR),
                    TENSOR_GIGAPAIRS)));
    jwdRun.goal(
        "(127,22) as any code, one core",
        seconds(trials, ONE_CORE, "transform"),
        TRANSFORM_SECONDS);
    jwdRun.goal(
        "(127,22) as a cyclic code, one core", seconds(trials, ONE_CORE, "cyclic"), CYCLIC_SECONDS);
  }

  private OptionalDouble rate(Map<String, JwdTrial> trials, String where, String method) {
    OptionalDouble seconds = seconds(trials, where, method);
    return seconds.isPresent()
        ? OptionalDouble.of(
            JwdRun.pairs(rows.getFirst().weights().code()) / seconds.getAsDouble() / GIGA)
        : seconds;
  }

  private static OptionalDouble seconds(Map<String, JwdTrial> trials, String where, String method) {
    JwdTrial trial = trials.get(key(where, method));
    return trial == null ? OptionalDouble.empty() : OptionalDouble.of(trial.seconds());
  }

  private static String key(String where, String method) {
    return where + ", " + method;
  }
}
