package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.stars.StarField;
import io.fieldstone.engine.stars.StarRule;
import io.fieldstone.engine.stars.StarSearch;
import io.fieldstone.engine.stars.StarVisitor;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;

/**
 * Searches a field of sensors for 3-stars: triples more than R apart from each other that one relay
 * can join (the paper, II-C and III-C). Each is found exactly once.
 *
 * <p>For one thread; belongs to the caller, who closes it before the engine.
 */
public final class ThreeStarSearch implements AutoCloseable {

  /** A step of a search that tells of its progress takes about so long. */
  private static final double STEP_SECONDS = 0.5;

  /** Sensors of the first step. */
  private static final int FIRST_STEP = 256;

  /** A step is at most so many times the one before. */
  private static final int GROWTH = 4;

  private static final double NS_PER_SECOND = 1e9;

  private final Binning binning;
  private final StarSearch search;

  /** Searches some sensors. */
  @FunctionalInterface
  private interface Step<X extends Exception> {
    void search(int first, int points) throws X;
  }

  private ThreeStarSearch(Binning binning, StarSearch search) {
    this.binning = binning;
    this.search = search;
  }

  /**
   * A search by the method that is fastest on the engine.
   *
   * @param rule which circle has to have a radius of at most R
   * @throws IllegalArgumentException if the range is not a number greater than 0, or so small that
   *     coordinates are more than 2^31 ranges from 0
   */
  public static ThreeStarSearch in(Engine engine, SensorField field, double range, StarRule rule) {
    return in(engine, field, range, rule, Optional.empty());
  }

  /**
   * A search by one of {@link io.fieldstone.engine.stars.Stars#methods}.
   *
   * @throws IllegalArgumentException also if the engine has no such method
   */
  public static ThreeStarSearch in(
      Engine engine, SensorField field, double range, StarRule rule, String method) {
    return in(engine, field, range, rule, Optional.of(method));
  }

  private static ThreeStarSearch in(
      Engine engine, SensorField field, double range, StarRule rule, Optional<String> method) {
    Binning binning =
        Binning.of(engine, field.xs(), field.ys(), StarField.grid(field.xs(), field.ys(), range));
    StarField stars = new StarField(binning.xs(), binning.ys(), range, rule);
    StarSearch search =
        method
            .map(name -> engine.stars().search(stars, name))
            .orElseGet(() -> engine.stars().search(stars));
    return new ThreeStarSearch(binning, search);
  }

  /** How it searches. */
  public String method() {
    return search.method();
  }

  /** How many sensors are searched. */
  public int sensors() {
    return search.field().points();
  }

  /** How many 3-stars there are. */
  public long count() {
    return search.count();
  }

  /**
   * How many 3-stars there are.
   *
   * @param progress told, now and then, of how many sensors the stars are counted
   */
  public long count(IntConsumer progress) {
    long[] stars = {0};
    inSteps((first, points) -> stars[0] += search.count(first, points), progress);
    return stars[0];
  }

  /**
   * Tells of each 3-star, in no order that means anything, by the numbers of its sensors: first the
   * lowest, by y and then by x.
   */
  public void forEach(StarVisitor visitor) {
    int[] order = binning.order();
    search.enumerate(batch ->
        batch.forEach(
            (lowest, second, third) -> visitor.star(order[lowest], order[second], order[third])));
  }

  /**
   * How large a file of all 3-stars is: searches them all and keeps none.
   *
   * @param progress told, now and then, how many sensors have been searched
   */
  public StarFileSize measure(IntConsumer progress) {
    StarFileSize.Counter counter = new StarFileSize.Counter();
    try {
      StarFileWriter writer = new StarFileWriter(counter, search.field(), binning.order());
      inSteps((first, points) -> search.enumerate(first, points, writer::write), progress);
      return new StarFileSize(writer.finish(), counter.bytes());
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible); // nothing is written
    }
  }

  /**
   * Writes all 3-stars to a file in the form of {@link StarFile}, which appears whole or not at all
   * ({@link Temporaries}).
   *
   * @return how many there are
   * @throws IOException if it cannot be written, or there is no room for it, which is known before
   *     anything is
   */
  public long write(Path file) throws IOException {
    return write(file, measure(_ -> {}), _ -> {});
  }

  /**
   * The same for a file that has been measured.
   *
   * @param size what {@link #measure} says
   * @param progress told, now and then, of how many sensors the stars are written
   */
  public long write(Path file, StarFileSize size, IntConsumer progress) throws IOException {
    size.requireRoom(Files.getFileStore(Temporaries.directoryOf(file)), file);
    try (Temporaries temporaries = new Temporaries()) {
      StarFileWriter writer =
          new StarFileWriter(temporaries.create(file)::append, search.field(), binning.order());
      inSteps((first, points) -> search.enumerate(first, points, writer::write), progress);
      long stars = writer.finish();
      temporaries.commit();
      return stars;
    }
  }

  private <X extends Exception> void inSteps(Step<X> step, IntConsumer progress) throws X {
    int total = search.field().points();
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
