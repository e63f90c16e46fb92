package io.fieldstone.cli.sensors;

import io.fieldstone.map.Coordinates;
import io.fieldstone.map.Place;
import io.fieldstone.relays.Projection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Finds places far from all others: more than {@value #FACTOR} times as far from the median place
 * as three quarters of the places. Wrong coordinates are the usual cause. Several sensors at the
 * same place count as one, and many places that are far are no error.
 */
final class Outliers {

  private static final double FACTOR = 20;

  /** The minimum number of places that have quarters. */
  private static final int MIN_PLACES = 4;

  /** The minimum number of places for each that may be an error. */
  private static final int PLACES_PER_OUTLIER = 8;

  private static final double RIGHT_ANGLE = 90;
  private static final double METRES_PER_KILOMETRE = 1000;

  private final Coordinates coordinates;
  private final double[] middle;
  private final double limit;

  private Outliers(Coordinates coordinates, double[] middle, double limit) {
    this.coordinates = coordinates;
    this.middle = middle;
    this.limit = limit;
  }

  /** A place, and the reason why it is far away. */
  record Outlier(Place place, String problem) {}

  /** Returns the outliers among places, in their order. */
  static List<Outlier> of(Coordinates coordinates, List<Place> places) {
    List<Place> different = different(places);
    if (different.size() < MIN_PLACES) {
      return List.of();
    }
    double[] firsts = different.stream().mapToDouble(Place::first).sorted().toArray();
    double[] seconds = different.stream().mapToDouble(Place::second).sorted().toArray();
    double[] middle = {firsts[firsts.length / 2], seconds[seconds.length / 2]};
    Outliers all = new Outliers(coordinates, middle, Double.POSITIVE_INFINITY);
    double[] distances =
        different.stream()
            .mapToDouble(place -> all.distance(place.first(), place.second()))
            .toArray();
    double[] ascending = distances.clone();
    Arrays.sort(ascending);
    double usual = ascending[3 * (ascending.length - 1) / 4];
    Outliers far = new Outliers(coordinates, middle, FACTOR * usual);
    List<Outlier> found = new ArrayList<>();
    for (int i = 0; i < distances.length && usual > 0; i++) {
      if (distances[i] > far.limit) {
        found.add(new Outlier(different.get(i), far.problem(different.get(i), distances[i])));
      }
    }
    return found.size() <= Math.max(1, different.size() / PLACES_PER_OUTLIER) ? found : List.of();
  }

  /** Returns the first of all places at the same point, in their order. */
  private static List<Place> different(List<Place> places) {
    record Point(double first, double second) {}
    Set<Point> known = HashSet.newHashSet(places.size());
    return places.stream()
        .filter(place -> known.add(new Point(place.first(), place.second())))
        .toList();
  }

  private double distance(double first, double second) {
    return coordinates == Coordinates.DEGREES
        ? new Projection(middle[1], middle[0]).distance(second, first)
        : Math.hypot(first - middle[0], second - middle[1]);
  }

  private String problem(Place place, double distance) {
    String far =
        coordinates == Coordinates.DEGREES
            ? String.format(Locale.ROOT, "%.0f km", distance / METRES_PER_KILOMETRE)
            : String.format(Locale.ROOT, "%.4g", distance);
    return "'%s' is %s from the middle of all places%s"
        .formatted(Excerpt.of(place.id()), far, cause(place));
  }

  private String cause(Place place) {
    if (place.first() == 0 && place.second() == 0) {
      return "; its coordinates 0, 0 may mean an unknown place";
    }
    boolean canBeSwapped =
        coordinates == Coordinates.PLANAR || Math.abs(place.first()) <= RIGHT_ANGLE;
    return canBeSwapped && distance(place.second(), place.first()) <= limit
        ? "; its coordinates may be swapped"
        : "";
  }
}
