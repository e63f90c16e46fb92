package io.fieldstone.cpu;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.cpu.sorting.ArrayItems;
import io.fieldstone.cpu.sorting.IntArrayItems;
import io.fieldstone.cpu.sorting.IntOps;
import io.fieldstone.cpu.sorting.ItemOps;
import io.fieldstone.cpu.sorting.ItemSort.Source;
import io.fieldstone.cpu.sorting.LongArrayItems;
import io.fieldstone.cpu.sorting.LongOps;
import io.fieldstone.cpu.sorting.MsdLsd;
import io.fieldstone.cpu.sorting.SortMemory;
import io.fieldstone.cpu.sorting.SortResources;
import io.fieldstone.cpu.sorting.WideOps;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Items that are not those that were counted stay within the memory that was taken for them. */
class ScatterTest {

  private static final int ITEMS = 64;
  private static final byte MARGIN = 0x3C;

  /** A loop that moves items by their low bits: all of the value 0. */
  private record Loop(String name, int itemBytes, Moves moves) {
    @Override
    public String toString() {
      return name;
    }
  }

  private interface Moves {
    void run(long[] heads, long last);
  }

  static Stream<Loop> loops() {
    MemorySegment zeros = Arena.ofAuto().allocate(ITEMS * 16, 16);
    return Stream.of(
        new Loop("ints", 4, ofNative(new IntOps(), zeros)),
        new Loop("longs", 8, ofNative(new LongOps(Long.SIZE), zeros)),
        new Loop("pairs of ints", 8, ofNative(new LongOps(Integer.SIZE), zeros)),
        new Loop("pairs of longs", 16, ofNative(new WideOps(), zeros)),
        new Loop("array of ints", 4, ofArray(new IntArrayItems(new int[ITEMS], 0, 0))),
        new Loop("array of longs", 8, ofArray(new LongArrayItems(new long[ITEMS], 0, 0))));
  }

  private static Moves ofNative(ItemOps items, MemorySegment zeros) {
    return (heads, last) -> items.scatterWithin(zeros.address(), ITEMS, 0, heads, last);
  }

  private static Moves ofArray(ArrayItems items) {
    return (heads, last) -> items.scatterWithin(0, ITEMS, 0, heads, last);
  }

  @ParameterizedTest
  @MethodSource("loops")
  void noItemGoesBehindTheLastPlace(Loop loop) {
    int room = 10 * loop.itemBytes();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(2L * ITEMS * loop.itemBytes(), 16).fill(MARGIN);
      long last = memory.address() + room - loop.itemBytes();
      long[] heads = {memory.address(), 0};
      assertThatExceptionOfType(ConcurrentModificationException.class)
          .isThrownBy(() -> loop.moves().run(heads, last))
          .withMessage("the records changed while they were sorted");
      assertThat(memory.asSlice(0, room).toArray(JAVA_BYTE)).containsOnly(0);
      assertThat(memory.asSlice(room).toArray(JAVA_BYTE)).containsOnly(MARGIN);
    }
  }

  /**
   * Keys of two values when they are checked and counted, and of many values when they are moved.
   */
  private record Changing(AtomicInteger read, int count, int then) implements Source {
    @Override
    public void copy(long first, int number, long to) {
      boolean isSample = number == 1;
      boolean isMoved = !isSample && read.addAndGet(number) > 2 * count;
      for (int i = 0; i < number; i++) {
        int key = isMoved ? then : (first + i) % 2 == 0 ? -1 : 0;
        Rows.MEMORY.set(JAVA_INT_UNALIGNED, to + (long) i * Integer.BYTES, key);
      }
    }
  }

  /** They would go behind the end of all, or into the places of others. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 0x1234_5678})
  void keysThatChangeBetweenCountAndMoveAreNotSorted(int then) {
    int count = 1 << 20;
    try (SortMemory memory = new SortMemory();
        TaskPool workers = new TaskPool("test", 0, 0)) {
      IntOps items = new IntOps();
      SortResources resources =
          new SortResources(workers, memory, Long.MAX_VALUE, 0, items.bytes(count));
      Changing keys = new Changing(new AtomicInteger(), count, then);
      assertThatExceptionOfType(ConcurrentModificationException.class)
          .isThrownBy(() ->
              MsdLsd.plain(items, resources)
                  .sort(
                      count,
                      keys,
                      (_, _, _) -> {
                        throw new AssertionError("stored");
                      }));
      assertThat(keys.read()).hasValueGreaterThan(2 * count);
    }
  }

  /** Keys that agree in most digits, so that the largest bucket is partitioned repeatedly. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void itemsAreInTwoBuffersAfterAnyNumberOfPartitions(int threads) {
    int count = 1_000_000;
    long[] keys = new long[count];
    for (int i = 0; i < count; i++) {
      keys[i] = i % 1000 == 0 ? 1L << (9 * (i / 1000 % 7)) : 5L << 32 | i % 3;
    }
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    try (SortMemory memory = new SortMemory();
        TaskPool workers = new TaskPool("test", threads - 1, 0)) {
      LongOps items = new LongOps(Long.SIZE);
      SortResources resources =
          new SortResources(workers, memory, Long.MAX_VALUE, 0, items.bytes(count));
      MsdLsd.plain(items, resources)
          .sort(
              count,
              (first, number, to) ->
                  MemorySegment.copy(
                      keys, (int) first, Rows.MEMORY, JAVA_LONG_UNALIGNED, to, number),
              (from, number, first) ->
                  MemorySegment.copy(
                      Rows.MEMORY, JAVA_LONG_UNALIGNED, from, keys, (int) first, number));
      assertThat(Arrays.equals(keys, sorted)).isTrue();
      long benches = threads * SortResources.threadBytes(items.bytes(count));
      assertThat(memory.bytes()).isLessThanOrEqualTo(2 * items.bytes(count) + benches);
    }
  }
}
