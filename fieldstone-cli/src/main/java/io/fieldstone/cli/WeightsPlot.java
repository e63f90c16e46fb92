package io.fieldstone.cli;

import io.fieldstone.chart.Chart;
import io.fieldstone.weights.JointWeightDistribution;
import io.fieldstone.weights.codes.BinaryCode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Makes charts of weight distributions. */
final class WeightsPlot {

  /** The number of decimal digits that a {@code double} represents exactly. */
  private static final int EXACT_DIGITS = 15;

  /** The maximum number of bars, so that their labels can be read. */
  private static final int MAX_BARS = 64;

  private static final String WORDS = "words";

  private WeightsPlot() {}

  private static Chart bars(String code, List<Integer> weights, List<Double> words) {
    return new Chart.Bars(
        "weights",
        title(code),
        WORDS,
        weights.stream().map(String::valueOf).toList(),
        List.of(
            new Chart.Series(
                WORDS,
                IntStream.range(0, weights.size()).mapToObj(i -> (double) i).toList(),
                words,
                false)));
  }

  private static String title(String code) {
    return "Weight distribution of the " + code + " code";
  }

  /**
   * Returns the chart of a distribution: bars, or a line if there are many weights.
   *
   * @param weights the weights of its words, ascending
   * @param words the number of words of each
   */
  static Chart distribution(String code, List<Integer> weights, List<Double> words) {
    if (weights.size() <= MAX_BARS) {
      return bars(code, weights, words);
    }
    // The axis is logarithmic, which the word of zeros is not on.
    int first = weights.getFirst() == 0 ? 1 : 0;
    List<Double> positions = weights.stream().map(Integer::doubleValue).toList();
    return new Chart.Lines(
        "weights",
        title(code),
        "weight",
        WORDS,
        List.of(
            new Chart.Series(
                WORDS,
                positions.subList(first, positions.size()),
                words.subList(first, words.size()),
                false)));
  }

  /** Returns the heat map of a joint distribution. */
  static Chart heatMap(BinaryCode code, JointWeightDistribution joint) {
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
