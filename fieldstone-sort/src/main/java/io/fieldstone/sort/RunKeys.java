package io.fieldstone.sort;

import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.sort.KeyRange.Splitter;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Sampled keys of sorted runs, one every interval, and the ranges of records derived from them.
 * Ranges are as large as possible without reading more than {@link SortPlan#rangeRecords} for each.
 *
 * <p>Keys are added run by run; then ranges are taken one after another. For one thread at a time.
 */
final class RunKeys {

  private final RecordFormat format;
  private final SortPlan plan;
  private final List<long[]> ranks = new ArrayList<>();
  private final List<Long> counts = new ArrayList<>();

  /** For each run, its first sampled record that is not in a range yet. */
  private final PriorityQueue<Splitter> next =
      new PriorityQueue<>(
          Comparator.comparing(Splitter::rank, Long::compareUnsigned)
              .thenComparingInt(Splitter::run));

  private Optional<Splitter> lower = Optional.empty();

  /** For each run, the number of sampled records in the ranges taken. */
  private long[] below = {};

  RunKeys(RecordFormat format, SortPlan plan) {
    this.format = format;
    this.plan = plan;
  }

  /** Samples the keys of the next run. */
  void add(MemorySegment sorted) {
    long count = sorted.byteSize() / format.bytes();
    long[] own = new long[Math.toIntExact(Math.ceilDiv(count, plan.interval()))];
    for (int i = 0; i < own.length; i++) {
      own[i] = format.bitOrdered(sorted, i * plan.interval() * format.bytes());
    }
    ranks.add(own);
    counts.add(count);
    next.add(new Splitter(own[0], ranks.size() - 1, 0));
    below = new long[ranks.size()];
  }

  /** Returns the next range; empty once all records are in a range. */
  Optional<KeyRange> nextRange() {
    if (next.isEmpty()) {
      return Optional.empty();
    }
    long[] from = new long[below.length];
    long read = 0;
    for (int run = 0; run < from.length; run++) {
      from[run] = Math.max(0, below[run] - 1) * plan.interval();
      read += end(run) - from[run];
    }
    while (!next.isEmpty() && read + plan.interval() <= plan.rangeRecords()) {
      int run = next.remove().run();
      read -= end(run);
      below[run]++;
      read += end(run);
      if (below[run] < ranks.get(run).length) {
        next.add(splitter(run));
      }
    }
    Optional<Splitter> upper = Optional.ofNullable(next.peek());
    List<KeyRange.Part> parts = new ArrayList<>();
    for (int run = 0; run < from.length; run++) {
      parts.add(new KeyRange.Part(from[run], end(run)));
    }
    KeyRange range = new KeyRange(parts, lower, upper);
    lower = upper;
    return Optional.of(range);
  }

  /** Returns the upper bound of the records of a run before the splitter. */
  private long end(int run) {
    return Math.min(below[run] * plan.interval(), counts.get(run));
  }

  private Splitter splitter(int run) {
    int index = Math.toIntExact(below[run]);
    return new Splitter(ranks.get(run)[index], run, index * plan.interval());
  }
}
