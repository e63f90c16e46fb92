package io.fieldstone.hybrid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fieldstone.engine.Engine;
import io.fieldstone.engine.EngineMemoryError;
import io.fieldstone.engine.KeyType;
import io.fieldstone.engine.RecordFormat;
import io.fieldstone.engine.Sorting;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HybridSortsTest {

  private static final RecordFormat INTS = RecordFormat.of(KeyType.I32);
  private static final SplitRule CUT =
      new SplitRule(Optional.of(Split.GENERATIONS), Optional.of(0.5));

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
  void bothPartsHaveARunAndARange() {
    try (Engine engine = engine(CUT)) {
      sort(engine, keys);
      assertThat(first.bytesMade).hasValue(2);
      assertThat(second.bytesMade).hasValue(2);
    }
    assertThat(keys).isEqualTo(expected);
  }

  @Test
  void aFewRecordsAreOnePartsAffair() {
    try (Engine engine = engine(SplitRule.BY_SHAPE)) {
      sort(engine, keys);
      assertThat(first.bytesMade).hasValue(0);
      assertThat(second.bytesMade).hasValue(0);
    }
    assertThat(keys).isEqualTo(expected);
  }

  @Test
  void theCoresDoNotShareWithWhatIsNoneOfThem() {
    WatchedEngine cores = new WatchedEngine("cpu");
    try (Engine engine = new HybridEngine("cpu+gpu:0", List.of(cores, first), CUT)) {
      sort(engine, keys);
      assertThat(cores.bytesMade).hasValue(0);
      assertThat(first.bytesMade).hasValue(0);
    }
    assertThat(keys).isEqualTo(expected);
    second.close();
  }

  @Test
  void whatThePartsHaveNoMemoryForIsOnePartsAffair() {
    for (int room = 0; room < 2; room++) {
      int[] some = keys.clone();
      AtomicInteger left = new AtomicInteger(room);
      second.beforeAllocateBytes =
          () -> {
            if (left.getAndDecrement() == 0) {
              throw new EngineMemoryError("full", new IllegalStateException());
            }
          };
      try (HybridEngine engine = engine(CUT)) {
        sort(engine, some);
        assertThat(left.get()).isNegative();
      }
      assertThat(some).isEqualTo(expected);
    }
  }

  @Test
  void anotherFailureIsTheCallersAndLeavesTheRecords() {
    int[] before = keys.clone();
    second.beforeAllocateBytes =
        () -> {
          throw new IllegalStateException("broken");
        };
    try (Engine engine = engine(CUT)) {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> sort(engine, keys))
          .withMessage("broken");
    }
    assertThat(keys).isEqualTo(before);
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
          .withMessageContaining("room");
    }
  }
}
