package io.fieldstone.bench.stars;

import io.fieldstone.bench.report.Cell;
import java.util.List;
import java.util.Map;

/**
 * Holds the figures of Lee, Lo, Chen, Chung and Chung, "GPU performance enhancement via
 * communication cost reduction", Sec. IV-C. They are from its text, because its Figs. 9 to 11 print
 * no numbers.
 */
final class StarPaper {

  /** Numbers of sensors of Figs. 9 and 10. */
  static final List<Integer> SENSORS = List.of(1600, 3200, 6400, 12_800, 25_600, 51_200, 102_400);

  /** Unit of sensors in charts, so that their numbers are powers of two. */
  static final double HUNDRED = 100;

  /** Bound of both coordinates, which are integers from 0, exclusive. */
  static final int SIDE = 2000;

  static final double RANGE = 50;

  static final String SEQUENTIAL = "sequential";
  static final String BASELINE = "baseline";

  /**
   * An implementation of the paper.
   *
   * @param name of the same method in Fieldstone
   * @param overBaseline speed-up over the baseline
   * @param overSequential speed-up over the sequential code; empty if the text does not state it
   */
  record Variant(String name, double overBaseline, Cell overSequential) {}

  static final List<Variant> VARIANTS =
      List.of(
          new Variant(BASELINE, 1, Cell.empty()),
          new Variant("streaming", 1.26, Cell.empty()),
          new Variant("compression", 1.33, Cell.empty()),
          new Variant("compression+streaming", 1.54, Cell.of(1000)));

  /**
   * 3-stars by the number of sensors of {@link ScatteredSensors#ofPaper}, counted by programs other
   * than Fieldstone.
   */
  static final Map<Integer, Long> STARS =
      Map.of(
          1600, 4_546L,
          3200, 35_191L,
          6400, 283_048L,
          12_800, 2_275_577L,
          25_600, 18_294_622L,
          102_400, 1_173_997_215L);

  private StarPaper() {}
}
