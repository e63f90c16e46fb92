package io.fieldstone.relays;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The different places of sensors, several of which may share one. Pairs and triples of places are
 * fewer than those of sensors, by the square and the cube of the sensors of a place. Immutable.
 */
final class Places {

  private final SensorField field;
  private final int[] ofSensors;
  private final int[] counts;

  private Places(SensorField field, int[] ofSensors, int[] counts) {
    this.field = field;
    this.ofSensors = ofSensors;
    this.counts = counts;
  }

  /** Finds the places of a field. */
  static Places of(SensorField all) {
    record Point(double x, double y) {}
    Map<Point, Integer> known = HashMap.newHashMap(all.size());
    int[] ofSensors = new int[all.size()];
    int[] firsts = new int[all.size()];
    int[] counts = new int[all.size()];
    for (int sensor = 0; sensor < ofSensors.length; sensor++) {
      int next = known.size();
      // A sum with 0 makes -0 a 0.
      Integer place = known.putIfAbsent(new Point(all.x(sensor) + 0.0, all.y(sensor) + 0.0), next);
      ofSensors[sensor] = place == null ? next : place;
      if (place == null) {
        firsts[next] = sensor;
      }
      counts[ofSensors[sensor]]++;
    }
    if (known.size() == all.size()) {
      return new Places(all, ofSensors, counts);
    }
    List<String> ids = new ArrayList<>(known.size());
    double[] xs = new double[known.size()];
    double[] ys = new double[known.size()];
    for (int place = 0; place < xs.length; place++) {
      ids.add(all.id(firsts[place]));
      xs[place] = all.x(firsts[place]);
      ys[place] = all.y(firsts[place]);
    }
    return new Places(all.at(ids, xs, ys), ofSensors, Arrays.copyOf(counts, xs.length));
  }

  /** Returns the first sensor of each place, in the order of the sensors. */
  SensorField field() {
    return field;
  }

  /** Returns the place of each sensor: the internal array, which must not be changed. */
  int[] ofSensors() {
    return ofSensors;
  }

  /** Returns the number of sensors of a place. */
  int count(int place) {
    return counts[place];
  }

  /** Returns the maximum number of sensors of a place; 0 if there are none. */
  int maxCount() {
    return Arrays.stream(counts).max().orElse(0);
  }
}
