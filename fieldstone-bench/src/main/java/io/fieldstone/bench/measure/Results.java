package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Measurements of one comparison by name; some that a table has room for may be missing. */
public final class Results {

  private final Map<String, Measurement> byName = new LinkedHashMap<>();

  public Results(List<Measurement> measurements) {
    measurements.forEach(one -> byName.put(one.name(), one));
  }

  /** A figure of a measurement, if it was made. */
  public OptionalDouble of(String name, ToDoubleFunction<Measurement> figure) {
    return byName.containsKey(name)
        ? OptionalDouble.of(figure.applyAsDouble(byName.get(name)))
        : OptionalDouble.empty();
  }

  /** A figure of a measurement as a cell, empty if it was not made. */
  public Cell cell(String name, ToDoubleFunction<Measurement> figure) {
    return Cell.of(of(name, figure));
  }

  /** How many times faster one is than another, if both were measured; best against best. */
  public OptionalDouble ratio(String name, String other) {
    return ratio(of(name, Measurement::bestRate), of(other, Measurement::bestRate));
  }

  /** The same, median against median. */
  public OptionalDouble medianRatio(String name, String other) {
    return ratio(of(name, Measurement::medianRate), of(other, Measurement::medianRate));
  }

  private static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }
}
