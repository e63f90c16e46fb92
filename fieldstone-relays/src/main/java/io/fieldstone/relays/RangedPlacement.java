package io.fieldstone.relays;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Lists places for relays among stations with ranges of their own, of which a {@link SiteGraph}
 * chooses the fewest.
 *
 * <p>A plan that takes all stations for ones of the usual range has too long links to those with a
 * shorter one. So their own places are among the places, and with these the plan joins all. Fewer
 * relays are needed where one of them stands between: at the range of the station, towards each of
 * the stations and relays around it. For one thread.
 */
final class RangedPlacement {

  /** The stations and relays around a station towards which there are places. */
  private static final int DIRECTIONS = 12;

  private final SensorField stations;
  private final double range;
  private final List<Relay> places = new ArrayList<>();

  private RangedPlacement(SensorField stations, double range) {
    this.stations = stations;
    this.range = range;
  }

  /**
   * Returns the places for relays.
   *
   * @param stations the stations with their ranges
   * @param range the range of relays, and of stations that have none of their own
   * @param usual a plan for stations of that range
   */
  static List<Relay> places(SensorField stations, double range, List<Relay> usual) {
    RangedPlacement placement = new RangedPlacement(stations, range);
    placement.places.addAll(usual);
    for (int station = 0; station < stations.size(); station++) {
      if (stations.equipment().range(station, range) < range) {
        placement.addAround(station, usual);
      }
    }
    return List.copyOf(placement.places);
  }

  private void addAround(int station, List<Relay> usual) {
    double x = stations.x(station);
    double y = stations.y(station);
    double own = stations.equipment().range(station, range);
    places.add(Relay.anywhere(x, y, Relay.Kind.LINK));
    List<double[]> around = new ArrayList<>();
    for (Relay relay : usual) {
      addNear(around, relay.x() - x, relay.y() - y, own);
    }
    IntStream.range(0, stations.size())
        .forEach(other -> addNear(around, stations.x(other) - x, stations.y(other) - y, own));
    around.stream()
        .sorted(Comparator.comparingDouble(way -> way[2]))
        .limit(DIRECTIONS)
        .forEach(way ->
            places.add(
                Relay.anywhere(
                    x + own * way[0] / way[2], y + own * way[1] / way[2], Relay.Kind.LINK)));
  }

  /** Adds the way to what a relay at a range joins; nearer ones are joined without it. */
  private void addNear(List<double[]> around, double dx, double dy, double own) {
    double distance = Math.hypot(dx, dy);
    if (distance > own && distance <= own + range) {
      around.add(new double[] {dx, dy, distance});
    }
  }
}
