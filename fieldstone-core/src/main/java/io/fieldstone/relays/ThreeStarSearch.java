package io.fieldstone.relays;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.StarField;
import io.fieldstone.engine.StarRule;
import io.fieldstone.engine.StarSearch;
import io.fieldstone.engine.StarVisitor;
import io.fieldstone.stream.file.Temporaries;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Searches a field of sensors for 3-stars: triples more than R apart from each other that one relay
 * can join (the paper, II-C and III-C). Each is found exactly once.
 *
 * <p>For one thread; belongs to the caller, who closes it before the engine.
 */
public final class ThreeStarSearch implements AutoCloseable {

  private final Binning binning;
  private final StarSearch search;

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
   * A search by one of {@link io.fieldstone.engine.Stars#methods}.
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

  /** How many 3-stars there are. */
  public long count() {
    return search.count();
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
   * Writes all 3-stars to a file in the form of {@link StarFile}, under a temporary name that is
   * changed when it is complete.
   *
   * @return how many there are
   * @throws IOException if it cannot be written, or it is plain that there is no room for it, which
   *     is known when all have been counted
   */
  public long write(Path file) throws IOException {
    requireRoom(file);
    try (Temporaries temporaries = new Temporaries()) {
      StarFileWriter writer =
          new StarFileWriter(temporaries.create(file), search.field(), binning.order());
      search.enumerate(writer::write);
      long stars = writer.finish();
      temporaries.commit();
      return stars;
    }
  }

  /** A star takes one bit at the very least. */
  private void requireRoom(Path file) throws IOException {
    long stars = count();
    FileStore store = Files.getFileStore(directory(file));
    if (stars / Byte.SIZE > store.getUsableSpace()) {
      throw new IOException(
          "%s: there are %d 3-stars, and no room for them in %d bytes"
              .formatted(file, stars, store.getUsableSpace()));
    }
  }

  private static Path directory(Path file) {
    return Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(Path.of("/"));
  }

  @Override
  public void close() {
    search.close();
  }
}
