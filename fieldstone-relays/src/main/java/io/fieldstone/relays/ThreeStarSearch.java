package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Searches a field of sensors for 3-stars: triples with mutual distances greater than R that one
 * relay can connect (the paper, II-C and III-C). Each is found exactly once.
 *
 * {@snippet :
 * try (ThreeStarSearch search = ThreeStarSearch.in(engine, field, range, StarRule.ENCLOSING_CIRCLE)) {
 *   System.out.println(search.count());
 * }
 * }
 *
 * <p>For one thread; the caller closes it before the engine.
 */
public final class ThreeStarSearch implements AutoCloseable {

  /** The target duration of a step of a search with progress. */
  private static final double STEP_SECONDS = 0.5;

  /** The number of sensors in the first step. */
  private static final int FIRST_STEP = 256;

  /** The maximum ratio of the sizes of successive steps. */
  private static final int GROWTH = 4;

  private static final double NS_PER_SECOND = 1e9;

  /** The digits of an estimate. */
  private static final MathContext DIGITS = new MathContext(2);

  private final DecimalScale scale;
  private final Binning binning;
  private final StarSearch search;
  private final int threads;

  /** Counts the stars of fields whose sensors are in clusters. */
  private final Optional<BoxStars> boxes;

  /** Searches a range of sensors. */
  @FunctionalInterface
  private interface Step<X extends Exception> {
    void search(int first, int points) throws X;
  }

  private ThreeStarSearch(Engine engine, DecimalScale scale, Binning binning, StarSearch search) {
    this.scale = scale;
    this.binning = binning;
    this.search = search;
    this.threads = engine.threads();
    this.boxes =
        Clusters.areIn(search.field())
            ? Optional.of(new BoxStars(threads, search.field()))
            : Optional.empty();
  }

  /**
   * Creates a search by the fastest method of the engine.
   *
   * @param rule the circle whose radius is at most R
   * @throws IllegalArgumentException if the range is not greater than 0, or coordinates are more
   *     than 2^31 ranges from 0
   */
  public static ThreeStarSearch in(Engine engine, SensorField field, double range, StarRule rule) {
    return in(engine, field, range, rule, Optional.empty());
  }

  /**
   * Creates a search by one of {@link io.fieldstone.engine.stars.Stars#methods}.
   *
   * @throws IllegalArgumentException also if the engine does not have the method
   */
  public static ThreeStarSearch in(
      Engine engine, SensorField field, double range, StarRule rule, String method) {
    return in(engine, field, range, rule, Optional.of(method));
  }

  private static ThreeStarSearch in(
      Engine engine, SensorField field, double range, StarRule rule, Optional<String> method) {
    engine.requireOpen();
    DecimalScale scale = DecimalScale.of(range, field);
    SensorField sensors = scale.scaled(field);
    double reach = scale.scaled(range);
    Binning binning =
        Binning.of(
            engine, sensors.xs(), sensors.ys(), StarField.grid(sensors.xs(), sensors.ys(), reach));
    StarField stars = new StarField(binning.xs(), binning.ys(), reach, rule);
    StarSearch search =
        method
            .map(name -> engine.stars().search(stars, name))
            .orElseGet(() -> engine.stars().search(stars));
    return new ThreeStarSearch(engine, scale, binning, search);
  }

  /** Returns the name of the method. */
  public String method() {
    return search.method();
  }

  /** Returns the number of sensors. */
  public int sensors() {
    return search.field().points();
  }

  /**
   * Counts the 3-stars.
   *
   * @throws ArithmeticException if there are more than 2^63 − 1
   */
  public long count() {
    return boxes.isPresent() ? boxes.get().count(threads, _ -> {}) : search.count();
  }

  /**
   * Counts the 3-stars.
   *
   * @param progress receives the number of sensors processed, from time to time
   */
  public long count(IntConsumer progress) {
    if (boxes.isPresent()) {
      return boxes.get().count(threads, progress);
    }
    long[] stars = {0};
    inSteps(sensors(), (first, points) -> stars[0] += search.count(first, points), progress);
    return stars[0];
  }

