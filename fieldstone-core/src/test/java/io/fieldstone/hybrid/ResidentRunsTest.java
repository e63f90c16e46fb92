package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.ResidentBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResidentRunsTest {

  private static final int RECORD_WORDS = 3;

  private final SplittableRandom random = new SplittableRandom(8);
  private final Engine engine = Engine.open("cpu:scalar");
  private final List<ResidentBytes> opened = new ArrayList<>();
  private final AtomicInteger reads = new AtomicInteger();

  @AfterEach
  void close() {
    opened.forEach(ResidentBytes::close);
    engine.close();
  }

  /** A record of the merge by its run. */
  private record Item(long rank, int run) {}

  @ParameterizedTest
  @EnumSource(RecordFormat.Direction.class)
  void cutsAreThoseOfTheStableMerge(RecordFormat.Direction direction) {
    RecordFormat format = new RecordFormat(KeyType.I32, 8, direction);
    for (int round = 0; round < 60; round++) {
      int values = new int[] {1, 2, 50, Integer.MAX_VALUE}[round % 4];
      List<Item> items = new ArrayList<>();
      List<ResidentBytes> runs = new ArrayList<>();
      for (int run = 0; run < 1 + random.nextInt(5); run++) {
        int count = random.nextInt(4) == 0 ? random.nextInt(3) : random.nextInt(300);
        int mine = run;
        int shift = random.nextInt(3) * 100; // so that some runs are before others
        int[] keys = random.ints(count, 0, values).map(key -> key / 2 + shift).toArray();
        int[] sorted =
            Arrays.stream(keys)
                .boxed()
                .sorted(Comparator.comparing(format::rank, Long::compareUnsigned))
                .mapToInt(Integer::intValue)
                .toArray();
        Arrays.stream(sorted).forEach(key -> items.add(new Item(format.rank(key), mine)));
        runs.add(resident(sorted));
      }
      items.sort(Comparator.comparing(Item::rank, Long::compareUnsigned));
      ResidentRuns merged = new ResidentRuns(format, runs);
      for (int before = 0; before <= items.size(); before += 1 + random.nextInt(40)) {
        long[] expected = new long[runs.size()];
        items.subList(0, before).forEach(item -> expected[item.run()]++);
        assertThat(merged.cuts(before)).as("%d of %d", before, items.size()).isEqualTo(expected);
      }
    }
  }

  /** Each key is a round trip. */
  @Test
  void aCutReadsFewKeys() {
    RecordFormat format = RecordFormat.of(KeyType.U32).withPayload(8);
    int count = 1 << 16;
    int[] low = random.ints(count).map(key -> key >>> 1).sorted().toArray();
    int[] any = random.ints(count).map(key -> key >>> 1).sorted().toArray();
    int[] high = Arrays.stream(low).map(key -> key | Integer.MIN_VALUE).toArray();
    for (List<int[]> keys : List.of(List.of(low, any), List.of(low, high), List.of(high, low))) {
      ResidentRuns runs = new ResidentRuns(format, keys.stream().map(this::resident).toList());
      for (int before : new int[] {1, count / 3, count, count + 1, 2 * count - 1}) {
        reads.set(0);
        assertThat(runs.cuts(before)).hasSize(2);
        assertThat(reads.get()).as("keys read for %d", before).isLessThanOrEqualTo(6 * 17);
      }
    }
  }

  private ResidentBytes resident(int[] keys) {
    int[] words = new int[keys.length * RECORD_WORDS];
    for (int i = 0; i < keys.length; i++) {
      words[i * RECORD_WORDS] = keys[i];
    }
    ResidentBytes bytes = engine.loadBytes(MemorySegment.ofArray(words));
    opened.add(bytes);
    return new Counted(bytes, reads);
  }

  /** Counts what is read. */
  private record Counted(ResidentBytes bytes, AtomicInteger reads) implements ResidentBytes {

    @Override
    public long byteSize() {
      return bytes.byteSize();
    }

    @Override
    public void store(long offset, MemorySegment source) {
      bytes.store(offset, source);
    }

    @Override
    public void read(long offset, MemorySegment destination) {
      reads.incrementAndGet();
      bytes.read(offset, destination);
    }

    @Override
    public void close() {
      bytes.close();
    }
  }
}
