package io.fieldstone.bench.measure;

import io.fieldstone.bench.report.Cell;
import io.fieldstone.bench.report.Measurement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The measurements of one comparison by name; any of them may be missing. */
public final class Results {

  private final Map<String, Measurement> byName = new LinkedHashMap<>();

  public Results(List<Measurement> measurements) {
    measurements.forEach(one -> byName.put(one.name(), one));
  }

  /** Returns a figure of a measurement, empty if it is missing. */
  public OptionalDouble of(String name, ToDoubleFunction<Measurement> figure) {
    return byName.containsKey(name)
        ? OptionalDouble.of(figure.applyAsDouble(byName.get(name)))
        : OptionalDouble.empty();
  }

  /** Returns a figure of a measurement as a cell, empty if it is missing. */
  public Cell cell(String name, ToDoubleFunction<Measurement> figure) {
    return Cell.of(of(name, figure));
  }

  /** Returns the ratio of two rates, best sample against best; empty if one is missing. */
  public OptionalDouble ratio(String name, String other) {
    return ratio(of(name, Measurement::bestRate), of(other, Measurement::bestRate));
  }

  /** Returns the ratio of two rates, median against median; empty if one is missing. */
  public OptionalDouble medianRatio(String name, String other) {
    return ratio(of(name, Measurement::medianRate), of(other, Measurement::medianRate));
  }

  private static OptionalDouble ratio(OptionalDouble one, OptionalDouble other) {
    return one.isPresent() && other.isPresent()
        ? OptionalDouble.of(one.getAsDouble() / other.getAsDouble())
        : OptionalDouble.empty();
  }
}
