package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.sorting.KeyType;
import io.fieldstone.engine.sorting.RecordFormat;
import io.fieldstone.engine.sorting.Sorting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HybridSortsTest {

  private static final RecordFormat INTS = RecordFormat.of(KeyType.I32);
  private static final SplitRule CUT =
      new SplitRule(Optional.of(Split.GENERATIONS), Optional.empty());

  private final WatchedEngine first = new WatchedEngine("gpu:0");
  private final WatchedEngine second = new WatchedEngine("gpu:1");
  private final int[] keys = new SplittableRandom(6).ints(10_000).toArray();
  private final int[] expected = Arrays.stream(keys).sorted().toArray();

  private HybridEngine engine(SplitRule rule) {
    return new HybridEngine("gpu:all", List.of(first, second), rule);
  }

  private static void sort(Engine engine, int[] keys) {
    engine.sorts().sorting(INTS).sort(MemorySegment.ofArray(keys));
  }

  @Test
  void theFirstPartThatIsNotTheCoresSorts() {
    WatchedEngine cores = new WatchedEngine("cpu");
    try (Engine engine = new HybridEngine("cpu+gpu:0+gpu:1", List.of(cores, first, second), CUT)) {
      sort(engine, keys);
      assertThat(cores.sortsMade).hasValue(0);
      assertThat(first.sortsMade).hasValue(1);
      assertThat(second.sortsMade).hasValue(0);
    }
    assertThat(keys).isEqualTo(expected);
  }

  @Test
  void memoryMayBeConfinedToTheCallerAndIsChecked() {
    try (Engine engine = engine(CUT);
        Arena arena = Arena.ofConfined()) {
      Sorting sorting = engine.sorts().sorting(INTS);
      MemorySegment records = arena.allocateFrom(ValueLayout.JAVA_INT, keys);
      MemorySegment sorted = arena.allocate(records.byteSize());
      sorting.sort(records, sorted);
      assertThat(sorted.toArray(ValueLayout.JAVA_INT)).isEqualTo(expected);
      assertThat(records.toArray(ValueLayout.JAVA_INT)).isEqualTo(keys);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sorting.sort(sorted.asReadOnly()))
          .withMessageContaining("read-only");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> sorting.sort(records, sorted.asSlice(4)))
          .withMessageContaining("destination");
    }
  }
}
