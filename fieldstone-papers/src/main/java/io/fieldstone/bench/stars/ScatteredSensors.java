package io.fieldstone.bench.stars;

import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.plane.Grid;
import io.fieldstone.relays.SensorField;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Sensors at random integer coordinates in a square, drawn by splitmix64: x and then y of each.
 *
 * @param xs the x coordinates
 * @param ys the y coordinates
 */
record ScatteredSensors(List<Double> xs, List<Double> ys) {

  /** Places sensors in the square of the paper. */
  static ScatteredSensors ofPaper(int sensors) {
    return in(sensors, StarPaper.SIDE);
  }

  /**
   * Places sensors in a square.
   *
   * @param side bound of both coordinates, exclusive
   */
  static ScatteredSensors in(int sensors, long side) {
    SplitMix random = new SplitMix();
    List<Long> draws = IntStream.range(0, 2 * sensors).mapToObj(_ -> random.below(side)).toList();
    return new ScatteredSensors(coordinates(draws, 0), coordinates(draws, 1));
  }

  private static List<Double> coordinates(List<Long> draws, int first) {
    return IntStream.range(0, draws.size() / 2)
        .mapToObj(i -> (double) draws.get(2 * i + first))
        .toList();
  }

  /** Returns the sensors as a field for plans. */
  SensorField field() {
    return SensorField.planar(
        IntStream.range(0, xs.size()).mapToObj(Integer::toString).toList(), array(xs), array(ys));
  }

  /** Returns the sensors as a field for searches, in the order of the cells of the grid. */
  StarField starField(StarRule rule) {
    Grid grid = StarField.grid(array(xs), array(ys), StarPaper.RANGE);
    List<Integer> order =
        IntStream.range(0, xs.size())
            .boxed()
            .sorted(Comparator.comparingLong(i -> grid.key(xs.get(i), ys.get(i))))
            .toList();
    return new StarField(
        order.stream().mapToDouble(xs::get).toArray(),
        order.stream().mapToDouble(ys::get).toArray(),
        StarPaper.RANGE,
        rule);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** The generator of Steele, Lea and Flood (2014), with initial state 1. */
  private static final class SplitMix {
    private long state = 1;

    long below(long bound) {
      state += 0x9E3779B97F4A7C15L;
      long z = state;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      z ^= z >>> 31;
      return ((z >>> Integer.SIZE) * bound) >>> Integer.SIZE;
    }
  }
}
