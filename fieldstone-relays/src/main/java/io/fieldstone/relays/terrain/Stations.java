package io.fieldstone.relays.terrain;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.terrain.SightPaths;
import io.fieldstone.engine.terrain.SightSurvey;
import io.fieldstone.relays.Position;
import io.fieldstone.relays.Projection;
import io.fieldstone.relays.graph.StationGraph;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Stations on terrain: sensors, then candidates for relays. For one thread. */
final class Stations {

  /** The number of paths that are surveyed at once. */
  private static final int BATCH = 1 << 16;

  /** The distances of a projection exceed those on the sphere by at most this factor. */
  private static final double PROJECTION_ERROR = 1.01;

  /** Ranges are compared with distances with this relative error. */
  private static final double TOLERANCE = 1e-9;

  private static final int X = 0;
  private static final int Y = 1;
  private static final int Z = 2;

  /** A station: its place, the ends of its paths, its direction from the middle of the earth. */
  @SuppressWarnings("ArrayRecordComponent") // Of this package alone, which only reads them.
  record Station(double x, double y, float[] end, double[] direction, double range, double cost) {}

  private final Elevation elevation;
  private final Projection projection;
  private final List<Station> all = new ArrayList<>();

  Stations(Elevation elevation, Projection projection) {
    this.elevation = elevation;
    this.projection = projection;
  }

  int size() {
    return all.size();
  }

  Station get(int station) {
    return all.get(station);
  }

  /** Adds a station that was removed. */
  void add(Station station) {
    all.add(station);
  }

  /** Removes the stations from one on. */
  void truncate(int size) {
    all.subList(size, all.size()).clear();
  }

  /**
   * Adds a station.
   *
   * @param height the height above the ground in metres
   */
  void add(double x, double y, double height, double range, double cost) {
    Position place = projection.position(x, y);
    // Rounding may lead across an edge of the grid.
    double row = Math.clamp(elevation.row(place.latitude()), 0, elevation.grid().rows() - 1.0);
    double column =
        Math.clamp(elevation.column(place.longitude()), 0, elevation.grid().columns() - 1.0);
    float[] end = {
      (float) row, (float) column, elevation.grid().at((float) row, (float) column) + (float) height
    };
    double phi = Math.toRadians(place.latitude());
    double lambda = Math.toRadians(place.longitude());
    double[] direction = {
      Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)
    };
    all.add(new Station(x, y, end, direction, range, cost));
  }

  /** Returns the distance of two stations along the sphere in metres. */
  double distance(int a, int b) {
    double[] one = all.get(a).direction();
    double[] other = all.get(b).direction();
    double chord =
        Math.sqrt(
            square(one[X] - other[X]) + square(one[Y] - other[Y]) + square(one[Z] - other[Z]));
    return 2 * Projection.EARTH_RADIUS * Math.asin(Math.min(1, chord / 2));
  }

  private static double square(double value) {
    return value * value;
  }

  /** Adds the path between two stations, along a great circle. */
  void addPath(SightPaths paths, int a, int b, double length) {
    Station from = all.get(a);
    Station to = all.get(b);
    double x = from.direction()[X] + to.direction()[X];
    double y = from.direction()[Y] + to.direction()[Y];
    double z = from.direction()[Z] + to.direction()[Z];
    double row = elevation.row(Math.toDegrees(Math.atan2(z, Math.hypot(x, y))));
    double column = elevation.column(Math.toDegrees(Math.atan2(y, x)));
    paths.add(
        from.end(),
        to.end(),
        (float) (4 * (row - (from.end()[0] + to.end()[0]) / 2.0)),
        (float) (4 * (column - (from.end()[1] + to.end()[1]) / 2.0)),
        (float) length);
  }

  /**
   * Returns the pairs of stations that are in range and see each other.
   *
   * @param progress receives the number of stations whose pairs are known
   */
  StationGraph.Pairs pairs(Engine engine, RadioLink radio, LongConsumer progress) {
    StationGraph.Pairs pairs = new StationGraph.Pairs();
    double reach = all.stream().mapToDouble(Station::range).max().orElse(1) * PROJECTION_ERROR;
    int[] order =
        IntStream.range(0, all.size())
            .boxed()
            .sorted((a, b) -> Long.compare(key(all.get(a), reach), key(all.get(b), reach)))
            .mapToInt(Integer::intValue)
            .toArray();
    long[] keys = IntStream.of(order).mapToLong(station -> key(all.get(station), reach)).toArray();
    SightPaths paths = paths(radio);
    int[] ends = new int[2 * BATCH];
    try (SightSurvey survey = engine.linesOfSight().survey(elevation.grid())) {
      for (int i = 0; i < order.length; i++) {
        Station station = all.get(order[i]);
        // The rest of its cell and the next one; three cells of the row above.
        for (int row = 0; row <= 1; row++) {
          long key = keys[i] + ((long) row << Integer.SIZE);
          int first = row == 0 ? i + 1 : lowerBound(keys, key - 1);
          for (int j = first; j < keys.length && keys[j] <= key + 1; j++) {
            int other = order[j];
            double range = Math.min(station.range(), all.get(other).range());
            double length = distance(order[i], other);
            if (length <= range * (1 + TOLERANCE)) {
              ends[2 * paths.count()] = order[i];
              ends[2 * paths.count() + 1] = other;
              addPath(paths, order[i], other, length);
              if (paths.count() == BATCH) {
                addSeen(survey, paths, ends, pairs);
                progress.accept(i);
              }
            }
          }
        }
      }
      addSeen(survey, paths, ends, pairs);
    }
    return pairs;
  }

  private static void addSeen(
      SightSurvey survey, SightPaths paths, int[] ends, StationGraph.Pairs pairs) {
    float[] margins = survey.margins(paths);
    float[] fields = paths.fields();
    for (int path = 0; path < margins.length; path++) {
      if (margins[path] >= 0) {
        int a = Math.min(ends[2 * path], ends[2 * path + 1]);
        int b = Math.max(ends[2 * path], ends[2 * path + 1]);
        pairs.add(a, b, fields[path * SightPaths.FIELDS + SightPaths.FIELDS - 1]);
      }
    }
    paths.clear();
  }

  /** Returns an empty list of paths for links. */
  static SightPaths paths(RadioLink radio) {
    return new SightPaths(1 / (2 * RadioLink.REFRACTION * Projection.EARTH_RADIUS), radio.zone());
  }

  private static int lowerBound(long[] keys, long key) {
    int low = 0;
    int high = keys.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (keys[middle] < key) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Returns the square of a station: its row, then its column, which is not negative. */
  private static long key(Station station, double side) {
    long row = (long) Math.floor(station.y() / side);
    long column = (long) Math.floor(station.x() / side) + (1L << (Integer.SIZE - 2));
    return (row << Integer.SIZE) + column;
  }
}
