package io.fieldstone.bench.net;

import io.fieldstone.bench.measure.Run;
import io.fieldstone.bench.measure.Section;
import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Part;
import io.fieldstone.bench.report.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The figures that Fieldstone should reach. Other sections add theirs as they measure; this one
 * comes last and lists them in the order of the goals. For one thread.
 */
final class Goals implements Section {

  /** The name of Fieldstone's row in tables, which the goals are about. */
  static final String OWN = new Fieldstone(false).name();

  /**
   * A figure beside its goal.
   *
   * @param number of the goal
   * @param what is measured, with its unit
   * @param goal the bound, in words
   * @param figure the measured value
   * @param isReached whether the value is within the bound
   * @param remark what it is compared with
   */
  private record Row(
      int number, String what, String goal, double figure, boolean isReached, String remark) {}

  private final List<Row> rows = new ArrayList<>();

  /**
   * Adds a figure that should not be below a bound.
   *
   * @param number of the goal
   * @param what is measured, with its unit
   * @param remark what the figure is compared with; may be empty
   */
  void atLeast(int number, String what, double bound, double figure, String remark) {
    add(number, what, "at least " + Cell.of(bound).text(), figure, figure >= bound, remark);
  }

  /** Adds a figure that should not be above a bound; the parameters are those of the other. */
  void atMost(int number, String what, double bound, double figure, String remark) {
    add(number, what, "at most " + Cell.of(bound).text(), figure, figure <= bound, remark);
  }

  /** Adds a figure that should be between two bounds. */
  void between(int number, String what, double min, double max, double figure, String remark) {
    String goal = "%s to %s".formatted(Cell.of(min).text(), Cell.of(max).text());
    add(number, what, goal, figure, figure >= min && figure <= max, remark);
  }

  private void add(
      int number, String what, String goal, double figure, boolean isReached, String remark) {
    rows.add(new Row(number, what, goal, figure, isReached, remark));
  }

  /**
   * Says which of other programs has the highest figure, and whether it is above Fieldstone's.
   *
   * @param own Fieldstone's figure
   * @param others figures by the name of the program; those of Fieldstone are left out
   * @param unit of the figures
   */
  static String beside(double own, Map<String, Double> others, String unit) {
    Optional<Map.Entry<String, Double>> best =
        others.entrySet().stream()
            .filter(other -> !other.getKey().startsWith(OWN))
            .max(Comparator.comparing(Map.Entry::getValue));
    return best.map(other ->
            String.format(
                Locale.ROOT,
                "%s %s with %s %s.",
                other.getKey(),
                other.getValue() > own ? "wins" : "is next",
                Cell.of(other.getValue()).text(),
                unit))
        .orElse("");
  }

  @Override
  public int steps() {
    return 0;
  }

  @Override
  public List<Part> measure(Run run) {
    if (rows.isEmpty()) {
      return List.of();
    }
    Table.Builder table =
        Table.named(
            "goals",
            "Figures to reach",
            "goal",
            "figure of Fieldstone",
            "to reach",
            "measured",
            "reached",
            "beside");
    rows.stream()
        .sorted(Comparator.comparingInt(Row::number))
        .forEach(row ->
            table.row(
                Cell.of(Integer.toString(row.number)),
                Cell.of(row.what),
                Cell.of(row.goal),
                Cell.of(row.figure),
                Cell.of(row.isReached ? "yes" : "no"),
                Cell.of(row.remark)));
    return List.of(
        table
            .note(
                "Goals 8 and 10 to 12 belong to live streams, browsers, RFC 8681 and tunnels, which"
                    + " this benchmark does not measure.")
            .build());
  }
}
