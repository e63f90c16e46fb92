package io.fieldstone.cuda.weights;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.fieldstone.cuda.execution.Gpu;
import io.fieldstone.cuda.execution.GridStrideKernel;
import io.fieldstone.cuda.execution.ScratchLayout;
import io.fieldstone.cuda.execution.StreamSlot;
import io.fieldstone.engine.weights.LightSums.Sum;
import io.fieldstone.engine.weights.Subsets;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Consumer;

/** Launches the kernels that try sums of rows, on one stream. Waits for each launch. */
final class SumSearch {

  private static final int THREADS = 256;
  private static final int WARPS = THREADS / 32;

  /** The bits of a number in {@code found}; those above have the weight. */
  private static final int NUMBER_BITS = 52;

  private static final long NO_NUMBER = (1L << NUMBER_BITS) - 1;

  /** The maximum size of a table, which a large GPU has as cache. */
  private static final double MAX_TABLE_BYTES = 32 << 20;

  private static final int MAX_TAIL = 3;

  /** The words of a group; two are stored together. */
  private static final int GROUP = 4;

  /** The sums that are worth a warp. */
  private static final int WARP_SUMS = 4096;

  /**
   * A range of sums, and the weight to search for.
   *
   * @param size the rows of a sum
   * @param first the number of the first sum
   * @param count of the sums
   * @param maxWeight the weight of a light sum at most
   * @param capacity the numbers that there is room for; 0 for the lightest sum only
   */
  record Task(int size, long first, long count, int maxWeight, int capacity) {}

  private final StreamSlot slot;
  private final PackedRows rows;
  private final Task task;
  private final GridStrideKernel kernel;
  private final int deciding;
  private final int tail;
  private final long tableSums;
  private final long rowsOffset;
  private final long binomialsOffset;
  private final long tableOffset;
  private final long foundOffset;
  private final long numbersOffset;
  private final long pinnedOffset;

  private SumSearch(StreamSlot slot, PackedRows rows, Task task, Layout layout) {
    this.slot = slot;
    this.rows = rows;
    this.task = task;
    this.kernel = layout.kernel;
    this.deciding = layout.deciding;
    this.tail = layout.tail;
    this.tableSums = layout.tableSums;
    this.rowsOffset = layout.rowsOffset;
    this.binomialsOffset = layout.binomialsOffset;
    this.tableOffset = layout.tableOffset;
    this.foundOffset = layout.foundOffset;
    this.numbersOffset = layout.numbersOffset;
    this.pinnedOffset = layout.pinnedOffset;
  }

  /** Where operands are. */
  private static final class Layout {
    private final ScratchLayout scratch = new ScratchLayout();
    private final GridStrideKernel kernel;
    private final long[] binomials;
    private final int deciding;
    private final int tail;
    private final long tableSums;
    private final long rowsOffset;
    private final long binomialsOffset;
    private final long tableOffset;
    private final long foundOffset;
    private final long numbersOffset;
    private final long pinnedOffset;

    Layout(Gpu gpu, PackedRows rows, Task task) {
      long[][] table = Subsets.table(rows.count(), task.size());
      this.binomials = Arrays.stream(table).flatMapToLong(Arrays::stream).toArray();
      this.deciding = stored(rows.deciding(task.maxWeight()));
      this.tail = tail(table, rows, task, deciding);
      this.tableSums = table[tail][rows.count()];
      this.rowsOffset = scratch.device(rows.bytes());
      this.binomialsOffset = scratch.device(binomialBytes());
      this.tableOffset = scratch.device(tableSums * deciding * Integer.BYTES);
      this.foundOffset = scratch.device(Long.BYTES);
      long numberBytes = (long) task.capacity() * Long.BYTES;
      this.numbersOffset = scratch.device(numberBytes);
      this.pinnedOffset =
          scratch.pinned(
              Math.max(numberBytes, Math.max(rows.bytes(), binomialBytes())) + Long.BYTES);
      int shared = WARPS * Integer.BYTES * (deciding + Math.ceilDiv(task.size(), 2));
      String name = "sums_light_" + (deciding > GROUP ? 0 : deciding);
      this.kernel = gpu.modules().kernel("distances", name, THREADS, shared, 1);
    }

    long binomialBytes() {
      return (long) binomials.length * Long.BYTES;
    }
  }

