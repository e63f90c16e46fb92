package io.fieldstone.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What is aimed at and what was reached, for the table at the head of a report. */
final class Goals {

  /**
   * One goal.
   *
   * @param what is measured
   * @param unit of aim and reached
   * @param reached the figure, if it was measured
   * @param aim what it should be; empty if only the ratio has an aim
   * @param comparedWith what the ratio is to; empty words if there is none
   * @param other the figure of that, in the same unit
   * @param aimedRatio what {@code reached / other} should be; empty if that is only reported
   * @param isLatency whether less is better
   */
  record Goal(
      String what,
      String unit,
      OptionalDouble reached,
      OptionalDouble aim,
      String comparedWith,
      OptionalDouble other,
      OptionalDouble aimedRatio,
      boolean isLatency) {

    /** A rate that should reach something by itself. */
    static Goal rate(String what, String unit, OptionalDouble reached, double aim) {
      return new Goal(
          what,
          unit,
          reached,
          OptionalDouble.of(aim),
          "",
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          false);
    }

    /** A time that should be no longer than something by itself. */
    static Goal time(String what, String unit, OptionalDouble reached, double aim) {
      return new Goal(
          what,
          unit,
          reached,
          OptionalDouble.of(aim),
          "",
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          true);
    }

    /** A rate that should be a part or a multiple of another. */
    static Goal ratio(
        String what,
        String unit,
        OptionalDouble reached,
        String comparedWith,
        OptionalDouble other,
        double aimedRatio) {
      return new Goal(
          what,
          unit,
          reached,
          OptionalDouble.empty(),
          comparedWith,
          other,
          OptionalDouble.of(aimedRatio),
          false);
    }

    /** The same goal, beside a figure that it is only to be read with. */
    Goal beside(String figure, OptionalDouble value) {
      return new Goal(what, unit, reached, aim, figure, value, OptionalDouble.empty(), isLatency);
    }

    /** A latency that should be no more than a multiple of another. */
    static Goal latency(
        String what,
        String unit,
        OptionalDouble reached,
        String comparedWith,
        OptionalDouble other,
        double aimedRatio) {
      return new Goal(
          what,
          unit,
          reached,
          OptionalDouble.empty(),
          comparedWith,
          other,
          OptionalDouble.of(aimedRatio),
          true);
    }

    OptionalDouble ratio() {
      return reached.isPresent() && other.isPresent()
          ? OptionalDouble.of(reached.getAsDouble() / other.getAsDouble())
          : OptionalDouble.empty();
    }

    /** Whether what has an aim and was measured is as it should be. */
    String met() {
      boolean isKnown =
          reached.isPresent()
              && (aim.isPresent() || aimedRatio.isPresent())
              && (aimedRatio.isEmpty() || other.isPresent());
      if (!isKnown) {
        return "";
      }
      return meets(reached, aim) && meets(ratio(), aimedRatio) ? "yes" : "no";
    }

    private boolean meets(OptionalDouble value, OptionalDouble bound) {
      if (bound.isEmpty()) {
        return true;
      }
      return isLatency
          ? value.orElse(Double.NaN) <= bound.getAsDouble()
          : value.orElse(Double.NaN) >= bound.getAsDouble();
    }
  }

  private final List<Goal> goals = new ArrayList<>();

  void add(Goal goal) {
    goals.add(goal);
  }

  /** The table; a column for aims by themselves only if there is one. */
  Table table() {
    boolean hasAims = goals.stream().anyMatch(goal -> goal.aim.isPresent());
    List<String> columns = new ArrayList<>(List.of("what", "unit"));
    if (hasAims) {
      columns.add("aim");
    }
    columns.addAll(List.of("reached", "compared with", "which is", "aimed ratio", "ratio", "met"));
    Table.Builder table =
        Table.named("goals", "Speed aimed at and reached", columns.toArray(String[]::new));
    for (Goal goal : goals) {
      String sign = goal.isLatency ? "≤ " : "≥ ";
      List<Cell> cells = new ArrayList<>(List.of(Cell.of(goal.what), Cell.of(goal.unit)));
      if (hasAims) {
        cells.add(bound(sign, goal.aim));
      }
      cells.add(Cell.of(goal.reached));
      cells.add(Cell.of(goal.comparedWith));
      cells.add(Cell.of(goal.other));
      cells.add(bound(sign, goal.aimedRatio));
      cells.add(Cell.of(goal.ratio()));
      cells.add(Cell.of(goal.met()));
      table.row(cells);
    }
    return table.note("Medians of the samples, all of one run.").build();
  }

  private static Cell bound(String sign, OptionalDouble aim) {
    return aim.isPresent() ? Cell.of(sign + Cell.of(aim.getAsDouble()).text()) : Cell.empty();
  }
}
