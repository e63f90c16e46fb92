package io.fieldstone.hybrid;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Chooses how jobs are split: by shape, or, for benchmarks, as forced by the engine's name.
 *
 * @param forced dimension that is split if possible, for all shapes and sizes
 * @param share fixed share α of the first of two parts
 */
record SplitRule(Optional<Split> forced, Optional<Double> share) {

  /** Splits by shape. */
  static final SplitRule BY_SHAPE = new SplitRule(Optional.empty(), Optional.empty());

  private static final Pattern SHARE = Pattern.compile("0?\\.\\d+");

  /** Minimum multiply-accumulates for a second part to pay off. */
  private static final double SPLIT_THRESHOLD = 16 << 20;

  /**
   * Parses {@code SPLIT} or {@code SPLIT=SHARE}.
   *
   * @param spec name of the engine, for error messages
   * @throws IllegalArgumentException if the split is unknown, or the share is not between 0 and 1
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
   * Returns the dimension to split.
   *
   * @param possible dimensions that can be split, at least one
   * @param count number of generations
   * @param m coded blocks of a generation
   * @param k bytes of a coded block
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

  /** Returns the granule of a job: all units if it has too little work to split. */
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