  /** Returns two, or a multiple of four words. */
  private static int stored(int words) {
    return words <= 2 ? 2 : Math.ceilDiv(words, GROUP) * GROUP;
  }

  private static int tail(long[][] binomials, PackedRows rows, Task task, int deciding) {
    int few = 1;
    while (few < Math.min(task.size(), MAX_TAIL)
        && binomials[few + 1][rows.count()] <= task.count()
        && (double) binomials[few + 1][rows.count()] * deciding * Integer.BYTES
            <= MAX_TABLE_BYTES) {
      few++;
    }
    return few;
  }

  /** Loads rows and makes the table, for searches on one stream. */
  static void run(Gpu gpu, PackedRows rows, Task task, Consumer<SumSearch> use) {
    Layout layout = new Layout(gpu, rows, task);
    GridStrideKernel tables = gpu.modules().kernel("distances", "sums_table", THREADS, 0, 1);
    gpu.streams()
        .useOne(
            layout.scratch,
            slot -> {
              SumSearch search = new SumSearch(slot, rows, task, layout);
              search.load(layout, tables);
              use.accept(search);
            });
  }

  private void load(Layout layout, GridStrideKernel tables) {
    MemorySegment words = slot.pinned(pinnedOffset, rows.bytes());
    MemorySegment.copy(rows.data(), 0, words, JAVA_INT, 0, rows.data().length);
    slot.stream().upload(words, slot.device(rowsOffset));
    slot.await();
    MemorySegment counts = slot.pinned(pinnedOffset, layout.binomialBytes());
    MemorySegment.copy(layout.binomials, 0, counts, JAVA_LONG, 0, layout.binomials.length);
    slot.stream().upload(counts, slot.device(binomialsOffset));
    slot.await();
    new DistanceArguments.Table(
            slot.device(rowsOffset),
            slot.device(binomialsOffset),
            slot.device(tableOffset),
            tableSums,
            rows.count(),
            rows.words(),
            rows.rowWords(),
            deciding,
            tail)
        .write(slot.arguments());
    tables.launchThreads(slot, tableSums);
  }

  /** Returns the lightest of some sums, at most 2^52, if its weight is at most a maximum. */
  Optional<Sum> lightest(long first, long count, int maxWeight) {
    if (maxWeight < 0) {
      return Optional.empty();
    }
    int max = Math.min(maxWeight, rows.words() * Integer.SIZE);
    long key = launch(first, count, (long) max << NUMBER_BITS | NO_NUMBER, max);
    long number = key & NO_NUMBER;
    return number == NO_NUMBER
        ? Optional.empty()
        : Optional.of(new Sum((int) (key >>> NUMBER_BITS), first + number));
  }

  /** Returns the numbers of the light sums of some; empty if there is no room for them. */
  Optional<long[]> light(long first, long count) {
    long found = launch(first, count, 0, task.maxWeight());
    if (found > task.capacity()) {
      return Optional.empty();
    }
    long[] numbers = new long[(int) found];
    if (found > 0) {
      MemorySegment pinned = slot.pinned(pinnedOffset, found * Long.BYTES);
      slot.stream().download(slot.device(numbersOffset), pinned);
      slot.await();
      MemorySegment.copy(pinned, JAVA_LONG, 0, numbers, 0, numbers.length);
      Arrays.setAll(numbers, i -> first + numbers[i]);
    }
    return Optional.of(numbers);
  }

  int capacity() {
    return task.capacity();
  }

  private long launch(long first, long count, long start, int maxWeight) {
    MemorySegment found = slot.pinned(pinnedOffset, Long.BYTES);
    slot.await();
    found.set(JAVA_LONG, 0, start);
    slot.stream().upload(found, slot.device(foundOffset));
    new DistanceArguments.Sums(
            slot.device(rowsOffset),
            slot.device(binomialsOffset),
            slot.device(tableOffset),
            slot.device(foundOffset),
            slot.device(numbersOffset),
            first,
            count,
            tableSums,
            task.capacity(),
            rows.count(),
            task.size(),
            tail,
            rows.words(),
            rows.rowWords(),
            deciding,
            maxWeight)
        .write(slot.arguments());
    kernel.launchBlocks(slot, Math.ceilDiv(count, (long) WARP_SUMS * WARPS));
    slot.stream().download(slot.device(foundOffset), found);
    slot.await();
    return found.get(JAVA_LONG, 0);
  }
}
