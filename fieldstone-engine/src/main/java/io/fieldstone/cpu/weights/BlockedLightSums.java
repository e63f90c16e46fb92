package io.fieldstone.cpu.weights;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.Subsets;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds light sums in parallel. The first rows of a sum are added one by one, the others, up to
 * four, are looked up in a table. The table is searched for blocks that may have a light sum.
 */
final class BlockedLightSums implements LightSums {

  /** The sums of a task, about; a few milliseconds. */
  private static final long TASK_SUMS = 1 << 22;

  private static final int MAX_TASKS = 1 << 12;

  private final SumKernel kernel;
  private final TaskPool workers;

  BlockedLightSums(SumKernel kernel, TaskPool workers) {
    this.kernel = kernel;
    this.workers = workers;
  }

  /** Collects light sums by number. Thread-safe. */
  private interface Found {
    int maxWeight();

    void add(int weight, long number);
  }

  @Override
  public Optional<Sum> lightest(
      LabelledWords rows, int size, long first, long count, int maxWeight) {
    WeightPreconditions.requireSums(rows, size, first, count);
    Lightest lightest = new Lightest(maxWeight);
    scan(rows, size, first, count, lightest);
    return lightest.sum;
  }

  private static final class Lightest implements Found {

    private volatile int maxWeight;
    private Optional<Sum> sum = Optional.empty();

    Lightest(int maxWeight) {
      this.maxWeight = maxWeight;
    }

    @Override
    public int maxWeight() {
      return maxWeight;
    }

    @Override
    public synchronized void add(int weight, long number) {
      Sum found = new Sum(weight, number);
      if (sum.filter(known -> known.compareTo(found) <= 0).isEmpty()) {
        sum = Optional.of(found);
        maxWeight = weight;
      }
    }
  }

  @Override
  public Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
    WeightPreconditions.requireSums(rows, size, first, count);
    WeightPreconditions.requireMaxFound(maxFound);
    Few few = new Few(maxWeight, maxFound);
    scan(rows, size, first, count, few);
    return few.sorted();
  }

  private static final class Few implements Found {

    private final int maxFound;
    private long[] numbers = new long[64];
    private int count;
    private boolean isFull;
    private volatile int maxWeight;

    Few(int maxWeight, int maxFound) {
      this.maxWeight = maxWeight;
      this.maxFound = maxFound;
    }

    @Override
    public int maxWeight() {
      return maxWeight;
    }

    @Override
    public synchronized void add(int weight, long number) {
      if (count >= maxFound) {
        isFull = true;
        maxWeight = -1; // ends the search
        return;
      }
      if (count == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * count);
      }
      numbers[count++] = number;
    }

    Optional<long[]> sorted() {
      if (isFull) {
        return Optional.empty();
      }
      Arrays.sort(numbers, 0, count);
      return Optional.of(Arrays.copyOf(numbers, count));
    }
  }

  private void scan(LabelledWords words, int size, long first, long count, Found found) {
    if (count == 0 || found.maxWeight() < 0) {
      return;
    }
    PartTable rows = PartTable.of(words);
    long[][] binomials = Subsets.table(rows.rows(), size);
    int scanned = PartTable.decisive(rows.counted(), found.maxWeight());
    SumTable tail = SumTable.of(rows, binomials, size, count, scanned);
    int tasks = Math.clamp(count / TASK_SUMS, 1, MAX_TASKS);
    long share = Math.ceilDiv(count, tasks);
    workers.forEach(
        tasks,
        task -> {
          long from = Math.min(count, share * task);
          long end = Math.min(count, from + share);
          scan(rows, binomials, size, tail, first + from, first + end, found);
        });
  }

  private void scan(
      PartTable rows,
      long[][] binomials,
      int size,
      SumTable tail,
      long first,
      long end,
      Found found) {
    if (first == end) {
      return;
    }
    SumPrefix prefix = new SumPrefix(rows, binomials, size, tail.size(), first);
    long number = first - prefix.inTail();
    while (true) {
      int last = (int) Math.min(prefix.tails(), end - number);
      long start = number;
      tail.sums()
          .scan(
              kernel,
              prefix.inTail(),
              last,
              prefix.sum(),
              new PartTable.Sink() {
                @Override
                public int maxWeight() {
                  return found.maxWeight();
                }

                @Override
                public void accept(int row, int weight) {
                  found.add(weight, start + row);
                }
              });
      number += last;
      if (number >= end) {
        return;
      }
      prefix.next();
    }
  }
}
