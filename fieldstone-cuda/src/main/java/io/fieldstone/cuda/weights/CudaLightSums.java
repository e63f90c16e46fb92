package io.fieldstone.cuda.weights;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.engine.weights.LabelledWords;
import io.fieldstone.engine.weights.LightSums;
import io.fieldstone.engine.weights.WeightPreconditions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds light sums on a GPU, by {@code sums_light} of distances.cu. Thread-safe. */
public record CudaLightSums(Gpu gpu) implements LightSums {

  /** The sums of a launch, which a large GPU tries in about a second. */
  private static final long MAX_SUMS = 1L << 40;

  /** The numbers of a launch; a range with more light sums is split. */
  private static final int MAX_CAPACITY = 1 << 20;

  @Override
  public Optional<Sum> lightest(
      LabelledWords rows, int size, long first, long count, int maxWeight) {
    WeightPreconditions.requireSums(rows, size, first, count);
    List<Sum> lightest = new ArrayList<>();
    run(
        rows,
        new SumSearch.Task(size, first, count, maxWeight, 0),
        search -> {
          int max = maxWeight;
          for (long done = 0; done < count; done += MAX_SUMS) {
            Optional<Sum> found =
                search.lightest(first + done, Math.min(MAX_SUMS, count - done), max);
            if (found.isPresent()) {
              lightest.add(found.get());
              max = found.get().weight() - 1;
            }
          }
        });
    return lightest.isEmpty() ? Optional.empty() : Optional.of(lightest.getLast());
  }

  @Override
  public Optional<long[]> light(
      LabelledWords rows, int size, long first, long count, int maxWeight, int maxFound) {
    WeightPreconditions.requireSums(rows, size, first, count);
    WeightPreconditions.requireMaxFound(maxFound);
    // One more, so that a full buffer shows that there are too many.
    int capacity = (int) Math.min(Math.min(maxFound + 1L, MAX_CAPACITY), Math.max(1, count));
    Found found = new Found(maxFound);
    run(
        rows,
        new SumSearch.Task(size, first, count, maxWeight, capacity),
        search -> {
          for (long done = 0; done < count && found.goesOn(); done += MAX_SUMS) {
            collect(search, first + done, Math.min(MAX_SUMS, count - done), found);
          }
        });
    return found.sorted();
  }

  /** Adds the light sums of a range, of its halves if there are too many for a launch. */
  private static void collect(SumSearch search, long first, long count, Found found) {
    Optional<long[]> numbers = search.light(first, count);
    if (numbers.isPresent()) {
      found.addAll(numbers.get());
    } else if (search.capacity() > found.left()) {
      found.stop();
    } else {
      collect(search, first, count / 2, found);
      if (found.goesOn()) {
        collect(search, first + count / 2, count - count / 2, found);
      }
    }
  }

  /** The numbers of light sums. */
  private static final class Found {

    private final int max;
    private final List<long[]> numbers = new ArrayList<>();
    private long count;
    private boolean isOver;

    Found(int max) {
      this.max = max;
    }

    long left() {
      return max - count;
    }

    boolean goesOn() {
      return !isOver;
    }

    void addAll(long[] more) {
      numbers.add(more);
      count += more.length;
      isOver |= count > max;
    }

    void stop() {
      isOver = true;
    }

    Optional<long[]> sorted() {
      return isOver
          ? Optional.empty()
          : Optional.of(numbers.stream().flatMapToLong(Arrays::stream).sorted().toArray());
    }
  }

  /** A search of some ranges of sums. */
  private interface Use {
    void with(SumSearch search);
  }

  private void run(LabelledWords rows, SumSearch.Task task, Use use) {
    gpu.run(
        () -> "try %d sums of %d rows".formatted(task.count(), task.size()),
        () -> {
          if (task.count() > 0 && task.maxWeight() >= 0) {
            SumSearch.run(gpu, PackedRows.of(rows), task, use::with);
          }
        },
        rows.data());
  }
}
