package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorts shared by two or three engines of the cores. */
class SharedSortTest {

  private static final RecordFormat PAIRS = RecordFormat.of(KeyType.U32).withPayload(4);
  private static final int COUNT = 20_000;

  private final PartThreads threads = new PartThreads();
  private final List<Engine> parts =
      IntStream.range(0, 3).mapToObj(_ -> Engine.open("cpu:scalar")).toList();
  private final List<Sorting> sortings =
      parts.stream().map(part -> part.sorts().sorting(PAIRS)).toList();

  @AfterEach
  void close() {
    parts.forEach(Engine::close);
    threads.close();
  }

  /** Few keys, so that ties go across runs; the payload is the index. */
  private static long[] records(int keys) {
    SplittableRandom random = new SplittableRandom(4);
    return LongStream.range(0, COUNT)
        .map(index -> index << Integer.SIZE | random.nextInt(keys))
        .toArray();
  }

  private static long[] sorted(long[] records) {
    return Arrays.stream(records)
        .boxed()
        .sorted((a, b) -> Integer.compareUnsigned(a.intValue(), b.intValue()))
        .mapToLong(Long::longValue)
        .toArray();
  }

  private SharedSort sort(MemorySegment records, MemorySegment sorted, long leastRange) {
    return new SharedSort(parts, sortings, threads, records, sorted, leastRange);
  }

  private static void run(SharedSort sort, Shares division) {
    for (int part = 0; part < division.parts(); part++) {
      if (!division.isIdle(part)) {
        sort.sortRun(part, division.from(part), division.to(part));
      }
    }
    sort.merge(division);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_000, 1 << 30})
  void partsTogetherSortStably(long leastRange) {
    for (int keys : new int[] {1, 7, 1000, Integer.MAX_VALUE}) {
      for (double[] rates : new double[][] {{1, 1, 1}, {5, 0, 1}, {1, 100, 10}, {0, 1, 0}}) {
        long[] records = records(keys);
        long[] expected = sorted(records);
        long[] elsewhere = new long[COUNT];
        Shares division = Shares.of(COUNT, 1, rates);
        MemorySegment memory = MemorySegment.ofArray(records);
        try (SharedSort sort = sort(memory, MemorySegment.ofArray(elsewhere), leastRange)) {
          run(sort, division);
        }
        assertThat(elsewhere).isEqualTo(expected);
        assertThat(records).isEqualTo(records(keys));
        try (SharedSort sort = sort(memory, memory, leastRange)) {
          run(sort, division);
        }
        assertThat(records).isEqualTo(expected);
      }
    }
  }

  /** A part does samples of the job before its share. */
  @Test
  void aRunReplacesTheOneBefore() {
    long[] records = records(100);
    long[] expected = sorted(records);
    MemorySegment memory = MemorySegment.ofArray(records);
    try (SharedSort sort = sort(memory, memory, 1)) {
      for (int part = 0; part < parts.size(); part++) {
        sort.sortRun(part, 0, 10);
        sort.sortRun(part, 0, 1000);
      }
      run(sort, Shares.of(COUNT, 1, new double[] {1, 1, 0}));
    }
    assertThat(records).isEqualTo(expected);
  }
}
