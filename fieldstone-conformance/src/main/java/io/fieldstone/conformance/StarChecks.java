package io.fieldstone.conformance;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarSearch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Compares searches of random fields, by every method, with the definition over all triples. */
final class StarChecks {

  private final Engine engine;
  private final SplittableRandom random;

  StarChecks(Engine engine, SplittableRandom random) {
    this.engine = engine;
    this.random = random;
  }

  /** Counts and enumerates the stars of a field, as a whole and in ranges. */
  Optional<String> searches() {
    StarField field = new RandomStarFields(random).next();
    List<Star> stars = definition(field);
    for (String method : engine.stars().methods(field)) {
      try (StarSearch search = engine.stars().search(field, method)) {
        Optional<String> failure =
            count(search, stars)
                .or(() -> enumeration(search, stars, 0, field.points()))
                .or(() -> ranges(search, stars));
        if (failure.isPresent()) {
          return failure.map(problem ->
              "%s, %d points, range %s, %s: %s"
                  .formatted(method, field.points(), field.range(), field.rule(), problem));
        }
      }
    }
    try (StarSearch search = engine.stars().search(field)) {
      return count(search, stars);
    }
  }

  /** Checks that invalid arguments are rejected. */
  Optional<String> misuse() {
    StarField field = new RandomStarFields(random).next();
    try {
      engine.stars().search(field, "guess").close();
      return Optional.of("the unknown method 'guess' is accepted");
    } catch (IllegalArgumentException e) {
      // expected
    }
    try (StarSearch search = engine.stars().search(field)) {
      search.count(1, field.points());
      return Optional.of("a range beyond the last point is accepted");
    } catch (IndexOutOfBoundsException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> count(StarSearch search, List<Star> stars) {
    long counted = search.count();
    return counted == stars.size()
        ? Optional.empty()
        : Optional.of("%d stars instead of %d".formatted(counted, stars.size()));
  }

  /** Enumerates random ranges that cover the field. */
  private Optional<String> ranges(StarSearch search, List<Star> stars) {
    int end = search.field().points();
    int first = 0;
    while (first < end) {
      int points = random.nextInt(1, end - first + 1);
      Optional<String> failure = enumeration(search, stars, first, points);
      if (failure.isPresent()) {
        return failure;
      }
      first += points;
    }
    return Optional.empty();
  }

  private static Optional<String> enumeration(
      StarSearch search, List<Star> stars, int first, int points) {
    Set<Star> expected = new HashSet<>();
    for (Star star : stars) {
      if (star.lowest() >= first && star.lowest() < first + points) {
        expected.add(star);
      }
    }
    List<Star> found = new ArrayList<>();
    long[] announced = {0};
    search.enumerate(
        first,
        points,
        batch -> {
          announced[0] += batch.stars();
          batch.forEach((a, b, c) -> found.add(new Star(a, b, c)));
        });
    long counted = search.count(first, points);
    if (counted != expected.size()
        || announced[0] != expected.size()
        || found.size() != expected.size()
        || !expected.equals(new HashSet<>(found))) {
      return Optional.of(
          "points %d…%d: %d stars counted, %d announced, %d found instead of %d"
              .formatted(
                  first, first + points - 1, counted, announced[0], found.size(), expected.size()));
    }
    return Optional.empty();
  }

  private static List<Star> definition(StarField field) {
    List<Star> stars = new ArrayList<>();
    for (int a = 0; a < field.points(); a++) {
      for (int b = a + 1; b < field.points(); b++) {
        for (int c = b + 1; c < field.points(); c++) {
          if (field.isStar(a, b, c)) {
            stars.add(Star.of(field, a, b, c));
          }
        }
      }
    }
    return stars;
  }

  /** A star with its points in the order of searches. */
  private record Star(int lowest, int second, int third) {

    /** Makes a star from ascending indices. */
    static Star of(StarField field, int a, int b, int c) {
      int lowest = lower(field, lower(field, a, b), c);
      return lowest == a ? new Star(a, b, c) : lowest == b ? new Star(b, a, c) : new Star(c, a, b);
    }

    private static int lower(StarField field, int a, int b) {
      boolean lower =
          field.y(a) < field.y(b) || (field.y(a) == field.y(b) && field.x(a) < field.x(b));
      return lower ? a : b;
    }
  }
}
