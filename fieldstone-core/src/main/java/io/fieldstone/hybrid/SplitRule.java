package io.fieldstone.hybrid;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How an engine splits jobs: as the shape suggests, or as its name demands, for benchmarks.
 *
 * @param forced the dimension to cut, where it can be cut, whatever the shape; and any job is cut,
 *     whatever its size
 * @param share the share α of the first of two parts, whatever their speed
 */
record SplitRule(Optional<Split> forced, Optional<Double> share) {

  /** By shape. */
  static final SplitRule BY_SHAPE = new SplitRule(Optional.empty(), Optional.empty());

  private static final Pattern SHARE = Pattern.compile("0?\\.\\d+");

  /** Multiply-accumulates below which waking another thread costs more than its help gives. */
  private static final double SPLIT_THRESHOLD = 16 << 20;

  /**
   * Reads {@code SPLIT} or {@code SPLIT=SHARE}.
   *
   * @param spec the engine's name, for the message
   * @throws IllegalArgumentException if there is no such split, or the share is not between 0 and 1
   */
  static SplitRule parse(String spec, String text) {
    int at = text.indexOf('=');
    String word = at < 0 ? text : text.substring(0, at);
    Split split =
        Arrays.stream(Split.values())
            .filter(each -> each.word().equals(word))
            .findFirst()
            .orElseThrow(() ->
                new IllegalArgumentException(
                    "engine '%s': no split '%s'; there are: %s"
                        .formatted(
                            spec,
                            word,
                            Arrays.stream(Split.values())
                                .map(Split::word)
                                .collect(Collectors.joining(", ")))));
    Optional<Double> share =
        at < 0 ? Optional.empty() : Optional.of(share(spec, text.substring(at + 1)));
    return new SplitRule(Optional.of(split), share);
  }

  private static double share(String spec, String text) {
    if (SHARE.matcher(text).matches()) {
      double share = Double.parseDouble(text);
      if (share > 0 && share < 1) {
        return share;
      }
    }
    throw new IllegalArgumentException(
        "engine '%s': share '%s' is not between 0 and 1".formatted(spec, text));
  }

  /**
   * The dimension to cut, of those that can be cut.
   *
   * @param possible at least one
   * @param count generations
   * @param m coded blocks of each
   * @param k bytes of each coded block
   */
  Split split(Set<Split> possible, long count, int m, int k) {
    return forced
        .filter(possible::contains)
        .orElseGet(() ->
            Stream.of(Split.values())
                .filter(possible::contains)
                .filter(split -> split.isFine(split.units(count, m, k)))
                .findFirst()
                .orElseGet(() -> finest(possible, count, m, k)));
  }

  /** Units that stay together in a job of so much work: all of them if it is not worth a split. */
  long granule(Split split, long units, double work) {
    return work < SPLIT_THRESHOLD && forced.isEmpty() ? Math.max(1, units) : split.granule(units);
  }

  private static Split finest(Set<Split> possible, long count, int m, int k) {
    return Stream.of(Split.values())
        .filter(possible::contains)
        .max(Comparator.comparingLong(split -> split.granules(split.units(count, m, k))))
        .orElseThrow();
  }
}
