package io.fieldstone.relays;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The different places of sensors, several of which may share one. Pairs and triples of places are
 * fewer than those of sensors, by the square and the cube of the sensors of a place. Immutable.
 */
final class Places {

  private final SensorField field;
  private final int[] ofSensors;

  private Places(SensorField field, int[] ofSensors) {
    this.field = field;
    this.ofSensors = ofSensors;
  }

  /** Finds the places of a field. */
  static Places of(SensorField all) {
    record Point(double x, double y) {}
    Map<Point, Integer> known = HashMap.newHashMap(all.size());
    int[] ofSensors = new int[all.size()];
    int[] firsts = new int[all.size()];
    for (int sensor = 0; sensor < ofSensors.length; sensor++) {
      int next = known.size();
      // A sum with 0 makes -0 a 0.
      Integer place = known.putIfAbsent(new Point(all.x(sensor) + 0.0, all.y(sensor) + 0.0), next);
      ofSensors[sensor] = place == null ? next : place;
      if (place == null) {
        firsts[next] = sensor;
      }
    }
    if (known.size() == all.size()) {
      return new Places(all, ofSensors);
    }
    return new Places(all.at(Arrays.copyOf(firsts, known.size())), ofSensors);
  }

  /** Returns the first sensor of each place, in the order of the sensors. */
  SensorField field() {
    return field;
  }

  /** Returns the place of each sensor: the internal array, which must not be changed. */
  int[] ofSensors() {
    return ofSensors;
  }
}
