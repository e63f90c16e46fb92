package io.fieldstone.cpu.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.concurrent.TaskPool;
import io.fieldstone.cpu.execution.Rows;
import io.fieldstone.engine.memory.CpuInfo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Sorts with the sizes of every kind of processor, on any processor. */
class MsdLsdTest {

  /** Around the sizes from which threads share the items, and from which runs are partitioned. */
  private static final int[] COUNTS = {1, 1000, (1 << 14) - 1, 1 << 14, 40_000, 140_000};

  private static final List<SortSizes> ALL = List.of(SortSizes.INTEL, SortSizes.DEFAULT);

  private record Case(SortSizes sizes, ItemOps items, int threads) {}

  static Stream<Case> cases() {
    return ALL.stream()
        .flatMap(sizes ->
            Stream.of(new IntOps(), new LongOps(Integer.SIZE), new LongOps(Long.SIZE))
                .flatMap(items -> Stream.of(1, 2).map(threads -> new Case(sizes, items, threads))));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void sortsAsOneRunDoes(Case each) {
    SplittableRandom random = new SplittableRandom(20261126);
    for (int count : COUNTS) {
      for (int low : new int[] {0, 50}) {
        // Most keys are small if low is large, as in a Zipf distribution.
        requireSorted(each, count, random, low);
      }
    }
  }

  private static void requireSorted(Case each, int count, SplittableRandom random, int low) {
    ItemOps items = each.items();
    long bytes = items.bytes(count);
    try (Arena arena = Arena.ofShared();
        SortMemory memory = new SortMemory();
        TaskPool workers = new TaskPool("test", each.threads() - 1, 0)) {
      MemorySegment from = arena.allocate(bytes + Long.BYTES, 16);
      MemorySegment sorted = arena.allocate(bytes, 16);
      MemorySegment other = arena.allocate(bytes, 16);
      for (int i = 0; i < count; i++) {
        long key = random.nextLong() >>> random.nextInt(low + 1);
        if (items.bytes(1) == Integer.BYTES) {
          from.set(JAVA_LONG_UNALIGNED, items.bytes(i), key >>> Integer.SIZE);
        } else {
          from.set(JAVA_LONG_UNALIGNED, items.bytes(i), key);
        }
      }
      SortResources resources =
          new SortResources(workers, memory, Long.MAX_VALUE, 2 * bytes, bytes);
      boolean isSorted =
          MsdLsd.plain(items, resources, each.sizes())
              .sort(
                  count,
                  (first, number, to) ->
                      items.copy(from.address() + items.bytes(first), to, number),
                  (address, number, first) ->
                      items.copy(address, sorted.address() + items.bytes(first), number));
      assertThat(isSorted).isTrue();
      MemorySegment run = arena.allocate(bytes, 16).copyFrom(from.asSlice(0, bytes));
      long expected = new RunSort(items).sort(run.address(), other.address(), count);
      assertThat(sorted.mismatch(Rows.MEMORY.asSlice(expected, bytes)))
          .as("%s, %d items", each, count)
          .isEqualTo(-1);
    }
  }

  @Test
  void intelHasSizesOfItsOwn() {
    assertThat(SortSizes.of(CpuInfo.of(Stream.of("vendor_id : GenuineIntel"))))
        .isEqualTo(SortSizes.INTEL);
    assertThat(SortSizes.of(CpuInfo.of(Stream.of("vendor_id : AuthenticAMD"))))
        .isEqualTo(SortSizes.DEFAULT);
    assertThat(SortSizes.of(CpuInfo.of(Stream.empty()))).isEqualTo(SortSizes.DEFAULT);
  }
}
