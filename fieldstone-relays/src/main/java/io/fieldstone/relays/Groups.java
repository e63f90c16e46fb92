package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.relays.graph.DisjointSets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Groups of sensors that are linked directly or through others. Groups are numbered from 0 in the
 * order of their first sensors. Immutable.
 */
public final class Groups {

  /**
   * The maximum mean number of pairs that are compared for a sensor. In denser fields, boxes of
   * sensors are compared.
   */
  static final int MAX_PAIRS = 256;

  private final int[] ofSensors;
  private final int count;

  private Groups(int[] ofSensors, int count) {
    this.ofSensors = ofSensors;
    this.count = count;
  }

  /**
   * Returns the groups of sensors that are at most a distance apart, directly or through others.
   *
   * @param engine has the number of threads
   * @throws IllegalArgumentException if the distance is not greater than 0 and finite
   */
  public static Groups within(Engine engine, SensorField sensors, double distance) {
    engine.requireOpen();
    if (!(distance > 0 && distance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "distance %s is not positive and finite".formatted(distance));
    }
    DecimalScale scale = DecimalScale.of(distance, sensors);
    return of(engine, scale.scaled(sensors), scale.scaled(distance));
  }

  /**
   * Returns groups that are known, such as those of sensors that see each other.
   *
   * @param networks equal numbers for sensors of a group
   */
  public static Groups of(int[] networks) {
    Map<Integer, Integer> numbers = new HashMap<>();
    int[] ofSensors = new int[networks.length];
    for (int sensor = 0; sensor < networks.length; sensor++) {
      ofSensors[sensor] = numbers.computeIfAbsent(networks[sensor], _ -> numbers.size());
    }
    return new Groups(ofSensors, numbers.size());
  }

  static Groups of(Engine engine, SensorField field, double range) {
    DisjointSets sets = new DisjointSets(field.size());
    Neighbours neighbours = new Neighbours(engine, field.xs(), field.ys(), range);
    if (neighbours.pairs() <= (long) MAX_PAIRS * field.size()) {
      neighbours.forEachPair(sets::join);
    } else {
      BoxTree tree = BoxTree.ofSinglePoints(engine.threads(), field.xs(), field.ys());
      BoxLinks.join(tree, range, sets);
    }
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

  /**
   * Returns these groups with further links.
   *
   * @param links receives what joins the groups of two sensors
   */
  Groups with(Consumer<Neighbours.Pairs> links) {
    DisjointSets sets = new DisjointSets(count);
    links.accept((a, b) -> sets.join(ofSensors[a], ofSensors[b]));
    return of(Arrays.stream(ofSensors).map(sets::find).toArray());
  }

  /**
   * Returns the groups of other points, with the same numbers.
   *
   * @param sensors a sensor of the group of each point
   */
  Groups at(int[] sensors) {
    return new Groups(Arrays.stream(sensors).map(sensor -> ofSensors[sensor]).toArray(), count);
  }

  /** Returns the group of sensor {@code sensor}. */
  public int of(int sensor) {
    return ofSensors[sensor];
  }

  /**
   * Returns the first sensor of a group.
   *
   * @param group 0 … {@link #count} − 1
   */
  public int first(int group) {
    return IntStream.range(0, ofSensors.length)
        .filter(sensor -> ofSensors[sensor] == group)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the number of groups. */
  public int count() {
    return count;
  }

  /** Returns the number of groups and of sensors. */
  @Override
  public String toString() {
    return "%d groups of %d sensors".formatted(count, ofSensors.length);
  }
}