  /**
   * Visits each 3-star, in unspecified order, by the numbers of its sensors; the first is the
   * lowest, by y and then by x.
   */
  public void forEach(StarVisitor visitor) {
    int[] order = binning.order();
    search.enumerate(batch ->
        batch.forEach(
            (lowest, second, third) -> visitor.star(order[lowest], order[second], order[third])));
  }

  /**
   * Estimates the number of 3-stars, if a search of all sensors takes a minute or more. In clusters
   * it is a lower bound, by boxes; in other fields it is computed from some sensors.
   */
  public Optional<StarEstimate> estimate() {
    StarField field = search.field();
    if (!Clusters.isSlow(field)) {
      return Optional.empty();
    }
    if (boxes.isPresent()) {
      return Optional.of(boxes.get().estimate(threads, Clusters.sideOfFewBoxes(field)));
    }
    int samples = Clusters.samples(field);
    double stars = 0;
    for (int i = 0; i < samples; i++) {
      stars += search.count((int) ((i + 0.5) * sensors() / samples), 1);
    }
    BigDecimal all = new BigDecimal(stars * sensors() / samples);
    return Optional.of(new StarEstimate(all.round(DIGITS).longValue(), StarEstimate.Kind.ABOUT));
  }

  /**
   * Computes the size of a file of all 3-stars by a search that stores none.
   *
   * @param file the file, whose store must have the space
   * @param progress receives the number of sensors processed, from time to time
   * @throws IOException if there is not enough space, at the latest when the size exceeds it
   */
  public StarFileSize measure(Path file, IntConsumer progress) throws IOException {
    FileStore store = Files.getFileStore(Temporaries.directoryOf(file));
    Optional<StarEstimate> estimate = boxes.isPresent() ? estimate() : Optional.empty();
    if (estimate.isPresent()) {
      StarFileSize.requireSpace(estimate.get(), store, file);
    }
    StarFileSize.Counter counter = new StarFileSize.Counter(file, store.getUsableSpace());
    StarFileWriter writer = new StarFileWriter(counter, search.field(), binning.order(), scale);
    inSteps(sensors(), (first, points) -> search.enumerate(first, points, writer::write), progress);
    return new StarFileSize(writer.finish(), counter.bytes());
  }

  /**
   * Writes all 3-stars to a {@link StarFile}, which appears completely or not ({@link
   * Temporaries}).
   *
   * @return the number of stars
   * @throws IOException if it cannot be written, or there is not enough space, which is checked
   *     first
   */
  public long write(Path file) throws IOException {
    return write(file, measure(file, _ -> {}), _ -> {});
  }

  /**
   * Writes all 3-stars to a file whose size was measured.
   *
   * @param size the result of {@link #measure}
   * @param progress receives the number of sensors processed, from time to time
   */
  public long write(Path file, StarFileSize size, IntConsumer progress) throws IOException {
    size.requireSpace(Files.getFileStore(Temporaries.directoryOf(file)), file);
    try (Temporaries temporaries = new Temporaries()) {
      StarFileWriter writer =
          new StarFileWriter(
              temporaries.create(file)::append, search.field(), binning.order(), scale);
      inSteps(
          sensors(), (first, points) -> search.enumerate(first, points, writer::write), progress);
      long stars = writer.finish();
      temporaries.commit();
      return stars;
    }
  }

  private static <X extends Exception> void inSteps(int total, Step<X> step, IntConsumer progress)
      throws X {
    int points = FIRST_STEP;
    int first = 0;
    while (first < total) {
      points = Math.min(points, total - first);
      long start = System.nanoTime();
      step.search(first, points);
      double seconds = (System.nanoTime() - start) / NS_PER_SECOND;
      first += points;
      progress.accept(first);
      points = (int) Math.max(1, points * Math.min(GROWTH, STEP_SECONDS / seconds));
    }
  }

  @Override
  public void close() {
    search.close();
  }
}
