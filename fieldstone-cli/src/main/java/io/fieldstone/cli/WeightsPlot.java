package io.fieldstone.cli;

import io.fieldstone.cli.chart.Chart;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.WeightDistribution;
import io.fieldstone.weights.codes.BinaryCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Makes charts of weight distributions. */
final class WeightsPlot {

  /** The number of decimal digits that a {@code double} represents exactly. */
  private static final int EXACT_DIGITS = 15;

  private WeightsPlot() {}

  /**
   * Returns a bar chart of the distribution and a heat map of the joint distribution, if present.
   */
  static List<Chart> charts(
      BinaryCode code, WeightDistribution single, Optional<JointWeightDistribution> joint) {
    List<Chart> charts = new ArrayList<>();
    charts.add(bars(code, single));
    joint.ifPresent(distribution -> charts.add(heatMap(code, distribution)));
    return charts;
  }

  private static Chart bars(BinaryCode code, WeightDistribution single) {
    List<Integer> weights = single.weights();
    return new Chart.Bars(
        "weights",
        "Weight distribution of the " + code + " code",
        "words",
        weights.stream().map(String::valueOf).toList(),
        List.of(
            new Chart.Series(
                "words",
                IntStream.range(0, weights.size()).mapToObj(i -> (double) i).toList(),
                weights.stream().map(weight -> single.count(weight).doubleValue()).toList(),
                false)));
  }

  private static Chart heatMap(BinaryCode code, JointWeightDistribution joint) {
    Map<Integer, Map<Integer, BigInteger>> counts = new TreeMap<>();
    for (JointWeightDistribution.Entry entry : joint.entries()) {
      counts
          .computeIfAbsent(entry.x(), _ -> new TreeMap<>())
          .merge(entry.y() + entry.z(), entry.count(), BigInteger::add);
    }
    List<Integer> columns = range(counts.keySet().stream().toList());
    List<Integer> rows =
        range(counts.values().stream().flatMap(each -> each.keySet().stream()).sorted().toList());
    List<Chart.HeatMap.Point> cells = new ArrayList<>();
    counts.forEach((x, byDifference) ->
        byDifference.forEach((difference, count) ->
            cells.add(
                new Chart.HeatMap.Point(
                    x - columns.getFirst(), difference - rows.getFirst(), log10(count)))));
    return new Chart.HeatMap(
        "joint",
        "Joint weights of the " + code + " code: log10 of the number of pairs",
        "x: ones in both words",
        "y + z: ones in one word only",
        columns,
        rows,
        cells);
  }

  /** Returns all integers from the first to the last. */
  private static List<Integer> range(List<Integer> numbers) {
    return IntStream.rangeClosed(numbers.getFirst(), numbers.getLast()).boxed().toList();
  }

  private static double log10(BigInteger count) {
    int droppedDigits = Math.max(0, count.toString().length() - EXACT_DIGITS);
    return Math.log10(count.divide(BigInteger.TEN.pow(droppedDigits)).doubleValue())
        + droppedDigits;
  }
}
