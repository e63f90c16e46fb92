package io.fieldstone.bench.net.hosts;

import io.fieldstone.net.impairment.Impairment;
import io.fieldstone.net.impairment.Lateness;
import io.fieldstone.net.impairment.LinkCounts;
import io.fieldstone.net.impairment.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Writes links and their counts as arguments and output of the router's process, and reads them.
 */
final class LinkText {

  private static final String SEPARATOR = "/";
  private static final int IMPAIRMENT_FIELDS = 14;
  private static final int COUNT_FIELDS = 10;

  private LinkText() {}

  /** Writes all fields with {@code /} between them. */
  static String of(Impairment link) {
    Loss loss = link.loss();
    return Stream.of(
            link.bytesPerSecond(),
            link.queueBytes(),
            link.delayNanos(),
            link.jitterNanos(),
            loss.goodToBad(),
            loss.badToGood(),
            loss.inGood(),
            loss.inBad(),
            link.lateness().share(),
            link.lateness().minNanos(),
            link.lateness().maxNanos(),
            link.duplicated(),
            link.corrupted(),
            link.maxBytes())
        .map(Object::toString)
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Reads the form of {@link #of(Impairment)}. */
  static Impairment impairment(String text) {
    List<String> fields = fields(text, IMPAIRMENT_FIELDS);
    List<Double> values = fields.stream().map(Double::parseDouble).toList();
    return new Impairment(
        values.get(0),
        Integer.parseInt(fields.get(1)),
        Long.parseLong(fields.get(2)),
        Long.parseLong(fields.get(3)),
        new Loss(values.get(4), values.get(5), values.get(6), values.get(7)),
        new Lateness(values.get(8), Long.parseLong(fields.get(9)), Long.parseLong(fields.get(10))),
        values.get(11),
        values.get(12),
        Integer.parseInt(fields.get(13)));
  }

  /** Writes all fields with {@code /} between them. */
  static String of(LinkCounts counts) {
    return LongStream.of(
            counts.arrived(),
            counts.queueDropped(),
            counts.lost(),
            counts.reordered(),
            counts.duplicated(),
            counts.corrupted(),
            counts.forwarded(),
            counts.forwardedBytes(),
            counts.waitedNanos(),
            counts.percentileWaitNanos())
        .mapToObj(Long::toString)
        .collect(Collectors.joining(SEPARATOR));
  }

  /** Reads the form of {@link #of(LinkCounts)}. */
  static LinkCounts counts(String text) {
    List<Long> values = fields(text, COUNT_FIELDS).stream().map(Long::parseLong).toList();
    return new LinkCounts(
        values.get(0),
        values.get(1),
        values.get(2),
        values.get(3),
        values.get(4),
        values.get(5),
        values.get(6),
        values.get(7),
        values.get(8),
        values.get(9));
  }

  private static List<String> fields(String text, int count) {
    List<String> fields = Arrays.asList(text.split(SEPARATOR, -1));
    if (fields.size() != count) {
      throw new IllegalArgumentException("'%s' has no %d fields".formatted(text, count));
    }
    return fields;
  }
}
