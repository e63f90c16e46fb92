package io.fieldstone.engine.sorting;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SortedRunsTest {

  private final SplittableRandom random = new SplittableRandom(3);

  /** A record: its key, and where it came from. */
  private record Item(long key, int number) {}

  @ParameterizedTest
  @EnumSource(RecordFormat.Direction.class)
  void rangesPutTogetherAreTheMerge(RecordFormat.Direction direction) {
    RecordFormat format = new RecordFormat(KeyType.I64, 8, direction);
    Comparator<Item> byRank =
        (a, b) -> Long.compareUnsigned(format.bitOrdered(a.key()), format.bitOrdered(b.key()));
    for (int values : new int[] {1, 3, 1000, Integer.MAX_VALUE}) {
      List<List<Item>> runs = new ArrayList<>();
      int numbers = 0;
      for (int run = 0; run < 1 + random.nextInt(5); run++) {
        List<Item> items = new ArrayList<>();
        for (int i = random.nextInt(200); i > 0; i--) {
          items.add(new Item(random.nextInt(values) - values / 2, numbers++));
        }
        items.sort(byRank);
        runs.add(items);
      }
      List<Item> merged = runs.stream().flatMap(List::stream).sorted(byRank).toList();
      SortedRuns sorted =
          new SortedRuns(format, runs.stream().map(SortedRunsTest::records).toList());
      int first = 0;
      while (first < merged.size()) {
        int count = Math.min(1 + random.nextInt(100), merged.size() - first);
        List<Item> range =
            sorted.range(first, count).stream()
                .flatMap(SortedRunsTest::items)
                .sorted(byRank)
                .toList();
        assertThat(range).isEqualTo(merged.subList(first, first + count));
        first += count;
      }
    }
  }

  @Test
  void piecesStandInTheOrderOfTheRunsAndAreNotEmpty() {
    RecordFormat ints = RecordFormat.of(KeyType.I32);
    MemorySegment low = MemorySegment.ofArray(new int[] {1, 2, 5, 5});
    MemorySegment high = MemorySegment.ofArray(new int[] {5, 5, 7});
    SortedRuns runs = new SortedRuns(ints, List.of(low, MemorySegment.NULL, high));
    assertThat(sizes(runs.range(0, 3))).containsExactly(3L);
    assertThat(sizes(runs.range(3, 2))).containsExactly(1L, 1L);
    assertThat(sizes(runs.range(5, 2))).containsExactly(2L);
    assertThat(runs.range(7, 0)).isEmpty();
  }

  @Test
  void theGreatestKeysAreFound() {
    int[] keys = {-2, -1, -1, -1};
    SortedRuns runs =
        new SortedRuns(RecordFormat.of(KeyType.U32), List.of(MemorySegment.ofArray(keys)));
    assertThat(sizes(runs.range(0, 4))).containsExactly(4L);
    assertThat(sizes(runs.range(2, 1))).containsExactly(1L);
  }

  @Test
  void moreThanThereIsIsRefused() {
    SortedRuns runs =
        new SortedRuns(
            RecordFormat.of(KeyType.U32), List.of(MemorySegment.ofArray(new int[] {4, 5})));
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> runs.range(1, 2))
        .withMessage("3 records requested, the runs have 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new SortedRuns(
                RecordFormat.of(KeyType.U64), List.of(MemorySegment.ofArray(new int[3]))));
  }

  private static List<Long> sizes(List<MemorySegment> pieces) {
    return pieces.stream().map(piece -> piece.byteSize() / Integer.BYTES).toList();
  }

  private static MemorySegment records(List<Item> items) {
    return MemorySegment.ofArray(
        items.stream()
            .flatMapToLong(item -> Arrays.stream(new long[] {item.key(), item.number()}))
            .toArray());
  }

  private static Stream<Item> items(MemorySegment records) {
    long[] words = records.toArray(JAVA_LONG);
    return Stream.iterate(0, i -> i < words.length, i -> i + 2)
        .map(i -> new Item(words[i], (int) words[i + 1]));
  }
}
