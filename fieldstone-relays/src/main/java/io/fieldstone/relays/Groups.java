package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import java.util.Arrays;

/**
 * Groups of sensors that are linked directly or through others. Groups are numbered from 0 in the
 * order of their first sensors. Immutable.
 */
public final class Groups {

  private final int[] ofSensors;
  private final int count;

  private Groups(int[] ofSensors, int count) {
    this.ofSensors = ofSensors;
    this.count = count;
  }

  static Groups of(Engine engine, SensorField field, double range) {
    DisjointSets sets = new DisjointSets(field.size());
    new Neighbours(engine, field.xs(), field.ys(), range).forEachPair(sets::join);
    int[] numbers = new int[field.size()];
    Arrays.fill(numbers, -1);
    int[] ofSensors = new int[field.size()];
    int count = 0;
    for (int sensor = 0; sensor < ofSensors.length; sensor++) {
      int root = sets.find(sensor);
      if (numbers[root] < 0) {
        numbers[root] = count;
        count++;
      }
      ofSensors[sensor] = numbers[root];
    }
    return new Groups(ofSensors, count);
  }

  /** Returns the groups of sensors whose places have these groups. */
  Groups ofSensors(Places places) {
    return new Groups(
        Arrays.stream(places.ofSensors()).map(place -> ofSensors[place]).toArray(), count);
  }

  /** Returns the group of sensor {@code sensor}. */
  public int of(int sensor) {
    return ofSensors[sensor];
  }

  /** Returns the number of groups. */
  public int count() {
    return count;
  }
}
