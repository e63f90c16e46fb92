package io.fieldstone.hybrid;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.Engine;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Splits ranges of sums; each part searches the lightest or all light ones of its ranges. */
final class HybridLightSums implements LightSums {

  /** The sums of a unit of work: less than a millisecond of a core. */
  private static final long UNIT = 1 << 18;

  private final List<Engine> parts;
  private final TaskPool threads;

  HybridLightSums(List<Engine> parts, TaskPool threads) {
    this.parts = parts;
    this.threads = threads;
  }

  /** Searches sums {@code from} … {@code from + sums − 1} on a part. */
  private interface Search {
    void run(LightSums part, long from, long sums);
  }

  private void split(long first, long count, Search search) {
    WorkQueue.run(
        threads,
        parts.size(),
        Math.ceilDiv(count, UNIT),
        (part, unit, units) -> {
          long from = unit * UNIT;
          long sums = Math.min(count - from, units * UNIT);
          search.run(parts.get(part).lightSums(), first + from, sums);
        });
  }

  @Override
  public Optional<Sum> lightest(
      LabelledWords rows, int size, long first, long count, int maxWeight) {
    WeightPreconditions.requireSums(rows, size, first, count);
    LabelledWords copy = rows.copy();
    Queue<Sum> found = new ConcurrentLinkedQueue<>();
    split(
        first,
        count,
        (part, from, sums) ->
            part.lightest(copy, size, from, sums, maxWeight).ifPresent(found::add));
    return found.stream().min(Sum::compareTo);
  }

  @Override
  public Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
    WeightPreconditions.requireSums(rows, size, first, count);
    WeightPreconditions.requireMaxFound(maxFound);
    LabelledWords copy = rows.copy();
    Queue<Optional<long[]>> found = new ConcurrentLinkedQueue<>();
    split(
        first,
        count,
        (part, from, sums) -> found.add(part.light(copy, size, from, sums, maxWeight, maxFound)));
    if (found.stream().anyMatch(Optional::isEmpty)) {
      return Optional.empty();
    }
    long[] numbers =
        found.stream().flatMap(Optional::stream).flatMapToLong(Arrays::stream).sorted().toArray();
    return Optional.of(numbers).filter(all -> all.length <= maxFound);
  }
}
